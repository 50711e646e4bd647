"""Pieces of markup that several fragments share: command forms, chips, clocks, names."""

import re
import secrets
from collections.abc import Mapping
from functools import lru_cache
from html import escape

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import pieces
from games.rules import Tile
from games.table import TableView

MINUS = "\u2212"
LOW_MS = 20_000
LONG_NAME = 14  # letters; a longer one is shortened where it stands in a sentence
SHORTEST_NAME = 3
# What the ring of every clock is made of; the page has it once. Dashes and colours come from where it is used.
RING_PARTS = (
    '<circle id="d-ring" cx="20" cy="20" r="17" pathLength="100" transform="rotate(-86 20 20)" stroke-width="3.2"/>'
    '<path id="d-hand" d="M20 13v7.6l5 3"/><path id="d-bars" d="M16.6 14.6v10.8m6.8-10.8v10.8"/>'
)
# A tile lies in a button, or in a picture with a name, and nobody is told of its parts.
SILENT = ' aria-hidden="true"'
_HUE = re.compile(r'data-hue="(\d)"')


def command_form(
    view: TableView,
    kind: str,
    button: str,
    *,
    values: Mapping[str, str] | None = None,
    names_hand: bool = False,
    attributes: str = "",
) -> str:
    """A form that sends one command, with or without scripts; `button` and `attributes` are markup.

    The command names the version it was drawn for, or the hand where the other side's act must not make it stale
    (D-30). Its id makes a doubled post harmless; the script gives each sending an id of its own.
    """
    hidden = [("type", kind), ("hand", view.sight.hand) if names_hand else ("seq", view.seq)]
    if values:
        hidden.extend(values.items())
    hidden.append(("id", secrets.token_hex(8)))
    if view.csrf:
        hidden.append(("csrfmiddlewaretoken", view.csrf))
    inputs = "".join(f'<input type="hidden" name="{name}" value="{escape(str(value))}">' for name, value in hidden)
    return (
        f'<form class="command" method="post" action="/matches/{escape(view.public_id)}/commands/"'
        f' data-command="{kind}"{attributes}>{inputs}{button}</form>'
    )


def button(text: str, kind: str = "", attributes: str = "", more: str = "") -> str:
    """A submit button; `kind` names modifiers of the class ("primary wide"), `attributes` and `more` are markup.

    `more` says in a second line what the press leads to.
    """
    classes = "".join(f" button--{modifier}" for modifier in kind.split())
    if more:
        return f'<button class="button button--two{classes}"{attributes}><span>{escape(text)}</span>{more}</button>'
    return f'<button class="button{classes}"{attributes}>{escape(text)}</button>'


def points_label(points: int) -> str:
    """ "165 points, 33 chips of five"."""
    text = ngettext("%(points)d point", "%(points)d points", points) % {"points": points}
    chips = ngettext("%(chips)d chip of five", "%(chips)d chips of five", points // 5) % {"chips": points // 5}
    return f"{text}, {chips}"


def signed(points: int) -> str:
    """A change with its sign, the minus as a minus."""
    return f"+{points}" if points > 0 else f"{MINUS}{-points}" if points < 0 else "0"


def duration(ms: int) -> str:
    """Time left as m:ss, under twenty seconds with tenths as the language writes them; always rounded down.

    >>> duration(96_900), duration(8_450), duration(0)
    ('1:36', '8.4', '0.0')
    """
    if ms < LOW_MS:
        tenths = max(0, ms) // 100
        return number_format(tenths / 10, 1)
    seconds = ms // 1000
    return f"{seconds // 60}:{seconds % 60:02d}"


def short_duration(ms: int) -> str:
    """Time as m:ss for notes: "0:14"."""
    seconds = max(0, ms) // 1000
    return f"{seconds // 60}:{seconds % 60:02d}"


@lru_cache(maxsize=512)
def face(tile: Tile, unit: int, upright: bool = True, label: str = "") -> str:
    """A tile face up; the same strings are needed for every viewer and move."""
    return str(pieces.tile_face(tile, unit, upright=upright, label=label)).replace(SILENT, "")


@lru_cache(maxsize=64)
def backs(count: int, unit: int) -> str:
    """`count` tiles face down; nothing in it depends on the tiles."""
    return str(pieces.tile_back(unit)).replace(SILENT, "") * count


@lru_cache(maxsize=256)
def chip_stacks(points: int, width: int) -> str:
    """Points as stacks of chips."""
    return str(pieces.chips(points, width))


@lru_cache(maxsize=256)
def avatar(name: str, size: str = "", language: str = "") -> str:
    """The avatar of a name; silent, since the name stands beside it."""
    return str(pieces.avatar(name, size=size, language=language))


def seat_avatar(view: TableView, seat: int, size: str = "") -> str:
    """The avatar of a seat; two players never share a hue at their table."""
    mark = avatar(view.seats[seat].name, size, view.language)
    # At one device the table turns round, and the hues stay.
    if seat == (1 if view.at_device else view.far):
        hue = _HUE.search(mark)
        other = _HUE.search(avatar(view.seats[1 - seat].name, "", view.language))
        if hue is not None and other is not None and hue[1] == other[1]:
            mark = mark.replace(hue[0], f'data-hue="{(int(hue[1]) + 2) % pieces.HUES}"')
    return mark


@lru_cache(maxsize=64)
def icon(name: str) -> str:
    """A line icon."""
    return str(pieces.icon(name))


@lru_cache(maxsize=64)
def ring(delay_left: int, seat: int) -> str:
    """The ring of a clock: ten segments, so many of them lit, and the three middles of which its state shows one.

    Two dashed circles and not ten pieces, drawn by RING_PARTS, since each frame carries two clocks. clock.js writes
    the same dashes.
    """
    lit = "7.6 2.4 " * (delay_left - 1) + "7.6 100" if delay_left else "0 100"
    return (
        f'<svg class="clock__ring" viewBox="0 0 40 40" aria-hidden="true"><g id="ring-{seat}">'
        '<use class="clock__track" href="#d-ring"/><use class="clock__hand" href="#d-hand"/>'
        '<use class="clock__bars" href="#d-bars"/></g>'
        f'<use class="clock__lit" href="#d-ring" stroke-dasharray="{lit}"/>'
        f'<text class="clock__count" x="20" y="25">{delay_left}</text></svg>'
    )


def tile_name(tile: Tile) -> str:
    """A tile in words of the page: "0–5"."""
    return f"{tile.low}–{tile.high}"


def bracketed(tile: Tile) -> str:
    """A tile in the rule texts' notation."""
    return f"[{tile.low}|{tile.high}]"


def name_of(view: TableView, seat: int) -> str:
    """The name of a seat, escaped."""
    return escape(view.seats[seat].name)


def short_name(view: TableView, seat: int) -> str:
    """The name of a seat for a sentence: of a long name its first word, unless both seats would be called the same."""
    short = _short(view.seats[seat].name)
    return view.seats[seat].name if short == _short(view.seats[1 - seat].name) else short


def is_you(view: TableView, seat: int) -> bool:
    """Whether a sentence about this seat speaks to its reader. At one device both read, and each has a name."""
    return seat == view.viewer and not view.at_device


def _short(name: str) -> str:
    if len(name) <= LONG_NAME:
        return name
    first = name.split()[0]
    return first if len(first) >= SHORTEST_NAME else name


def bank_left(view: TableView, seat: int) -> int:
    """What a seat has in its bank at sending, in ms."""
    sight = view.sight
    if view.lit != seat or sight.deadline_ms is None:
        return sight.banks_ms[seat]
    return min(sight.banks_ms[seat], max(0, sight.deadline_ms - view.server_now_ms))


def is_low(view: TableView, seat: int) -> bool:
    """Whether the clock of a seat runs and has little left."""
    return view.lit == seat and bank_left(view, seat) < LOW_MS


def clock(view: TableView, seat: int) -> str:
    """The clock of a seat as it stands at sending; clock.js carries it on from there."""
    sight = view.sight
    bank_ms = bank_left(view, seat)
    state, delay_left = "paused", 0
    if view.lit == seat and sight.deadline_ms is not None:
        left_ms = sight.deadline_ms - view.server_now_ms
        delay_left = max(0, -(-(left_ms - sight.banks_ms[seat]) // 1000))
        state = "delay" if delay_left else "bank"
    low = " data-low" if bank_ms < LOW_MS else ""
    return (
        f'<div class="clock" id="clock-{seat}" data-clock="{seat}" data-state="{state}"{low} role="timer"'
        f' aria-label="{escape(_("Time left"))}">{ring(delay_left, seat)}'
        f'<span class="clock__bank num">{duration(bank_ms)}</span></div>'
    )
