"""States, commands and facts as JSON data, and back."""

from typing import Any, Final

from games.rules.commands import Command
from games.rules.facts import Fact
from games.rules.state import MatchState

RULES_VERSION: Final = "1"


def dump_state(state: MatchState) -> dict[str, Any]:
    raise NotImplementedError


def load_state(data: dict[str, Any]) -> MatchState:
    raise NotImplementedError


def dump_command(command: Command) -> dict[str, Any]:
    raise NotImplementedError


def load_command(data: dict[str, Any]) -> Command:
    raise NotImplementedError


def dump_fact(fact: Fact) -> dict[str, Any]:
    raise NotImplementedError


def load_fact(data: dict[str, Any]) -> Fact:
    raise NotImplementedError
