"""What each viewer may see (SB-12, D-31, D-38), and the proof of fair dealing (D-32)."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from games.rules import (
    DrawTile,
    PlayTile,
    Start,
    commitment,
    deal_order,
    decide,
    fold,
    format_tile,
    new_match,
    parse_tile,
    sight_fact,
)
from tests.clauses.driver import ALL_TILES, Table, at_auction, at_opening, deal_of, kinds, line, only, stored

NO_SIX = "0|1 0|2 0|3 0|4 0|5 1|2 1|3"
PUBLIC = (
    *("hand", "phase", "balances", "banks_ms", "turn", "turn_started_ms", "deadline_ms", "layout"),
    *("jockey", "bid", "ready", "winner", "ending"),
)


def tiles_in(sight: dict[str, Any]) -> set[str]:
    """Every tile that is named anywhere in an answer, be it key, value or part of a word."""
    text = json.dumps(sight)
    return {tile for tile in ALL_TILES if tile in text}


def assert_nothing_hidden(table: Table) -> None:
    """Before a hand is over nobody is shown a tile but the own ones and the table's."""
    state = table.state()
    on_table = set(state["layout"]["tiles"])
    for viewer in (0, 1, None):
        own = set() if viewer is None else set(state["held"][viewer])
        sight = table.sight(viewer)
        assert sight.keys() == state.keys()
        assert tiles_in(sight) == on_table | own
        for key in PUBLIC:
            assert sight[key] == state[key]
        assert sight["boneyard"] == len(state["boneyard"])
        for seat in (0, 1):
            assert sight["held"][seat] == (state["held"][seat] if seat == viewer else len(state["held"][seat]))
        for key in ("must_open", "must_play"):
            assert sight[key] == (state[key] if viewer == state["turn"] else None)


@pytest.mark.clause("SB-12", "D-31", "SB-39")
@pytest.mark.parametrize("name", ["block_4_18", "pass_apart", "two_draws_pass"])
def test_during_a_hand_only_the_own_tiles_are_shown(name: str) -> None:
    table = Table([stored(name)])
    table.deal()
    for token in line(name).split():
        assert_nothing_hidden(table)
        table.play(token)


@pytest.mark.clause("D-31", "SB-12", "SB-48")
def test_during_an_auction_only_the_own_tiles_are_shown() -> None:
    """B051: to spectators amounts only."""
    table = at_auction(deal_of("", ""))
    assert_nothing_hidden(table)
    table.act(1, "bid", amount=15)
    assert_nothing_hidden(table)
    assert table.sight(None)["bid"] == {"seat": 1, "amount": 15}


@pytest.mark.clause("D-31", "SB-14")
@pytest.mark.parametrize("opener", [0, 1])
def test_the_tile_that_must_open_is_shown_to_its_holder_alone(opener: int) -> None:
    hands = ["6|6", "5|5"] if opener == 0 else ["5|5", "6|6"]
    table = Table([deal_of(*hands)])
    table.deal()
    assert [table.sight(viewer)["must_open"] for viewer in (opener, 1 - opener, None)] == ["6|6", None, None]
    assert_nothing_hidden(table)


@pytest.mark.clause("D-31", "SB-35", "D-38", "D-39")
def test_the_tile_that_must_be_played_is_shown_to_its_holder_alone() -> None:
    """And to any window of that player, as often as it looks."""
    table = at_opening(deal_of("6|6", NO_SIX, "1|4 2|6"))
    table.play("6|6 draw draw")
    for _ in range(2):
        assert [table.sight(viewer)["must_play"] for viewer in (1, 0, None)] == ["2|6", None, None]
        assert table.sight(1)["deadline_ms"] == table.state()["deadline_ms"]
        assert "2|6" in table.sight(1)["held"][1]
    assert_nothing_hidden(table)


@pytest.mark.clause("D-31")
def test_a_playable_draw_looks_to_others_like_any_other() -> None:
    """B066: the sights of the rival and of a spectator differ by counts alone."""
    sights = []
    for top in ("1|4 2|6", "2|6 1|4"):
        table = at_opening(deal_of("6|6", NO_SIX, top))
        table.play("6|6 draw")
        sights.append((table.sight(0), table.sight(None)))
    assert sights[0] == sights[1]


@pytest.mark.clause("D-31", "D-3")
@pytest.mark.parametrize("name", ["quiet_13", "block_4_18", "block_6_6"])
def test_after_the_hand_both_hands_are_open_and_the_boneyard_is_not(name: str) -> None:
    table = Table([stored(name), list(reversed(ALL_TILES))])
    table.deal()
    table.play(line(name))
    state = table.state()
    for viewer in (0, 1, None):
        sight = table.sight(viewer)
        assert sight["held"] == state["held"]
        assert sight["boneyard"] == len(state["boneyard"])
    table.act(0, "continue")
    assert table.sight(None)["held"] == state["held"]
    table.act(1, "continue")
    assert_nothing_hidden(table)


@pytest.mark.clause("D-31")
@pytest.mark.parametrize("end", ["resign", "time", "balance", "void"])
def test_after_the_end_of_the_match_within_a_hand_both_hands_are_open(end: str) -> None:
    deal = deal_of("4|4 6|6", "4|6")
    table = at_opening(deal, balances=(290, 10))
    table.play("4|4 4|6@4|4.line_a")
    if end == "resign":
        table.act(0, "resign")
    elif end == "time":
        table.tick(130_000)
    elif end == "void":
        table.accept(do="void", at_ms=table.now_ms)
    else:
        table.play("6|6@4|6.high")
    state = table.state()
    assert state["phase"] == "over"
    for viewer in (0, 1, None):
        sight = table.sight(viewer)
        assert (sight["held"], sight["boneyard"]) == (state["held"], 14)
        assert not tiles_in({"boneyard": sight["boneyard"]})


@pytest.mark.clause("D-31")
def test_the_boneyard_is_a_number_to_everybody_at_any_time() -> None:
    table = Table([stored("quiet_13"), deal_of("", "")])
    for viewer in (0, 1, None):
        assert table.sight(viewer)["boneyard"] == 0
    table.deal()
    for viewer in (0, 1, None):
        assert table.sight(viewer)["boneyard"] == 14


@pytest.mark.clause("D-31")
def test_nothing_leaks_in_seeded_matches() -> None:
    for number in range(6):
        table = Table(seed=f"secrecy {number}")
        table.deal()
        for step in range(60):
            if table.state()["phase"] == "ready":
                table.deal()
            if table.state()["phase"] == "over":
                break
            assert_nothing_hidden(table)
            moves = table.legal()
            seat, command = moves[(step * 7 + number) % len(moves)]
            values = {key: value for key, value in command.items() if key != "type"}
            table.act(seat, command["type"], **values)


@pytest.mark.clause("D-31", "SB-39", "SB-12")
def test_facts_on_their_way_to_others_name_no_hidden_tile() -> None:
    """The order of a deal is for nobody while the hand lasts, a drawn tile for its holder alone."""
    deal = deal_of("6|6", NO_SIX, "1|4 2|6")
    order = tuple(parse_tile(name) for name in deal)
    state = fold(new_match("spectacular-bid", at_ms=0), ())
    told = []
    for command in (Start(0), Start(1), PlayTile(0, parse_tile("6|6"), None), DrawTile(1), DrawTile(1)):
        facts = decide(state, command, arrived_ms=0, now_ms=0, order=order if command == Start(1) else None)
        state = fold(state, facts)
        told += facts
    seen = {viewer: [sight_fact(fact, viewer) for fact in told] for viewer in (0, 1, None)}
    for viewer, facts in seen.items():
        assert only(facts, "dealt")["order"] is None
        drawn = [fact["tile"] for fact in facts if fact["type"] == "drew"]
        assert drawn == (["1|4", "2|6"] if viewer == 1 else [None, None])
        assert [fact["left"] for fact in facts if fact["type"] == "drew"] == [13, 12]
        assert tiles_in({"facts": facts}) == ({"6|6", "1|4", "2|6"} if viewer == 1 else {"6|6"})
    assert seen[0] == seen[None]


# D-32


def order_names(seed: bytes, match_id: str, hand: int, nonces: list[bytes | None]) -> tuple[str, ...]:
    return tuple(format_tile(tile) for tile in deal_order(seed, match_id, hand, nonces))


SEED = bytes(range(32))
NONCES: list[bytes | None] = [b"a" * 16, b"b" * 16]


@pytest.mark.clause("D-32")
def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def stream(seed: bytes, *lines: str) -> Iterator[int]:
    """The bytes of docs/rules/dealing.md."""
    for block in range(1_000):
        message = "\n".join(["boneyard deal 1", *lines, str(block)])
        yield from hmac.new(seed, message.encode(), hashlib.sha256).digest()


def shuffled(seed: bytes, match_id: str, hand: int, nonces: list[bytes | None]) -> tuple[str, ...]:
    """The published shuffle, written from its page."""
    numbers = stream(seed, match_id, str(hand), *("-" if nonce is None else nonce.hex() for nonce in nonces))
    tiles = list(ALL_TILES)
    for place in range(27, 0, -1):
        below = place + 1
        number = next(byte for byte in numbers if byte < 256 // below * below) % below
        tiles[place], tiles[number] = tiles[number], tiles[place]
    return tuple(tiles)


@pytest.mark.clause("D-32")
@pytest.mark.parametrize("nonces", [NONCES, [None, None], [None, b"c" * 16], [b"d" * 16, None]])
def test_the_shuffle_is_the_published_one(nonces: list[bytes | None]) -> None:
    for hand in range(1, 60):
        seed = hashlib.sha256(str(hand).encode()).digest()
        assert order_names(seed, "aB3dE6gH9k", hand, nonces) == shuffled(seed, "aB3dE6gH9k", hand, nonces)


@pytest.mark.clause("D-32")
def test_a_seed_of_the_referee_deals_by_the_published_shuffle() -> None:
    seed = hashlib.sha256("a seed, ışł".encode()).digest()
    table = Table(seed="a seed, ışł")
    assert tuple(only(table.deal(), "dealt")["order"]) == shuffled(seed, "referee", 1, [None, None])


@pytest.mark.clause("D-32", "SB-9", "SB-10")
def test_the_shuffle_is_deterministic_and_an_order_of_the_whole_set() -> None:
    first = order_names(SEED, "match", 1, NONCES)
    assert first == order_names(SEED, "match", 1, NONCES)
    assert Counter(first) == Counter(ALL_TILES)


@pytest.mark.clause("D-32", "SB-10")
def test_seed_match_hand_and_each_nonce_change_the_order() -> None:
    orders = [
        order_names(SEED, "match", 1, NONCES),
        order_names(bytes(32), "match", 1, NONCES),
        order_names(SEED, "other", 1, NONCES),
        order_names(SEED, "match", 2, NONCES),
        order_names(SEED, "match", 1, [b"c" * 16, b"b" * 16]),
        order_names(SEED, "match", 1, [b"a" * 16, b"c" * 16]),
        order_names(SEED, "match", 1, [b"b" * 16, b"a" * 16]),
        order_names(SEED, "match", 1, [None, b"b" * 16]),
        order_names(SEED, "match", 1, [b"a" * 16, None]),
        order_names(SEED, "match", 1, [None, None]),
        order_names(SEED, "match", 1, [None, b"a" * 16]),
        order_names(SEED, "match1", 1, NONCES),
        order_names(SEED, "match", 11, NONCES),
    ]
    assert len(set(orders)) == len(orders)


@pytest.mark.clause("D-32")
def test_b068_the_shuffle_is_uniform() -> None:
    """Chi-square of the place of every tile, over 2,000 seeds (27 degrees of freedom each)."""
    places = [Counter[int]() for _ in ALL_TILES]
    runs = 2_000
    for number in range(runs):
        order = order_names(hashlib.sha256(str(number).encode()).digest(), "m", 1, [None, None])
        for place, tile in enumerate(order):
            places[ALL_TILES.index(tile)][place] += 1
    expected = runs / 28
    for counts in places:
        assert sum((counts[place] - expected) ** 2 / expected for place in range(28)) < 70


@pytest.mark.clause("D-32")
def test_a_seed_stands_for_the_same_match_every_time() -> None:
    def played(seed: str) -> list[Any]:
        table = Table(seed=seed)
        return [only(table.deal(), "dealt")["order"], table.everything()]

    assert played("one") == played("one")
    assert played("one")[0] != played("two")[0]


@pytest.mark.clause("D-32", "SB-10")
def test_a_seed_deals_as_many_hands_as_are_needed() -> None:
    table = Table(seed="many hands")
    orders = []
    for step in range(4_000):
        state = table.state()
        if state["phase"] == "over" or len(orders) == 5:
            break
        if state["phase"] == "ready":
            facts = table.deal()
            orders.append(tuple(only(facts, "dealt")["order"]))
            continue
        seat, command = table.legal()[step % len(table.legal())]
        values = {key: value for key, value in command.items() if key != "type"}
        assert kinds(table.act(seat, command["type"], **values))
    assert len(orders) >= 2
    assert len(set(orders)) == len(orders)
