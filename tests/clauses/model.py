"""A second, slow reading of the rules, to be held against the engine.

Written from the rule text alone and sharing nothing with `games.rules`, so that a
mistake has to be made twice to go unseen. Tiles are pairs `(low, high)`, ports are pairs
`(tile, port name)`; facts are dicts with exactly the keys of the referee's protocol.
No curtain here: that clause has its own tests.
"""

from collections.abc import Iterable, Iterator

Tile = tuple[int, int]
Port = tuple[Tile, str]

ALL_TILES: tuple[Tile, ...] = tuple((low, high) for low in range(7) for high in range(low, 7))
DELAY_MS = 10_000
BANK_MS = 120_000


class RefusedError(Exception):
    """The command is against the rules; nothing has changed."""


def tile_name(tile: Tile) -> str:
    return f"{tile[0]}|{tile[1]}"


def tile_of(name: str) -> Tile:
    return int(name[0]), int(name[2])


def port_name(port: Port) -> str:
    return f"{tile_name(port[0])}.{port[1]}"


def port_of(name: str) -> Port:
    tile, _, port = name.partition(".")
    return tile_of(tile), port


def pips(tiles: Iterable[Tile]) -> int:
    return sum(low + high for low, high in tiles)


class Layout:
    """The tiles on the table as a tree of joined ports (SB-19 to SB-28)."""

    def __init__(self) -> None:
        self.tiles: list[Tile] = []
        self.joins: list[tuple[Port, Port]] = []
        self.used: set[Port] = set()
        self.spinner: Tile | None = None

    def free(self, tile: Tile, *ports: str) -> list[Port]:
        return [(tile, port) for port in ports if (tile, port) not in self.used]

    def sites(self) -> list[tuple[Port, int]]:
        found = []
        for tile in self.tiles:
            if tile[0] != tile[1]:
                found += [(port, tile[0] if port[1] == "low" else tile[1]) for port in self.free(tile, "low", "high")]
                continue
            sides = self.free(tile, "line_a", "line_b")
            found += [(port, tile[0]) for port in sides]
            if tile == self.spinner and not sides:
                found += [(port, tile[0]) for port in self.free(tile, "arm_a", "arm_b")]
        return sorted(found)

    def contributions(self) -> list[tuple[Tile, int]]:
        counted = []
        for (tile, port), value in self.sites():
            if tile[0] != tile[1]:
                counted.append((tile, value))
            elif port.startswith("line") and (tile, 2 * value) not in counted:
                counted.append((tile, 2 * value))
        return counted

    def total(self) -> int:
        return sum(value for _, value in self.contributions())

    def fits(self, tile: Tile) -> list[Port]:
        return [site for site, value in self.sites() if value in tile]

    def place(self, tile: Tile, site: Port | None) -> str | None:
        """Put the tile down; the name of its own port that touches the site."""
        join = None
        if site is not None:
            value = dict(self.sites())[site]
            join = "line_a" if tile[0] == tile[1] else "low" if tile[0] == value else "high"
            self.joins.append((site, (tile, join)))
            self.used |= {site, (tile, join)}
        self.tiles.append(tile)
        if self.spinner is None and tile[0] == tile[1]:
            self.spinner = tile
        return join

    def copy(self) -> "Layout":
        twin = Layout()
        twin.tiles, twin.joins, twin.used, twin.spinner = [*self.tiles], [*self.joins], {*self.used}, self.spinner
        return twin


class Match:
    """A whole match: `act` and `tick` give the facts, `moves` what may be done now."""

    def __init__(self, deals: Iterable[list[Tile]], at_ms: int = 0) -> None:
        self.deals = iter(deals)
        self.balances = [150, 150]
        self.banks_ms = [BANK_MS, BANK_MS]
        self.hand = 0
        self.phase = "ready"
        self.ready: list[int] = []
        self.held: list[list[Tile]] = [[], []]
        self.boneyard: list[Tile] = []
        self.layout = Layout()
        self.turn: int | None = None
        self.started_ms: int | None = None
        self.must_open: Tile | None = None
        self.must_play: Tile | None = None
        self.jockey: int | None = None
        self.bid: tuple[int, int] | None = None
        self.passes = 0
        self.winner: int | None = None
        self.ending: str | None = None
        self.facts: list[dict[str, object]] = []
        self.now_ms = at_ms

    @property
    def deadline_ms(self) -> int | None:
        if self.started_ms is None or self.turn is None:
            return None
        return self.started_ms + DELAY_MS + self.banks_ms[self.turn]

    # What may be done.

    def moves(self) -> Iterator[tuple[int, dict[str, object]]]:
        """Every legal command with its seat, in no particular order."""
        if self.phase == "over":
            return
        for seat in (0, 1):
            yield seat, {"type": "resign"}
        if self.phase == "ready":
            for seat in (0, 1):
                if seat not in self.ready:
                    yield seat, {"type": "start" if self.hand == 0 else "continue"}
            return
        assert self.turn is not None
        if self.phase == "auction":
            yield from ((self.turn, move) for move in self.auction_moves(self.turn))
            return
        placements = list(self.placements(self.turn))
        for tile, site in placements:
            yield (
                self.turn,
                {"type": "play", "tile": tile_name(tile), "site": None if site is None else port_name(site)},
            )
        if not placements:
            yield self.turn, {"type": "draw"}

    def auction_moves(self, seat: int) -> Iterator[dict[str, object]]:
        limit = self.balances[seat] + (15 if seat == self.jockey else 0)
        if self.bid is None:
            yield {"type": "decline"}
            yield from ({"type": "bid", "amount": amount} for amount in range(15, limit + 1, 5))
        else:
            yield {"type": "accept"}
            yield from ({"type": "raise", "amount": amount} for amount in range(self.bid[1] + 5, limit + 1, 5))

    def placements(self, seat: int) -> Iterator[tuple[Tile, Port | None]]:
        for tile in sorted(self.held[seat]):
            if self.must_play is not None and tile != self.must_play:
                continue
            if self.layout.tiles:
                yield from ((tile, site) for site in self.layout.fits(tile))
            elif self.must_open in (None, tile):
                yield tile, None

    # What happens.

    def act(self, seat: int, command: dict[str, object], at_ms: int) -> list[dict[str, object]]:
        self.now_ms, self.facts = at_ms, []
        if self.deadline_ms is not None and at_ms >= self.deadline_ms:
            return self.tick(at_ms)
        if (seat, command) not in list(self.moves()):
            raise RefusedError(command)
        kind = command["type"]
        if kind == "resign":
            self.stop_clock()
            self.finish(1 - seat, "resign")
        elif kind in ("start", "continue"):
            self.ready.append(seat)
            self.tell("ready", seat=seat)
            if len(self.ready) == 2:
                self.deal()
        elif kind == "play":
            site = command["site"]
            self.play(seat, tile_of(str(command["tile"])), None if site is None else port_of(str(site)))
        elif kind == "draw":
            self.draw(seat)
        else:
            self.stop_clock()
            self.speak(seat, command)
        return self.facts

    def tick(self, at_ms: int) -> list[dict[str, object]]:
        self.facts = []
        if self.deadline_ms is not None and at_ms >= self.deadline_ms:
            self.now_ms, loser = self.deadline_ms, self.turn
            self.stop_clock()
            assert loser is not None
            self.finish(1 - loser, "time")
        return self.facts

    def tell(self, word: str, /, **values: object) -> None:
        self.facts.append({"type": word, "at_ms": self.now_ms, **values})

    def stop_clock(self) -> None:
        if self.started_ms is None or self.turn is None:
            return
        elapsed = self.now_ms - self.started_ms
        charged = max(0, elapsed - DELAY_MS)
        self.banks_ms[self.turn] -= charged
        bank = self.banks_ms[self.turn]
        self.tell("clock_stopped", seat=self.turn, elapsed_ms=elapsed, charged_ms=charged, bank_ms=bank)
        self.turn = self.started_ms = None

    def begin_turn(self, seat: int, kind: str) -> None:
        self.turn, self.started_ms = seat, self.now_ms
        self.tell("turn_started", seat=seat, kind=kind, deadline_ms=self.deadline_ms)

    def finish(self, winner: int | None, ending: str) -> None:
        self.phase, self.winner, self.ending = "over", winner, ending
        self.must_open = self.must_play = self.bid = self.turn = self.started_ms = self.jockey = None
        self.ready = []
        self.tell("match_over", winner=winner, ending=ending)

    def pay(self, payer: int, due: int, cause: str) -> bool:
        """Move the points; whether that ended the match."""
        if due == 0:
            return False
        paid = min(due, self.balances[payer])
        self.balances[payer] -= paid
        self.balances[1 - payer] += paid
        self.tell("transferred", payer=payer, due=due, paid=paid, cause=cause, balances=[*self.balances])
        if self.balances[payer] == 0:
            self.finish(1 - payer, "balance")
        return self.balances[payer] == 0

    def deal(self) -> None:
        order = next(self.deals)
        self.hand, self.ready, self.passes = self.hand + 1, [], 0
        self.held, self.boneyard = [order[:7], order[7:14]], order[14:]
        self.layout = Layout()
        self.tell("dealt", hand=self.hand, order=[tile_name(tile) for tile in order])
        if self.jockey is None:
            self.must_open = max(order[:14], key=lambda tile: (tile[0] == tile[1], sum(tile), tile[1]))
            self.open(0 if self.must_open in self.held[0] else 1)
            return
        self.phase = "auction"
        self.ask(1 - self.jockey)

    def ask(self, seat: int) -> None:
        choices = list(self.auction_moves(seat))
        if len(choices) == 1:
            self.speak(seat, choices[0])
        else:
            self.begin_turn(seat, "auction")

    def speak(self, seat: int, command: dict[str, object]) -> None:
        assert self.jockey is not None
        amount = command.get("amount")
        if command["type"] == "decline":
            self.tell("declined", seat=seat)
            self.open(self.jockey)
        elif command["type"] == "accept":
            assert self.bid is not None
            bidder, standing = self.bid
            net = standing - 15 if bidder == self.jockey else standing
            self.tell("accepted", seat=seat, bidder=bidder, amount=standing, net=net)
            self.bid = None
            if not self.pay(bidder, net, "bid"):
                self.open(bidder)
        else:
            assert isinstance(amount, int)
            net = amount - 15 if seat == self.jockey else amount
            self.tell("bid" if command["type"] == "bid" else "raised", seat=seat, amount=amount, net=net)
            self.bid = (seat, amount)
            self.ask(1 - seat)

    def open(self, seat: int) -> None:
        self.phase, self.jockey = "play", None
        self.begin_turn(seat, "opening")

    def play(self, seat: int, tile: Tile, site: Port | None) -> None:
        self.stop_clock()
        self.must_open = self.must_play = None
        self.passes = 0
        self.held[seat].remove(tile)
        join = self.layout.place(tile, site)
        total = self.layout.total()
        due = total if total % 5 == 0 else 0
        self.tell(
            "played",
            seat=seat,
            tile=tile_name(tile),
            site=None if site is None else port_name(site),
            join=join,
            contributions=[[tile_name(each), value] for each, value in self.layout.contributions()],
            total=total,
            due=due,
        )
        if self.pay(1 - seat, due, "placement"):
            return
        if self.held[seat]:
            self.next_turn(1 - seat)
        else:
            self.end_hand("domino", seat)

    def draw(self, seat: int) -> None:
        tile = self.boneyard.pop(0)
        self.held[seat].append(tile)
        self.tell("drew", seat=seat, tile=tile_name(tile), left=len(self.boneyard))
        if self.layout.fits(tile):
            self.must_play = tile
        elif not self.boneyard:
            self.stop_clock()
            self.next_turn(seat)

    def next_turn(self, seat: int) -> None:
        """The seat's turn, or its forced pass and what follows from that (SB-37, SB-42)."""
        while not self.boneyard and not list(self.placements(seat)):
            self.tell("passed", seat=seat)
            self.passes += 1
            if self.passes == 2:
                return self.block()
            seat = 1 - seat
        return self.begin_turn(seat, "turn")

    def end_hand(self, how: str, winner: int | None) -> None:
        self.phase, self.jockey = "ready", winner if how == "domino" else None
        self.tell("hand_over", how=how, winner=winner, pips=[pips(tiles) for tiles in self.held])

    def block(self) -> None:
        own, other = (pips(tiles) for tiles in self.held)
        winner = None if own == other else 0 if own < other else 1
        self.end_hand("block", winner)
        if winner is not None:
            self.pay(1 - winner, (pips(self.held[1 - winner]) + 2) // 5 * 5, "block")

    def state(self) -> dict[str, object]:
        """Exactly the keys and values of the referee's `state`."""
        return {
            "hand": self.hand,
            "phase": self.phase,
            "balances": [*self.balances],
            "banks_ms": [*self.banks_ms],
            "turn": self.turn,
            "turn_started_ms": self.started_ms,
            "deadline_ms": self.deadline_ms,
            "held": [[tile_name(tile) for tile in sorted(tiles)] for tiles in self.held],
            "boneyard": [tile_name(tile) for tile in self.boneyard],
            "layout": {
                "tiles": [tile_name(tile) for tile in self.layout.tiles],
                "joins": [[port_name(first), port_name(second)] for first, second in self.layout.joins],
                "spinner": None if self.layout.spinner is None else tile_name(self.layout.spinner),
                "sites": [port_name(site) for site, _ in self.layout.sites()],
                "contributions": [[tile_name(tile), value] for tile, value in self.layout.contributions()],
            },
            "must_open": None if self.must_open is None else tile_name(self.must_open),
            "must_play": None if self.must_play is None else tile_name(self.must_play),
            "jockey": self.jockey,
            "bid": None if self.bid is None else {"seat": self.bid[0], "amount": self.bid[1]},
            "ready": [*self.ready],
            "winner": self.winner,
            "ending": self.ending,
        }
