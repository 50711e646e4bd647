"""The list of offers is live: it shows what others do without a reload."""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.browser.player import Player

GONE_LIMIT_MS = 20_000  # the owner may only be reloading, so the offer stays for a while


def offer_of(owner: Player, watcher: Player) -> Locator:
    return watcher.page.get_by_role("button", name=f"Accept the offer of {owner.name}")


def test_offers_come_and_go_before_the_eyes_of_others(new_player: Callable[..., Player]) -> None:
    owner, watcher = new_player(), new_player()
    watcher.page.goto("/")
    owner.offer()
    expect(offer_of(owner, watcher)).to_be_visible()
    owner.page.get_by_role("button", name="Cancel the offer").click()
    expect(offer_of(owner, watcher)).to_have_count(0)
    owner.offer(rated=False)
    expect(offer_of(owner, watcher)).to_be_visible()
    owner.page.close()
    expect(offer_of(owner, watcher)).to_have_count(0, timeout=GONE_LIMIT_MS)
