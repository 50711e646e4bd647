"""The players of the benchmark: a process of its own that plays many matches over real sockets.

Reads one JSON object from standard input (address, seats, door, rate, moves), and for each further line plays once and
writes an object with what it saw. It knows the site only from outside: programs choose by their sight, pages by the
forms in their fragments.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import websockets

PROTOCOL = "boneyard.v1"
STUCK_S = 20.0
DEALT_SEQ = 2  # two Starts
_FORM = re.compile(r'<form class="command"[^>]*data-command="([a-z]+)"[^>]*>(.*?)</form>', re.DOTALL)
_INPUT = re.compile(r'<input [^>]*?name="([a-z]+)"[^>]*? value="([^"]*)"')
_SEQ = re.compile(r'id="f-seq"[^>]*data-seq="(\d+)"')
_ids = itertools.count(1)


@dataclass
class Seat:
    """One connected player."""

    socket: Any
    index: int
    is_page: bool
    seq: int = -1
    options: list[dict[str, Any]] = field(default_factory=list)
    is_over: bool = False
    parts: dict[str, str] = field(default_factory=dict)
    refusals: int = 0
    over_at_ms: int | None = None

    def read(self, text: str) -> int | None:
        """Take a frame in; the version it shows, if it does."""
        return self._read_page(text) if self.is_page else self._read_program(text)

    def _read_program(self, text: str) -> int | None:
        frame = json.loads(text)
        if frame["type"] == "error":
            self.refusals += 1
        if frame["type"] != "sight":
            return None
        self.seq = frame["seq"]
        sight = frame["sight"]
        self.is_over = sight["phase"] == "over"
        if self.is_over and frame["facts"]:
            self.over_at_ms = frame["facts"][-1]["at_ms"]
        self.options = list(_moves(sight, self.index, self.seq))
        return self.seq

    def _read_page(self, text: str) -> int | None:
        if 'id="f-toast"' in text:
            self.refusals += 1
        found = _SEQ.search(text)
        if found is None:
            return None
        if int(found[1]) == self.seq:
            return self.seq  # something beside the game: who is there, who watches
        self.seq = int(found[1])
        self.options = []
        for kind, inputs in _FORM.findall(text):
            told = dict(_INPUT.findall(inputs))
            if kind in ("resign", "leave", "bid", "raise") or told.get("seq", str(self.seq)) != str(self.seq):
                continue
            self.options.append(told)
        self.is_over = 'data-kind="result"' in text
        return self.seq


def _moves(sight: dict[str, Any], own: int, seq: int) -> Iterator[dict[str, Any]]:
    """What a program may do, seen from its own sight; bids are left out."""
    if sight["phase"] == "ready":
        if own not in sight["ready"]:
            yield {"type": "continue" if sight["hand"] else "start", "hand": sight["hand"]}
        return
    if sight["phase"] == "auction" and own == sight["turn"]:
        yield {"type": "accept" if sight["bid"] else "decline", "seq": seq}
        return
    if sight["phase"] != "play" or own != sight["turn"]:
        return
    held, layout, found = sight["held"][own], sight["layout"], False
    if not layout["tiles"]:
        for tile in [sight["must_open"]] if sight["must_open"] else held:
            yield {"type": "play", "tile": tile, "site": None, "seq": seq}
        return
    for tile in [sight["must_play"]] if sight["must_play"] else held:
        for site in layout["sites"]:
            if _value(site) in tile.split("|"):
                found = True
                yield {"type": "play", "tile": tile, "site": site, "seq": seq}
    if not found:
        yield {"type": "draw", "seq": seq}


def _value(site: str) -> str:
    tile, _, port = site.partition(".")
    return tile.split("|")[1 if port == "high" else 0]


class Match:
    """Two seats, and the moves between them."""

    def __init__(self, seats: list[Seat], rng: random.Random) -> None:
        self.seats = seats
        self.rng = rng
        self.sent_ns: dict[int, tuple[int, int]] = {}  # by the version asked for: mover, when

    def next_command(self) -> tuple[int, dict[str, Any]] | None:
        """A seat that can act at the version both show, and a command of it."""
        seq = self.seats[0].seq
        if seq in self.sent_ns or any(seat.seq != seq or seat.is_over for seat in self.seats):
            return None
        for index, seat in enumerate(self.seats):
            if seat.options:
                return index, self.rng.choice(seat.options)
        return None


class Load:
    """All matches of one run."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.rng = random.Random(job.get("random", 1))
        self.matches: list[Match] = []
        self.ready: deque[Match] = deque()
        self.wake = asyncio.Event()
        self.latencies_us: list[int] = []
        self.lateness_ms: list[int] = []
        self.moves = 0
        self.late_starts = 0

    async def run(self) -> None:
        """Connect everybody; then play and tell, for every line that comes in."""
        readers = []
        for table in self.job["tables"]:
            seats = [await self._connect(table["match"], index, who) for index, who in enumerate(table["seats"])]
            match = Match(seats, self.rng)
            self.matches.append(match)
            readers += [asyncio.create_task(self._listen(match, index)) for index in range(len(seats))]
        await self._deal()
        print("ready", flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(await self._play()), flush=True)
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        await asyncio.gather(*(seat.socket.close() for match in self.matches for seat in match.seats))

    async def _play(self) -> dict[str, Any]:
        """One measurement."""
        self.latencies_us.clear()
        self.moves = self.late_starts = 0
        began_s = time.monotonic()
        if self.job.get("time_outs"):
            await self._wait_for_time()
        else:
            await (self._paced() if self.job["rate"] else self._flat_out())
        return {
            "took_s": time.monotonic() - began_s,
            "moves": self.moves,
            "latencies_us": self.latencies_us,
            "lateness_ms": self.lateness_ms,
            "late_starts": self.late_starts,
            "refusals": sum(seat.refusals for match in self.matches for seat in match.seats),
        }

    async def _connect(self, match: str, index: int, who: dict[str, str]) -> Seat:
        address = f"{self.job['ws']}/ws/matches/{match}/"
        common = {"compression": None, "max_queue": None, "ping_interval": None}
        if who.get("token"):
            headers = {"Authorization": f"Bearer {who['token']}"}
            socket = await websockets.connect(address, additional_headers=headers, subprotocols=[PROTOCOL], **common)
            return Seat(socket, index, is_page=False)
        headers = {"Cookie": f"sessionid={who['session']}"}
        socket = await websockets.connect(address, additional_headers=headers, origin=self.job["http"], **common)
        await socket.send(json.dumps({"type": "hello", "seq": -1, "format": "wide"}))
        return Seat(socket, index, is_page=True)

    async def _listen(self, match: Match, index: int) -> None:
        seat = match.seats[index]
        async for text in seat.socket:
            seq = seat.read(text)
            if seq is None:
                continue
            if seat.over_at_ms is not None:
                self.lateness_ms.append(time.time_ns() // 1_000_000 - seat.over_at_ms)
                self.wake.set()
            sent = match.sent_ns.get(seq - 1)
            if sent is not None and sent[0] != index:
                self.latencies_us.append((time.perf_counter_ns() - sent[1]) // 1000)
            if match.next_command() is not None:
                self.ready.append(match)
                self.wake.set()

    async def _deal(self) -> None:
        """Everybody presses Start; the first turn stands on every table."""
        while any(seat.seq < DEALT_SEQ for match in self.matches for seat in match.seats):
            await self._more()
            match = self.ready.popleft()
            if match.seats[0].seq < DEALT_SEQ:
                await self._act(match)

    async def _more(self) -> None:
        """Wait until some match can go on."""
        while not self.ready:
            self.wake.clear()
            await asyncio.wait_for(self.wake.wait(), STUCK_S)

    async def _act(self, match: Match) -> bool:
        chosen = match.next_command()
        if chosen is None:
            return False
        index, told = chosen
        seq = match.seats[0].seq
        match.sent_ns = {seq: (index, time.perf_counter_ns())}
        await match.seats[index].socket.send(json.dumps({**told, "id": f"b{next(_ids)}"}))
        self.moves += 1
        return True

    async def _paced(self) -> None:
        period_s = 1 / self.job["rate"]
        due_s = time.monotonic()
        self.ready = deque(match for match in self.matches if match.next_command() is not None)
        end_s = due_s + self.job["limit_s"]
        while self.moves < self.job["moves"] and due_s < end_s:
            due_s += period_s
            pause_s = due_s - time.monotonic()
            if pause_s > 0:
                await asyncio.sleep(pause_s)
            elif pause_s < -0.5:
                self.late_starts += 1
                due_s = time.monotonic()
            acted = False
            while not acted:
                await self._more()
                acted = await self._act(self.ready.popleft())
        await asyncio.sleep(0.5)

    async def _wait_for_time(self) -> None:
        """Nobody moves, until both boards of every table show the loss."""
        while len(self.lateness_ms) < 2 * len(self.matches):
            self.wake.clear()
            await asyncio.wait_for(self.wake.wait(), STUCK_S)

    async def _flat_out(self) -> None:
        self.ready = deque(match for match in self.matches if match.next_command() is not None)
        end_s = time.monotonic() + self.job["limit_s"]
        while self.moves < self.job["moves"] and time.monotonic() < end_s:
            while self.ready and self.moves < self.job["moves"]:
                await self._act(self.ready.popleft())
            await self._more()
        await asyncio.sleep(0.2)


def main() -> None:
    """One run."""
    asyncio.run(Load(json.loads(sys.stdin.readline())).run())


if __name__ == "__main__":
    main()
