"""Is what is stored of a match what the rules say? Reads only.

Each finding is a short sentence for the operator; it names versions and columns, never a tile.
"""

from __future__ import annotations

from collections.abc import Iterator

from games import deals, rules, snapshots
from games.models import Hand, Match, MatchEvent

TOTAL_POINTS = 300  # SB-3


def findings(match: Match) -> list[str]:
    """What is wrong with the stored match; empty when all is well.

    The log has no gaps, each command re-judged gives the stored facts, the facts fold to the
    snapshot, the columns repeat it, points and tiles are conserved in every state, and each revealed
    hand follows from its committed seed.
    """
    found: list[str] = []
    state = snapshots.read(match.origin)
    if match.rules_version != rules.RULES_VERSION:
        found.append(f"rules version {match.rules_version}: commands cannot be judged again")
    rejudge = not found
    last_seq = 0
    deals_of_log: dict[int, tuple[rules.Tile, ...]] = {}
    for event in _events(match):
        if event.seq != last_seq + 1:
            found.append(f"event {event.seq} follows {last_seq}")
        last_seq = event.seq
        try:
            facts = tuple(rules.load_fact(fact) for fact in event.facts)
            dealt = next((fact for fact in facts if isinstance(fact, rules.Dealt)), None)
            if dealt is not None:
                deals_of_log[dealt.hand] = dealt.order
            if rejudge and _judged_again(state, event, dealt) != facts:
                found.append(f"event {event.seq}: the command judged again gives other facts")
            state = rules.fold(state, facts)
        except (rules.Refusal, LookupError, TypeError, ValueError, AttributeError) as error:
            found.append(f"event {event.seq}: {type(error).__name__}")
            return found
        found += [f"event {event.seq}: {what}" for what in _unbalanced(state)]
    found += _columns(match, state, last_seq)
    found += _hands(match, state, deals_of_log)
    return found


def _events(match: Match) -> Iterator[MatchEvent]:
    return MatchEvent.objects.filter(match=match).order_by("seq").iterator(chunk_size=500)


def _judged_again(state: rules.MatchState, event: MatchEvent, dealt: rules.Dealt | None) -> tuple[rules.Fact, ...]:
    return tuple(
        rules.decide(
            state,
            rules.load_command(event.command),
            arrived_ms=event.arrived_ms,
            now_ms=event.applied_ms,
            order=None if dealt is None else dealt.order,
        )
    )


def _unbalanced(state: rules.MatchState) -> Iterator[str]:
    if sum(state.balances) != TOTAL_POINTS:
        yield f"balances add up to {sum(state.balances)}"
    if state.hand:
        tiles = [*state.boneyard, *state.layout.tiles, *(tile for held in state.held for tile in held)]
        if sorted(tiles) != sorted(rules.TILES):
            yield "the 28 tiles are not all there once"


def _columns(match: Match, state: rules.MatchState, last_seq: int) -> Iterator[str]:
    expected = {
        "seq": last_seq,
        "phase": state.phase,
        "hand_no": state.hand,
        "turn_seat": None if state.phase == "over" else state.turn,
        "deadline_ms": state.deadline_ms,
        "winner": state.winner,
        "ending": state.ending or "",
    }
    for column, value in expected.items():
        if getattr(match, column) != value:
            yield f"{column} is {getattr(match, column)!r}, the log says {value!r}"
    try:
        stored = snapshots.read(match.snapshot)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        yield f"the snapshot cannot be read: {type(error).__name__}"
    else:
        if stored != state or match.snapshot != snapshots.encode(state):
            yield "the snapshot is not what the log folds to"


def _hands(match: Match, state: rules.MatchState, deals_of_log: dict[int, tuple[rules.Tile, ...]]) -> Iterator[str]:
    hands = {hand.number: hand for hand in Hand.objects.filter(match=match)}
    if missing := set(deals_of_log) - set(hands):
        yield f"hands without a stored deal: {sorted(missing)}"
    for number, hand in sorted(hands.items()):
        if rules.commitment(bytes.fromhex(hand.seed)) != hand.commitment:
            yield f"hand {number}: the seed is not the one committed to"
        if (hand.dealt_ms is not None) != (number in deals_of_log):
            yield f"hand {number}: dealt in the log or in the table of hands, not in both"
        elif number in deals_of_log and deals.order_of(hand, match.public_id) != deals_of_log[number]:
            yield f"hand {number}: seed and nonces give another order"
        is_over = number < state.hand or (number == state.hand and state.phase in ("ready", "over"))
        if number in deals_of_log and (hand.over_ms is not None) != is_over:
            yield f"hand {number}: over in the log or in the table of hands, not in both"
