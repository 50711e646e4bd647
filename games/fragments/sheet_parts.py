"""What all sheets are made of: the frame with its foot, persons, lines with figures, open hands, balances."""

from collections.abc import Mapping
from html import escape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import pieces
from games.fragments import markup
from games.rules import Tile
from games.table import TableView

FACE_UNIT = 30
MANY = 8  # tiles; more of them are drawn smaller


def frame(kind: str, title: str, subtitle: str, body: str, foot: str, pill: str = "") -> str:
    """A sheet: what scrolls when there is little room, and the foot with the buttons, which never does."""
    peek = ""
    if kind != "start":
        label = escape(_("Show the table or the sheet"))
        peek = (
            '<button type="button" class="icon-button sheet__peek needs-js" id="peek" data-action="peek"'
            f' aria-label="{label}" title="{label}">{markup.icon("eye")}</button>'
        )
    return (
        f'<div id="f-sheet" class="sheet" data-kind="{kind}">'
        f'<section class="sheet__card" aria-labelledby="sheet-title">{peek}<div class="sheet__scroll">'
        f'<header class="sheet__head">{pill}'
        f'<h2 class="sheet__title" id="sheet-title" tabindex="-1">{escape(title)}</h2>'
        f'<p class="sheet__subtitle">{escape(subtitle)}</p></header>{body}</div>'
        f'<div class="sheet__foot">{foot}</div></section></div>'
    )


def person(view: TableView, seat: int, mark: str = "") -> str:
    """Whose half of the sheet it is; `mark` is markup that stands with the name."""
    name = markup.name_of(view, seat)
    return (
        f'<div class="person">{markup.seat_avatar(view, seat, "s")}'
        f'<span class="person__name" dir="auto" title="{name}">{name}</span>{mark}</div>'
    )


def lines(rows: str) -> str:
    """Lines as a list of words and their figures."""
    return f'<dl class="sheet__lines">{rows}</dl>'


def line(label: str, figure: str) -> str:
    """Words and the figure they lead to."""
    return (
        f'<div class="sheet__line"><dt>{escape(label)}</dt>'
        f'<dd class="num"><bdi dir="ltr">{escape(figure)}</bdi></dd></div>'
    )


def total(label: str, figure: str, small: str = "") -> str:
    """The line that the others lead to."""
    note = f"<small>{escape(small)}</small>" if small else ""
    return (
        f'<div class="sheet__line sheet__line--total"><dt>{escape(label)}{note}</dt>'
        f'<dd class="num"><bdi dir="ltr">{escape(figure)}</bdi></dd></div>'
    )


def balances(view: TableView, transfer: Mapping[str, Any] | None) -> str:
    """Both balances as chips, before and after, and what moved between them."""
    sides = []
    for seat in (view.near, view.far):
        after = view.sight.balances[seat]
        before = after
        if transfer is not None:
            before = after + transfer["paid"] if transfer["payer"] == seat else after - transfer["paid"]
        was = f"<s>{before}</s> " if before != after else ""
        sides.append(
            f'<div class="sheet__balance"><span class="clip">{escape(markup.short_name(view, seat))}</span>'
            f'<p class="num">{was}<b>{after}</b></p>{markup.chip_stacks(after, 17)}</div>'
        )
    middle = '<div class="sheet__moved"></div>'
    if transfer is not None and transfer["paid"]:
        arrow = "←" if transfer["payer"] == view.far else "→"
        chip = pieces.flying_chip(32)
        # The sides change places from right to left, and the arrow with them.
        moved = f'<span><span class="sheet__arrow">{arrow}</span> <bdi dir="ltr">{transfer["paid"]}</bdi></span>'
        middle = f'<div class="sheet__moved num">{chip}{moved}</div>'
    return f'<div class="sheet__balances">{sides[0]}{middle}{sides[1]}</div>'


def counted_note(text: str, view: TableView) -> str:
    """A sentence with the time left until a cap acts in its place; clock.js counts it down."""
    if view.cap_ms is None or view.at_device:  # a day is not counted down
        return ""
    left_ms = max(0, view.cap_ms - view.server_now_ms)
    time = f'<span class="num" data-until="{view.cap_ms}">{markup.short_duration(left_ms)}</span>'
    return f'<p class="sheet__note">{escape(text).replace("{time}", time)}</p>'


def waiting_for(view: TableView) -> str:
    """What stands where the button was."""
    return _("Waiting for %(name)s…") % {"name": markup.short_name(view, view.far)}


def proof(view: TableView) -> str:
    """How the deal can be checked afterwards (D-32)."""
    if not view.commitment and not view.seed:
        return ""
    parts = []
    if view.commitment:
        text = _(
            "The next deal follows from a secret seed and from numbers that both players’ pages add. This is the "
            "fingerprint (SHA-256) of the seed; the seed itself is shown when the hand is over."
        )
        parts.append(f'<p>{escape(text)}</p><p class="proof__hash num">{escape(view.commitment)}</p>')
    if view.seed:
        text = _("The seed of the hand that is over:")
        parts.append(f'<p>{escape(text)}</p><p class="proof__hash num">{escape(view.seed)}</p>')
    label = escape(_("How this deal can be checked"))
    return f'<details class="proof"><summary>{label}</summary>{"".join(parts)}</details>'


def open_hand(held: tuple[Tile, ...] | int) -> str:
    """The tiles somebody is left with; as backs where they are not shown."""
    if isinstance(held, int):
        label = ngettext("%(count)d tile, face down", "%(count)d tiles, face down", held) % {"count": held}
        return f'<div class="open-hand" role="img" aria-label="{escape(label)}">{markup.backs(held, FACE_UNIT)}</div>'
    if not held:
        return f'<div class="open-hand"><span class="pill pill--good">{escape(_("No tiles left"))}</span></div>'
    label = ", ".join(markup.tile_name(tile) for tile in held)
    faces = "".join(markup.face(tile, FACE_UNIT) for tile in held)
    many = " data-many" if len(held) > MANY else ""
    return f'<div class="open-hand"{many} role="img" aria-label="{escape(label)}">{faces}</div>'


def last(view: TableView, kind: str, since: str = "") -> Mapping[str, Any] | None:
    """The newest fact of a type; with `since` only if no fact of that type lies behind it."""
    for fact in reversed(view.log):
        if fact["type"] == kind:
            return fact
        if since and fact["type"] == since:
            return None
    return None
