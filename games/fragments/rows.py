"""The rows of the score log: what was done in the hand, line by line, each with its explanation.

The log stands in parts of a few facts each, fragments of their own, so that a move sends the last rows and not all.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.fragments import markup
from games.fragments.words import drawn_text, ends_text, score_text, terms_of
from games.rules import parse_tile
from games.table import TableView

PARTS = 40
PART = 4  # facts, a move being about three of them; the last part holds all the rest

TOLD_WITH_THE_NEXT = ("played", "drew")

FactData = Mapping[str, Any]


def part_key(part: int) -> Callable[[TableView], Hashable]:
    """The key of a part: it changes while its facts come in, with the next one where that belongs to its last row."""

    def key(view: TableView) -> Hashable:
        end = (part + 1) * PART
        count = max(0, len(view.log) - part * PART)
        if part < PARTS - 1 and count > PART:
            count = PART + (view.log[end - 1]["type"] in TOLD_WITH_THE_NEXT)
        return (view.sight.hand, count)

    return key


def part_render(part: int) -> Callable[[TableView], str]:
    """The drawing of a part."""

    def render(view: TableView) -> str:
        first = part * PART
        last = len(view.log) if part == PARTS - 1 else min(len(view.log), first + PART)
        rows = "".join(_row_of(view, number) for number in range(first, last))
        if part == 0 and not rows and last < PART:
            text = escape(_("No tile has been played in this hand."))
            rows = f'<p class="log__none" role="listitem">{text}</p>'
        return f'<div id="f-log-{part}" class="log__part" role="none">{rows}</div>'

    return render


def _row_of(view: TableView, number: int) -> str:
    """The row of the fact at this place of the log; "" for a fact that needs none, or is told with another one."""
    draw_row = _ROWS.get(view.log[number]["type"])
    return "" if draw_row is None else draw_row(view, number)


def _played(view: TableView, number: int) -> str:
    fact = view.log[number]
    payment = _payment(view.log, number)
    return _played_row(
        _name(view, number),
        _who(view, fact["seat"]),
        "" if markup.is_you(view, 1 - fact["seat"]) else markup.short_name(view, 1 - fact["seat"]),
        view.language,
        fact["tile"],
        tuple((tile, value) for tile, value in fact["contributions"]),
        fact["total"],
        fact["due"],
        fact["due"] if payment is None else payment["paid"],
    )


@lru_cache(maxsize=2048)
def _played_row(
    name: str,
    who: str,
    payer: str,
    language: str,
    tile: str,
    contributions: tuple[tuple[str, int], ...],
    total: int,
    due: int,
    paid: int,
) -> str:
    # Kept under everything it shows; `payer` is "" for the one who pays.
    low, high = parse_tile(tile)
    capped = ""
    if paid < due:
        text = _("%(due)d earned, %(paid)d paid") % {"due": due, "paid": paid}
        capped = f'<small class="log__capped">{escape(text)}</small>'
    sum_text = f'<bdi dir="ltr">{ends_text(contributions)} = {total}</bdi>'
    why = f"{sum_text}<br>{escape(score_text(total, due, paid, payer))}"
    scores = " data-scores" if due else ""
    return _row(
        name,
        f'{who}<svg class="log__tile" role="img" aria-label="{low}–{high}"><use href="#log-{low}-{high}"/></svg>'
        f'<span class="log__text">{terms_of(contributions)} = {total}{capped}</span>'
        f'<b class="log__score"{scores}>{markup.signed(paid)}</b>',
        why,
    )


def _drew(view: TableView, number: int) -> str:
    """One row for all tiles drawn in a row."""
    log, fact = view.log, view.log[number]
    if number + 1 < len(log) and log[number + 1]["type"] == "drew":
        return ""
    count = 1
    while number >= count and log[number - count]["type"] == "drew":
        count += 1
    left = ngettext("%(count)d tile is left.", "%(count)d tiles are left.", fact["left"]) % {"count": fact["left"]}
    return _plain(view, number, fact["seat"], drawn_text(count), f"{_('No tile fitted.')} {left}")


def _passed(view: TableView, number: int) -> str:
    why = _("No tile fits, and there is none left to draw.")
    return _plain(view, number, view.log[number]["seat"], _("no move, passed"), why)


def _declined(view: TableView, number: int) -> str:
    seat = view.log[number]["seat"]
    text = _("no bid: you open free") if markup.is_you(view, 1 - seat) else _("no bid: %(name)s opens free")
    text %= {"name": markup.short_name(view, 1 - seat)}
    why = _("Nothing is paid.")
    if is_forced(view.log, number):
        why = _("Whoever has less than 15 points cannot bid, so this was answered at once.")
    return _plain(view, number, seat, text, why)


def _bid(view: TableView, number: int) -> str:
    fact = view.log[number]
    why = _("If it is accepted, %(name)s pays %(net)d and opens.")
    if markup.is_you(view, fact["seat"]):
        why = _("If it is accepted, you pay %(net)d and open.")
    why %= {"name": markup.short_name(view, fact["seat"]), "net": fact["net"]}
    return _plain(view, number, fact["seat"], _("bids %(amount)d") % {"amount": fact["amount"]}, why)


def _accepted(view: TableView, number: int) -> str:
    fact = view.log[number]
    text = _("accepts %(amount)d: %(name)s pays %(net)d and opens")
    if markup.is_you(view, fact["bidder"]):
        text = _("accepts %(amount)d: you pay %(net)d and open")
    text %= {"amount": fact["amount"], "name": markup.short_name(view, fact["bidder"]), "net": fact["net"]}
    why = ""
    if fact["net"] < fact["amount"]:
        why = _("The jockey pays %(discount)d less than was bid.") % {"discount": fact["amount"] - fact["net"]}
    if is_forced(view.log, number):
        answered = _("A higher bid was out of reach, so this was answered at once.")
        why = f"{answered} {why}".strip()
    return _plain(view, number, fact["seat"], text, why)


def _transferred(view: TableView, number: int) -> str:
    """A payment that its placement or its bid does not tell already: the one for a block."""
    fact = view.log[number]
    if fact["cause"] != "block":
        return ""
    over = next(told for told in reversed(view.log[:number]) if told["type"] == "hand_over")
    text = pgettext("log", "pays %(points)d") % {"points": fact["paid"]}
    why = _("%(pips)d pips left make %(due)d, to the nearest five.") % {
        "pips": over["pips"][fact["payer"]],
        "due": fact["due"],
    }
    if fact["paid"] < fact["due"]:
        short = _("You had no more.") if markup.is_you(view, fact["payer"]) else _("%(name)s had no more.")
        why = f"{why} {short % {'name': markup.short_name(view, fact['payer'])}}"
    return _plain(view, number, fact["payer"], text, why)


def _hand_over(view: TableView, number: int) -> str:
    fact = view.log[number]
    if fact["how"] != "block":
        return ""
    pips = {"first": fact["pips"][view.near], "second": fact["pips"][view.far]}
    text = _("Blocked: %(first)d pips against %(second)d") % pips
    return f'<p class="log__note" role="listitem">{escape(text)}</p>'


_ROWS: dict[str, Callable[[TableView, int], str]] = {
    "played": _played,
    "drew": _drew,
    "passed": _passed,
    "declined": _declined,
    "bid": _bid,
    "raised": _bid,
    "accepted": _accepted,
    "transferred": _transferred,
    "hand_over": _hand_over,
}


def is_forced(log: Sequence[FactData], number: int) -> bool:
    """Whether this answer of an auction was given by itself, there being no other: another's command brought it."""
    return number > 0 and any(
        told["seq"] == log[number]["seq"] and told["type"] in ("bid", "raised", "dealt")
        for told in log[max(0, number - 4) : number]
    )


def _payment(log: Sequence[FactData], number: int) -> FactData | None:
    """What was paid for the placement at this place of the log."""
    following = log[number + 1] if number + 1 < len(log) else None
    return following if following is not None and following["type"] == "transferred" else None


def _plain(view: TableView, number: int, seat: int, text: str, why: str) -> str:
    line = f'{_who(view, seat)}<span class="log__text">{escape(text)}</span>'
    return _row(_name(view, number), line, escape(why), " data-quiet")


def _name(view: TableView, number: int) -> str:
    return f"row{view.sight.hand}.{number}"


def _row(name: str, line: str, why: str, attributes: str = "") -> str:
    """A row that opens its explanation, with or without scripts; without one, a plain row."""
    if not why:
        return f'<p class="log__row" role="listitem"{attributes}>{line}</p>'
    return (
        f'<div role="listitem"><details id="{name}"><summary class="log__row"{attributes}>{line}</summary>'
        f'<p class="log__why">{why}</p></details></div>'
    )


def _who(view: TableView, seat: int) -> str:
    """Who did it: the initials for the eye, the name for the ear."""
    return _mark(markup.seat_avatar(view, seat, "xs"), markup.name_of(view, seat))


@lru_cache(maxsize=256)
def _mark(avatar: str, name: str) -> str:
    return avatar.replace('aria-hidden="true"', f'role="img" aria-label="{name}" title="{name}"')
