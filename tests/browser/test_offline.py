"""Without a connection: one page that looks for the way back, and nothing kept that anybody should not see."""

import re
from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.browser.matches import WHOLE, play, seat
from tests.browser.player import PHONE, Player
from tests.browser.test_connection import SOCKETS, newest

PLACE = 8  # steps: in the middle of the first hand
# A connection that does not answer is kept: what was missed comes by coming back, or never.
NEVER_GIVEN_UP = """
const wait = window.setTimeout;
window.setTimeout = (end, ms, ...rest) => (ms === 6_000 ? 0 : wait(end, ms, ...rest));
"""
HAS_WORKER = "() => navigator.serviceWorker?.controller?.state === 'activated'"
# All that the browser keeps for the site beside cookies: caches with what is in them, storages, databases.
KEPT = """async () => {
  const kept = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      kept[new URL(request.url).pathname] = await (await cache.match(request, { ignoreVary: true })).text();
    }
  }
  const databases = (await indexedDB.databases()).map((database) => database.name);
  return { kept, databases, stored: { ...localStorage, ...sessionStorage } };
}"""


def test_a_match_without_a_connection_and_with_one_again(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """B261: what the browser keeps of a table is a page for this case. It says when it looks again, here in Polish."""
    prepare(WHOLE)
    pair = (new_player(viewport=PHONE, color_scheme="dark"), new_player())
    player = pair[0]
    player.allow("ERR_INTERNET_DISCONNECTED", "WebSocket connection", "htmx:wsError", r"\[object Event\]")
    seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    player.page.wait_for_function(HAS_WORKER)
    player.page.reload()
    player.wait_for(PLACE)

    found = player.page.evaluate(KEPT)
    assert set(found["kept"]) >= {"/offline/"}
    assert all(path == "/offline/" or path.startswith("/static/") for path in found["kept"]), found["kept"].keys()
    assert player.name not in "".join(found["kept"].values())
    assert not found["databases"]
    assert not any(re.search(r"\d\|\d|tile", text) for text in found["stored"].values()), found["stored"]

    player.context.add_cookies(
        [
            {"name": "django_language", "value": "pl", "url": player.base_url},
            {"name": "theme", "value": "light", "url": player.base_url},
        ]
    )
    player.context.set_offline(True)
    player.page.reload()
    expect(player.find("section[lang]:visible")).to_have_count(1)
    expect(player.find("section[lang=pl]")).to_be_visible()
    expect(player.find("html[lang=pl][data-theme=light]")).to_be_attached()
    expect(player.find("section[lang=pl] [data-in]")).to_contain_text(" s")
    expect(player.find(".hand-tile")).to_have_count(0)
    # In the letters of the site, which the pages before have brought.
    player.page.wait_for_function("() => document.fonts.check('16px \"Inter Variable\"')")
    assert player.page.evaluate("() => [...document.fonts].some((font) => font.status === 'loaded')")

    player.context.set_offline(False)
    player.wait_for(PLACE, limit_ms=20_000)
    play(pair, WHOLE.steps[PLACE : PLACE + 2], do=lambda player, step: player.do(step.command))


def test_a_newer_worker_takes_over_and_leaves_nothing_old(new_player: Callable[..., Player]) -> None:
    """No page waits for another one to be closed before the site is the present one."""
    visitor = new_player("A visitor")
    visitor.page.goto("/rules/")
    visitor.page.wait_for_function(HAS_WORKER)
    (name,) = visitor.page.evaluate("caches.keys()")
    visitor.page.evaluate(
        """async () => {
          await (await caches.open("boneyard-old")).put("/offline/", new Response("old"));
          await (await navigator.serviceWorker.getRegistration()).unregister();
        }"""
    )
    visitor.page.reload()
    visitor.page.wait_for_function(HAS_WORKER)
    visitor.page.wait_for_function("async (name) => (await caches.keys()).join() === name", arg=name)
    visitor.page.goto("/accounts/login/")
    assert visitor.page.evaluate("caches.match('/offline/', { ignoreVary: true }).then((page) => page.text())") != "old"
    answer = visitor.page.request.get("/sw.js")
    assert "no-cache" in answer.headers["cache-control"]


def test_an_open_page_goes_on_under_a_new_version(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """Its worker is another one, and files that it has not loaded are gone. What is loaded next is the new version."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    old = pair[0]
    old.allow("Failed to load resource.* 404", "ERR_INTERNET_DISCONNECTED", "WebSocket connection", r"\[object Event\]")
    old.allow("htmx:wsError")
    seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    old.page.wait_for_function(HAS_WORKER)
    gone: list[str] = []

    def missing(route: Route) -> None:
        gone.append(route.request.url)
        route.fulfill(status=404)

    later = re.compile(r"/js/(motion|drag|hearing)\.")
    old.context.route(later, missing)
    old.page.reload()
    old.wait_for(PLACE)

    was = old.page.evaluate("caches.keys().then((names) => names.join())")
    worker = old.page.request.get("/sw.js").text().replace(was.removeprefix("boneyard-"), "of-tomorrow")
    script = {"Content-Type": "text/javascript", "Cache-Control": "no-cache"}
    old.context.route("**/sw.js", lambda route: route.fulfill(body=worker, headers=script))
    old.page.evaluate("() => { window.isOld = true; }")
    old.page.evaluate("async () => { await (await navigator.serviceWorker.getRegistration()).update(); }")
    old.page.wait_for_function("async () => (await caches.keys()).join() === 'boneyard-of-tomorrow'")
    old.page.wait_for_function(HAS_WORKER)

    steps = WHOLE.steps[PLACE : PLACE + 4]
    assert {step.command.seat for step in steps} == {0, 1}
    play(pair, steps, do=lambda player, step: player.do(step.command))
    assert len({url.rpartition("/")[2].partition(".")[0] for url in gone}) == 3
    assert old.page.evaluate("() => window.isOld")

    old.context.unroute(later)
    old.context.set_offline(True)
    old.page.reload()
    expect(old.page.get_by_role("heading", name="No connection")).to_be_visible()
    old.context.set_offline(False)
    old.wait_for(steps[-1].seq, limit_ms=20_000)
    step = WHOLE.steps[PLACE + 4]
    play(pair, [step], do=lambda player, step: player.do(step.command))


def test_a_page_that_was_away_shows_the_present(
    new_player: Callable[..., Player], prepare: Callable[..., None]
) -> None:
    """Foreground, thaw, network, back button: whatever was missed is there at once, and there is one socket."""
    prepare(WHOLE)
    pair = (new_player(), new_player())
    for player in pair:
        player.context.add_init_script(SOCKETS + NEVER_GIVEN_UP)
    seat(pair)
    play(pair, WHOLE.steps[:PLACE])
    returns = (
        "document.dispatchEvent(new Event('visibilitychange'))",
        "document.dispatchEvent(new Event('resume'))",
        "window.dispatchEvent(new Event('online'))",
        "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    )
    steps = iter(WHOLE.steps[PLACE:])
    for come_back in returns:
        step = next(steps)
        mover, away = pair[step.command.seat], pair[1 - step.command.seat]
        newest(away, "isMuted = true")
        mover.do(step.command)
        mover.wait_for(step.seq)
        assert away.seq == step.seq - 1
        newest(away, "isMuted = false")
        away.page.evaluate(f"() => {{ {come_back}; }}")
        away.wait_for(step.seq, limit_ms=3_000)
    open_ones = "() => window.sockets.filter((socket) => socket.readyState < 2).length === 1"
    for player in pair:
        player.page.wait_for_function(open_ones)
    play(pair, [next(steps)])
