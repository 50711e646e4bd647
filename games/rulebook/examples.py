"""Worked examples: a sentence or two and the figures that the engine finds for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.fragments import markup
from games.rules import Tile, parse_tile
from games.rules.auction import MIN_BID, STEP, highest_bid, net_price
from games.rules.clock import BANK_MS, DELAY_MS, charge_of, is_out
from games.rules.facts import HandOver, Transferred
from games.rules.hand import Held, opening_by_rank, settle_block
from games.rules.scoring import CHIP, points_due, transfer_points
from games.rules.variants import Variant

FACE_UNIT = 20
JOCKEY, RIVAL = 0, 1
LITTLE = 3 * CHIP  # what is left to a payer who cannot pay in full


@dataclass(frozen=True, slots=True)
class Example:
    """A case: what happens, the figures as (label, value), and what follows from them."""

    text: str
    figures: tuple[tuple[str, str | SafeString], ...]
    result: str = ""


def scores(variant: Variant) -> tuple[Example, ...]:
    """A total of three chips at the start of a match, and one that the payer cannot pay in full (SB-4, SB-5)."""
    start, everything = variant.start_balance, variant.start_balance * variant.seats
    return (
        _score(_("The ends add up to %(total)s in the first hand."), 3 * CHIP, (start, start)),
        _score(
            _("The ends add up to %(total)s, but the other player has only %(left)s left."),
            4 * CHIP,
            (everything - CHIP, CHIP),
        ),
    )


def ranks() -> tuple[Example, ...]:
    """Who opens by rank (SB-14, SB-15)."""
    return (
        _rank(_("The higher double opens."), "2|2 5|6", "5|5 0|1"),
        _rank(_("The only double opens, even if it is the double blank."), "0|0 1|2", "5|6 4|6"),
        _rank(_("No double: the tile with the most pips opens."), "3|6 0|2", "4|6 0|1"),
        _rank(_("Equal pips: the larger half decides."), "4|5 0|1", "3|6 0|2"),
    )


def blocks(variant: Variant) -> tuple[Example, ...]:
    """Settlements of a block, with the rounding worked out (SB-43, SB-44, SB-46)."""
    start = variant.start_balance
    return (
        _block("1|3", "6|6 2|4", start),
        _block("1|3", "5|6 2|4", start),
        _block("0|0", "0|2", start),
        _block("1|5", "0|6", start),
        _block("1|3", "6|6 2|4", LITTLE),
    )


def auctions(variant: Variant) -> tuple[Example, ...]:
    """What openings cost (SB-50 to SB-57)."""
    start, first = variant.start_balance, MIN_BID
    second, third, most = first + STEP, first + 2 * STEP, highest_bid(variant.start_balance, is_jockey=True)
    return (
        _auction(_("The opponent makes no bid: the jockey opens free."), (), start),
        _auction(_("The opponent bids %(first)s, the jockey accepts: the opponent pays and opens."), (first,), start),
        _auction(
            _(
                "The opponent bids %(first)s, the jockey raises to %(second)s, the opponent accepts: the jockey pays "
                "and opens."
            ),
            (first, second),
            start,
        ),
        _auction(
            _(
                "The opponent bids %(first)s, the jockey raises to %(second)s, the opponent to %(third)s, the jockey "
                "accepts: the opponent pays and opens."
            ),
            (first, second, third),
            start,
        ),
        _auction(
            _("The opponent bids %(first)s, the jockey raises to %(second)s, the most there is, and it is accepted."),
            (first, most),
            start,
        ),
    )


def clocks() -> tuple[Example, ...]:
    """What decisions cost (SB-63, SB-65, SB-70)."""
    within, beyond, draws = DELAY_MS - 2_000, DELAY_MS + 3_000, DELAY_MS + 5_000
    return (
        _clock(_("You decide within the delay."), within),
        _clock(_("You need a little longer."), beyond),
        _clock(_("You draw three tiles and play the last one. That is one turn with one delay."), draws),
        _clock(_("You use up the delay and the whole bank."), DELAY_MS + BANK_MS),
    )


def _score(text: str, total: int, balances: tuple[int, int]) -> Example:
    """What a placement earns with this total; `balances` are those of who placed and of the other."""
    (placer, other), due = balances, points_due(total)
    paid = transfer_points(due, other)
    return Example(
        text % {"total": total, "left": other},
        (
            (pgettext("rules", "Due"), str(due)),
            (pgettext("rules", "Paid"), str(paid)),
            (pgettext("rules", "Who placed"), _change(placer, placer + paid)),
            (pgettext("rules", "The other"), _change(other, other - paid)),
        ),
        _("The match is over.") if paid == other else "",
    )


def _rank(text: str, one: str, other: str) -> Example:
    held: Held = (_tiles(one), _tiles(other))
    _seat, opener = opening_by_rank(held)
    return Example(
        text,
        (
            (_("One hand"), _faces(held[0])),
            (_("The other hand"), _faces(held[1])),
            (pgettext("rules", "Opens"), _faces((opener,))),
        ),
    )


def _block(lighter: str, heavier: str, balance: int) -> Example:
    held: Held = (_tiles(lighter), _tiles(heavier))
    over, *others = settle_block(held, (balance, balance), now_ms=0)
    assert isinstance(over, HandOver)
    moved = next((fact for fact in others if isinstance(fact, Transferred)), None)
    due, paid = (moved.due, moved.paid) if moved is not None else (0, 0)
    high = over.pips[1]
    below = high // CHIP * CHIP
    if over.winner is None:
        text = _("Equal hands: a tie.")
    elif paid < due:
        text = _("The same hands, but whoever has to pay holds only %(left)s.") % {"left": balance}
    else:
        text = _("%(pips)s lies between %(below)s and %(above)s. The nearer one is %(due)s.") % {
            "pips": high,
            "below": below,
            "above": below + CHIP,
            "due": due,
        }
    return Example(
        text,
        (
            (_("One hand"), _weighed(held[0], over.pips[0])),
            (_("The other hand"), _weighed(held[1], high)),
            (pgettext("rules", "Due"), str(due)),
            (pgettext("rules", "Paid"), str(paid)),
        ),
        _("The match is over.") if paid == balance else "",
    )


def _auction(text: str, bids: Sequence[int], balance: int) -> Example:
    """An auction at even balances that ends with its last bid being accepted."""
    values = dict(zip(("first", "second", "third"), (str(bid) for bid in bids), strict=False))
    balances = [balance, balance]
    price, result = "0", ""
    if bids:
        author = RIVAL if len(bids) % 2 else JOCKEY
        net = net_price(bids[-1], is_jockey=author == JOCKEY)
        price = f"{bids[-1]} {markup.MINUS} {bids[-1] - net} = {net}" if net != bids[-1] else str(net)
        paid = transfer_points(net, balances[author])
        balances[author] -= paid
        balances[1 - author] += paid
        if not balances[author]:
            result = _("The jockey has nothing left: the match is over before the opening.")
    return Example(
        text % values,
        (
            (pgettext("rules", "Price"), price),
            (pgettext("rules", "Jockey"), _change(balance, balances[JOCKEY])),
            (pgettext("rules", "Opponent"), _change(balance, balances[RIVAL])),
        ),
        result,
    )


def _clock(text: str, elapsed_ms: int) -> Example:
    charge = charge_of(elapsed_ms)
    is_lost = is_out(DELAY_MS + BANK_MS, elapsed_ms)
    return Example(
        text,
        (
            (pgettext("rules", "Time taken"), _seconds(elapsed_ms)),
            (pgettext("rules", "From the bank"), _seconds(charge)),
            (pgettext("rules", "Left in the bank"), _seconds(BANK_MS - charge)),
        ),
        _("Time is up: the match is lost.") if is_lost else "",
    )


def _seconds(ms: int) -> str:
    return _("%(seconds)s s") % {"seconds": ms // 1000}


def _change(before: int, after: int) -> str:
    return f"{before} → {after}" if before != after else str(after)


def _tiles(text: str) -> tuple[Tile, ...]:
    return tuple(parse_tile(tile) for tile in text.split())


def _faces(tiles: Sequence[Tile]) -> SafeString:
    """Tiles as they lie in a hand, each with its name."""
    faces = "".join(markup.face(tile, FACE_UNIT, label=markup.tile_name(tile)) for tile in tiles)
    return mark_safe(f'<span class="worked__tiles">{faces}</span>')  # noqa: S308 - our own markup


def _weighed(tiles: Sequence[Tile], pips: int) -> SafeString:
    """Tiles and their pips."""
    return mark_safe(f"{_faces(tiles)} <b>{pips}</b>")  # noqa: S308 - our own markup
