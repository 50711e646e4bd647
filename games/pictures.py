"""What spectators are shown of a match: made once for all who have the same language, table format and version.

A fragment is drawn once per language and format; a frame (all that changed since what somebody was shown last) is put
together once for all who were shown the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace

from django.utils.translation import override

from games import fragments
from games.table import Prefs, TableView

# Drawn by the page as well, but changing without a new version, so never taken as drawn already.
ALWAYS_DRAWN = ("f-clocks", "f-opponent", "f-watching", "f-bar-watching")
FRESH_MS = 1_000  # older pictures are looked at again: some of what they show changes with time alone
FRAMES_KEPT = 64

Keys = Mapping[str, Hashable]
Drawn = dict[str, tuple[Hashable, str]]  # by fragment: its key and what was drawn for it


class Picture:
    """What all spectators of one language and format see. `keys` is to be kept by whom it is shown to, as it is."""

    def __init__(self, view: TableView, keys: Keys, drawn: Drawn) -> None:
        self.view = view
        self.keys = keys
        # What a page holds that was drawn over HTTP at this version.
        self.keys_of_page: Keys = {name: key for name, key in keys.items() if name not in ALWAYS_DRAWN}
        self._drawn = drawn
        self._changed: dict[int, tuple[Keys, str]] = {}  # with the keys themselves: an id names nothing that is gone
        self._frames: dict[tuple[int, Prefs], str] = {}

    def changed(self, have: Keys) -> str:
        """The fragments that somebody lacks who was shown `have`, empty for nothing at all."""
        name = id(have) if have else 0
        kept = self._changed.get(name)
        if kept is not None:
            return kept[1]
        text = self._draw(have)
        if len(self._changed) < FRAMES_KEPT:
            self._changed[name] = (have, text)
        return text

    def frame(self, have: Keys, prefs: Prefs) -> str:
        """These and the marker of the version for somebody with these settings."""
        text = self.changed(have)
        name = (id(have) if have else 0, prefs)
        frame = self._frames.get(name)
        if frame is None:
            frame = text + fragments.render_seq(replace(self.view, prefs=prefs))
            if name[0] in self._changed and len(self._frames) < FRAMES_KEPT:
                self._frames[name] = frame
        return frame

    def refresh(self, view: TableView) -> None:
        """The same picture, later."""
        self.view = view
        self._frames.clear()

    def _draw(self, have: Keys) -> str:
        parts = []
        with override(self.view.language):
            for fragment in fragments.lacking(self.keys, have):
                key = self.keys[fragment.id]
                drawn = self._drawn.get(fragment.id)
                if drawn is None or drawn[0] != key:
                    drawn = self._drawn[fragment.id] = (key, fragment.render(self.view))
                parts.append(drawn[1])
        return "".join(parts)


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
