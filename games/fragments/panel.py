"""Beside the table: the bar of a phone, the score log of the hand, rules and resignation."""

from collections.abc import Hashable, Mapping
from functools import cache, lru_cache
from html import escape
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import pieces
from games.fragments import markup
from games.fragments.words import drawn_text, terms_of
from games.rules import TILES, parse_tile
from games.rules.clock import BANK_MS, DELAY_MS
from games.table import TableView

TITLE = "Spectacular Bid"


@cache
def tile_symbols() -> str:
    """The hidden `<svg>` with each tile lying, for the rows of the log. Once a page that has `domino_defs`."""
    symbols = "".join(
        f'<symbol id="log-{tile.low}-{tile.high}" viewBox="0 0 200 104">'
        f"{pieces.face((tile.high, tile.low), upright=False, shadow=False)}</symbol>"
        for tile in TILES
    )
    return f'<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>{symbols}</defs></svg>'


def bar_key(view: TableView) -> Hashable:
    """Changes with the hand."""
    return view.sight.hand


def bar(view: TableView) -> str:
    """The bar over the table of a phone: back, what is played, the way to the log."""
    log = _icon_link("#panel", _("Score log"), "list", ' data-action="panel"')
    hand = f' <span class="bar__hand">· {escape(_hand_text(view))}</span>' if view.sight.hand else ""
    return (
        f'<div id="f-bar" class="bar">{_icon_link("/", _("Back to the lobby"), "back")}'
        f'<p class="bar__title clip">{TITLE}{hand}</p>'
        f"{log}</div>"
    )


def log_key(view: TableView) -> Hashable:
    """Grows with the facts of the hand."""
    last = view.log[-1]["seq"] if view.log else 0
    return (view.sight.hand, len(view.log), last, view.sight.balances, view.rated)


def log(view: TableView) -> str:
    """What was played in this hand, line by line, under the balances of both."""
    rows = "".join(_rows(view)) or f'<li class="log__none">{escape(_("No tile has been played in this hand."))}</li>'
    return (
        f'<div id="f-log" class="panel__log">{_head(view)}{_balance_bar(view)}'
        f'<ol class="log" aria-label="{escape(_("Score log"))}" tabindex="0">{rows}</ol></div>'
    )


def actions_key(view: TableView) -> Hashable:
    """Changes with the hand, since a resignation names it."""
    return (view.sight.hand, view.can("resign"), view.csrf)


def actions(view: TableView) -> str:
    """Rules, and for a player the resignation, which is asked twice."""
    rules = (
        f'<a class="button" id="rules-link" href="{reverse("rules")}?table={escape(view.public_id)}" target="_blank"'
        f' rel="noopener" data-action="rules">{escape(_("Rules"))}</a>'
    )
    resign = ""
    if view.can("resign") and view.sight.hand > 0:
        button = markup.button(_("Resign the match"), "danger wide")
        back = markup.button(
            pgettext("instead of resigning", "Play on"), "quiet wide", ' type="button" data-action="close-details"'
        )
        text = _("You lose this match and, if it is rated, rating points. The clock keeps running.")
        form = markup.command_form(view, "resign", button, names_hand=True)
        resign = (
            f'<details class="resign" id="resign"><summary class="button">{escape(_("Resign"))}</summary>'
            f'<div class="resign__card"><p>{escape(text)}</p>{form}<div class="needs-js">{back}</div></div></details>'
        )
    return f'<div id="f-actions" class="panel__foot">{rules}{resign}</div>'


def _icon_link(href: str, label: str, icon: str, attributes: str = "") -> str:
    return f'<a class="icon-button" href="{href}" aria-label="{escape(label)}"{attributes}>{markup.icon(icon)}</a>'


def _hand_text(view: TableView) -> str:
    return _("Hand %(number)d") % {"number": view.sight.hand}


def _head(view: TableView) -> str:
    clock = _("%(bank)d s + %(delay)d s delay") % {"bank": BANK_MS // 1000, "delay": DELAY_MS // 1000}
    rated = pgettext("match", "Rated") if view.rated else pgettext("match", "Casual")
    parts = [_hand_text(view)] if view.sight.hand else []
    text = " · ".join([*parts, clock, rated])
    return f'<header class="panel__head"><h1>{TITLE}</h1><p>{escape(text)}</p></header>'


def _balance_bar(view: TableView) -> str:
    near, far = view.sight.balances[view.near], view.sight.balances[view.far]
    you = _("You") if view.viewer is not None else markup.short_name(view, view.near)
    label = _("%(first)d to %(second)d points") % {"first": near, "second": far}
    return (
        f'<div class="tug"><p class="tug__names"><span class="clip"><b class="num">{near}</b> {escape(you)}</span>'
        f'<span class="tug__other"><span class="clip">{escape(markup.short_name(view, view.far))}</span>'
        f' <b class="num">{far}</b></span></p>'
        f'<svg class="tug__bar" viewBox="0 0 {near + far} 10" preserveAspectRatio="none" role="img"'
        f' aria-label="{escape(label)}"><rect class="tug__far" width="{near + far}" height="10"/>'
        f'<rect class="tug__near" width="{near}" height="10"/></svg></div>'
    )


def _rows(view: TableView) -> list[str]:
    """One row a placement with its sum and score, and short rows for draws, passes, bids and payments."""
    rows: list[str] = []
    drawn = 0
    for number, fact in enumerate(view.log):
        kind = fact["type"]
        if kind == "drew":
            drawn += 1
            following = view.log[number + 1] if number + 1 < len(view.log) else None
            if following is None or following["type"] != "drew":
                rows.append(_row(view, fact["seat"], drawn_text(drawn)))
                drawn = 0
        elif kind == "played":
            paid = _payment(view, number)
            rows.append(
                _played_row(_who(view, fact["seat"]), view.language, fact["tile"], _sum(fact), fact["due"], paid)
            )
        else:
            row = _other_row(view, fact)
            if row:
                rows.append(row)
    return rows


def _payment(view: TableView, number: int) -> int | None:
    """What was paid for the placement at this place of the log, where that is less than was due."""
    if number + 1 < len(view.log):
        following = view.log[number + 1]
        if following["type"] == "transferred" and following["paid"] < following["due"]:
            return int(following["paid"])
    return None


def _sum(fact: Mapping[str, Any]) -> str:
    return f"{terms_of(fact['contributions'])} = {fact['total']}"


@lru_cache(maxsize=2048)
def _played_row(who: str, language: str, tile: str, ends: str, due: int, paid: int | None) -> str:
    # Cached by everything it shows, and short: a log of thirty rows is sent again after each move.
    capped = ""
    if paid is not None:
        text = _("%(due)d earned, %(paid)d paid") % {"due": due, "paid": paid}
        capped = f'<small class="log__capped">{escape(text)}</small>'
    scores = " data-scores" if due else ""
    low, high = parse_tile(tile)
    return (
        f'<li class="log__row">{who}<svg class="log__tile" role="img" aria-label="{low}–{high}">'
        f'<use href="#log-{low}-{high}"/></svg><span class="log__text">{ends}{capped}</span>'
        f'<b class="log__score"{scores}>{markup.signed(due)}</b></li>'
    )


def _other_row(view: TableView, fact: Mapping[str, Any]) -> str:
    kind = fact["type"]
    if kind == "passed":
        return _row(view, fact["seat"], _("no move, passed"))
    if kind == "declined":
        return _row(view, fact["seat"], _("no bid"))
    if kind in ("bid", "raised"):
        return _row(view, fact["seat"], _("bids %(amount)d") % {"amount": fact["amount"]})
    if kind == "accepted":
        return _row(view, fact["seat"], _("accepts %(amount)d") % {"amount": fact["amount"]})
    if kind == "transferred" and fact["cause"] != "placement":
        return _row(view, fact["payer"], pgettext("log", "pays"), f"{fact['paid']}")
    if kind == "hand_over" and fact["how"] == "block":
        return f'<li class="log__note">{escape(_("Blocked"))}</li>'
    return ""


def _row(view: TableView, seat: int, text: str, figure: str = "") -> str:
    score = f'<b class="log__score">{escape(figure)}</b>' if figure else ""
    return (
        f'<li class="log__row" data-quiet>{_who(view, seat)}<span class="log__text">{escape(text)}</span>{score}</li>'
    )


def _who(view: TableView, seat: int) -> str:
    """Who did it: the initials for the eye, the name for the ear."""
    name = markup.name_of(view, seat)
    mark = markup.seat_avatar(view, seat, "xs")
    return mark.replace('aria-hidden="true"', f'role="img" aria-label="{name}" title="{name}"')
