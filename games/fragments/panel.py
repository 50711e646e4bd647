"""Beside the table: the bar of a phone, the head of the score log, rules and resignation."""

from collections.abc import Hashable
from functools import cache
from html import escape

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import pieces
from games.fragments import markup
from games.rules import TILES
from games.rules.clock import BANK_MS, DELAY_MS
from games.table import TableView

TITLE = "Spectacular Bid"


@cache
def tile_symbols() -> str:
    """The hidden `<svg>` of what the fragments refer to, so that they are short: each tile lying, for the rows of
    the log, and the parts of a clock's ring. Once a page that has `domino_defs`.
    """
    symbols = markup.RING_PARTS + "".join(
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
    sound = (
        f'<button type="button" class="icon-button needs-js" popovertarget="sound" aria-label="{escape(_("Sound"))}">'
    )
    rest = f" · {escape(_hand_text(view))}" if view.sight.hand else ""
    hand = f' <span class="bar__hand">{rest}{bar_watching(view)}</span>'
    return (
        f'<div id="f-bar" class="bar">{_icon_link("/", _("Back to the lobby"), "back")}'
        f'<h1 class="bar__title clip">{TITLE}{hand}</h1>'
        f'<div class="bar__ways">{sound}{markup.icon("sound")}</button>{log}</div></div>'
    )


def watching_key(view: TableView) -> Hashable:
    """Changes with how many look on, which no version tells: so that alone is drawn."""
    return view.watchers


def bar_watching(view: TableView) -> str:
    """How many look on, within the bar."""
    shown = ""
    if view.watchers:
        label = escape(_watching(view))
        mark = f'{markup.icon("eye")}<span class="num">{view.watchers}</span>'
        shown = f' · <span class="bar__watching" role="img" aria-label="{label}" title="{label}">{mark}</span>'
    return f'<span id="f-bar-watching">{shown}</span>'


def watching(view: TableView) -> str:
    """The same within the head of the score log."""
    said = escape(_watching(view)).replace(" ", "\N{NO-BREAK SPACE}") if view.watchers else ""
    return f'<span id="f-watching">{said}</span>'


def log_key(view: TableView) -> Hashable:
    """Changes with the balances and with what the head says."""
    return (view.sight.hand, view.sight.balances, view.rated, view.viewer, view.near)


def log(view: TableView) -> str:
    """What is played, and the balances of both; under it stand the rows of `games.fragments.rows`."""
    return f'<div id="f-log" class="panel__top">{_head(view)}{_balance_bar(view)}</div>'


def actions_key(view: TableView) -> Hashable:
    """Changes with the hand, since a resignation names it; at one device with the version, which it names there."""
    return (view.sight.hand, view.can("resign"), view.csrf, view.seq if view.at_device else None)


def actions(view: TableView) -> str:
    """Rules, and for a player the resignation, which is asked twice."""
    rules = (
        f'<a class="button" id="rules-link" href="{reverse("rules")}?table={escape(view.public_id)}" target="_blank"'
        f' rel="noopener">{escape(_("Rules"))}</a>'
    )
    sound = f'<button type="button" class="button needs-js" popovertarget="sound">{escape(_("Sound"))}</button>'
    resign = ""
    if view.can("resign") and view.sight.hand > 0:
        button = markup.button(_("Resign the match"), "danger wide")
        back = markup.button(
            pgettext("instead of resigning", "Play on"), "quiet wide", ' type="button" data-action="close-details"'
        )
        text = _("You will lose this match. The clock keeps running.")
        if view.rated:
            text = _("You will lose this match and rating points. The clock keeps running.")
        values = {}
        if view.at_device:
            name = markup.short_name(view, view.near)
            text = _("%(name)s loses this match. The clock keeps running.") % {"name": name}
            # Pressed late, it must not be a resignation of the other.
            values["seq"] = str(view.seq)
        form = markup.command_form(view, "resign", button, values=values, names_hand=True)
        resign = (
            f'<details class="resign" id="resign"><summary class="button">{escape(_("Resign"))}</summary>'
            f'<div class="resign__card"><p>{escape(text)}</p>{form}<div class="needs-js">{back}</div></div></details>'
        )
    is_watching = view.viewer is None and not view.at_device
    watching = f'<p class="panel__watching">{escape(_("You are watching."))}</p>' if is_watching else ""
    return f'<div id="f-actions" class="panel__foot">{watching}{rules}{sound}{resign}</div>'


def _icon_link(href: str, label: str, icon: str, attributes: str = "") -> str:
    return f'<a class="icon-button" href="{href}" aria-label="{escape(label)}"{attributes}>{markup.icon(icon)}</a>'


def _hand_text(view: TableView) -> str:
    return _("Hand %(number)d") % {"number": view.sight.hand}


def _watching(view: TableView) -> str:
    return ngettext("%(count)d watching", "%(count)d watching", view.watchers) % {"count": view.watchers}


def _head(view: TableView) -> str:
    clock = _("%(bank)d s + %(delay)d s delay") % {"bank": BANK_MS // 1000, "delay": DELAY_MS // 1000}
    rated = pgettext("match", "Rated") if view.rated else pgettext("match", "Casual")
    if view.at_device:
        rated = pgettext("match", "One device")
    parts = [_hand_text(view)] if view.sight.hand else []
    # The dots between them are drawn by the style sheet, which leaves them out where a line ends.
    text = " ".join(f"<span>{escape(part)}</span>" for part in (*parts, clock, rated))
    return f'<header class="panel__head"><h1>{TITLE}</h1><p>{text} {watching(view)}</p></header>'


def _balance_bar(view: TableView) -> str:
    near, far = view.sight.balances[view.near], view.sight.balances[view.far]
    you = _("You") if view.viewer is not None else markup.short_name(view, view.near)
    label = _("%(first)d to %(second)d points") % {"first": near, "second": far}
    return (
        f'<div class="tug"><p class="tug__names"><span class="clip"><b class="num">{near}</b> {escape(you)}</span>'
        f'<span class="tug__other"><bdi class="clip">{escape(markup.short_name(view, view.far))}</bdi>'
        f' <b class="num">{far}</b></span></p>'
        f'<svg class="tug__bar" viewBox="0 0 {near + far} 10" preserveAspectRatio="none" role="img"'
        f' aria-label="{escape(label)}"><line class="tug__near" y1="5" x2="{near}" y2="5"/>'
        f'<line class="tug__far" x1="{near}" y1="5" x2="{near + far}" y2="5"/></svg></div>'
    )
