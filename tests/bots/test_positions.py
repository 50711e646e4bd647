"""The positions of a search agree with the rules, tile by tile and hand by hand."""

from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots.strategy.known import bits_of
from games.bots.strategy.playout import play_out
from games.bots.strategy.positions import (
    ALL,
    BIT,
    EMPTY,
    TILE,
    Position,
    due_of,
    end_of,
    expected_reply,
    find_positions,
    position_of,
    ranked_plays,
    steps_of,
)
from games.rules import (
    EMPTY_LAYOUT,
    Layout,
    MatchState,
    PlayerCommand,
    PlayTile,
    Sight,
    Start,
    TilePlayed,
    decide,
    fold,
    new_match,
    parse_site,
    parse_tile,
    previews,
    sight,
)
from tests.bots.play import deals
from tests.rules.play import steps

seeds = st.integers(0, 2**32)


def laid(*lines: str) -> Layout:
    """The layout of these placements, `tile` or `tile@site`."""
    layout = EMPTY_LAYOUT
    for line in lines:
        tile, _, site = line.partition("@")
        layout = layout.place(parse_tile(tile), parse_site(site) if site else None)
    return layout


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_every_legal_play_earns_what_the_rules_say(seed: int) -> None:
    for at, step in enumerate(steps(seed, slow=0)):
        state = step.after
        if at > 400:
            break
        if state.phase != "play":
            continue
        position = position_of(state.layout)
        assert position.total == state.layout.total
        plays = {(bit, end): (due, after) for bit, due, after, end in ranked_plays(position)}
        legal = {}
        for preview in previews(state):
            bit = BIT[preview.tile]
            end = end_of(state.layout, preview.site) if preview.site else None
            due, after = plays[bit, end]
            assert (due, after.total) == (preview.due, preview.total)
            assert after is position_of(state.layout.place(preview.tile, preview.site))
            legal[bit, end] = due
        if state.must_open is None and state.must_play is None and state.turn is not None:
            held = bits_of(state.held[state.turn])
            assert {play for play in plays if play[0] & held} == set(legal)
            assert bool(held & position.fitting) == bool(legal)
        best = dict(position.scores)
        assert all(due <= best.get(bit, 0) for (bit, _), due in legal.items())


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_the_steps_of_a_layout_are_those_that_were_played(seed: int) -> None:
    expected: list[tuple[Position, int, int]] = []
    for step in list(steps(seed, slow=0))[:300]:
        for fact in step.facts:
            if isinstance(fact, TilePlayed):
                if fact.site is None:
                    expected = []
                expected.append((position_of(step.before.layout), BIT[fact.tile], fact.due))
                assert steps_of(step.after.layout) == expected


@settings(max_examples=40, deadline=None)
@given(seed=seeds, own=st.integers(1, 59))
def test_a_playout_comes_to_what_the_rules_make_of_the_same_plays(seed: int, own: int) -> None:
    """Both seats take what ranks first; balances may be so small that the hand ends the match."""
    order = next(deals(seed))
    balances = (5 * own, 300 - 5 * own)
    state = new_match(at_ms=0).but(balances=balances, jockey=seed % 2)
    for seat in (0, 1):
        state = fold(state, decide(state, Start(seat), arrived_ms=0, now_ms=0, order=order))
    while state.phase == "auction":
        state = fold(state, decide(state, sight(state, state.turn).legal[0], arrived_ms=0, now_ms=0))
    opener = seed % 2
    assert state.turn == opener
    hands = [bits_of(held) for held in state.held]
    gain = play_out(
        EMPTY,
        hands[opener],
        hands[1 - opener],
        [BIT[tile] for tile in state.boneyard],
        margin=0,
        balance=balances[opener],
        other_balance=balances[1 - opener],
        jockey_worth=0.0,
    )
    while state.phase == "play":
        state = fold(state, decide(state, ranked_first(state), arrived_ms=0, now_ms=0))
    assert gain == state.balances[opener] - balances[opener]


def ranked_first(state: MatchState) -> PlayerCommand:
    """The legal play that ranks first, or the draw."""
    assert state.turn is not None
    seen: Sight = sight(state, state.turn)
    rank = {(bit, end): at for at, (bit, _, _, end) in enumerate(ranked_plays(position_of(state.layout)))}
    plays = [command for command in seen.legal if isinstance(command, PlayTile)]
    if not plays:
        return seen.legal[0]
    return min(plays, key=lambda play: rank[BIT[play.tile], end_of(state.layout, play.site) if play.site else None])


def test_a_lone_spinner_is_one_end_and_counts_once() -> None:
    assert len(position_of(laid("5|5")).ends) == 1
    assert position_of(laid("5|5", "0|5@5|5.line_a")).total == 10


def test_the_arms_open_when_both_line_sides_are_used() -> None:
    position = position_of(laid("6|6", "3|6@6|6.line_a", "1|6@6|6.line_b"))
    assert position.total == 4
    assert position.fitting & BIT[parse_tile("2|6")]
    assert len(position.ends) == 4


def test_layouts_that_differ_in_hidden_tiles_only_are_one_position() -> None:
    first = position_of(laid("1|4", "4|6@1|4.high"))
    second = position_of(laid("1|2", "2|6@1|2.high"))
    assert first is second


def test_the_expected_reply_is_the_best_that_is_held() -> None:
    position = position_of(laid("5|5"))
    # [0|5] makes ten, [5|6] sixteen, and so on: who is sure of every tile replies with the most.
    most = position.scores[0][1]
    assert expected_reply(position, ALL, 1.0) == most
    assert expected_reply(position, 0, 1.0) == 0
    assert 0 < expected_reply(position, ALL, 0.2) < most


def test_every_tile_opens_an_empty_table() -> None:
    assert {TILE[bit] for bit, *_ in ranked_plays(EMPTY)} == set(BIT)
    assert {bit: due for bit, due, _, _ in ranked_plays(EMPTY)}[BIT[parse_tile("5|5")]] == 10
    assert [due_of(total) for total in (0, 9, 15, 35)] == [0, 0, 15, 35]


def test_the_positions_are_few_enough_to_be_kept() -> None:
    """And all are found beforehand: those of a match add none."""
    count = find_positions()
    for step in steps(3, slow=0):
        if step.after.phase == "play":
            assert position_of(step.after.layout).ranked is not None
    assert count == find_positions() < 8_000
