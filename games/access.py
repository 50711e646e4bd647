"""The ways to a match, and to what may be known of its deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser

from games import rules, snapshots
from games.errors import NoSuchMatch
from games.models import Hand, Match, MatchEvent

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class RevealedDeal:
    """All that is needed to check the deal of a hand that is over (D-32)."""

    number: int
    seed: str  # hex
    commitment: str  # hex
    nonces: tuple[str | None, ...]  # hex, by seat
    order: tuple[rules.Tile, ...]

    @property
    def has_nonce(self) -> bool:
        """Whether a player had a say; without, the check shows only that the deal was fixed beforehand."""
        return any(nonce is not None for nonce in self.nonces)


def get_match(user: User | AnonymousUser | None, public_id: str, *, device: str = "") -> tuple[Match, int | None]:
    """The match of that name and the seat of `user` in it, None for a spectator. Raises `NoSuchMatch`.

    A match at one device is there for that device only (`device`: its digest, `games.device`), and nobody has a
    seat in it: who is on turn holds the device.
    """
    match = Match.objects.filter(public_id=public_id, device__in=("", device)).first()
    if match is None:
        raise NoSuchMatch
    return match, seat_of(user, match)


def find_match(user: User | AnonymousUser | None, public_id: str, *, device: str = "") -> tuple[int, bool, int | None]:
    """Of the same match its number, whether it is played at one device, and the seat."""
    match, seat = get_match(user, public_id, device=device)
    return match.pk, bool(match.device), seat


def seat_of(user: User | AnonymousUser | None, match: Match) -> int | None:
    """The seat that `user` holds in the match, or None. No query."""
    if user is None or user.pk is None or user.pk not in match.player_ids:
        return None
    return int(match.player_ids.index(user.pk))


def sight_of(match: Match, viewer: int | None) -> rules.Sight:
    """What that seat, or a spectator (None), may see of the match as it was read. No query."""
    return rules.sight(snapshots.decode(match.pk, match.snapshot), viewer)


def commitments(match: Match) -> dict[int, str]:
    """The published commitment of every hand so far, the coming one included, by number."""
    return dict(Hand.objects.filter(match=match).order_by("number").values_list("number", "commitment"))


def revealed_deals(match: Match) -> tuple[RevealedDeal, ...]:
    """Seeds, nonces and orders of the hands that are over, in order. Of no other hand, to nobody."""
    hands = Hand.objects.filter(match=match, over_ms__isnull=False).order_by("number")
    orders = _orders(match)
    return tuple(
        RevealedDeal(hand.number, hand.seed, hand.commitment, tuple(hand.nonces), orders[hand.number]) for hand in hands
    )


def _orders(match: Match) -> dict[int, tuple[rules.Tile, ...]]:
    logs = MatchEvent.objects.filter(match=match, kind__in=("start", "continue")).values_list("facts", flat=True)
    facts = (rules.load_fact(fact) for facts in logs for fact in facts if fact["type"] == "dealt")
    return {fact.hand: fact.order for fact in facts if isinstance(fact, rules.Dealt)}
