"""What one viewer sees of one match, as plain values: all that the page and the fragments are drawn from.

No models, no secrets, no queries: whoever builds a TableView has already looked through `games.rules.sight`.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

from games.rules import Bid, Raise, Sight

FORMATS = ("square", "wide", "long", "strip")
TURNED = "-turned"


@dataclass(frozen=True, slots=True)
class SeatCard:
    """A seat as everybody sees it. `rating_text` is ready to show ("1684" or "1512?")."""

    index: int
    user_id: int | None
    name: str
    rating_text: str = ""
    is_program: bool = False
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class Prefs:
    """Settings of the viewer that change what is drawn, or how the page's scripts behave.

    `sound` is "on", "low" (only when time is short) or "off", `volume` per cent.
    """

    hints: bool = True
    confirm_moves: bool = True
    move_list: bool = False
    auto_draw: bool = False
    letter_keys: bool = True
    sound: str = "on"
    volume: int = 60


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Why a rating moved: the score that was expected (0 to 1) and K, both as they stood at the start.

    `delta_centi` is the change in hundredths of a point, which the floor under all ratings may have cut short
    (`is_floored`); `farming_factor` what is left of a gain after many wins over the same opponent.
    """

    expected: float
    k: int
    delta_centi: int
    farming_factor: float = 1.0
    is_floored: bool = False


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over all hands of a match, each per seat: hands won, points earned by tiles, points paid for openings."""

    hands_won: tuple[int, ...]
    scored: tuple[int, ...]
    auctions_paid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended. `ratings` holds per seat (before, after) as shown, or None when the match was not rated.

    `reckonings`, beside them, say per seat why; `totals` are there once a hand was dealt.
    """

    winner: int | None
    ending: str
    ratings: tuple[tuple[str, str] | None, ...] | None = None
    reference: str = ""
    reckonings: tuple[Reckoning | None, ...] | None = None
    totals: Totals | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything a render needs for one viewer at one version.

    `log` holds the facts of the running hand (in `ready` and `over`: of the hand just ended) as `sight_fact`
    gives them, each with its "seq". `away` has per seat the milliseconds since the last of its sockets closed,
    None while one is open. `cap_ms` is the time at which the caps of Start and Continue act (D-1, D-2).
    `commitment` is the hex SHA-256 of the seed of the coming or running hand, `seed` the seed of the hand just
    ended once it may be shown (D-32). `watchers` is how many look on without a seat. `at_device`: two people at
    one browser, `viewer` is the one who holds it and has revealed (D-4).
    """

    public_id: str
    seq: int
    viewer: int | None
    sight: Sight
    seats: tuple[SeatCard, ...]
    log: tuple[Mapping[str, Any], ...] = ()
    language: str = "en"
    table_format: str = "wide"
    server_now_ms: int = 0
    cap_ms: int | None = None
    away: tuple[int | None, ...] = (None, None)
    rated: bool = True
    commitment: str = ""
    seed: str = ""
    result: Result | None = None
    prefs: Prefs = field(default_factory=Prefs)
    csrf: str = ""
    watchers: int = 0
    at_device: bool = False

    @property
    def look(self) -> str:
        """What beside the version decides how everything is drawn; see `look_of`."""
        return look_of(self.viewer, self.language, self.table_format, self.prefs)

    @property
    def near(self) -> int:
        """The seat drawn at the bottom: the viewer's, for a spectator the first.

        At one device the table turns round when the next player reveals, not while the curtain falls.
        """
        if self.viewer is None and self.at_device:
            sight = self.sight
            return sight.revealed if sight.revealed is not None else sight.turn or 0
        return self.viewer or 0

    @property
    def far(self) -> int:
        """The seat drawn at the top."""
        return 1 - self.near

    @property
    def is_running(self) -> bool:
        """Whether some clock runs."""
        return self.sight.deadline_ms is not None

    @property
    def lit(self) -> int | None:
        """The seat on turn while its clock runs."""
        return self.sight.turn if self.is_running else None

    @property
    def is_my_turn(self) -> bool:
        """Whether the viewer is the one to act."""
        return self.viewer is not None and self.lit == self.viewer

    @property
    def is_waiting(self) -> bool:
        """Whether the page of this viewer can only wait; without scripts it then looks again by itself."""
        return self.sight.phase != "over" and not self.is_my_turn and not self.at_device

    def can(self, kind: str) -> bool:
        """Whether the viewer may give a command of this type ("draw", "start", …)."""
        return any(command.type == kind for command in self.sight.legal)

    def amounts(self, kind: str) -> tuple[int, ...]:
        """The amounts the viewer may bid or raise to, rising."""
        return tuple(
            command.amount for command in self.sight.legal if isinstance(command, Bid | Raise) and command.type == kind
        )


def look_of(viewer: int | None, language: str, table_format: str, prefs: Prefs) -> str:
    """For whom, in which language and shape, with which help: two pictures of one version and one look are equal."""
    seat = "" if viewer is None else viewer
    chosen = "-".join(str(value) for value in astuple(prefs))
    return f"{seat}.{language}.{table_format}.{chosen}"
