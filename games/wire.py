"""Frames and forms to commands, strictly; commands to form fields.

Both doors use the same keys: `type`, what that type takes (`tile` and `site`, or `amount`), `seq`,
`hand`, `id` and `nonce`. Shape is judged here, before any query; whether a command is allowed is
the rules' business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.http import QueryDict

from games import rules
from games.errors import MalformedCommand

MAX_INT = 2**31 - 1
MAX_AMOUNT = 999_999
NAMES_THE_HAND = frozenset({"start", "continue", "reveal", "resign"})  # D-30
NOT_OURS = frozenset({"HEADERS", "csrfmiddlewaretoken"})  # what htmx and forms add by themselves

_PLAIN: dict[str, Callable[[int], rules.PlayerCommand]] = {
    "start": rules.Start,
    "continue": rules.Continue,
    "reveal": rules.Reveal,
    "decline": rules.Decline,
    "accept": rules.Accept,
    "draw": rules.DrawTile,
    "resign": rules.Resign,
}
_WITH_AMOUNT: dict[str, Callable[[int, int], rules.PlayerCommand]] = {"bid": rules.Bid, "raise": rules.Raise}
COMMAND_TYPES = frozenset({*_PLAIN, *_WITH_AMOUNT, "play"})
_COMMON = frozenset({"type", "seq", "hand", "id", "nonce"})
_DIGITS = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)
_NONCE = re.compile(r"[0-9A-Fa-f]{32}", re.ASCII)
_TILES = {rules.format_tile(tile): tile for tile in rules.TILES}


@dataclass(frozen=True, slots=True)
class Envelope:
    """A well-formed command without its seat, and what it was made for.

    `seq` or `hand` is there whichever the command has to name; the other may be None.
    """

    type: str
    command_factory: Callable[[int], rules.PlayerCommand] = field(repr=False)
    seq: int | None
    hand: int | None
    command_id: str
    nonce: bytes | None = field(repr=False)

    def command(self, seat: int) -> rules.PlayerCommand:
        """The command as given by that seat."""
        return self.command_factory(seat)


def parse_frame(frame: Any) -> Envelope:
    """The command that a decoded JSON frame holds. Raises `MalformedCommand(field, reason)`.

    Numbers are plain ints or plain decimal digits without leading zeros, as forms send them.
    """
    if not isinstance(frame, Mapping):
        raise MalformedCommand(field="frame", reason="type")
    kind = frame.get("type")
    if not isinstance(kind, str) or kind not in COMMAND_TYPES:
        raise MalformedCommand(field="type", reason="missing" if kind is None else "unknown")
    own = {"play": {"tile", "site"}, "bid": {"amount"}, "raise": {"amount"}}.get(kind, set())
    for key in frame:
        if key not in _COMMON and key not in own and key not in NOT_OURS:
            raise MalformedCommand(field=str(key)[:32], reason="unknown")
    needed = "hand" if kind in NAMES_THE_HAND else "seq"
    return Envelope(
        type=kind,
        command_factory=_factory(kind, frame),
        seq=_whole(frame, "seq", MAX_INT, required=needed == "seq"),
        hand=_whole(frame, "hand", MAX_INT, required=needed == "hand"),
        command_id=_text(frame, "id", _ID),
        nonce=_nonce(frame),
    )


def parse_form(form: QueryDict) -> Envelope:
    """The command that a posted form holds; a field that comes twice is refused."""
    for key, values in form.lists():
        if len(values) != 1:
            raise MalformedCommand(field=key[:32], reason="repeated")
    return parse_frame(form.dict())


def form_fields(command: rules.PlayerCommand) -> dict[str, str]:
    """The hidden fields that name this command in a form; `seq`, `hand` and `id` are the form's own."""
    told = {"type": command.type}
    if isinstance(command, rules.PlayTile):
        told["tile"] = rules.format_tile(command.tile)
        told["site"] = "" if command.site is None else rules.format_site(command.site)
    elif isinstance(command, rules.Bid | rules.Raise):
        told["amount"] = str(command.amount)
    return told


def _factory(kind: str, frame: Mapping[str, Any]) -> Callable[[int], rules.PlayerCommand]:
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _WITH_AMOUNT:
        amount = _whole(frame, "amount", MAX_AMOUNT, required=True) or 0
        make = _WITH_AMOUNT[kind]
        return lambda seat: make(seat, amount)
    tile = frame.get("tile")
    if not isinstance(tile, str) or tile not in _TILES:
        raise MalformedCommand(field="tile", reason="missing" if tile is None else "value")
    site = frame.get("site")
    if site in (None, ""):
        return lambda seat: rules.PlayTile(seat, _TILES[tile], None)
    if not isinstance(site, str) or site not in _sites():
        raise MalformedCommand(field="site", reason="value")
    return lambda seat: rules.PlayTile(seat, _TILES[tile], _sites()[site])


@cache
def _sites() -> dict[str, rules.Site]:
    """Every site there can be, by its name (SB-19)."""
    named: dict[str, rules.Site] = {}
    for name, tile in _TILES.items():
        ports = ("line_a", "line_b", "arm_a", "arm_b") if tile.is_double else ("low", "high")
        for port in ports:
            named[f"{name}.{port}"] = rules.parse_site(f"{name}.{port}")
    return named


def _whole(frame: Mapping[str, Any], key: str, most: int, *, required: bool) -> int | None:
    value = frame.get(key)
    if value is None or (value == "" and not required):
        if required:
            raise MalformedCommand(field=key, reason="missing")
        return None
    if isinstance(value, str):
        if not _DIGITS.fullmatch(value):
            raise MalformedCommand(field=key, reason="value")
        value = int(value)
    if type(value) is not int:  # neither floats nor booleans
        raise MalformedCommand(field=key, reason="type")
    if not 0 <= value <= most:
        raise MalformedCommand(field=key, reason="value")
    return value


def _text(frame: Mapping[str, Any], key: str, pattern: re.Pattern[str]) -> str:
    value = frame.get(key)
    if value is None:
        raise MalformedCommand(field=key, reason="missing")
    if not isinstance(value, str):
        raise MalformedCommand(field=key, reason="type")
    if not pattern.fullmatch(value):
        raise MalformedCommand(field=key, reason="value")
    return value


def _nonce(frame: Mapping[str, Any]) -> bytes | None:
    if frame.get("nonce") in (None, ""):
        return None
    return bytes.fromhex(_text(frame, "nonce", _NONCE))
