"""The spectators of the benchmark: a process of its own that watches one match through many sockets.

Reads one JSON object from standard input (address, match, how many) and says "ready" when all of them show the table.
For the next line it writes an object with what they have seen until then.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from dataclasses import dataclass
from typing import Any

import websockets

AT_ONCE = 20  # handshakes
PING_AFTER = 300_000  # characters, as a page does
LANGUAGES = ("en", "tr", "pl")
FORMATS = ("wide", "long-turned")
_SEQ = re.compile(r'id="f-seq"[^>]*data-seq="(\d+)"')


@dataclass
class Spread:
    """When the first and the last of the crowd saw one version, and how many saw it."""

    first_ns: int
    last_ns: int
    count: int = 1


class Crowd:
    """All spectators."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.sockets: list[Any] = []
        self.spreads: dict[int, Spread] = {}
        self.characters = 0
        self.lost = 0

    async def run(self) -> None:
        """Open, watch until a line comes, tell."""
        handshakes = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(self._open(number, handshakes) for number in range(self.job["count"])))
        readers = [asyncio.create_task(self._watch(socket)) for socket in self.sockets]
        self.spreads.clear()
        self.characters = 0
        print("ready", flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(self._seen()), flush=True)
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        await asyncio.gather(*(socket.close() for socket in self.sockets))

    async def _open(self, number: int, handshakes: asyncio.Semaphore) -> None:
        address = f"{self.job['ws']}/ws/matches/{self.job['match']}/"
        headers = {"Accept-Language": LANGUAGES[number % len(LANGUAGES)]}
        async with handshakes:
            socket = await websockets.connect(
                address,
                additional_headers=headers,
                origin=self.job["http"],
                compression=None,
                max_queue=None,
                ping_interval=None,
                open_timeout=60,
            )
            hello = {"type": "hello", "seq": -1, "format": FORMATS[number // len(LANGUAGES) % len(FORMATS)]}
            await socket.send(json.dumps(hello))
            await socket.recv()
        self.sockets.append(socket)

    async def _watch(self, socket: Any) -> None:
        unread, mark = 0, ""
        async for text in socket:
            at_ns = time.perf_counter_ns()
            self.characters += len(text)
            unread += len(text)
            if text.startswith("{"):
                mark = json.loads(text)["mark"]
                continue
            if unread > PING_AFTER:
                unread = 0
                await socket.send(json.dumps({"type": "ping", "t": 0, "mark": mark}))
            if 'id="f-prompt"' in text and (found := _SEQ.search(text)):  # not only how many watch
                self._note(int(found[1]), at_ns)
        self.lost += 1

    def _note(self, seq: int, at_ns: int) -> None:
        spread = self.spreads.get(seq)
        if spread is None:
            self.spreads[seq] = Spread(at_ns, at_ns)
        else:
            spread.last_ns = at_ns
            spread.count += 1

    def _seen(self) -> dict[str, Any]:
        seen = {
            "spreads_ms": [(spread.last_ns - spread.first_ns) / 1e6 for spread in self.spreads.values()],
            "frames": sum(spread.count for spread in self.spreads.values()),
            "characters": self.characters,
            "lost": self.lost,
        }
        self.spreads.clear()
        self.characters = 0
        return seen


def main() -> None:
    """One crowd."""
    asyncio.run(Crowd(json.loads(sys.stdin.readline())).run())


if __name__ == "__main__":
    main()
