"""What a table weighs and how soon it is seen: sizes on the wire, frames, drawing, and a slow phone's first picture.

`python -m tests.bench.weight`. A real site and a real browser on loopback, whose network and processor are slowed down
as the developer tools of Chromium do it; under a minute on an idle machine.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import django
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.chromium import FLAGS, find_chromium
from tests.stack import running_stack

MATCHES = 3
DRAWN = 400  # versions of matches of which everything is drawn
STEPS = 30  # of the script: late in the first hand
LOADS = 5
PHONE = {"width": 360, "height": 780}
# "Fast 4G": bytes a second, and the time to the server and back.
NETWORK = {"offline": False, "downloadThroughput": 1_012_500, "uploadThroughput": 168_750, "latency": 165}
CPU_SLOWED = 4
SETTLE_MS = 1_500
KINDS = {"Script": "scripts", "Stylesheet": "styles", "Document": "page", "Font": "fonts"}
GOALS = {
    "first view without fonts, kB": 120.0,
    "scripts of it, kB": 40.0,
    "frame of a move, median, kB": 8.192,
    "all fragments of a viewer, median, ms": 5.0,
    "largest contentful paint, median, ms": 1_500.0,
}
# The biggest thing on the page when nothing more comes; a page that is looked at by nobody has none.
LCP = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true });
})"""
FCP = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


def main() -> int:
    """Measure, print, and say which goals are missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    figures = frames() | drawing()
    chromium = find_chromium()
    if chromium is None:
        print("boneyard: there is no Chromium on PATH; pages were not measured.", file=sys.stderr)
    else:
        figures |= pages(chromium)
    for name, goal in GOALS.items():
        if name in figures:
            print(f"goal {name}: {goal:g} {'met' if figures[name] <= goal else 'MISSED'} ({figures[name]:.2f})")
    return 0


def frames() -> dict[str, float]:
    """The frames of whole matches to both players, before compression."""
    from tests.table.drive import frame_sizes

    sizes = frame_sizes(MATCHES)
    median = statistics.median(sizes) / 1000
    print(f"frames of {MATCHES} matches: {len(sizes)}, median {median:.1f} kB, largest {max(sizes) / 1000:.1f} kB")
    return {"frame of a move, median, kB": median}


def drawing() -> dict[str, float]:
    """All fragments of one viewer, as a page or a new connection needs them."""
    from games import fragments
    from tests.table.drive import Drive

    match, costs_ms = Drive(7), []
    for number in range(DRAWN):
        view = match.view(number % 2)
        before_ns = time.process_time_ns()
        fragments.render_all(view)
        costs_ms.append((time.process_time_ns() - before_ns) / 1e6)
        if match.step() is None:
            match = Drive(number)
    median = statistics.median(costs_ms)
    print(f"all fragments of a viewer: median {median:.2f} ms, slowest {max(costs_ms):.2f} ms of one core")
    return {"all fragments of a viewer, median, ms": median}


def pages(chromium: Path) -> dict[str, float]:
    """The table late in a hand, loaded by a phone that was never there before."""
    from tests.browser.matches import WHOLE, play, seat
    from tests.browser.people import make_people
    from tests.browser.player import Player
    from tests.browser.script import write_deals

    with tempfile.TemporaryDirectory(prefix="by-") as spare, sync_playwright() as driver:
        deals = Path(spare) / "deals.json"
        write_deals(deals, WHOLE.deals, balances=WHOLE.balances)
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        with running_stack(Path(spare), extra_env={"BONEYARD_TEST_DEALS": str(deals)}) as stack:
            names = make_people(stack, ["Zeynep", "Przemek"])
            one, other = (Player.at(browser, stack.base_url, name, session=key) for name, key in names.items())
            address = seat((one, other))
            play((one, other), WHOLE.steps[:STEPS], do=lambda player, step: player.do(step.command))
            one.close()
            other.close()
            figures = loads(browser, stack.base_url, one.session, address)
        browser.close()
    return figures


def loads(browser: Browser, base_url: str, session: str, address: str) -> dict[str, float]:
    seen = []
    for _ in range(LOADS):
        context = browser.new_context(base_url=base_url, viewport=PHONE, device_scale_factor=2, locale="en-GB")
        context.add_cookies([{"name": "sessionid", "value": session, "url": base_url}])
        seen.append(load(context, address))
        context.close()
    sizes = {kind: statistics.median(one["sizes"].get(kind, 0) for one in seen) / 1000 for kind in seen[0]["sizes"]}
    told = ", ".join(f"{kind} {size:.1f}" for kind, size in sorted(sizes.items()))
    later = statistics.median(one["later"] for one in seen) / 1000
    print(f"first view of the table, kB: {told}; {seen[0]['count']} requests; after it {later:.1f}")
    lcp, fcp = (statistics.median(one[name] for one in seen) for name in ("lcp", "fcp"))
    print(
        f"slow phone: first paint {fcp:.0f} ms, largest {lcp:.0f} ms (median of {LOADS}, load {os.getloadavg()[0]:.1f})"
    )
    return {
        "first view without fonts, kB": sum(size for kind, size in sizes.items() if kind != "fonts"),
        "scripts of it, kB": sizes.get("scripts", 0),
        "largest contentful paint, median, ms": lcp,
    }


def load(context: BrowserContext, address: str) -> dict[str, Any]:
    """One load with nothing in the cache: bytes by kind, requests, and when it was painted."""
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", NETWORK)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWED})
    begun: dict[str, tuple[str, float]] = {}  # by request: kind, bytes of the head
    sizes: dict[str, float] = {}

    def began(told: dict[str, Any]) -> None:
        begun[told["requestId"]] = KINDS.get(told["type"], "others"), told["response"]["encodedDataLength"]

    def finished(told: dict[str, Any]) -> None:
        kind, head = begun.get(told["requestId"], ("others", 0))
        sizes[kind] = sizes.get(kind, 0) + told["encodedDataLength"] - head

    tools.on("Network.responseReceived", began)
    tools.on("Network.loadingFinished", finished)
    page.goto(address, wait_until="load")
    first = dict(sizes), len(begun)
    page.wait_for_timeout(SETTLE_MS)
    later = sum(sizes.values()) - sum(first[0].values())
    painted = {"lcp": page.evaluate(LCP), "fcp": page.evaluate(FCP)}
    return {"sizes": first[0], "count": first[1], "later": later, **painted}


if __name__ == "__main__":
    sys.exit(main())
