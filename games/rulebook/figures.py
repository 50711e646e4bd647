"""The eleven positions of the rule text, as the placements that lead to them, and how each is shown.

Contributions, sites and scores are not written here: the engine finds them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.drawing import figure_svg
from games.fragments import markup
from games.fragments.words import table_sentences, terms_of
from games.rules import Layout, Tile, parse_site, parse_tile
from games.rules.layout import EMPTY_LAYOUT
from games.rules.scoring import CHIP, points_due

MAIN_HAND = (
    "1|4",
    "1|1@1|4.low",
    "4|4@1|4.high",
    "3|4@4|4.line_b",
    "1|2@1|1.line_b",
    "1|5@1|1.arm_a",
    "5|5@1|5.high",
    "0|5@5|5.line_b",
    "1|3@1|1.arm_b",
)
LARGEST_HALF = 36  # pixels of a picture of its own size
LOW, MIDDLE, HIGH = (352, 180), (352, 236), (352, 344)


@dataclass(frozen=True, slots=True)
class Figure:
    """One position. `section` is the part of the page it belongs to, `size` that of its picture in pixels."""

    id: str
    section: str
    plays: Sequence[str]
    size: tuple[int, int]

    @property
    def layout(self) -> Layout:
        """The position, laid by the rules."""
        layout = EMPTY_LAYOUT
        for play in self.plays:
            tile, _at, site = play.partition("@")
            layout = layout.place(parse_tile(tile), parse_site(site) if site else None)
        return layout

    @property
    def placed(self) -> Tile:
        """The tile that was placed last."""
        return self.layout.tiles[-1]


FIGURES = (
    Figure("F01", "ends", MAIN_HAND[:1], LOW),
    Figure("F02", "ends", MAIN_HAND[:2], LOW),
    Figure("F03", "ends", ("3|6", "6|6@3|6.high"), LOW),
    Figure("F04", "ends", ("0|0",), LOW),
    Figure("F05", "doubles", MAIN_HAND[:3], LOW),
    Figure("F06", "doubles", MAIN_HAND[:4], LOW),
    Figure("F07", "doubles", ("2|2",), LOW),
    Figure("F08", "arms", MAIN_HAND[:5], MIDDLE),
    Figure("F09", "arms", MAIN_HAND[:6], MIDDLE),
    Figure("F10", "arms", MAIN_HAND[:8], HIGH),
    Figure("F11", "arms", MAIN_HAND[:9], HIGH),
)


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """A figure as the page shows it, in one language. `gain` is the score with its sign, `facts` say all of it."""

    id: str
    picture: SafeString
    title: str
    ends: str
    scores: bool
    gain: str
    chips: str
    note: str
    facts: tuple[str, ...]


@lru_cache(maxsize=8)
def drawn_figures(language: str) -> dict[str, tuple[DrawnFigure, ...]]:
    """The figures of each section, in the language that is active; `language` names it for the cache."""
    sections: dict[str, list[DrawnFigure]] = {}
    for figure in FIGURES:
        sections.setdefault(figure.section, []).append(_drawn(figure))
    return {section: tuple(figures) for section, figures in sections.items()}


def _drawn(figure: Figure) -> DrawnFigure:
    layout = figure.layout
    due = points_due(layout.total)
    facts = _facts(layout, due)
    last = None if len(layout.tiles) == 1 else figure.placed
    picture = figure_svg(layout, figure.size, largest_half=LARGEST_HALF, last=last, label=" ".join(facts))
    opens = len(layout.tiles) == 1
    title = _("Opened with %(tile)s") if opens else _("Placed %(tile)s")
    chips = ngettext("%(count)d chip", "%(count)d chips", due // CHIP) % {"count": due // CHIP}
    return DrawnFigure(
        id=figure.id,
        picture=picture,
        title=title % {"tile": markup.bracketed(figure.placed)},
        ends=f"{terms_of(layout.contributions)} = {layout.total}",
        scores=due > 0,
        gain=markup.signed(due),
        chips=chips if due else _("nothing moves"),
        note=_notes()[figure.id],
        facts=facts,
    )


def _facts(layout: Layout, due: int) -> tuple[str, ...]:
    """The picture in words, complete (SB-81)."""
    contributions, *others = table_sentences(layout)
    each = ", ".join(f"{markup.bracketed(tile)} {value}" for tile, value in layout.contributions)
    return (
        contributions,
        _("Score of the placement: %(points)d.") % {"points": due},
        *others,
        _("Contributions by tile: %(each)s.") % {"each": each},
    )


def _notes() -> dict[str, str]:
    """What each figure is there to show."""
    return {
        "F01": _("A lone tile has two open ends, and each counts for itself. The opening scores like any other tile."),
        "F02": _("The first double of the hand is the spinner. One of its sides is still open, so both halves count."),
        "F03": _("The double came later, but it is the first one of this hand: it is the spinner, too."),
        "F04": _("The double blank opens. A tile may go on either side; a total of nothing moves nothing."),
        "F05": _("A second double opens no arms. At an open end it counts both halves, just as the spinner does."),
        "F06": _("Covered on both sides, the second double counts nothing any more."),
        "F07": _("An opening double counts once, with both halves, although a tile may go on either side."),
        "F08": _("Both sides of the spinner are covered: it stops counting, and its two arms may be opened."),
        "F09": _("One arm is opened and counts by its open end. The other one is still only a place."),
        "F10": _("A double on an arm does not branch either. The blank end counts as zero."),
        "F11": _("Both arms are open: four ends, each with its own number."),
    }
