"""The rules of the game as a library: values in, values out.

Standard library only, no clock reading and no randomness of its own. Times (whole
milliseconds of any one clock) and the order of the tiles are arguments.

A command is decided, which gives facts; facts change the state. Both press Start, the second
press deals, and the holder of the highest double is on turn:

>>> match = new_match("spectacular-bid", at_ms=0)
>>> match = fold(match, decide(match, Start(0), arrived_ms=1_000, now_ms=1_000))
>>> order = deal_order(bytes(32), "example", 1, (None, None))
>>> facts = decide(match, Start(1), arrived_ms=2_000, now_ms=2_000, order=order)
>>> [fact.type for fact in facts]
['ready', 'dealt', 'turn_started']
>>> match = fold(match, facts)
>>> legal_commands(match)[0]
PlayTile(seat=1, tile=Tile(low=6, high=6), site=None)

Nobody else may open:

>>> decide(match, PlayTile(0, parse_tile("0|0"), None), arrived_ms=3_000, now_ms=3_000)
Traceback (most recent call last):
    ...
games.rules.errors.NotYourTurn: ('NotYourTurn', {'turn': 1})

What somebody may see of it is a `Sight`; here a spectator's, who knows how many tiles there are:

>>> sight(match, None).held
(7, 7)
"""

from games.rules.codec import (
    RULES_VERSION,
    dump_command,
    dump_fact,
    dump_state,
    load_command,
    load_fact,
    load_state,
)
from games.rules.commands import (
    Accept,
    Bid,
    CancelAbandoned,
    CancelUnstarted,
    Command,
    Continue,
    Decline,
    DrawTile,
    ExpireTime,
    PlayerCommand,
    PlayTile,
    Raise,
    Resign,
    Reveal,
    Start,
    SystemCommand,
    VoidForFault,
)
from games.rules.dealing import commitment, deal_order
from games.rules.errors import (
    AlreadyReady,
    BadOption,
    BadRecord,
    BidNotMultipleOfFive,
    BidStands,
    BidTooLow,
    BidUnaffordable,
    IllegalCommand,
    MalformedRequest,
    MatchIsOver,
    MustOpenWith,
    MustPlay,
    MustPlayDrawnTile,
    NoBidStands,
    NoDeal,
    NoMatch,
    NothingToDraw,
    NotYourTurn,
    Refusal,
    SiteNotOpen,
    TileDoesNotFit,
    TileNotHeld,
    TimeRunsBackwards,
    VariantNotAvailable,
    WrongPhase,
)
from games.rules.facts import (
    Accepted,
    BidMade,
    ClockStopped,
    Dealt,
    Declined,
    Fact,
    HandOver,
    MatchOver,
    Passed,
    Raised,
    Readied,
    Revealed,
    TileDrawn,
    TilePlayed,
    Transferred,
    TurnStarted,
)
from games.rules.judging import check_deals, judge_record
from games.rules.layout import EMPTY_LAYOUT, Contribution, Join, Layout, Port, Site, format_site, parse_site, site_value
from games.rules.match import (
    Preview,
    decide,
    evolve,
    fold,
    legal_commands,
    needs_order,
    new_match,
    previews,
)
from games.rules.notation import DealProof, Record, read_record, write_record
from games.rules.outcome import Ending
from games.rules.sight import Sight, sight, sight_data, sight_fact
from games.rules.state import MatchState, Phase, StandingBid
from games.rules.tiles import TILES, Tile, format_tile, parse_tile
from games.rules.variants import VARIANTS, Options, Variant, get_variant

__all__ = [
    "EMPTY_LAYOUT",
    "RULES_VERSION",
    "TILES",
    "VARIANTS",
    "Accept",
    "Accepted",
    "AlreadyReady",
    "BadOption",
    "BadRecord",
    "Bid",
    "BidMade",
    "BidNotMultipleOfFive",
    "BidStands",
    "BidTooLow",
    "BidUnaffordable",
    "CancelAbandoned",
    "CancelUnstarted",
    "ClockStopped",
    "Command",
    "Continue",
    "Contribution",
    "DealProof",
    "Dealt",
    "Decline",
    "Declined",
    "DrawTile",
    "Ending",
    "ExpireTime",
    "Fact",
    "HandOver",
    "IllegalCommand",
    "Join",
    "Layout",
    "MalformedRequest",
    "MatchIsOver",
    "MatchOver",
    "MatchState",
    "MustOpenWith",
    "MustPlay",
    "MustPlayDrawnTile",
    "NoBidStands",
    "NoDeal",
    "NoMatch",
    "NotYourTurn",
    "NothingToDraw",
    "Options",
    "Passed",
    "Phase",
    "PlayTile",
    "PlayerCommand",
    "Port",
    "Preview",
    "Raise",
    "Raised",
    "Readied",
    "Record",
    "Refusal",
    "Resign",
    "Reveal",
    "Revealed",
    "Sight",
    "Site",
    "SiteNotOpen",
    "StandingBid",
    "Start",
    "SystemCommand",
    "Tile",
    "TileDoesNotFit",
    "TileDrawn",
    "TileNotHeld",
    "TilePlayed",
    "TimeRunsBackwards",
    "Transferred",
    "TurnStarted",
    "Variant",
    "VariantNotAvailable",
    "VoidForFault",
    "WrongPhase",
    "check_deals",
    "commitment",
    "deal_order",
    "decide",
    "dump_command",
    "dump_fact",
    "dump_state",
    "evolve",
    "fold",
    "format_site",
    "format_tile",
    "get_variant",
    "judge_record",
    "legal_commands",
    "load_command",
    "load_fact",
    "load_state",
    "needs_order",
    "new_match",
    "parse_site",
    "parse_tile",
    "previews",
    "read_record",
    "sight",
    "sight_data",
    "sight_fact",
    "site_value",
    "write_record",
]
