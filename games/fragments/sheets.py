"""The sheet over the table while the clocks stand: before Start, after a hand, at the end of the match."""

from collections.abc import Hashable, Mapping, Sequence
from html import escape
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import pieces
from games.fragments import markup
from games.fragments.words import terms_of
from games.rules import Tile, parse_tile
from games.rules.auction import DISCOUNT
from games.table import Reckoning, TableView
from ratings.messages import signed_text

FACE_UNIT = 30
CHIP = 5  # points
MANY = 8  # tiles; more of them are drawn smaller


def sheet_key(view: TableView) -> Hashable:
    """Changes whenever somebody presses Start or Continue, and with the end of a hand or of the match."""
    sight = view.sight
    if sight.phase not in ("ready", "over"):
        return None
    return (sight.phase, sight.hand, sight.ready, view.cap_ms, view.result, view.commitment, view.seed, view.csrf)


def sheet(view: TableView) -> str:
    """The sheet of the moment; hidden while tiles are played."""
    sight = view.sight
    if sight.phase == "over":
        return _over(view)
    if sight.phase == "ready":
        return _before_start(view) if sight.hand == 0 else _after_hand(view)
    return '<div id="f-sheet" class="sheet" hidden></div>'


def _frame(kind: str, title: str, subtitle: str, body: str, foot: str, pill: str = "") -> str:
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


# Before Start


def _before_start(view: TableView) -> str:
    sight = view.sight
    subtitle = _("The tiles are dealt and the first clock starts when both have pressed Start.")
    sides = "".join(
        f'<div class="sheet__side">{_person(view, seat)}<p>{_readiness(seat in sight.ready)}</p></div>'
        for seat in (view.near, view.far)
    )
    actions = ""
    if view.at_device:
        subtitle = _("One press deals the tiles for both. The first clock starts when the opener looks.")
        sides = "".join(f'<div class="sheet__side">{_person(view, seat)}</div>' for seat in (view.near, view.far))
    if view.viewer is not None or view.at_device:
        if view.can("start"):
            start = markup.button(_("Start"), "primary large wide", ' id="start"')
            action = markup.command_form(view, "start", start, names_hand=True)
        else:
            action = f'<p class="sheet__waiting" role="status">{escape(_waiting_for(view))}</p>'
        actions = f'<div class="sheet__actions">{_leave(view)}{action}</div>'
    note = _counted_note(_("Cancelled without rating unless both press Start within {time}"), view)
    body = f'<div class="sheet__sides">{sides}</div>{_proof(view)}'
    is_player = view.viewer is not None or view.at_device
    title = _("Ready to play?") if is_player else _("The match has not started yet")
    return _frame("start", title, subtitle, body, f"{actions}{note}")


def _leave(view: TableView) -> str:
    token = f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(view.csrf)}">' if view.csrf else ""
    way = "end" if view.at_device else "leave"
    return (
        f'<form class="command" method="post" action="/matches/{escape(view.public_id)}/{way}/" data-leave>{token}'
        f"{markup.button(_('Leave'), 'large')}</form>"
    )


def _readiness(is_ready: bool) -> str:
    if is_ready:
        return f'<span class="pill pill--good">{escape(_("ready"))}</span>'
    return f'<span class="pill">{escape(_("not ready yet"))}</span>'


def _waiting_for(view: TableView) -> str:
    text = _("Waiting for %(name)s …") % {"name": markup.short_name(view, view.far)}
    return text.replace(" …", "\u00a0…")


def _counted_note(text: str, view: TableView) -> str:
    """A sentence with the time left until a cap acts in its place; clock.js counts it down."""
    if view.cap_ms is None or view.at_device:  # a day is not counted down
        return ""
    left_ms = max(0, view.cap_ms - view.server_now_ms)
    time = f'<span class="num" data-until="{view.cap_ms}">{markup.short_duration(left_ms)}</span>'
    return f'<p class="sheet__note">{escape(text).replace("{time}", time)}</p>'


def _proof(view: TableView) -> str:
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


# After a hand


def _after_hand(view: TableView) -> str:
    over = _last(view, "hand_over")
    if over is None:
        return _frame("settlement", _("The hand is over"), "", _proof(view), _continue(view, ""))
    if over["how"] == "domino":
        return _went_out(view, over)
    return _blocked(view, over)


def _went_out(view: TableView, over: Mapping[str, Any]) -> str:
    seat = over["winner"]
    played = _last(view, "played")
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
        lines += _line(ends, str(played["total"]))
    jockey = (
        _("You are the jockey of the next auction")
        if is_me
        else _("%(name)s is the jockey of the next auction") % {"name": name}
    )
    discount = _("off your own winning bid") if is_me else _("off their own winning bid")
    lines += _total(jockey, f"{markup.MINUS}{DISCOUNT}", discount)
    transfer = _last(view, "transferred") if due else None
    last_tile = parse_tile(played["tile"]) if played is not None else None
    body = f"{_hands(view, over, seat, last_tile)}{_lines(lines)}{_balances(view, transfer)}"
    note = (
        _("Next comes the auction for the opening; the first decision is yours.")
        if view.viewer == 1 - seat
        else _("Next comes the auction for the opening; %(name)s decides first.")
        % {"name": markup.short_name(view, 1 - seat)}
    )
    return _frame("settlement", title, subtitle, f"{body}{_proof(view)}", _continue(view, note))


def _blocked(view: TableView, over: Mapping[str, Any]) -> str:
    winner = over["winner"]
    transfer = _last(view, "transferred", since="hand_over")
    if winner is None:
        pips = over["pips"]
        title = _("Blocked: a tie")
        lines = _total(_("%(first)d and %(second)d: nothing is paid") % {"first": pips[0], "second": pips[1]}, "0")
    else:
        title = _("Blocked: the lighter hand wins")
        lines = _block_lines(view, over, winner, transfer)
    subtitle = _("Neither player can move and the boneyard is empty.")
    body = f"{_hands(view, over, winner)}{_lines(lines)}{_balances(view, transfer)}"
    note = _("After a blocked hand the highest double opens: no auction.")
    return _frame("settlement", title, subtitle, f"{body}{_proof(view)}", _continue(view, note))


def _block_lines(view: TableView, over: Mapping[str, Any], winner: int, transfer: Mapping[str, Any] | None) -> str:
    """The rounding worked out: the loser's pips to the nearest five, the winner's own not taken off (SB-43)."""
    loser_pips, own_pips = over["pips"][1 - winner], over["pips"][winner]
    due = transfer["due"] if transfer is not None else 0
    paid = transfer["paid"] if transfer is not None else 0
    loser = markup.short_name(view, 1 - winner)
    is_yours = markup.is_you(view, 1 - winner)
    hand = _("Your hand, to the nearest five") if is_yours else _("%(name)s’s hand, to the nearest five")
    lines = _line(hand % {"name": loser}, f"{loser_pips} → {due}")
    own = (
        _("Your own %(pips)d are not taken off")
        if winner == view.viewer
        else _("The winner’s own %(pips)d are not taken off")
    )
    lines += _line(own % {"pips": own_pips}, f"{markup.MINUS}0")
    if paid < due:
        most = _("You have no more than") if is_yours else _("%(name)s has no more than")
        lines += _line(most % {"name": loser}, str(paid))
    if winner == view.viewer:
        who = _("You receive")
    elif view.viewer is None:
        who = _("%(name)s receives") % {"name": markup.short_name(view, winner)}
    else:
        who = _("You pay")
    chips = ngettext("%(count)d chip", "%(count)d chips", paid // CHIP) % {"count": paid // CHIP}
    points = ngettext("%(count)d point", "%(count)d points", paid) % {"count": paid}
    return lines + _total(who, f"{points} · {chips}")


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
        ready = f' <span class="pill pill--good">{escape(_("ready"))}</span>' if seat in view.sight.ready else ""
        sides.append(
            f'<div class="sheet__side"{won}>{_person(view, seat)}{_open_hand(held)}'
            f'<p class="sheet__pips">{left}{lighter}{ready}</p></div>'
        )
    return f'<div class="sheet__sides">{"".join(sides)}</div>'


def _lying(tile: Tile) -> str:
    """A tile on its side, by the symbols of the log."""
    return (
        f'<svg class="sheet__tile" role="img" aria-label="{markup.tile_name(tile)}">'
        f'<use href="#log-{tile.low}-{tile.high}"/></svg>'
    )


def _open_hand(held: tuple[Tile, ...] | int) -> str:
    if isinstance(held, int):
        label = ngettext("%(count)d tile, face down", "%(count)d tiles, face down", held) % {"count": held}
        return f'<div class="open-hand" role="img" aria-label="{escape(label)}">{markup.backs(held, FACE_UNIT)}</div>'
    if not held:
        return f'<div class="open-hand"><span class="pill pill--good">{escape(_("No tiles left"))}</span></div>'
    label = ", ".join(markup.tile_name(tile) for tile in held)
    faces = "".join(markup.face(tile, FACE_UNIT) for tile in held)
    many = " data-many" if len(held) > MANY else ""
    return f'<div class="open-hand"{many} role="img" aria-label="{escape(label)}">{faces}</div>'


def _continue(view: TableView, note: str) -> str:
    """The Continue button or whom we wait for, the time until it happens by itself, and the proof of the deal."""
    sight = view.sight
    action = ""
    if view.can("continue"):
        button = markup.button(_("Continue"), "primary large wide", ' id="continue"')
        action = markup.command_form(view, "continue", button, names_hand=True)
    elif view.viewer is not None:
        action = f'<p class="sheet__waiting" role="status">{escape(_waiting_for(view))}</p>'
    others = [markup.short_name(view, seat) for seat in sight.ready if seat != view.viewer]
    sentences = [_("%(name)s is ready.") % {"name": name} for name in others]
    sentences += [_("Both clocks are stopped."), note]
    counted = _counted_note(_("Continues by itself in {time}"), view)
    text = " ".join(sentence for sentence in sentences if sentence)
    return f'<div class="sheet__actions">{action}</div><p class="sheet__note">{escape(text)}</p>{counted}'


# The end of the match


def _over(view: TableView) -> str:
    sight = view.sight
    ending, winner = sight.ending or "", sight.winner
    pill, title = _outcome(view, ending, winner)
    body = ""
    ratings = view.result.ratings if view.result is not None else None
    if sight.hand > 0 or ratings is not None:
        body += _end_sides(view, ratings)
    if ratings is not None:
        body += _reckoned(view)
    elif winner is not None and not view.at_device:
        is_casual = not view.rated and sight.hand > 0
        text = _("Casual match: ratings unchanged.") if is_casual else _("This match was not rated.")
        body += f'<p class="sheet__plain">{escape(text)}</p>'
    if sight.hand > 0:
        body += _lines(_last_payment(view, ending) + _totals(view))
        body += _balances(view, _last(view, "transferred") if ending == "balance" else None)
    lobby = (
        '<a class="button button--primary button--large button--wide" id="lobby" href="/">'
        f"{escape(_('To the lobby'))}</a>"
    )
    foot = f'<div class="sheet__actions">{lobby}</div>'
    return _frame("result", title, _cause(view, ending, winner), f"{body}{_proof(view)}", foot, pill)


def _outcome(view: TableView, ending: str, winner: int | None) -> tuple[str, str]:
    if winner is None:
        title = _("The match was cancelled") if ending == "cancelled" else _("The match was aborted")
        return f'<span class="pill">{escape(_("No result"))}</span>', title
    if view.viewer is None:
        title = _("%(name)s won") % {"name": markup.short_name(view, winner)}
        return f'<span class="pill pill--primary">{escape(_("Result"))}</span>', title
    if winner == view.viewer:
        title = _("You won all the chips") if ending == "balance" else _("You won")
        return f'<span class="pill pill--good">{escape(_("Victory"))}</span>', title
    title = _("You lost all your chips") if ending == "balance" else _("You lost")
    return f'<span class="pill pill--bad">{escape(_("Defeat"))}</span>', title


def _cause(view: TableView, ending: str, winner: int | None) -> str:
    if winner is None:
        if ending == "cancelled" and view.at_device:
            return _("It was ended without a result, or left alone for 24 hours.")
        if ending == "cancelled":
            return _("The match did not begin: somebody left or did not press Start in time. Ratings are unchanged.")
        text = _("The clock of this site was at fault. No result, ratings unchanged.")
        reference = view.result.reference if view.result is not None else ""
        return f"{text} {_('Reference: %(code)s') % {'code': reference}}" if reference else text
    loser = markup.short_name(view, 1 - winner)
    is_me = view.viewer == 1 - winner
    if ending == "balance":
        text = (
            _("Your balance reached zero in hand %(hand)d.")
            if is_me
            else _("%(name)s’s balance reached zero in hand %(hand)d.")
        )
    elif ending == "time":
        text = _("Your time ran out in hand %(hand)d.") if is_me else _("%(name)s’s time ran out in hand %(hand)d.")
    elif view.sight.hand == 0:
        text = _("You resigned before the first deal.") if is_me else _("%(name)s resigned before the first deal.")
    else:
        text = _("You resigned in hand %(hand)d.") if is_me else _("%(name)s resigned in hand %(hand)d.")
    return text % {"name": loser, "hand": view.sight.hand}


def _last_payment(view: TableView, ending: str) -> str:
    """What took the last chips, worked out."""
    paid = _last(view, "transferred")
    if ending != "balance" or paid is None:
        return ""
    if paid["cause"] == "bid":
        return _line(_("Paid for the opening"), str(paid["paid"]))
    over, played = _last(view, "hand_over"), _last(view, "played")
    if paid["cause"] == "block" and over is not None:
        lines = _line(_("Blocked: pips left, to the nearest five"), f"{over['pips'][paid['payer']]} → {paid['due']}")
    elif played is not None:
        ends = pgettext("of the layout", "Ends %(terms)s") % {"terms": terms_of(played["contributions"])}
        lines = _line(ends, str(played["total"]))
    else:
        return ""
    if paid["paid"] < paid["due"]:
        is_yours = markup.is_you(view, paid["payer"])
        most = _("You have no more than") if is_yours else _("%(name)s has no more than")
        lines += _line(most % {"name": markup.short_name(view, paid["payer"])}, str(paid["paid"]))
    return lines


def _totals(view: TableView) -> str:
    """Sums over the whole match, the near side first."""
    totals = view.result.totals if view.result is not None else None
    lines = ""
    if totals is not None:
        lines += _line(_("Hands won"), _both(view, totals.hands_won))
        lines += _line(_("Points scored at the table"), _both(view, totals.scored))
        lines += _line(_("Auctions paid"), _both(view, totals.auctions_paid))
    banks = [markup.duration(bank_ms) for bank_ms in view.sight.banks_ms]
    return lines + _line(_("Bank left"), _both(view, banks))


def _both(view: TableView, figures: Sequence[int | str]) -> str:
    return f"{figures[view.near]} – {figures[view.far]}"


def _end_sides(view: TableView, ratings: tuple[tuple[str, str] | None, ...] | None) -> str:
    """Both players with their new ratings and, once something was dealt, what was left in their hands."""
    sides = []
    for seat in (view.near, view.far):
        won = " data-won" if seat == view.sight.winner else ""
        change = ratings[seat] if ratings is not None else None
        figures = _rating(view, seat, change) if change is not None else ""
        hand = _open_hand(view.sight.held[seat]) if view.sight.hand > 0 else ""
        sides.append(f'<div class="sheet__side"{won}>{_person(view, seat)}{figures}{hand}</div>')
    return f'<div class="sheet__sides">{"".join(sides)}</div>'


def _rating(view: TableView, seat: int, change: tuple[str, str]) -> str:
    before, after = change
    direction = "up" if seat == view.sight.winner else "down"
    return (
        f'<p class="sheet__rating num"><b>{escape(after)}</b>'
        f'<span class="{direction}">{escape(_difference(before, after))}</span>'
        f"<small>{escape(_('was %(rating)s') % {'rating': before})}</small></p>"
    )


def _reckoned(view: TableView) -> str:
    """Why the ratings moved: K times what each score was off the expected one."""
    reckonings = view.result.reckonings if view.result is not None else None
    if reckonings is None:
        return ""
    lines = ""
    for seat in (view.near, view.far):
        reckoning = reckonings[seat]
        if reckoning is not None:
            lines += _reckoning_line(view, seat, reckoning)
    text = _(
        "The expected score follows from both ratings at the start of the match; a win counts 1, a loss 0. K is the "
        "most that one match can move: 40 in the first thirty matches, then 20, and less against newcomers."
    )
    label = escape(_("Why the ratings moved"))
    return (
        f'<details class="proof reckoned"><summary>{label}</summary>'
        f'<dl class="sheet__lines">{lines}</dl><p>{escape(text)}</p></details>'
    )


def _reckoning_line(view: TableView, seat: int, reckoning: Reckoning) -> str:
    has_won = seat == view.sight.winner
    expected = number_format(round(reckoning.expected, 2), 2)
    if seat == view.viewer:
        said = _("You were expected to score %(expected)s; K %(k)d")
    else:
        said = _("%(name)s was expected to score %(expected)s; K %(k)d")
    text = said % {"name": markup.short_name(view, seat), "expected": expected, "k": reckoning.k}
    sum_text = f"{reckoning.k} × ({1 if has_won else 0} {markup.MINUS} {expected})"
    if has_won and reckoning.farming_factor < 1:
        sum_text += f" × {number_format(reckoning.farming_factor, 1)}"
        text += f". {_('Less, for many wins in a row over the same player.')}"
    if reckoning.is_floored:
        return _line(f"{text}. {_('Stopped at the least rating there is.')}", sum_text)
    # The expected score is rounded, so the two sides may differ in the last place.
    return _line(text, f"{sum_text} ≈ {signed_text(reckoning.delta_centi)}")


def _difference(before: str, after: str) -> str:
    """The change between two ratings as they are shown; empty where one of them is no number."""
    try:
        return markup.signed(int(after.rstrip("?")) - int(before.rstrip("?")))
    except ValueError:
        return ""


# Parts of all sheets


def _person(view: TableView, seat: int) -> str:
    name = markup.name_of(view, seat)
    return (
        f'<div class="person">{markup.seat_avatar(view, seat, "s")}'
        f'<span class="person__name" title="{name}">{name}</span></div>'
    )


def _lines(lines: str) -> str:
    return f'<dl class="sheet__lines">{lines}</dl>'


def _line(label: str, figure: str) -> str:
    return (
        f'<div class="sheet__line"><dt>{escape(label)}</dt>'
        f'<dd class="num"><bdi dir="ltr">{escape(figure)}</bdi></dd></div>'
    )


def _total(label: str, figure: str, small: str = "") -> str:
    note = f"<small>{escape(small)}</small>" if small else ""
    return (
        f'<div class="sheet__line sheet__line--total"><dt>{escape(label)}{note}</dt>'
        f'<dd class="num"><bdi dir="ltr">{escape(figure)}</bdi></dd></div>'
    )


def _balances(view: TableView, transfer: Mapping[str, Any] | None) -> str:
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
        middle = f'<div class="sheet__moved num">{chip}<bdi dir="ltr">{arrow} {transfer["paid"]}</bdi></div>'
    return f'<div class="sheet__balances">{sides[0]}{middle}{sides[1]}</div>'


def _last(view: TableView, kind: str, since: str = "") -> Mapping[str, Any] | None:
    """The newest fact of a type; with `since` only if no fact of that type lies behind it."""
    for fact in reversed(view.log):
        if fact["type"] == kind:
            return fact
        if since and fact["type"] == since:
            return None
    return None
