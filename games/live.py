"""The matches that this process shows, kept in memory and moved on by what is committed.

A match is read once, when its first socket opens, and then advanced by the facts of each accepted command: told
directly by the thread that committed it, or read from the log when a notice of another process (or the comparison
every two seconds) says that there is more. A further viewer costs no query. The states held here contain secrets;
what leaves is made by `games.rules.sight`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from channels.layers import get_channel_layer
from django.conf import settings
from redis.exceptions import RedisError

from games import announce, limits, rules, service
from games.arrival import doors
from games.clock_source import now_ms
from games.errors import NoSuchMatch
from games.gallery import Gallery
from games.loading import Details, Loaded, NumberedFact, load_details, load_match, load_seqs, load_since
from games.pictures import Pictures
from games.presence import LINGER_MS, Away, Presence
from games.processes import this_process
from games.threads import in_database, in_writer

if TYPE_CHECKING:
    from accounts.models import User

logger = logging.getLogger(__name__)

WATCHERS_S = 2.0  # the number of spectators changes on the tables no more often than this
SEAT_SOCKETS = 16  # of one seat in this process; with another one the oldest is closed
COMPARE_S = 2.0  # nobody looks at a wrong turn for more than 3 s
# Each match's presence every few comparisons and a few matches at a time, so that no move waits for all of them.
PRESENCE_ROUNDS = 4
PRESENCE_CHUNK = 10
JUDGE_STEP_S = 0.005
LAYER_LIMIT_S = 1.0
LAYER_RETRY_S = 1.0
HAND_ENDS = (rules.HandOver, rules.MatchOver)


class Signed(Protocol):
    """A connection of somebody who is signed in. The call returns at once."""

    def session_ended(self, digest: str | None) -> None:
        """The session of this digest is over; None: look again whether yours still stands."""


class Screen(Signed, Protocol):
    """A connection that shows a match. All calls return at once."""

    viewer: int | None

    def refresh(self) -> None:
        """Something of the match has changed."""

    def crowded_out(self) -> None:
        """Too many newer connections show the same seat."""


class LiveMatch:
    """One shown match: where it stands, and what each kind of viewer may know of that, made once per version."""

    def __init__(self, loaded: Loaded) -> None:
        self.match_id = loaded.match_id
        self.public_id = loaded.public_id
        self.known_seq = 0  # the newest version anybody spoke of
        self.screens: list[Screen] = []  # players first
        self.here: Counter[int] = Counter()  # sockets by seat
        self.away: Away = {}
        self.watching = 0  # sockets of spectators, in this process
        self.watchers = 0  # in all of them, as it is shown
        self.watchers_told = 0  # the number of this process that the others know
        self.watchers_timer: asyncio.TimerHandle | None = None
        self.watchers_due_s = 0.0  # time of the loop before which the number is not looked at again
        self.pictures = Pictures()  # what spectators are shown
        self.moment = 0  # changes whenever there is something new to show
        self.timer: asyncio.TimerHandle | None = None
        self.catching_up = False
        self.reading = 0  # details of the present version are on their way: nothing is drawn until they are here
        self.adopt(loaded)

    def adopt(self, loaded: Loaded) -> None:
        """Take everything from the database."""
        self.seq = loaded.seq
        self.state = loaded.state
        self.seats = loaded.seats
        self.rated = loaded.rated
        self.device = loaded.device
        self.details: Details = loaded.details
        self.hand_facts: list[NumberedFact] = list(loaded.facts)
        self._logs: dict[int | None, list[dict[str, Any]]] = {}
        self._forget_renders()

    def take(self, seq: int, state: rules.MatchState, facts: tuple[rules.Fact, ...]) -> None:
        """Move on by one version."""
        for fact in facts:
            if type(fact) is rules.Dealt:
                self.hand_facts = []
                self._logs = {}
                self.details = replace(self.details, cap_ms=None, seed="")
            self.hand_facts.append((seq, fact))
        self.seq = seq
        self.state = state
        self._forget_renders()

    def sight(self, viewer: int | None) -> rules.Sight:
        """The match as this viewer may see it."""
        found = self._sights.get(viewer)
        if found is None:
            found = self._sights[viewer] = rules.sight(self.state, viewer)
        return found

    def log(self, viewer: int | None) -> list[dict[str, Any]]:
        """The facts of the hand as this viewer may see them, each with its "seq"; grows while the hand lasts."""
        told = self._logs.setdefault(viewer, [])
        for seq, fact in self.hand_facts[len(told) :]:
            told.append({**rules.sight_fact(fact, viewer), "seq": seq})
        return told

    def sight_json(self, viewer: int | None, since: int) -> str:
        """The body of a program's frame: version, sight and the facts after `since`, without the braces."""
        key = (viewer, since)
        found = self._json.get(key)
        if found is None:
            told = [fact for fact in self.log(viewer) if fact["seq"] > since]
            data = {"seq": self.seq, "sight": rules.sight_data(self.sight(viewer)), "facts": told}
            found = self._json[key] = json.dumps(data, separators=(",", ":"))[1:-1]
        return found

    def away_ms(self, at_ms: int) -> tuple[int | None, ...]:
        """Per seat how long ago its last socket closed, None while one is open."""
        return tuple(
            None if self.here[seat] or (since := self.away.get(seat)) is None else max(0, at_ms - since)
            for seat in range(len(self.seats))
        )

    def refresh(self) -> None:
        """Have every screen draw what changed. Players are told first."""
        self.moment += 1
        for screen in self.screens:
            screen.refresh()

    def _forget_renders(self) -> None:
        self.moment += 1
        self._sights: dict[int | None, rules.Sight] = {}
        self._json: dict[tuple[int | None, int], str] = {}


class Registry:
    """The shown matches of one event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.matches: dict[str, LiveMatch] = {}
        self.users: dict[int, list[Signed]] = {}
        self.gallery = Gallery()
        self.presence = Presence(this_process.token)
        self._wanted: Counter[str] = Counter()
        self._heard_seq: dict[str, int] = {}
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._joined: set[str] = set()
        self._round = 0
        self._channel: str | None = None
        self._subscribing = asyncio.Lock()
        self._counting = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._running: list[asyncio.Task[Any]] = []

    def find(self, user: User | None, public_id: str, device: str) -> tuple[int, bool, int | None] | None:
        """The same as `access.find_match`, of a match that is shown already. Raises `NoSuchMatch`."""
        live = self.matches.get(public_id)
        if live is None:
            return None
        if live.device not in ("", device):
            raise NoSuchMatch
        pk = user.pk if user is not None else None
        seats = (card.index for card in live.seats if pk is not None and card.user_id == pk)
        return live.match_id, bool(live.device), next(seats, None)

    async def open(self, public_id: str, screen: Screen) -> LiveMatch:
        """The match for this screen, which is refreshed from now on. Pair it with `close`. Raises `NoSuchMatch`."""
        self._start()
        self._wanted[public_id] += 1
        try:
            live = self.matches.get(public_id) or await self._load_once(public_id)
        except BaseException:
            self._let_go(public_id)
            raise
        if screen.viewer is None:
            live.screens.append(screen)
            if not live.device:
                live.watching += 1
                self._watchers_changed(live, 0.0)
        else:
            shown = [other for other in live.screens if other.viewer == screen.viewer]
            if len(shown) >= SEAT_SOCKETS:
                shown[-1].crowded_out()  # the oldest
            live.screens.insert(0, screen)
            live.here[screen.viewer] += 1
            if live.here[screen.viewer] == 1:
                self._spawn(self._seat_came(live, screen.viewer))
        return live

    def close(self, live: LiveMatch, screen: Screen) -> None:
        """The screen is gone."""
        live.screens.remove(screen)
        if screen.viewer is not None:
            live.here[screen.viewer] -= 1
            if not live.here[screen.viewer]:
                self._spawn(self._seat_left(live, screen.viewer))
        elif not live.device:
            live.watching -= 1
            # Perhaps only a reload; but nobody is left to look at the number later.
            self._watchers_changed(live, WATCHERS_S if live.screens else 0.0)
        self._let_go(live.public_id)

    def open_user(self, user_id: int, screen: Signed) -> None:
        """Have `screen.session_ended` called when a session of this user ends. Pair it with `close_user`."""
        self._start()
        self.users.setdefault(user_id, []).append(screen)
        self._spawn(self._join(announce.user_group(user_id)))

    def close_user(self, user_id: int, screen: Signed) -> None:
        """End `open_user`."""
        self.users[user_id].remove(screen)
        if not self.users[user_id]:
            del self.users[user_id]
            self._spawn(self._leave(announce.user_group(user_id)))

    async def idle(self) -> None:
        """Stop listening when nothing is shown any more; to be awaited after `close` and `close_user`."""
        if not (self._wanted or self.users):
            await self.stop()

    async def settle(self) -> None:
        """Wait until nothing is under way in the background any more."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def stop(self) -> None:
        """Let go of everything: tasks, subscriptions, connections."""
        _registries.pop(self.loop, None)
        announce.unlisten(self.heard)
        running, self._running = self._running, []
        for live in self.matches.values():
            _cancel_timer(live)
            if live.watchers_timer is not None:
                live.watchers_timer.cancel()
        await self.settle()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._channel = None
        self._joined.clear()
        await self.presence.close()

    def heard(self, applied: service.Applied) -> bool:
        """Deliver what was committed in this process; from any thread. True when nobody else has to be told."""
        self.loop.call_soon_threadsafe(self.deliver, applied)
        return this_process.alone()

    def deliver(self, applied: service.Applied) -> None:
        """Move the match on and tell its screens."""
        live = self.matches.get(applied.public_id)
        if live is None:
            self._note(applied.public_id, applied.seq)
        elif applied.seq == live.seq + 1:
            live.take(applied.seq, applied.state, applied.facts)
            self._moved_on(live, applied.facts)
        elif applied.seq > live.seq:
            self._behind(live, applied.seq)

    # Loading and keeping up.

    async def _load_once(self, public_id: str) -> LiveMatch:
        task = self._loading.get(public_id)
        if task is None:
            task = self._loading[public_id] = self._spawn(self._load(public_id))
        return await asyncio.shield(task)

    async def _load(self, public_id: str) -> LiveMatch:
        try:
            # Listening comes first: what is committed while the match is read is noted, and read as well.
            await self._join(announce.match_group(public_id))
            live = LiveMatch(await in_database(load_match, public_id))
            self.matches[public_id] = live
            live.known_seq = self._heard_seq.pop(public_id, 0)
        finally:
            self._loading.pop(public_id, None)
            self._heard_seq.pop(public_id, None)
        self._arm(live)
        if live.known_seq > live.seq:
            self._behind(live, live.known_seq)
        await self.look_at_presence([live])
        if not self._wanted[public_id]:
            self._drop(public_id)
        return live

    def _note(self, public_id: str, seq: int) -> None:
        if public_id in self._loading:
            self._heard_seq[public_id] = max(seq, self._heard_seq.get(public_id, 0))

    def _behind(self, live: LiveMatch, seq: int) -> None:
        live.known_seq = max(seq, live.known_seq)
        if not live.catching_up:
            live.catching_up = True
            self._spawn(self._catch_up(live))

    async def _catch_up(self, live: LiveMatch) -> None:
        try:
            while live.known_seq > live.seq:
                steps = await in_database(load_since, live.match_id, live.seq)
                if not steps:
                    loaded = await in_database(load_match, live.public_id)
                    if loaded.seq > live.seq:  # else it moved on while the database was asked
                        live.adopt(loaded)
                        live.refresh()
                        self._arm(live)
                    live.known_seq = min(live.known_seq, live.seq)  # nothing newer is there, whoever said so
                    continue
                told: list[rules.Fact] = []
                for seq, facts in steps:
                    if seq == live.seq + 1:
                        live.take(seq, rules.fold(live.state, facts), tuple(facts))
                        told += facts
                self._moved_on(live, tuple(told))
        except Exception:
            # The next comparison tries again.
            logger.exception("match %s: could not catch up from %s", live.public_id, live.seq)
        finally:
            live.catching_up = False

    def _moved_on(self, live: LiveMatch, facts: tuple[rules.Fact, ...]) -> None:
        self._arm(live)
        if any(isinstance(fact, HAND_ENDS) for fact in facts):
            live.reading += 1
            self._spawn(self._read_details(live))
        else:
            live.refresh()

    async def _read_details(self, live: LiveMatch) -> None:
        """The commitment, the cap or the result, before the end of a hand is shown."""
        try:
            stage = None
            while stage != (live.state.hand, live.state.phase):  # it may have gone on meanwhile
                state = live.state
                stage = (state.hand, state.phase)
                live.details = await in_database(load_details, live.match_id, state)
        except Exception:
            logger.exception("match %s: no details at %s", live.public_id, live.seq)
        finally:
            live.reading -= 1
        live.refresh()

    async def _compare(self) -> None:
        """Every two seconds: is any shown match ahead of what is shown? One query for all."""
        while True:
            await asyncio.sleep(COMPARE_S)
            try:
                shown = {live.match_id: live for live in self.matches.values()}
                if shown:
                    for match_id, seq in (await in_database(load_seqs, list(shown))).items():
                        if seq > shown[match_id].seq:
                            self._behind(shown[match_id], seq)
            except Exception:
                logger.exception("shown matches could not be compared")

    async def _keep_up(self) -> None:
        """What needs Valkey, as often. Apart, so that no comparison waits for a Valkey that does not answer."""
        while True:
            await asyncio.sleep(COMPARE_S)
            try:
                await self._keep_up_once()
            except Exception:
                logger.exception("presence and notices could not be looked after")

    async def _keep_up_once(self) -> None:
        wanted = {announce.match_group(public_id) for public_id in self._wanted}
        wanted |= {announce.user_group(user_id) for user_id in self.users}
        for group in wanted - self._joined:
            await self._join(group)
        self._round = (self._round + 1) % PRESENCE_ROUNDS
        due = list(self.matches.values())[self._round :: PRESENCE_ROUNDS]
        for first in range(0, len(due), PRESENCE_CHUNK):
            await self.look_at_presence(due[first : first + PRESENCE_CHUNK])
        if not this_process.alone():
            try:
                await limits.share(self.presence.client())
            except RedisError as error:
                logger.warning("what users spend is not shared: %s", error)

    # Notices of other processes.

    async def _listen(self) -> None:
        while True:
            try:
                self._notice(await get_channel_layer().receive(await self._own_channel()))
            except Exception as error:
                logger.warning("the channel layer does not answer: %s", error)
                self._channel = None
                await asyncio.sleep(LAYER_RETRY_S)

    async def _own_channel(self) -> str:
        """The channel that all notices to this process come by, subscribed to all it wants to hear."""
        async with self._subscribing:
            if self._channel is None:
                layer = get_channel_layer()
                channel = await layer.new_channel()
                for group in tuple(self._joined):
                    await layer.group_add(group, channel)
                self._channel = channel
            return self._channel

    def _notice(self, message: dict[str, Any]) -> None:
        kind = message.get("type")
        if kind == announce.MATCH_NOTICE:
            live = self.matches.get(message["match"])
            if live is None:
                self._note(message["match"], message["seq"])
            elif message["seq"] > live.seq:
                self._behind(live, message["seq"])
        elif kind == announce.PRESENCE_NOTICE:
            if (live := self.matches.get(message["match"])) is not None:
                self._spawn(self.look_at_presence([live]))
                self._watchers_changed(live, 0.0)
        elif kind == announce.SESSION_ENDED:
            for screen in tuple(self.users.get(message["user"], ())):
                screen.session_ended(message.get("session"))

    async def _join(self, group: str) -> None:
        if group in self._joined:
            return
        try:
            async with asyncio.timeout(LAYER_LIMIT_S):
                await get_channel_layer().group_add(group, await self._own_channel())
                self._joined.add(group)
        except Exception as error:
            logger.warning("not listening to %s yet: %s", group, error)

    async def _leave(self, group: str) -> None:
        self._joined.discard(group)
        if self._channel is not None:
            try:
                async with asyncio.timeout(LAYER_LIMIT_S):
                    await get_channel_layer().group_discard(group, self._channel)
            except Exception as error:
                logger.info("could not leave %s: %s", group, error)

    # Presence.

    async def _seat_came(self, live: LiveMatch, seat: int) -> None:
        was_away = live.away.get(seat) is not None
        await self.presence.came(live.public_id, seat)
        live.away[seat] = None
        if was_away:
            live.refresh()
        self._tell_presence(live)

    async def _seat_left(self, live: LiveMatch, seat: int) -> None:
        if live.here[seat]:
            return
        await self.presence.left(live.public_id, seat)
        if self._running and live.screens:
            self.loop.call_later(LINGER_MS / 1000 + 0.05, self._look_for, live)

    def _look_for(self, live: LiveMatch) -> None:
        if self._running and live.public_id in self.matches:
            self._spawn(self.look_at_presence([live]))
            self._tell_presence(live)

    def _tell_presence(self, live: LiveMatch) -> None:
        if not this_process.alone():
            message = {"type": announce.PRESENCE_NOTICE, "match": live.public_id}
            announce.send_to_group(announce.match_group(live.public_id), message)

    async def look_at_presence(self, shown: list[LiveMatch]) -> None:
        """Vouch for the seats that are here, and show who is away."""
        here = {live.public_id: [seat for seat, count in live.here.items() if count] for live in shown}
        found = await self.presence.read(here, {live.public_id: len(live.seats) for live in shown})
        await self._look_at_watchers([live for live in shown if self.loop.time() >= live.watchers_due_s])
        for live in shown:
            away = found.get(live.public_id)
            if away is None:
                continue
            changed = {seat for seat, since in away.items() if (since is None) != (live.away.get(seat) is None)}
            live.away = away
            if changed:
                live.refresh()

    # Spectators.

    def _watchers_changed(self, live: LiveMatch, after_s: float) -> None:
        """Look at the number soon, but not too often."""
        if live.watchers_timer is None:
            after_s = max(after_s, live.watchers_due_s - self.loop.time())
            live.watchers_timer = self.loop.call_later(after_s, self._count_watchers, live)

    def _count_watchers(self, live: LiveMatch) -> None:
        live.watchers_timer = None
        if self.loop.time() < live.watchers_due_s:
            self._watchers_changed(live, 0.0)  # somebody else has looked meanwhile
        else:
            self._spawn(self._look_at_watchers([live]))

    async def _look_at_watchers(self, shown: list[LiveMatch]) -> None:
        """Tell how many watch here, and show how many do in all."""
        shown = [live for live in shown if not live.device]
        if not shown:
            return
        # One after the other: on two connections an older number might come last.
        async with self._counting:
            told = {live.public_id: live.watching for live in shown}
            for live in shown:
                live.watchers_due_s = self.loop.time() + WATCHERS_S
            found = await self.presence.watch(told)
        for live in shown:
            was_told, live.watchers_told = live.watchers_told, told[live.public_id]
            if was_told != live.watchers_told:
                self._tell_presence(live)
            count = found.get(live.public_id, live.watching)
            if count != live.watchers:
                live.watchers = count
                live.refresh()

    # Deadlines.

    def _arm(self, live: LiveMatch) -> None:
        """Look at the clock when it runs out. The sweep would do without; this only brings the news earlier."""
        _cancel_timer(live)
        deadline_ms = live.state.deadline_ms
        if deadline_ms is not None and settings.DEADLINE_TIMERS:
            delay_s = max(0, deadline_ms - now_ms()) / 1000
            live.timer = self.loop.call_later(delay_s, self._time_is_up, live, deadline_ms)

    def _time_is_up(self, live: LiveMatch, deadline_ms: int) -> None:
        self._spawn(self._judge(live, deadline_ms))

    async def _judge(self, live: LiveMatch, deadline_ms: int) -> None:
        """The verdict as early as D-27 allows: at once when nobody else can hold a command, else after the grace."""
        try:
            while live.state.deadline_ms == deadline_ms and live.public_id in self.matches:
                late_ms = now_ms() - deadline_ms
                if late_ms < 0:
                    await asyncio.sleep(-late_ms / 1000)
                elif late_ms >= settings.GRACE_MS:
                    # At one device nobody sits at a seat of their own; an open page is there for both.
                    turn = live.state.turn
                    if turn is not None and (live.here[turn] or live.device):
                        await in_writer(service.expire_due, live.match_id)
                    return
                elif this_process.alone() and not doors.waiting(live.public_id):
                    # Whatever is stamped from here on is late, so nothing on time can be overlooked.
                    if await in_writer(_judge_alone, live.match_id) is not None:
                        return
                    await asyncio.sleep(JUDGE_STEP_S)
                else:
                    await asyncio.sleep(JUDGE_STEP_S)
        except Exception:
            logger.exception("match %s: the timer could not judge; the sweep will", live.public_id)

    # Life of the registry itself.

    def _start(self) -> None:
        if not self._running:
            announce.listen(self.heard)
            works = (self._listen(), self._compare(), self._keep_up(), self.gallery.serve())
            self._running = [self.loop.create_task(work) for work in works]

    def _let_go(self, public_id: str) -> None:
        self._wanted[public_id] -= 1
        if not self._wanted[public_id]:
            del self._wanted[public_id]
            if public_id not in self._loading:
                self._drop(public_id)

    def _drop(self, public_id: str) -> None:
        live = self.matches.pop(public_id, None)
        if live is not None:
            _cancel_timer(live)
            if live.watchers_timer is not None:
                # This process forgets the match, and must not be waited for.
                live.watchers_timer.cancel()
                self._spawn(self._look_at_watchers([live]))
        self._spawn(self._leave(announce.match_group(public_id)))

    def _spawn(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = self.loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


_registries: dict[asyncio.AbstractEventLoop, Registry] = {}


def registry() -> Registry:
    """The registry of the running loop."""
    loop = asyncio.get_running_loop()
    found = _registries.get(loop)
    if found is None:
        found = _registries[loop] = Registry()
    return found


def _judge_alone(match_id: int) -> service.Applied | None:
    if not this_process.alone_now():
        return None
    return service.expire_due(match_id, sole_process=True)


def _cancel_timer(live: LiveMatch) -> None:
    if live.timer is not None:
        live.timer.cancel()
        live.timer = None
