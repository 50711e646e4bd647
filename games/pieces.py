"""The small pictures: tiles, backs, chips, the ring of a clock, icons, the logo and avatars, as SVG or HTML strings.

Every page holds `defs()` once; the pieces refer to it with `<use>`, so that a tile costs three elements. Colours are
custom properties in presentation attributes or classes, never `style=`.
"""

from typing import Any

from django.utils.safestring import SafeString


def defs() -> SafeString:
    """The hidden `<svg>` with gradients, tile bodies, halves and chip stacks. Once a page."""
    raise NotImplementedError


def tile_face(tile: Any, unit: int, *, upright: bool = True, label: str = "", larger_first: bool = True) -> SafeString:
    """A tile face up; `unit` is the side of a half in CSS pixels. Without `label` it is hidden from screen readers."""
    raise NotImplementedError


def tile_back(unit: int, *, upright: bool = True) -> SafeString:
    """A tile face down. It is the same for every tile."""
    raise NotImplementedError


def chips(points: int, width: int) -> SafeString:
    """Stacks of chips of five, seen from the side; `width` of one chip in CSS pixels, `points` a multiple of 5."""
    raise NotImplementedError


def flying_chip(diameter: int) -> SafeString:
    """One chip seen from above."""
    raise NotImplementedError


def clock_ring(delay_left: int, state: str) -> SafeString:
    """The ring of ten segments; `delay_left` 0..10 of them lit; `state` is "delay", "bank" or "paused"."""
    raise NotImplementedError


def icon(name: str) -> SafeString:
    """A line icon of 24 × 24 in the text colour; KeyError for an unknown name (see ICONS)."""
    raise NotImplementedError


def logo() -> SafeString:
    """The mark of the site."""
    raise NotImplementedError


def avatar(name: str, *, size: str = "", language: str = "") -> SafeString:
    """`<span class="avatar avatar--hue-N">` with the initials of `name`; `size` is "", "s" or "l"."""
    raise NotImplementedError
