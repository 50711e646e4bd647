"""The sheet at the end of the match: who won and by what, the new ratings and why, sums over all hands."""

from collections.abc import Sequence
from html import escape

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.fragments import markup, sheet_parts
from games.fragments.words import terms_of
from games.table import Reckoning, TableView
from ratings.messages import signed_text

# With as many, what a reader works out from them is the change that is shown.
EXPECTED_DIGITS = 3


def match_over(view: TableView) -> str:
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
        body += sheet_parts.lines(_last_payment(view, ending) + _totals(view))
        body += sheet_parts.balances(view, sheet_parts.last(view, "transferred") if ending == "balance" else None)
    lobby = (
        '<a class="button button--primary button--large button--wide" id="lobby" href="/">'
        f"{escape(_('To the lobby'))}</a>"
    )
    foot = f'<div class="sheet__actions">{lobby}</div>'
    return sheet_parts.frame(
        "result", title, _cause(view, ending, winner), f"{body}{sheet_parts.proof(view)}", foot, pill
    )


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
    paid = sheet_parts.last(view, "transferred")
    if ending != "balance" or paid is None:
        return ""
    if paid["cause"] == "bid":
        return sheet_parts.line(_("Paid for the opening"), str(paid["paid"]))
    over, played = sheet_parts.last(view, "hand_over"), sheet_parts.last(view, "played")
    if paid["cause"] == "block" and over is not None:
        lines = sheet_parts.line(
            _("Blocked: pips left, to the nearest five"), f"{over['pips'][paid['payer']]} → {paid['due']}"
        )
    elif played is not None:
        ends = pgettext("of the layout", "Ends %(terms)s") % {"terms": terms_of(played["contributions"])}
        lines = sheet_parts.line(ends, str(played["total"]))
    else:
        return ""
    if paid["paid"] < paid["due"]:
        is_yours = markup.is_you(view, paid["payer"])
        most = _("All that you had") if is_yours else _("All that %(name)s had")
        lines += sheet_parts.line(most % {"name": markup.short_name(view, paid["payer"])}, str(paid["paid"]))
    return lines


def _totals(view: TableView) -> str:
    """Sums over the whole match, the near side first."""
    totals = view.result.totals if view.result is not None else None
    lines = ""
    if totals is not None:
        lines += sheet_parts.line(_("Hands won"), _both(view, totals.hands_won))
        lines += sheet_parts.line(_("Points scored at the table"), _both(view, totals.scored))
        lines += sheet_parts.line(_("Auctions paid"), _both(view, totals.auctions_paid))
    banks = [markup.short_duration(bank_ms) for bank_ms in view.sight.banks_ms]
    return lines + sheet_parts.line(_("Bank left"), _both(view, banks))


def _both(view: TableView, figures: Sequence[int | str]) -> str:
    return f"{figures[view.near]} – {figures[view.far]}"


def _end_sides(view: TableView, ratings: tuple[tuple[str, str] | None, ...] | None) -> str:
    """Both players with their new ratings and, once something was dealt, what was left in their hands."""
    sides = []
    for seat in (view.near, view.far):
        won = " data-won" if seat == view.sight.winner else ""
        change = ratings[seat] if ratings is not None else None
        figures = _rating(view, seat, change) if change is not None else ""
        hand = sheet_parts.open_hand(view.sight.held[seat]) if view.sight.hand > 0 else ""
        sides.append(f'<div class="sheet__side"{won}>{sheet_parts.person(view, seat)}{figures}{hand}</div>')
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
    expected = number_format(round(reckoning.expected, EXPECTED_DIGITS), EXPECTED_DIGITS)
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
        return sheet_parts.line(f"{text}. {_('Stopped at the least rating there is.')}", sum_text)
    return sheet_parts.line(text, f"{sum_text} ≈ {signed_text(reckoning.delta_centi)}")


def _difference(before: str, after: str) -> str:
    """The change between two ratings as they are shown; empty where one of them is no number."""
    try:
        return markup.signed(int(after.rstrip("?")) - int(before.rstrip("?")))
    except ValueError:
        return ""
