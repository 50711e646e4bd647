"""The sheet between two hands: both hands open, what was paid and why, and the way on."""

from collections.abc import Mapping
from html import escape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.fragments import markup, sheet_parts
from games.fragments.words import terms_of
from games.rules import Tile, parse_tile
from games.rules.auction import DISCOUNT
from games.table import TableView

CHIP = 5  # points


def after_hand(view: TableView) -> str:
    over = sheet_parts.last(view, "hand_over")
    if over is None:
        return sheet_parts.frame("settlement", _("The hand is over"), "", sheet_parts.proof(view), _continue(view, ""))
    if over["how"] == "domino":
        return _went_out(view, over)
    return _blocked(view, over)


def _went_out(view: TableView, over: Mapping[str, Any]) -> str:
    seat = over["winner"]
    played = sheet_parts.last(view, "played")
    is_me = seat == view.viewer
    name = markup.short_name(view, seat)
    title = _("You went out") if is_me else _("%(name)s went out") % {"name": name}
    due = played["due"] if played is not None else 0
    if due:
        scored = _("Your last tile scored %(points)d.") if is_me else _("The last tile scored %(points)d.")
        last = scored % {"points": due}
    else:
        last = _("Your last tile scored nothing.") if is_me else _("The last tile scored nothing.")
    subtitle = f"{last} {_('Tiles left in a hand pay nothing.')}"
    lines = ""
    if played is not None:
        ends = pgettext("of the layout", "Ends %(terms)s") % {"terms": terms_of(played["contributions"])}
        lines += sheet_parts.line(ends, str(played["total"]))
    jockey = (
        _("You are the jockey of the next auction")
        if is_me
        else _("%(name)s is the jockey of the next auction") % {"name": name}
    )
    discount = _("off your own winning bid") if is_me else _("off their own winning bid")
    lines += sheet_parts.total(jockey, f"{markup.MINUS}{DISCOUNT}", discount)
    transfer = sheet_parts.last(view, "transferred") if due else None
    last_tile = parse_tile(played["tile"]) if played is not None else None
    body = f"{_hands(view, over, seat, last_tile)}{sheet_parts.lines(lines)}{sheet_parts.balances(view, transfer)}"
    note = (
        _("Next comes the auction for the opening; the first decision is yours.")
        if view.viewer == 1 - seat
        else _("Next comes the auction for the opening; %(name)s decides first.")
        % {"name": markup.short_name(view, 1 - seat)}
    )
    return sheet_parts.frame("settlement", title, subtitle, f"{body}{sheet_parts.proof(view)}", _continue(view, note))


def _blocked(view: TableView, over: Mapping[str, Any]) -> str:
    winner = over["winner"]
    transfer = sheet_parts.last(view, "transferred", since="hand_over")
    if winner is None:
        pips = over["pips"]
        title = _("Blocked: a tie")
        lines = sheet_parts.total(
            _("%(first)d and %(second)d: nothing is paid") % {"first": pips[0], "second": pips[1]}, "0"
        )
    else:
        title = _("Blocked: the lighter hand wins")
        lines = _block_lines(view, over, winner, transfer)
    subtitle = _("Neither player can move and the boneyard is empty.")
    body = f"{_hands(view, over, winner)}{sheet_parts.lines(lines)}{sheet_parts.balances(view, transfer)}"
    note = _("After a blocked hand the highest double opens: no auction.")
    return sheet_parts.frame("settlement", title, subtitle, f"{body}{sheet_parts.proof(view)}", _continue(view, note))


def _block_lines(view: TableView, over: Mapping[str, Any], winner: int, transfer: Mapping[str, Any] | None) -> str:
    """The rounding worked out: the loser's pips to the nearest five, the winner's own not taken off (SB-43)."""
    loser_pips, own_pips = over["pips"][1 - winner], over["pips"][winner]
    due = transfer["due"] if transfer is not None else 0
    paid = transfer["paid"] if transfer is not None else 0
    loser = markup.short_name(view, 1 - winner)
    is_yours = markup.is_you(view, 1 - winner)
    hand = _("Your hand, to the nearest five") if is_yours else _("%(name)s’s hand, to the nearest five")
    lines = sheet_parts.line(hand % {"name": loser}, f"{loser_pips} → {due}")
    own = (
        _("Your own pips (%(pips)d) are not taken off")
        if winner == view.viewer
        else _("The winner’s own pips (%(pips)d) are not taken off")
    )
    lines += sheet_parts.line(own % {"pips": own_pips}, f"{markup.MINUS}0")
    if paid < due:
        most = _("All that you had") if is_yours else _("All that %(name)s had")
        lines += sheet_parts.line(most % {"name": loser}, str(paid))
    if winner == view.viewer:
        who = _("You receive")
    elif view.viewer is None:
        who = _("%(name)s receives") % {"name": markup.short_name(view, winner)}
    else:
        who = _("You pay")
    chips = ngettext("%(count)d chip", "%(count)d chips", paid // CHIP) % {"count": paid // CHIP}
    points = ngettext("%(count)d point", "%(count)d points", paid) % {"count": paid}
    return lines + sheet_parts.total(who, f"{points} · {chips}")


def _hands(view: TableView, over: Mapping[str, Any], winner: int | None, last_tile: Tile | None = None) -> str:
    """Both hands open, side by side, with who is ready to go on; `last_tile` is what the winner went out with."""
    sides = []
    for seat in (view.near, view.far):
        held = view.sight.held[seat]
        pips = over["pips"][seat]
        left = ngettext("{count} pip left", "{count} pips left", pips)
        left = escape(left).replace("{count}", f'<b class="num">{pips}</b>')
        lighter = ""
        if seat == winner and over["how"] == "block":
            lighter = f' <span class="pill pill--good">{escape(_("lighter"))}</span>'
        if seat == winner and last_tile is not None:
            left = f"{escape(_('last tile'))} {_lying(last_tile)}"
        won = " data-won" if seat == winner else ""
        ready = ""
        if seat in view.sight.ready:
            ready = f'<span class="pill pill--good sheet__ready">{escape(_("ready"))}</span>'
        sides.append(
            f'<div class="sheet__side"{won}>{sheet_parts.person(view, seat, ready)}{sheet_parts.open_hand(held)}'
            f'<p class="sheet__pips">{left}{lighter}</p></div>'
        )
    return f'<div class="sheet__sides">{"".join(sides)}</div>'


def _lying(tile: Tile) -> str:
    """A tile on its side, by the symbols of the log."""
    return (
        f'<svg class="sheet__tile" role="img" aria-label="{markup.tile_name(tile)}">'
        f'<use href="#log-{tile.low}-{tile.high}"/></svg>'
    )


def _continue(view: TableView, note: str) -> str:
    """The Continue button or whom we wait for, the time until it happens by itself, and the proof of the deal."""
    sight = view.sight
    action = ""
    if view.can("continue"):
        button = markup.button(_("Continue"), "primary large wide", ' id="continue"')
        action = markup.command_form(view, "continue", button, names_hand=True)
    elif view.viewer is not None:
        action = f'<p class="sheet__waiting" role="status">{escape(sheet_parts.waiting_for(view))}</p>'
    others = [markup.short_name(view, seat) for seat in sight.ready if seat != view.viewer]
    sentences = [_("%(name)s is ready.") % {"name": name} for name in others]
    sentences += [_("Both clocks are stopped."), note]
    counted = sheet_parts.counted_note(_("Continues by itself in {time}"), view)
    text = " ".join(sentence for sentence in sentences if sentence)
    return f'<div class="sheet__actions">{action}</div><p class="sheet__note">{escape(text)}</p>{counted}'
