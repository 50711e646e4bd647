"""The auction card: the bids so far and, for the player to answer, what each answer costs and brings."""

from collections.abc import Hashable, Mapping
from html import escape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.fragments import markup
from games.rules.auction import DISCOUNT, STEP, net_price
from games.table import TableView

RUNGS = 6  # of a long ladder only the last ones


def auction_key(view: TableView) -> Hashable:
    """Changes with each decision of the auction."""
    if view.sight.phase != "auction":
        forced = _forced(view)
        return None if forced is None else forced["seq"]
    return (view.seq, view.csrf)


def auction(view: TableView) -> str:
    """The card over the cloth; hidden outside an auction, when it only holds what is shown for a moment (D-7)."""
    if view.sight.phase != "auction":
        forced = _forced(view)
        return '<div id="f-auction" class="auction" hidden></div>' if forced is None else _forced_card(view, forced)
    jockey = view.sight.jockey
    assert jockey is not None
    is_jockey = jockey == view.viewer
    role = (
        _("You are the jockey")
        if is_jockey
        else _("%(name)s is the jockey") % {"name": markup.short_name(view, jockey)}
    )
    return (
        '<div id="f-auction" class="auction"><section class="auction__card" aria-labelledby="auction-title">'
        f'<header class="auction__head"><h2 id="auction-title" tabindex="-1">{escape(_("Bid for the opening"))}</h2>'
        f'<span class="pill pill--primary">{escape(role)}</span></header>'
        f"{_ladder(view)}{_answers(view, is_jockey)}</section></div>"
    )


def _forced(view: TableView) -> Mapping[str, Any] | None:
    """The answer that the server gave because no other was legal (D-7), until a tile lies on the table.

    It came of the command of somebody else: a bid, or the press that had the hand dealt.
    """
    if view.sight.phase != "play" or view.sight.layout.tiles:
        return None
    for number, fact in enumerate(view.log):
        if fact["type"] in ("accepted", "declined"):
            earlier = {other["type"] for other in view.log[:number] if other["seq"] == fact["seq"]}
            return fact if earlier & {"dealt", "bid", "raised"} else None
    return None


def _forced_card(view: TableView, forced: Mapping[str, Any]) -> str:
    seat = forced["seat"]
    is_yours, you_open = markup.is_you(view, seat), markup.is_you(view, 1 - seat)
    if forced["type"] == "declined":
        text = _("%(name)s cannot afford the lowest bid, so there is none: %(other)s opens free.")
        if is_yours:
            text = _("You cannot afford the lowest bid, so there is none: %(other)s opens free.")
        elif you_open:
            text = _("%(name)s cannot afford the lowest bid, so there is none: you open free.")
        bids = ""
    else:
        text = _("%(name)s cannot pay for a higher bid, so this one is accepted: %(other)s opens.")
        if is_yours:
            text = _("You cannot pay for a higher bid, so this one is accepted: %(other)s opens.")
        elif you_open:
            text = _("%(name)s cannot pay for a higher bid, so this one is accepted: you open.")
        bids = _ladder(view)
    text %= {"name": markup.short_name(view, seat), "other": markup.short_name(view, 1 - seat)}
    return (
        f'<div id="f-auction" class="auction" hidden data-forced="{forced["seq"]}"><section class="auction__card">'
        f'<header class="auction__head"><h2>{escape(_("Bid for the opening"))}</h2></header>{bids}'
        f'<p class="auction__note">{escape(text)}</p></section></div>'
    )


def _ladder(view: TableView) -> str:
    bids = [fact for fact in view.log if fact["type"] in ("bid", "raised")]
    if not bids:
        jockey = view.sight.jockey or 0
        text = _("No bid so far. Without one %(name)s opens free.") % {"name": markup.short_name(view, jockey)}
        if markup.is_you(view, jockey):
            text = _("No bid so far. Without one you open free.")
        return f'<p class="auction__note">{escape(text)}</p>'
    rungs = "".join(
        f'<li class="ladder__bid"{" data-standing" if fact is bids[-1] else ""}>'
        f"{markup.seat_avatar(view, fact['seat'], 's')}"
        f'<span class="visually-hidden">{markup.name_of(view, fact["seat"])}</span>'
        f'<b class="num">{fact["amount"]}</b></li>'
        for fact in bids[-RUNGS:]
    )
    if len(bids) > RUNGS:
        rungs = f'<li aria-hidden="true">…</li>{rungs}'
    return f'<ol class="ladder" aria-label="{escape(_("Bids so far"))}">{rungs}</ol>'


def _answers(view: TableView, is_jockey: bool) -> str:
    if not view.is_my_turn:
        name = markup.short_name(view, view.lit if view.lit is not None else view.far)
        return f'<p class="auction__note">{escape(_("%(name)s decides.") % {"name": name})}</p>'
    leave = _accept(view) if view.sight.bid is not None else _decline(view)
    return f'<div class="offers">{leave}{_more(view, is_jockey)}</div>'


def _decline(view: TableView) -> str:
    other = markup.short_name(view, view.far)
    more = f"<small>{escape(_('%(name)s opens, nobody pays') % {'name': other})}</small>"
    button = markup.button(_("No bid"), "wide", ' id="decline"', more)
    return (
        f'<div class="offer"><h3>{escape(_("Let them open"))}</h3>'
        f"<p>{escape(_('%(name)s opens free with any tile. Nothing is paid.') % {'name': other})}</p>"
        f"{markup.command_form(view, 'decline', button)}</div>"
    )


def _accept(view: TableView) -> str:
    sight = view.sight
    assert sight.bid is not None
    other, amount = markup.short_name(view, view.far), sight.bid.amount
    paid = net_price(amount, is_jockey=sight.bid.seat == sight.jockey)
    before = sight.balances[view.near]
    text = _("%(name)s pays you %(paid)d and opens the hand with any tile.") % {"name": other, "paid": paid}
    if paid == sight.balances[view.far]:
        text = _("%(name)s pays you %(paid)d, the whole balance: you win the match.") % {"name": other, "paid": paid}
    more = f"<small>{escape(_('%(name)s opens and pays you %(paid)d') % {'name': other, 'paid': paid})}</small>"
    if paid == sight.balances[view.far]:
        more = f"<small>{escape(_('%(name)s pays everything and loses') % {'name': other})}</small>"
    button = markup.button(_("Accept %(amount)d") % {"amount": amount}, "wide", ' id="accept"', more)
    return (
        f'<div class="offer"><h3>{escape(_("Let them open"))}</h3><p>{escape(text)}</p>'
        f'<div class="flow">{markup.chip_stacks(paid, 22)}<span>{escape(_("You"))}'
        f'<bdi class="flow__figures num" dir="ltr">{before} → {before + paid}</bdi></span></div>'
        f"{markup.command_form(view, 'accept', button)}</div>"
    )


def _more(view: TableView, is_jockey: bool) -> str:
    """The stepper over what can be paid without losing, and apart from it the bid that risks everything."""
    kind = "bid" if view.sight.bid is None else "raise"
    amounts = view.amounts(kind)
    if not amounts:
        return ""
    balance = view.sight.balances[view.near]
    safe = [amount for amount in amounts if net_price(amount, is_jockey=is_jockey) < balance]
    reckless = [amount for amount in amounts if net_price(amount, is_jockey=is_jockey) >= balance]
    other = markup.short_name(view, view.far)
    return (
        f'<div class="offer offer--more"><h3>{escape(_("Bid for it") if kind == "bid" else _("Bid more"))}</h3>'
        f"<p>{escape(_('If %(name)s accepts, you pay and open with any tile.') % {'name': other})}</p>"
        f"{_stepper(view, kind, safe, is_jockey) if safe else ''}"
        f"{''.join(_all_in(view, kind, amount, is_jockey) for amount in reckless)}</div>"
    )


def _stepper(view: TableView, kind: str, amounts: list[int], is_jockey: bool) -> str:
    low, high = amounts[0], amounts[-1]
    wording = _("Bid {amount}") if kind == "bid" else _("Raise to {amount}")
    discount = DISCOUNT if is_jockey else 0
    net = net_price(low, is_jockey=is_jockey)
    pays = f'<b class="num" data-step="net">{net}</b>'
    if is_jockey:
        sentence = escape(_("{amount} − {discount} jockey discount = you pay {net}"))
        sentence = sentence.replace("{amount}", f'<span class="num" data-step="amount">{low}</span>')
        sentence = sentence.replace("{discount}", str(discount)).replace("{net}", pays)
    else:
        sentence = escape(_("If it is accepted you pay {net}")).replace("{net}", pays)
    wrong = _("From %(low)d to %(high)d in steps of %(step)d.") % {"low": low, "high": high, "step": STEP}
    amount = (
        '<input class="stepper__amount num" type="number" inputmode="numeric" name="amount" id="bid-amount"'
        f' min="{low}" max="{high}" step="{STEP}" value="{low}" required autocomplete="off"'
        f' aria-label="{escape(_("Your bid, in fives"))}">'
    )
    down = _step("step-down", _("Lower by 5"), markup.MINUS)
    up = _step("step-up", _("Raise by 5"), "+")
    leads_to = escape(_("you open and pay {net}")).replace("{net}", f'<span class="num" data-step="net">{net}</span>')
    attributes = f' id="bid" data-wording="{escape(wording)}"'
    least = escape(wording.replace("{amount}", str(low)))
    # Without scripts no figure follows what is typed.
    word = pgettext("what the button does", "Bid") if kind == "bid" else pgettext("what the button does", "Raise")
    bid = (
        f'<button class="button button--two button--primary button--wide"{attributes}>'
        f'<span class="needs-js">{least}</span><small class="needs-js">{leads_to}</small>'
        f'<span class="needs-no-js">{escape(word)}</span></button>'
    )
    control = (
        f'<label class="stepper__label needs-no-js" for="bid-amount">{escape(_("Your bid, in fives"))}</label>'
        f'<div class="stepper" data-discount="{discount}">{down}{amount}{up}</div>'
        f'<p class="pays needs-js" aria-live="polite"><span data-step="right">{sentence}</span>'
        f'<span data-step="wrong" hidden>{escape(wrong)}</span></p>'
        f'<p class="pays needs-no-js">{least}: {sentence}</p>{bid}'
    )
    return markup.command_form(view, kind, control)


def _step(action: str, label: str, sign: str) -> str:
    return (
        f'<button type="button" class="stepper__button needs-js" data-action="{action}" aria-label="{escape(label)}">'
        f"{sign}</button>"
    )


def _all_in(view: TableView, kind: str, amount: int, is_jockey: bool) -> str:
    """A bid of the whole balance: the first press opens the warning, the second one bids (SB-57, D-21)."""
    label = _("Bid %(amount)d: you pay everything you have") % {"amount": amount}
    paid = net_price(amount, is_jockey=is_jockey)
    warning = _("If it is accepted you pay %(paid)d, your whole balance, and lose the match.") % {"paid": paid}
    button = markup.button(_("Bid %(amount)d all the same") % {"amount": amount}, "danger wide")
    form = markup.command_form(view, kind, button, values={"amount": str(amount)})
    summary = (
        f'<span class="all-in__bid">{escape(label)}</span><span class="all-in__less">{escape(_("Bid less"))}</span>'
    )
    return (
        f'<details class="all-in"><summary class="button button--quiet">{summary}</summary>'
        f"<p>{escape(warning)}</p>{form}</details>"
    )
