"""States, commands and facts as JSON data, and back.

Tiles and sites are text, everything else is plain numbers, lists and names; the keys are the
attributes' names. The data are complete, secrets included: what a viewer may see is sight.py.
Loading takes exactly what dumping gives and raises ValueError for anything else.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Final, get_args

from games.rules import commands as _commands
from games.rules import facts as _facts
from games.rules.commands import Command
from games.rules.facts import Fact, TurnKind
from games.rules.layout import Contribution, Join, Layout, format_site, layout_of, parse_site
from games.rules.outcome import Ending
from games.rules.state import MatchState, Phase, StandingBid
from games.rules.tiles import Tile, format_tile, parse_tile
from games.rules.variants import get_variant

RULES_VERSION: Final = "1"


def dump_state(state: MatchState) -> dict[str, Any]:
    """The whole state: the keys of `state_data` and what else it takes to load it again.

    Of the layout only tiles and joins are kept; sites and contributions follow from them.
    """
    data = state_data(state)
    data["layout"] = {"tiles": data["layout"]["tiles"], "joins": data["layout"]["joins"]}
    return {
        "rules_version": RULES_VERSION,
        "variant": state.variant,
        "options": asdict(state.options),
        **data,
        "turn_kind": state.turn_kind,
        "revealed": state.revealed,
    }


def load_state(data: Mapping[str, Any]) -> MatchState:
    """The state that `dump_state` gave; ValueError for data of another rules version, or any other key or shape."""
    version = _parse_object(data).get("rules_version")
    if version != RULES_VERSION:
        raise ValueError(f"rules version {version!r}, not {RULES_VERSION}")
    _check_keys(data, _STATE_KEYS, "a state")
    return MatchState(
        hand=_parse_int(data["hand"]),
        phase=_parse_phase(data["phase"]),
        balances=_parse_ints(data["balances"]),
        banks_ms=_parse_ints(data["banks_ms"]),
        turn=_parse_or_none(_parse_seat, data["turn"]),
        turn_started_ms=_parse_or_none(_parse_int, data["turn_started_ms"]),
        deadline_ms=_parse_or_none(_parse_int, data["deadline_ms"]),
        held=tuple([parse_tiles(tiles) for tiles in _parse_list(data["held"])]),
        boneyard=parse_tiles(data["boneyard"]),
        layout=_load_layout(data["layout"]),
        must_open=_parse_or_none(parse_tile, data["must_open"]),
        must_play=_parse_or_none(parse_tile, data["must_play"]),
        jockey=_parse_or_none(_parse_seat, data["jockey"]),
        bid=_parse_or_none(_load_bid, data["bid"]),
        ready=_parse_ints(data["ready"]),
        winner=_parse_or_none(_parse_seat, data["winner"]),
        ending=_parse_or_none(Ending, data["ending"]),
        variant=data["variant"],
        options=get_variant(data["variant"]).read_options(_parse_object(data["options"])),
        turn_kind=_parse_or_none(_parse_turn_kind, data["turn_kind"]),
        revealed=_parse_or_none(_parse_seat, data["revealed"]),
    )


def dump_command(command: Command) -> dict[str, Any]:
    """A command as JSON data, its `type` first.

    >>> dump_command(_commands.Bid(1, 15))
    {'type': 'bid', 'seat': 1, 'amount': 15}
    """
    return _dump(command)


def load_command(data: Mapping[str, Any]) -> Command:
    """The command with this `type`; ValueError for any other key, word or shape.

    >>> load_command({"type": "play", "seat": 0, "tile": "1|4", "site": None})
    PlayTile(seat=0, tile=Tile(low=1, high=4), site=None)
    """
    command: Command = _load(data, _COMMAND_TYPES)
    return command


def dump_fact(fact: Fact) -> dict[str, Any]:
    """A fact as JSON data with the keys of the referee's protocol, its `type` first."""
    data = _dump(fact)
    if data.get("absent") == []:
        del data["absent"]
    return data


def load_fact(data: Mapping[str, Any]) -> Fact:
    """The fact that `dump_fact` gave; ValueError for any other key, word or shape."""
    if _parse_object(data).get("type") == _facts.MatchOver.type and "absent" not in data:
        data = {**data, "absent": []}
    fact: Fact = _load(data, _FACT_TYPES)
    return fact


def state_data(state: MatchState) -> dict[str, Any]:
    """The state as JSON data with exactly the keys of the referee's `state`."""
    return {
        "hand": state.hand,
        "phase": state.phase,
        "balances": list(state.balances),
        "banks_ms": list(state.banks_ms),
        "turn": state.turn,
        "turn_started_ms": state.turn_started_ms,
        "deadline_ms": state.deadline_ms,
        "held": [tiles_data(tiles) for tiles in state.held],
        "boneyard": tiles_data(state.boneyard),
        "layout": layout_data(state.layout),
        "must_open": tile_or_none(state.must_open),
        "must_play": tile_or_none(state.must_play),
        "jockey": state.jockey,
        "bid": bid_data(state.bid),
        "ready": list(state.ready),
        "winner": state.winner,
        "ending": state.ending,
    }


def layout_data(layout: Layout) -> dict[str, Any]:
    """A layout as in the referee's `state`."""
    return {
        "tiles": tiles_data(layout.tiles),
        "joins": [[format_site(site), format_site(port)] for site, port in layout.joins],
        "spinner": tile_or_none(layout.spinner),
        "sites": [format_site(site) for site in layout.sites],
        "contributions": contributions_data(layout.contributions),
    }


def bid_data(bid: StandingBid | None) -> dict[str, int] | None:
    """A standing bid as in the referee's `state`."""
    return None if bid is None else {"seat": bid.seat, "amount": bid.amount}


def contributions_data(contributions: Sequence[Contribution]) -> list[list[Any]]:
    """Contributions as pairs of tile and value."""
    return [[format_tile(tile), value] for tile, value in contributions]


def tiles_data(tiles: Sequence[Tile]) -> list[str]:
    """Tiles as text."""
    return [f"{low}|{high}" for low, high in tiles]


def tile_or_none(tile: Tile | None) -> str | None:
    """A tile as text, or nothing."""
    return None if tile is None else format_tile(tile)


def parse_tiles(tiles: Sequence[str]) -> tuple[Tile, ...]:
    """Tiles from a list of their texts; ValueError for anything else."""
    return tuple([parse_tile(tile) for tile in _parse_list(tiles)])


def _load_layout(data: Any) -> Layout:
    _check_keys(data, _LAYOUT_KEYS, "a layout")
    tiles = parse_tiles(data["tiles"])
    joins: tuple[Join, ...] = tuple(
        [(parse_site(site), parse_site(port)) for site, port in _parse_pairs(data["joins"])]
    )
    layout = layout_of(tiles[0] if tiles else None, joins)
    if layout.tiles != tiles:
        raise ValueError("the tiles of a layout are those of its joins")
    return layout


def _load_bid(data: Any) -> StandingBid:
    _check_keys(data, _BID_KEYS, "a standing bid")
    return StandingBid(_parse_seat(data["seat"]), _parse_int(data["amount"]))


def _parse_object(data: Any) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise ValueError(f"not an object: {data!r}")
    return data


def _check_keys(data: Any, keys: Collection[str], what: str) -> None:
    if len(_parse_object(data)) != len(keys) or any(key not in data for key in keys):
        raise ValueError(f"{what} has the keys {', '.join(keys)}")


def _parse_list(values: Any) -> list[Any]:
    if not isinstance(values, list):
        raise ValueError(f"not a list: {values!r}")
    return values


def _parse_pairs(pairs: Any) -> list[list[Any]]:
    return [_parse_list(pair) for pair in _parse_list(pairs)]


def _parse_or_none(parse: Callable[[str], Any], text: str | None) -> Any:
    return None if text is None else parse(text)


def _parse_int(number: Any) -> int:
    if type(number) is not int:  # True is an int, too.
        raise ValueError(f"not a whole number: {number!r}")
    return number


def _parse_seat(number: Any) -> int:
    if _parse_int(number) < 0:
        raise ValueError(f"not a seat: {number!r}")
    return int(number)


def _parse_word(word: Any) -> str:
    if not isinstance(word, str):
        raise ValueError(f"not a word: {word!r}")
    return word


def _one_of(*words: str) -> Callable[[Any], str]:
    def parse(word: Any) -> str:
        if word not in words:
            raise ValueError(f"not one of {', '.join(words)}: {word!r}")
        return str(word)

    return parse


_parse_phase: Final[Callable[[Any], Any]] = _one_of(*get_args(Phase))
_parse_turn_kind: Final[Callable[[Any], Any]] = _one_of(*get_args(TurnKind))


def _parse_ints(numbers: Any) -> tuple[int, ...]:
    return tuple([_parse_int(number) for number in _parse_list(numbers)])


def _parse_contributions(pairs: Any) -> tuple[Contribution, ...]:
    return tuple([(parse_tile(tile), _parse_int(value)) for tile, value in _parse_pairs(pairs)])


_STATE_KEYS: Final = ("rules_version", *(field.name for field in fields(MatchState)))
_LAYOUT_KEYS: Final = ("tiles", "joins")
_BID_KEYS: Final = StandingBid._fields


# How an attribute of this name is written, and how it is read; all others are numbers.
_WRITE: Final[dict[str, Callable[[Any], Any]]] = {
    "absent": list,
    "balances": list,
    "contributions": contributions_data,
    "ending": str,
    "order": tiles_data,
    "pips": list,
    "site": lambda site: None if site is None else format_site(site),
    "tile": format_tile,
}
_READ: Final[dict[str, Callable[[Any], Any]]] = {
    "absent": _parse_ints,
    "balances": _parse_ints,
    "bidder": _parse_seat,
    "cause": _one_of("placement", "bid", "block"),
    "contributions": _parse_contributions,
    "ending": Ending,
    "how": _one_of("domino", "block"),
    "join": lambda word: _parse_or_none(_parse_word, word),
    "kind": _parse_turn_kind,
    "order": parse_tiles,
    "payer": _parse_seat,
    "pips": _parse_ints,
    "seat": _parse_seat,
    "site": lambda text: _parse_or_none(parse_site, text),
    "tile": parse_tile,
    "winner": lambda seat: _parse_or_none(_parse_seat, seat),
}
_COMMAND_TYPES: Final[dict[str, type[Any]]] = {
    command.type: command
    for command in (
        _commands.Start,
        _commands.Continue,
        _commands.Reveal,
        _commands.Decline,
        _commands.Bid,
        _commands.Raise,
        _commands.Accept,
        _commands.PlayTile,
        _commands.DrawTile,
        _commands.Resign,
        _commands.ExpireTime,
        _commands.CancelUnstarted,
        _commands.CancelAbandoned,
        _commands.VoidForFault,
    )
}
_FACT_TYPES: Final[dict[str, type[Any]]] = {
    fact.type: fact
    for fact in (
        _facts.Readied,
        _facts.Dealt,
        _facts.Revealed,
        _facts.TurnStarted,
        _facts.ClockStopped,
        _facts.Declined,
        _facts.BidMade,
        _facts.Raised,
        _facts.Accepted,
        _facts.TilePlayed,
        _facts.Transferred,
        _facts.TileDrawn,
        _facts.Passed,
        _facts.HandOver,
        _facts.MatchOver,
    )
}
_NAMES: Final = {
    kind: tuple(field.name for field in fields(kind)) for kind in (*_COMMAND_TYPES.values(), *_FACT_TYPES.values())
}


def _dump(value: Any) -> dict[str, Any]:
    data = {"type": value.type}
    for name in _NAMES[type(value)]:
        attribute = getattr(value, name)
        write = _WRITE.get(name)
        data[name] = attribute if write is None else write(attribute)
    return data


def _load(data: Mapping[str, Any], types: Mapping[str, type[Any]]) -> Any:
    kind = types.get(_parse_word(_parse_object(data).get("type")))
    if kind is None:
        raise ValueError(f"unknown type: {data['type']!r}")
    names = _NAMES[kind]
    _check_keys(data, ("type", *names), kind.type)
    values = []
    for name in names:
        read: Callable[[Any], Any] = _READ.get(name, _parse_int)
        values.append(read(data[name]))
    return kind(*values)
