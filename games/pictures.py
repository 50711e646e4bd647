"""What spectators are shown of a match: made once for all who have the same language, table format and version.

A fragment is drawn once per language and format; a frame (all that changed since what somebody was shown last) is put
together once for all who were shown the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace

from django.utils.translation import override

from games import fragments
from games.fragments import kept
from games.table import Prefs, TableView

# Drawn by the page as well, but changing without a new version, so never taken as drawn already.
ALWAYS_DRAWN = ("f-clocks", "f-opponent", "f-watching", "f-bar-watching")
FRESH_MS = 1_000  # older pictures are looked at again: some of what they show changes with time alone
STEPS_KEPT = 64
FRAMES_KEPT = 64  # of a step, one for each choice of settings

Keys = Mapping[str, Hashable]
Drawn = dict[str, tuple[Hashable, str]]  # by fragment: its key and what was drawn for it


@dataclass(frozen=True, slots=True)
class Step:
    """From what was shown to the picture. `keys` is what somebody has then, to be kept as it is: it is everybody's."""

    have: Keys
    changed: str
    keys: Keys
    frames: dict[Prefs, str] = field(default_factory=dict)


class Picture:
    """What all spectators of one language and format see."""

    def __init__(self, view: TableView, keys: Keys, drawn: Drawn) -> None:
        self.view = view
        self.keys = keys
        # What a page holds that was drawn over HTTP at this version.
        self.keys_of_page: Keys = {name: key for name, key in keys.items() if name not in ALWAYS_DRAWN}
        self._drawn = drawn
        self._steps: dict[int, Step] = {}  # by the id of what they begin with, which they hold: it stays its name

    def step(self, have: Keys) -> Step:
        """What somebody lacks who was shown `have`, empty for nothing at all."""
        name = id(have) if have else 0
        step = self._steps.get(name)
        if step is None:
            step = self._step(have)
            if len(self._steps) < STEPS_KEPT:
                self._steps[name] = step
        return step

    def frame(self, step: Step, prefs: Prefs) -> str:
        """What changed and the marker of the version, for somebody with these settings."""
        frame = step.frames.get(prefs)
        if frame is None:
            frame = step.changed + fragments.render_seq(replace(self.view, prefs=prefs))
            if len(step.frames) < FRAMES_KEPT:
                step.frames[prefs] = frame
        return frame

    def refresh(self, view: TableView) -> None:
        """The same picture, later."""
        self.view = view
        for step in self._steps.values():
            step.frames.clear()

    def _step(self, have: Keys) -> Step:
        parts, keys = [], {**have, **self.keys}
        with override(self.view.language):
            for fragment in fragments.lacking(keys, have):
                html = self._draw(fragment)
                if fragment.id.startswith(kept.FRAGMENTS):
                    html, keys[kept.name_of(fragment.id)] = kept.leave_out(fragment.id, html, have)
                parts.append(html)
        same = next((step.keys for step in self._steps.values() if step.keys == keys), keys)
        return Step(have, "".join(parts), same)

    def _draw(self, fragment: fragments.Fragment) -> str:
        key = self.keys[fragment.id]
        drawn = self._drawn.get(fragment.id)
        if drawn is None or drawn[0] != key:
            drawn = self._drawn[fragment.id] = (key, fragment.render(self.view))
        return drawn[1]


class Pictures:
    """The pictures of one match, by language and table format."""

    def __init__(self) -> None:
        self._pictures: dict[tuple[str, str], Picture] = {}
        self._moments: dict[tuple[str, str], tuple[Hashable, int]] = {}
        self._drawn: dict[tuple[str, str], Drawn] = {}

    def get(
        self, language: str, table_format: str, *, moment: Hashable, at_ms: int, view: Callable[[], TableView]
    ) -> Picture:
        """The picture now; `moment` changes whenever something new is to be shown, `view` gives what it shows."""
        place = (language, table_format)
        known = self._moments.get(place)
        if known is not None and known[0] == moment and 0 <= at_ms - known[1] < FRESH_MS:
            return self._pictures[place]
        seen = view()
        keys = fragments.keys_of(seen)
        picture = self._pictures.get(place)
        if picture is not None and picture.view.seq == seen.seq and picture.keys == keys:
            picture.refresh(seen)
        else:
            picture = self._pictures[place] = Picture(seen, keys, self._drawn.setdefault(place, {}))
        self._moments[place] = (moment, at_ms)
        return picture
