"""What the page of a variant's rules shows, as plain values for its template."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.rulebook import examples
from games.rulebook.figures import FIGURES, drawn_figures
from games.rules import TILES, VARIANTS
from games.rules.auction import DISCOUNT, MIN_BID, STEP
from games.rules.clock import BANK_MS, DELAY_MS
from games.rules.scoring import CHIP

SPECTACULAR_BID = "spectacular-bid"


def book() -> dict[str, Any]:
    """The contents list, the numbers, the figures and the examples of Spectacular Bid, in the active language.

    `numbers` are what the sentences of the page need, `contents` are (anchor, title) in the order of the page.
    """
    caps = {"start_cap_s": settings.START_CAP_MS // 1000, "continue_cap_s": settings.CONTINUE_CAP_MS // 1000}
    return {**_book(get_language() or ""), "caps": caps}


@lru_cache(maxsize=8)
def _book(language: str) -> dict[str, Any]:
    variant = VARIANTS[SPECTACULAR_BID]
    return {
        "numbers": _numbers(),
        "contents": _contents(),
        "figures": drawn_figures(language),
        "legend_value": FIGURES[0].layout.contributions[0][1],
        "examples": {
            "scores": examples.scores(variant),
            "ranks": examples.ranks(),
            "blocks": examples.blocks(variant),
            "auctions": examples.auctions(variant),
            "clocks": examples.clocks(),
        },
    }


def _numbers() -> dict[str, int]:
    """Points, tiles and seconds by their names."""
    variant = VARIANTS[SPECTACULAR_BID]
    return {
        "chip": CHIP,
        "two_chips": 2 * CHIP,
        "three_chips": 3 * CHIP,
        "chips_in_three": 3,
        "start_balance": variant.start_balance,
        "start_chips": variant.start_balance // CHIP,
        "all_points": variant.start_balance * variant.seats,
        "tiles": len(TILES),
        "tiles_per_hand": variant.tiles_per_hand,
        "boneyard": len(TILES) - variant.tiles_per_hand * variant.seats,
        "min_bid": MIN_BID,
        "step": STEP,
        "discount": DISCOUNT,
        "bank_s": BANK_MS // 1000,
        "delay_s": DELAY_MS // 1000,
    }


def _contents() -> tuple[tuple[str, str], ...]:
    """Anchors begin alike, so that they are nobody else's where the rules lie over a table."""
    return (
        ("rule-points", _("Points and chips")),
        ("rule-deal", _("Deal and opening")),
        ("rule-turns", _("Play, draw, pass")),
        ("rule-ends", _("Counting the ends")),
        ("rule-doubles", _("Doubles")),
        ("rule-arms", _("The spinner’s arms")),
        ("rule-over", _("The end of a hand")),
        ("rule-auction", _("The auction")),
        ("rule-clock", _("How the clock works")),
        ("rule-match", _("How a match ends")),
        ("rule-keys", _("Keys")),
    )
