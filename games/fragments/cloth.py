"""The cloth: the layout with its ends and the places of a picked tile, the sum of the ends, the boneyard."""

from collections.abc import Hashable, Mapping
from html import escape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.drawing import board_svg
from games.fragments import markup
from games.fragments.words import ends_text, place_label, score_text, terms_of
from games.rules import Tile
from games.table import TableView

YARD_UNIT = 12
YARD_BACKS = 3


def cloth_key(view: TableView) -> Hashable:
    """Changes with the layout, with what may be played on it, and with the shape of the table."""
    sight = view.sight
    return (view.table_format, sight.hand, sight.layout.tiles, sight.previews)


def cloth(view: TableView) -> str:
    """The board; the places of every play are in it, hidden until the script shows those of the picked tile."""
    layout = view.sight.layout
    previews = view.sight.previews
    labels = {(play.tile, play.site): place_label(play, view.language) for play in previews}
    board = board_svg(
        layout,
        view.table_format,
        previews=previews,
        last=_last_tile(layout.tiles),
        label_id="f-words",  # the same words, which every frame of a new layout has once
        ghost_labels=labels,
    )
    last = f' data-last="t-{layout.tiles[-1].low}-{layout.tiles[-1].high}"' if layout.tiles else ""
    return f'<div id="f-cloth" class="cloth" data-format="{view.table_format}"{last}>{board}</div>'


def sum_key(view: TableView) -> Hashable:
    """Changes with the layout and with who played last."""
    sight = view.sight
    return (sight.hand, sight.layout.tiles)


def ends_sum(view: TableView) -> str:
    """The ends as a sum; the script shows in it what a play aimed at would lead to."""
    layout = view.sight.layout
    played, paid = _last_played(view)
    terms = terms_of(layout.contributions)
    total = layout.total if layout.tiles else ""
    empty = "" if layout.tiles else " data-empty"
    scored, note, why = "", "", ""
    if played is not None:
        seat = played["seat"]
        payer = "" if markup.is_you(view, 1 - seat) else markup.short_name(view, 1 - seat)
        scored = " data-scores" if played["due"] else ""
        text = _("not a multiple of five")
        if scored and markup.is_you(view, seat):
            text = _("scored by you")
        elif scored:
            text = _("scored by %(name)s") % {"name": markup.short_name(view, seat)}
        note = f'<span class="sum__note">{escape(text)}</span>'
        why = (
            f'<p><bdi dir="ltr">{ends_text(played["contributions"])} = {played["total"]}</bdi><br>'
            f"{escape(score_text(played['total'], played['due'], paid, payer))}</p>"
        )
    label = escape(pgettext("of the layout", "Ends"))
    rule = _(
        "A tile scores when the ends add up to a multiple of five. The filled numbers count, rings do not; a double "
        "at an end counts both halves."
    )
    return (
        f'<div id="f-sum" class="sum"{empty}><details class="help"><summary class="sum__line">'
        f'<span class="sum__label">{label}</span>'
        f'<span class="sum__label sum__label--if">{escape(_("If played"))}</span>'
        f'<bdi class="sum__terms num" dir="ltr"><span data-sum="terms">{terms}</span> =</bdi>'
        f'<output class="sum__total num" data-sum="total"{scored}>{total}</output>{note}</summary>'
        f'<div class="help__text">{why}<p id="help-sum">{escape(rule)}</p></div></details></div>'
    )


def yard_key(view: TableView) -> Hashable:
    """Changes with the number of tiles; on offer, with the version too."""
    return (view.sight.hand == 0, view.sight.boneyard, view.seq if view.can("draw") else None, view.csrf)


def yard(view: TableView) -> str:
    """How many tiles are left; the button to draw one when that is what has to be done."""
    count = view.sight.boneyard
    if view.sight.hand == 0:
        return '<div id="f-yard" class="yard" hidden></div>'
    if view.can("draw"):
        label = ngettext("Draw a tile, %(count)d left", "Draw a tile, %(count)d left", count) % {"count": count}
        button = (
            f'<button class="yard__draw" id="draw" aria-label="{escape(label)}">{markup.icon("plus")}'
            f'<span>{escape(_("Draw a tile"))}</span> <span class="num">({count})</span></button>'
        )
        return f'<div id="f-yard" class="yard" data-draw>{markup.command_form(view, "draw", button)}</div>'
    label = ngettext("%(count)d tile in the boneyard", "%(count)d tiles in the boneyard", count) % {"count": count}
    help_text = _(
        "The tiles that are left to draw. Whoever has none that fits draws until one does; when none is left, the turn "
        "goes to the other player."
    )
    return (
        f'<div id="f-yard" class="yard"><details class="help"><summary class="yard__line" aria-label="{escape(label)}">'
        f'<span class="yard__backs" aria-hidden="true">{markup.backs(min(count, YARD_BACKS), YARD_UNIT)}</span>'
        f'<b class="num">{count}</b><span class="yard__label">{escape(_("in the boneyard"))}</span></summary>'
        f'<div class="help__text"><p id="help-yard">{escape(help_text)}</p></div></details></div>'
    )


def _last_tile(tiles: tuple[Tile, ...]) -> Tile | None:
    return tiles[-1] if tiles else None


def _last_played(view: TableView) -> tuple[Mapping[str, Any] | None, int]:
    """The newest placement of the hand and what was paid for it."""
    paid = 0
    for fact in reversed(view.log):
        if fact["type"] == "transferred" and fact["cause"] == "placement":
            paid = fact["paid"]
        elif fact["type"] == "played":
            return fact, paid
    return None, 0
