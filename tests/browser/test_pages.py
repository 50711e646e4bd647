"""Every page that links lead to: no error, no warning, nothing the policy forbids, and files that may be kept for good.

The states of the table are looked at in test_states.py, which fails at the same faults.
"""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Response

from tests.browser.people import make_people
from tests.browser.player import Player
from tests.stack import Stack

LINKS = "() => Array.from(document.querySelectorAll('a[href]'), (link) => link.getAttribute('href'))"
# The kit's states have tests of their own; a page that is downloaded or signs out is none to look at.
LEFT_OUT = ("/kit/", "/accounts/logout/", "/admin/logout/", "/static/")
# Of the admin its lists and empty forms; whatever is in them has the same pages.
ADMIN = re.compile(r"/admin/(?:\w+/){0,2}(?:add/)?")
STRICT = ("default-src 'none'", "script-src 'self'", "style-src 'self'", "worker-src 'self'", "manifest-src 'self'")


def crawl(player: Player, *starts: str, limit: int = 60) -> set[str]:
    """Opens each page once; the paths of all that were opened."""
    waiting, seen = list(starts), set(starts)
    while waiting:
        path = waiting.pop(0)
        answer = player.page.goto(path)
        assert answer is not None
        assert answer.status == 200, f"{path}: {answer.status}"
        policy = answer.headers["content-security-policy"]
        assert all(word in policy for word in STRICT), f"{path}: {policy}"
        assert "unsafe" not in policy, f"{path}: {policy}"
        for path in internal_links(player):
            if path not in seen and not path.startswith(LEFT_OUT):
                seen.add(path)
                waiting.append(path)
        assert len(seen) <= limit, seen
    return seen


def internal_links(player: Player) -> Iterator[str]:
    """The paths of this site that the page leads to; of those that differ only in their query, one."""
    for link in player.page.evaluate(LINKS):
        address = urlsplit(urljoin(player.page.url, link))
        is_looked_at = not address.path.startswith("/admin/") or ADMIN.fullmatch(address.path)
        if address.netloc == urlsplit(player.base_url).netloc and is_looked_at:
            yield address.path


@pytest.fixture
def keep_files(new_player: Callable[..., Player]) -> Iterator[Callable[[Player], None]]:
    """Notes each static file a browser is given; in the end all may be kept, and each came compressed that can be."""
    answers: list[Response] = []

    def keep(player: Player) -> None:
        player.page.on("response", lambda answer: "/static/" in answer.url and answers.append(answer))

    yield keep
    assert answers
    for answer in answers:
        if "/admin/" in answer.url:
            continue
        assert "immutable" in answer.headers.get("cache-control", ""), answer.url
        if answer.url.endswith((".js", ".css")):
            assert answer.headers.get("content-encoding") in ("br", "gzip"), answer.url


def test_pages_of_a_visitor(new_player: Callable[..., Player], keep_files: Callable[[Player], None]) -> None:
    visitor = new_player("A visitor")
    keep_files(visitor)
    found = crawl(visitor, "/")
    assert found >= {"/", "/rules/spectacular-bid/", "/accounts/login/", "/accounts/signup/", "/device/"}


def test_pages_of_a_member(new_player: Callable[..., Player], keep_files: Callable[[Player], None]) -> None:
    member = new_player(color_scheme="dark")
    member.offer()
    keep_files(member)
    found = crawl(member, "/")
    assert found >= {"/", "/rules/spectacular-bid/", "/accounts/settings/", f"/players/{member.name}/"}


def test_pages_of_the_staff(new_player: Callable[..., Player], stack: Stack) -> None:
    ((name, session),) = make_people(stack, ["Stella"], staff=True).items()
    stack.manage(
        "shell",
        "-c",
        f"from accounts.models import User; User.objects.filter(username={name!r}).update(is_superuser=True)",
    )
    staff = new_player(name)
    staff.context.add_cookies([{"name": "sessionid", "value": session, "url": staff.base_url}])
    assert crawl(staff, "/kit/", "/admin/") >= {"/kit/", "/admin/games/match/", "/admin/accounts/user/"}


def test_pages_that_are_not_there(new_player: Callable[..., Player]) -> None:
    """They say so without a fault but that."""
    visitor = new_player("A visitor")
    visitor.allow("the server responded with a status of 404")
    for path in ("/nowhere/", "/matches/aaaaaaaaaa/", "/players/Nobody/", "/kit/"):
        answer = visitor.page.goto(path)
        assert answer is not None
        assert answer.status == 404
        assert visitor.find("h1").count() == 1
