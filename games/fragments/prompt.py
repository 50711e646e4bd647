"""The prompt that grows out of the lit seat, and the figures the clocks run by."""

from collections.abc import Hashable
from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.fragments import markup
from games.fragments.words import drawn_text
from games.table import TableView

ONE_LINE = 42  # letters; more than a tab has room for beside the sum and the boneyard of a desktop


def prompt_key(view: TableView) -> Hashable:
    """Changes with whose turn it is and what may be done in it."""
    sight = view.sight
    may = (sight.turn_kind, sight.must_open, sight.must_play, view.can("draw"))
    return (sight.phase, view.lit, may, _is_away(view), view.seq)


def prompt(view: TableView) -> str:
    """Whose turn it is and what is to be done, in a few words."""
    side, text, small = _texts(view)
    aside = _aside(view)
    parts = [f'<b class="prompt__text">{escape(text)}</b>']
    if view.is_my_turn:
        parts.append(f'<b class="prompt__low">{escape(_("Hurry: your time is running out"))}</b>')
        parts.append(f'<b class="prompt__up">{escape(_("Your time is up"))}</b>')
    if _is_away(view):
        parts.append(f'<span class="prompt__small prompt__rest">{_latest(view)}</span>')
    elif small:
        parts.append(f'<span class="prompt__small prompt__rest">{escape(small)}</span>')
    if view.is_my_turn:
        parts.append(f'<span class="prompt__small prompt__picked">{escape(_("choose a place"))}</span>')
        parts.append(f'<span class="prompt__small prompt__sent">{escape(_("move sent"))}</span>')
    if aside:
        parts.append(f'<span class="prompt__small prompt__aside">{escape(aside)}</span>')
    state = " data-low" if view.is_my_turn and markup.is_low(view, view.near) else ""
    if len(text) + len(small) > ONE_LINE or _is_away(view):
        state += " data-long"
    return f'<div id="f-prompt" class="prompt" data-side="{side}"{state} tabindex="-1">{"".join(parts)}</div>'


def clocks_key(view: TableView) -> Hashable:
    """Changes with every start and stop of a clock."""
    sight = view.sight
    return (sight.turn, sight.turn_started_ms, sight.deadline_ms, sight.banks_ms, view.cap_ms, sight.phase)


def clocks(view: TableView) -> str:
    """The clocks as figures: times of the server in ms, banks at the start of the turn."""
    sight = view.sight
    attributes = {
        "turn": "" if view.lit is None else view.lit,
        "own": "" if view.viewer is None else view.viewer,
        "phase": sight.phase,
        "started": sight.turn_started_ms or "",
        "deadline": sight.deadline_ms or "",
        "banks": " ".join(str(bank_ms) for bank_ms in sight.banks_ms),
        "cap": view.cap_ms or "",
        "now": view.server_now_ms,
    }
    data = "".join(f' data-{name}="{value}"' for name, value in attributes.items())
    return f'<div id="f-clocks" hidden{data}></div>'


def _texts(view: TableView) -> tuple[str, str, str]:
    """The side it grows from, what it says, and what it adds in small letters."""
    sight = view.sight
    if sight.phase == "over":
        return "none", _("The match is over"), ""
    if view.lit is None:
        is_watching = view.viewer is None and not view.at_device
        return "none", _("Both clocks are stopped"), _("you are watching") if is_watching else ""
    if view.is_my_turn:
        return "near", _("Your turn"), _what_to_do(view)
    side = "near" if view.lit == view.near else "far"
    name = markup.short_name(view, view.lit)
    if _is_away(view):
        return side, _("%(name)s is away") % {"name": name}, ""
    if sight.phase == "auction":
        watching = _("you are watching") if view.viewer is None else ""
        return side, _("%(name)s is thinking about a bid") % {"name": name}, watching
    if view.viewer is None:
        return side, _("%(name)s to play") % {"name": name}, _("you are watching")
    if sight.turn_kind == "opening":
        return side, _("%(name)s opens") % {"name": name}, ""
    return side, _("%(name)s is thinking") % {"name": name}, ""


def _is_away(view: TableView) -> bool:
    """Whether the player on turn is not here; nobody is told so of himself."""
    return view.lit is not None and view.lit != view.viewer and view.away[view.lit] is not None


def _latest(view: TableView) -> str:
    """When an absent player's time will be up; clock.js counts it down."""
    deadline_ms = view.sight.deadline_ms or 0
    left = markup.short_duration(deadline_ms - view.server_now_ms)
    time = f'<span class="num" data-until="{deadline_ms}">{left}</span>'
    return escape(_("time is up in {time} at the latest")).replace("{time}", time)


def _what_to_do(view: TableView) -> str:
    sight = view.sight
    if sight.phase == "auction":
        return _("bid or leave the opening") if sight.bid is None else _("your answer")
    if sight.must_open is not None:
        return _("open with %(tile)s") % {"tile": markup.tile_name(sight.must_open)}
    if sight.turn_kind == "opening":
        return _("open with any tile")
    if sight.must_play is not None:
        return _("play the tile you drew")
    if view.can("draw"):
        left = view.sight.boneyard
        return ngettext("nothing fits: draw, %(count)d is left", "nothing fits: draw, %(count)d are left", left) % {
            "count": left
        }
    return _("play a tile")


def _aside(view: TableView) -> str:
    """What the other side did before this turn without playing: draws, a pass, no bid."""
    lit = view.lit
    if lit is None:
        return ""
    drawn, passed, said = 0, False, ""
    for fact in reversed(view.log):
        kind = fact["type"]
        if kind in ("played", "dealt") or (fact.get("seat") == lit and kind in ("drew", "passed")):
            break
        if kind == "drew":
            drawn += 1
        elif kind == "passed":
            passed = True
        elif kind == "declined":
            said = _("no bid")
    other = markup.short_name(view, 1 - lit) if view.viewer != 1 - lit else _("You")
    if said:
        return f"{other}: {said}"
    if not passed:
        return ""
    text = _("no move, passed")
    return f"{other}: {drawn_text(drawn)}, {text}" if drawn else f"{other}: {text}"
