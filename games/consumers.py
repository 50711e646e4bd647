"""The socket of a match: frames in, the viewer's own sight of the match out.

Browsers get fragments as HTML, programs get JSON. There are no rules here and no queries: commands go to
`games.service`, what is shown comes from `games.live`. One task answers commands, another draws; so a slow
transaction delays no picture, and several changes in a row become one. Who only watches has no task to draw: the
gallery serves all of these, after the players.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import DatabaseError
from django.utils.translation import override

from games import access, device, fragments, messages, rules, service
from games.arrival import Arrival, Inbox, doors
from games.clock_source import now_ms
from games.errors import GameError, NoSuchMatch, NotSeated, RateLimited, TimeIsUp
from games.gallery import Place, address_of
from games.limits import DRAWN_COST, FAILED_COST, Unread, socket_bucket, user_bucket
from games.live import LiveMatch, Registry, registry
from games.pictures import ALWAYS_DRAWN, Picture
from games.prefs import prefs_of
from games.sockets import CLOSE_FULL, CLOSE_LAGGING, CLOSE_LIMIT, CLOSE_NO_MATCH, CLOSE_UNKNOWN, SocketConsumer
from games.table import FORMATS, TURNED, Prefs, TableView
from games.threads import in_database, in_writer
from games.wire import Envelope, parse_frame

logger = logging.getLogger(__name__)

DEFAULT_FORMAT = "wide"
TABLE_FORMATS = frozenset((*FORMATS, *(name + TURNED for name in FORMATS)))
RECHECK_S = 180.0
HELD_BACK = 600_000  # who watches and has so much to read gets no more until some of it is read; a page says so by then
UNREAD_LIMIT = 2_000_000  # characters that nobody is known to have read; more is a socket nobody reads
LIMITED_LIMIT = 20  # frames refused in a row for their rate, then the socket is closed
_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)
_CSRF = re.compile(r"[A-Za-z0-9]{32,64}", re.ASCII)


class MatchConsumer(SocketConsumer):
    """One socket that shows one match to one viewer."""

    def __init__(self, scope: dict[str, Any], send: Any) -> None:
        super().__init__(scope, send)
        self.public_id: str = scope["url_route"]["kwargs"]["public_id"]
        self.inbox: Inbox = scope["inbox"]
        self.inbox.public_id = self.public_id
        self.viewer: int | None = None
        self.device = ""  # the digest of this browser's key (games.device)
        self.live: LiveMatch | None = None
        self.registry: Registry | None = None
        self.listens_to: int | None = None  # the account whose sessions may end
        self.dirty = asyncio.Event()
        self.greeted = self.is_program
        self.sent_seq = 0
        self.keys: Mapping[str, Hashable] = {}  # never changed: spectators share theirs
        self.table_format = DEFAULT_FORMAT
        self.csrf = ""
        self.prefs = Prefs()
        self.unread = Unread()
        self.place: Place | None = None  # in the gallery
        self.is_held_back = False
        self.asked = False  # what is drawn next was asked for; else it is news
        self.limited = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._recheck: asyncio.TimerHandle | None = None

    # The life of the socket.

    async def opened(self) -> None:
        user = self.caller.user
        if user is not None:
            self.inbox.bucket = socket_bucket(program=user.is_program)
            self.inbox.user_bucket = user_bucket(user.pk, program=user.is_program)
            if not self.inbox.user_bucket.take():
                await self.close(CLOSE_LIMIT)
                return
        try:
            # Before anything is joined: who may not look must never be among those who are told.
            self.device = "" if self.is_program else device.digest_of_socket(self.scope)
            found = registry().find(user, self.public_id, self.device)
            if found is None:
                found = await in_database(access.find_match, user, self.public_id, device=self.device)
            match_id, at_device, self.viewer = found
            self.inbox.on_refused = self.refused_at_door
            if at_device:
                # Whoever is signed in besides, and for how long: that has nothing to do with the match.
                self.inbox.user_bucket, self.inbox.player = device.allowance(match_id), ("device", match_id)
                user = None
            if user is not None and self.viewer is not None:
                self.inbox.player = user.pk
                if self.caller.session_key:
                    doors.know_session(self.caller.session_key, user.pk)
            self.prefs = prefs_of(self.caller.preferences)
            self.registry = shown = registry()
            if self.viewer is None and not at_device:
                self.place = shown.gallery.places.take(user.pk if user is not None else None, address_of(self.scope))
                if self.place is None:
                    await self.close(CLOSE_FULL)
                    return
            self.live = await shown.open(self.public_id, self)
        except NoSuchMatch:
            await self.close(CLOSE_NO_MATCH)
            return
        if user is not None:
            shown.open_user(user.pk, self)
            self.listens_to = user.pk
            self._recheck = asyncio.get_running_loop().call_later(RECHECK_S, self.session_ended, None)
        if self.place is None:
            self._spawn(self._draw_all)
        if self.greeted:
            self.refresh()

    async def closed(self) -> None:
        if self._recheck is not None:
            self._recheck.cancel()
        for task in self._tasks:
            task.cancel()
        if self.registry is not None:
            self.registry.gallery.leave(self)
            self.registry.gallery.players.discard(self)
            if self.place is not None:
                self.registry.gallery.places.give_back(self.place)
            if self.live is not None:
                self.registry.close(self.live, self)
            if self.listens_to is not None:
                self.registry.close_user(self.listens_to, self)
            # Also when the match could not be read: perhaps nobody else comes to end what began for it.
            await self.registry.idle()

    def refresh(self) -> None:
        assert self.registry is not None
        if self.place is not None:
            self.registry.gallery.call(self)
        else:
            self.registry.gallery.players.add(self)
            self.dirty.set()

    def crowded_out(self) -> None:
        self._spawn(partial(self.close, CLOSE_LIMIT))

    def session_ended(self, digest: str | None) -> None:
        if digest is None:
            self._spawn(self._check_session)
        elif digest == self.caller.digest:
            # Not looked up: the notice comes while the page still signs out.
            self._spawn(partial(self.close, CLOSE_UNKNOWN))

    # What comes in.

    async def frame(self, message: dict[str, Any]) -> None:
        self.limited = 0
        frame, arrival = message["frame"], message.get("arrival")
        if not self.is_open:
            if arrival is not None:
                doors.leave(arrival)
        elif arrival is not None:
            await self._command(frame, arrival)
        elif frame["type"] == "claim":
            await self._claim(frame, message["arrived_ms"])
        else:
            await getattr(self, f"_{frame['type']}")(frame)

    async def refused_at_door(self, frame: dict[str, Any] | None, error: GameError) -> None:
        """A frame has not arrived: malformed, too many waiting, too many in all."""
        if isinstance(error, RateLimited):
            self.limited += 1
            if self.limited > LIMITED_LIMIT:
                await self.close(CLOSE_LIMIT)
                return
        await self._refuse(frame, error)

    async def _command(self, frame: dict[str, Any], arrival: Arrival) -> None:
        assert self.live is not None
        try:
            try:
                envelope = parse_frame(frame)
                if not self.live.device and (self.viewer is None or self.caller.user is None):
                    raise NotSeated
            except GameError:
                doors.leave(arrival)
                raise
            submit = self._submit_at_device if self.live.device else self._submit
            applied = await in_writer(submit, self.live.match_id, envelope, arrival)
        except (GameError, rules.Refusal) as error:
            await self._refuse(frame, error)
            return
        except DatabaseError:
            logger.exception("match %s: a command met a database that does not answer", self.public_id)
            await self._refuse(frame, Unavailable())
            return
        if isinstance(applied.command, rules.ExpireTime):
            await self._refuse(frame, TimeIsUp(deadline_ms=applied.facts[-1].at_ms))
        elif self.is_program:
            told = {"type": "accepted", "seq": applied.seq, "id": envelope.command_id}
            await self.send_text(json.dumps(told, separators=(",", ":")))
        if applied.repeated:
            self._draw_afresh()
        else:
            # A program that plays need not ping: a match has so many commands and no more.
            self.unread.forgive()

    async def _claim(self, frame: dict[str, Any], arrived_ms: int) -> None:
        assert self.live is not None
        try:
            if not self.live.device and (self.viewer is None or self.caller.user is None):
                raise NotSeated
            user, at = self.caller.user, self.device if self.live.device else ""
            await in_writer(service.claim_time, self.live.match_id, actor=user, device=at, arrived_ms=arrived_ms)
        except (GameError, rules.Refusal) as error:
            await self._refuse(frame, error)

    async def _hello(self, frame: dict[str, Any]) -> None:
        assert self.live is not None
        csrf = frame.get("csrf")
        if isinstance(csrf, str) and _CSRF.fullmatch(csrf):
            self.csrf = csrf
        self._take_format(frame)
        self.greeted = True
        await self._resync(frame)

    async def _resync(self, frame: dict[str, Any]) -> None:
        """The client says what it shows; it gets what it lacks."""
        assert self.live is not None
        seq = frame.get("seq")
        if self.is_program:
            self.sent_seq = min(seq, self.live.seq - 1) if type(seq) is int and seq >= 0 else 0
        else:
            picture = self._picture(self.live) if self.place is not None else None
            view = self._view(self.live) if picture is None else replace(picture.view, prefs=self.prefs)
            # The page may be somebody else's by now: it was drawn before signing in or out, or for other preferences.
            is_shown = seq in (self.live.seq, str(self.live.seq)) and frame.get("look") == view.look
            if not is_shown:
                self.keys = {}
            elif picture is not None:
                self.keys = picture.keys_of_page
            else:
                self.keys = {name: key for name, key in fragments.keys_of(view).items() if name not in ALWAYS_DRAWN}
        self.asked = True
        self.refresh()

    async def _format(self, frame: dict[str, Any]) -> None:
        self._take_format(frame)
        self.asked = True
        self.refresh()

    async def _ping(self, frame: dict[str, Any]) -> None:
        self.unread.came_back(frame.get("mark"))
        if self.is_held_back:
            self.is_held_back = False
            self.refresh()
        sent = frame.get("t")
        told = {
            "type": "pong",
            "t": sent if _is_number(sent) else None,
            "now": now_ms(),
            "mark": self.unread.new_mark(),
        }
        await self.send_text(json.dumps(told))

    def _take_format(self, frame: dict[str, Any]) -> None:
        wanted = frame.get("format")
        if isinstance(wanted, str) and wanted in TABLE_FORMATS:
            self.table_format = wanted

    # What goes out.

    async def send_text(self, text: str) -> None:
        self.unread.sent += len(text)
        if self.unread.count > UNREAD_LIMIT:
            await self.close(CLOSE_LAGGING)
        await super().send_text(text)

    async def _refuse(self, frame: dict[str, Any] | None, error: GameError | rules.Refusal) -> None:
        self._charge(FAILED_COST)
        if self.is_program:
            command_id = frame.get("id") if frame is not None else None
            if not (isinstance(command_id, str) and _ID.fullmatch(command_id)):
                command_id = None
            told = {"type": "error", "code": error.code, "detail": error.detail, "id": command_id}
            await self.send_text(json.dumps(told, separators=(",", ":")))
            return
        # The page may have shown the command as done: it gets everything as it really is.
        self._draw_afresh()
        with override(self.caller.language):
            text = messages.error_text(error.code, error.detail)
            told_html = fragments.render_error(error.code, text)
        await self.send_text(told_html)

    def _charge(self, cost: float) -> None:
        """Let the socket and its user pay for what it asked for beside what a frame costs."""
        self.inbox.bucket.charge(cost)
        if self.inbox.user_bucket is not None:
            self.inbox.user_bucket.charge(cost)

    def _draw_afresh(self) -> None:
        self.keys = {}
        self.sent_seq = min(self.sent_seq, self.live.seq - 1) if self.live is not None else 0
        self.asked = True
        self.refresh()

    async def _draw_all(self) -> None:
        """Draw whenever there is something new, once for all that came meanwhile."""
        assert self.registry is not None
        while True:
            await self.dirty.wait()
            self.dirty.clear()
            await self._draw()
            self.registry.gallery.players.discard(self)

    async def show(self) -> None:
        if not self.is_program and self.unread.count > HELD_BACK:
            self.is_held_back = True
        else:
            await self.guarded(self._draw)

    async def _draw(self) -> None:
        assert self.live is not None
        if self.live.reading or not self.greeted or not self.is_open:
            return
        try:
            text = self._json(self.live) if self.is_program else self._html(self.live)
        except Exception:
            logger.exception("match %s: version %s could not be drawn", self.public_id, self.live.seq)
            return
        if self.asked:
            self.asked = False
            self._charge(len(text) * DRAWN_COST)
        if text:
            await self.send_text(text)

    def _json(self, live: LiveMatch) -> str:
        mark = (live.seq, live.details)
        if self.sent_seq == live.seq and self.keys.get("json") == mark:
            return ""
        body = live.sight_json(self.viewer, self.sent_seq)
        self.sent_seq = live.seq
        self.keys = {"json": mark}
        return f'{{"type":"sight",{body},"now":{now_ms()}}}'

    def _html(self, live: LiveMatch) -> str:
        if self.place is not None:
            return self._html_for_all(live)
        view = self._view(live)
        changed, self.keys = fragments.render_changed(view, self.keys)
        if not changed and self.sent_seq == live.seq:
            return ""
        self.sent_seq = live.seq
        return "".join(changed.values()) + fragments.render_seq(view)

    def _html_for_all(self, live: LiveMatch) -> str:
        picture = self._picture(live)
        step = picture.step(self.keys)
        self.keys = step.keys
        if not step.changed and self.sent_seq == live.seq:
            return ""
        self.sent_seq = live.seq
        return picture.frame(step, self.prefs)

    def _picture(self, live: LiveMatch) -> Picture:
        """What all spectators see who are shown it as this one is. No form is in it, so no token either."""
        language, table_format = self.caller.language, self.table_format

        def view() -> TableView:
            return table_view(live, None, language=language, table_format=table_format, prefs=Prefs(), csrf="")

        return live.pictures.get(language, table_format, moment=live.moment, at_ms=now_ms(), view=view)

    def _view(self, live: LiveMatch) -> TableView:
        return table_view(
            live,
            self.viewer,
            language=self.caller.language,
            table_format=self.table_format,
            prefs=self.prefs,
            csrf=self.csrf,
        )

    async def _check_session(self) -> None:
        if not await self.still_stands():
            await self.close(CLOSE_UNKNOWN)
        elif self._recheck is not None:
            self._recheck.cancel()
            self._recheck = asyncio.get_running_loop().call_later(RECHECK_S, self.session_ended, None)

    # In a database thread. The command waits until it is answered here, whatever becomes of its socket.

    def _submit(self, match_id: int, envelope: Envelope, arrival: Arrival) -> service.Applied:
        assert self.viewer is not None
        try:
            return service.submit(
                match_id, envelope.command(self.viewer), actor=self.caller.user, **_submitted(envelope, arrival)
            )
        finally:
            doors.leave(arrival)

    def _submit_at_device(self, match_id: int, envelope: Envelope, arrival: Arrival) -> service.Applied:
        try:
            return service.submit_at_device(
                match_id, envelope.command, device=self.device, **_submitted(envelope, arrival)
            )
        finally:
            doors.leave(arrival)

    def _spawn(self, work: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.get_running_loop().create_task(self.guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _is_number(sent: Any) -> bool:
    """Whether it is a number in JSON too, which knows neither NaN nor infinity."""
    return isinstance(sent, int) or (isinstance(sent, float) and math.isfinite(sent))


def _submitted(envelope: Envelope, arrival: Arrival) -> dict[str, Any]:
    """What the service is told of every command."""
    return {
        "expected_seq": envelope.seq,
        "expected_hand": envelope.hand,
        "command_id": envelope.command_id,
        "arrived_ms": arrival.arrived_ms,
        "nonce": envelope.nonce,
        "waited_behind": arrival.waited_behind,
    }


def table_view(
    live: LiveMatch, viewer: int | None, *, language: str, table_format: str, prefs: Prefs, csrf: str
) -> TableView:
    """What the fragments of this viewer are drawn from; at one device, of whoever of the two has revealed."""
    at_ms = now_ms()
    details = live.details
    if live.device:
        viewer = device.viewer_of(live.state)
    return TableView(
        public_id=live.public_id,
        seq=live.seq,
        viewer=viewer,
        sight=device.sight_of(live.state) if live.device else live.sight(viewer),
        seats=live.seats,
        log=tuple(live.log(viewer)),
        language=language,
        table_format=table_format,
        server_now_ms=at_ms,
        cap_ms=details.cap_ms,
        away=(None,) * len(live.seats) if live.device else live.away_ms(at_ms),
        # What ended before the first deal was not rated after all (D-34).
        rated=live.rated and (live.state.hand > 0 or live.state.phase != "over"),
        commitment=details.commitment,
        seed=details.seed,
        result=details.result,
        prefs=prefs,
        csrf=csrf,
        watchers=live.watchers,
        at_device=bool(live.device),
    )


class Unavailable(GameError):
    """The service could not do it now; nothing has changed."""
