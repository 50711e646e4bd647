"""The record of a stored match, for download and review.

Of a match that still runs only the hands that are over are in it, to whomever it is shown: the
record of the running hand would tell its tiles.
"""

from __future__ import annotations

from games import deals, rules, snapshots
from games.models import Hand, Match, MatchEvent, Seat


def match_record(match: Match) -> rules.Record:
    """The match as a record: all of it when it is over, else up to the end of its last finished hand."""
    state = snapshots.read(match.origin)
    return rules.Record(
        variant=match.variant,
        options=state.options,
        started_ms=round(match.created_at.timestamp() * 1_000),
        facts=_open_facts(match),
        match_id=match.public_id,
        tags=_tags(match),
        deals=_proofs(match),
        rules_version=match.rules_version,
        start=_start(state),
    )


def record_text(match: Match) -> str:
    """The record in the text notation (docs/record-notation.md)."""
    return rules.write_record(match_record(match))


def _start(first: rules.MatchState) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """What the seats began with, where a site's prepared deals gave them something else than the rules do."""
    usual = rules.new_match(first.variant, at_ms=0)
    if (first.balances, first.banks_ms) == (usual.balances, usual.banks_ms):
        return None
    return first.balances, first.banks_ms


def _open_facts(match: Match) -> tuple[rules.Fact, ...]:
    logs = MatchEvent.objects.filter(match=match).order_by("seq").values_list("facts", flat=True)
    facts: list[rules.Fact] = []
    open_to = 0
    for told in logs.iterator(chunk_size=500):
        facts += [rules.load_fact(fact) for fact in told]
        if any(fact["type"] in ("hand_over", "match_over") for fact in told):
            open_to = len(facts)
    return tuple(facts[:open_to])


def _tags(match: Match) -> tuple[tuple[str, str], ...]:
    seated = Seat.objects.filter(match=match).order_by("index").values_list("index", "user__username", "name")
    seats = tuple((f"Seat{index}", account or name or "guest") for index, account, name in seated)
    return (*seats, ("Rated", match.pool if match.counts else "-"))


def _proofs(match: Match) -> tuple[rules.DealProof, ...]:
    # Prepared deals do not follow from seeds, so there is nothing to show for them.
    has_proof = deals.test_deals() is None
    return tuple(
        rules.DealProof(
            hand=hand.number,
            commitment=hand.commitment,
            seed=bytes.fromhex(hand.seed) if hand.over_ms is not None and has_proof else None,
            nonces=tuple(
                bytes.fromhex(nonce) if nonce is not None and hand.over_ms is not None else None
                for nonce in hand.nonces
            ),
        )
        for hand in Hand.objects.filter(match=match).order_by("number")
    )
