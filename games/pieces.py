"""The small pictures: tiles, backs, chips, the ring of a clock, icons, the logo and avatars, as SVG or HTML strings.

Every page holds `defs()` once; the pieces refer to it with `<use>`, so that a tile costs four elements. In there a half
is 100 units wide and a chip too. Colours are custom properties in presentation attributes, never `style=`.
"""

import unicodedata
from functools import cache, lru_cache

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.rules import Tile

# Where pips may lie in the first half of a tile, seen upright and lying; the second half is one step further on. The
# steps are a little less than 100 because the tile keeps a hair's breadth around itself and its side is seen below.
UPRIGHT_X, UPRIGHT_Y, UPRIGHT_STEP = (28, 50, 72), (28, 51, 74), 95
LYING_X, LYING_Y, LYING_STEP = (29, 52, 75), (27, 48, 70), 96

# Pips of a half as (column, row) of three by three, the tile standing upright.
PIPS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((1, 1),),
    ((0, 0), (2, 2)),
    ((0, 0), (1, 1), (2, 2)),
    ((0, 0), (2, 0), (0, 2), (2, 2)),
    ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
)

CHIP_VALUE = 5
CHIPS_IN_STACK = 5
CHIP_THICKNESS = 19
CHIP_DEPTH = 17  # half the height of a chip's face, which is seen at a slant
STACK_HEIGHT = CHIPS_IN_STACK * CHIP_THICKNESS + 2 * CHIP_DEPTH + 8

BADGE_RADIUS = 13  # CSS pixels on a phone; the style sheet enlarges badges on wider screens
BADGE_WIDER = 4  # with two digits, at either side
RING_RADIUS = 6

HUES = 7

ICONS = {
    "back": '<path d="M14.5 5 7.5 12l7 7"/>',
    "bell": '<path d="M5 17h14l-1.6-2.4V11a5.4 5.4 0 0 0-10.8 0v3.6zM10 20h4"/>',
    "book": '<path d="M12 6.2C10 4.8 7.4 4.4 4 4.6v13.6c3.4-.2 6 .2 8 1.6 2-1.4 4.6-1.8 8-1.6V4.6c-3.4-.2-6 '
    '.2-8 1.6zm0 0v13.6"/>',
    "chart": '<path d="M4 4v16h16M7.5 15l4-4.5 3 2.5L20 6.5"/>',
    "check": '<path d="m5 12.8 4.6 4.4L19 7.2"/>',
    "clock": '<circle cx="12" cy="12" r="8.3"/><path d="M12 7.4V12l3.2 2.2"/>',
    "close": '<path d="m6.5 6.5 11 11m0-11-11 11"/>',
    "cup": '<path d="M7.5 4h9v5.5a4.5 4.5 0 0 1-9 0zm0 1.8H4.2c0 3 1.1 4.4 3.5 4.7m8.8-4.7h3.3c0 3-1.1 4.4-3.5 4.7M12 '
    '14v5m-3.6.8h7.2"/>',
    "dots": '<path d="M5.5 12h.01M12 12h.01M18.5 12h.01"/>',
    "eye": '<path d="M2.8 12c2.3-4 5.4-6 9.2-6s6.9 2 9.2 6c-2.3 4-5.4 6-9.2 6s-6.9-2-9.2-6z"/>'
    '<circle cx="12" cy="12" r="2.7"/>',
    "first": '<path d="M17.5 5.5 11 12l6.5 6.5M6.5 5.5v13"/>',
    "flag": '<path d="M6 20.5V4.2h11.5L15 8.1l2.5 3.9H6"/>',
    "forward": '<path d="m9.5 5 7 7-7 7"/>',
    "home": '<path d="m3.8 11.2 8.2-7 8.2 7M6 9.6V19a1 1 0 0 0 1 1h3.2v-5.4h3.6V20H17a1 1 0 0 0 1-1V9.6"/>',
    "last": '<path d="m6.5 5.5 6.5 6.5-6.5 6.5M17.5 5.5v13"/>',
    "link": '<path d="m9.6 14.4 4.8-4.8M11 7.3l2-2a4 4 0 0 1 5.7 5.7l-2 2M13 16.7l-2 2A4 4 0 0 1 5.3 13l2-2"/>',
    "list": '<path d="M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4.2 6.5h.01M4.2 12h.01M4.2 17.5h.01"/>',
    "lock": '<rect x="5.5" y="10.6" width="13" height="9.4" rx="1.8"/><path d="M8.4 10.6V8a3.6 3.6 0 0 1 7.2 0v2.6"/>',
    "minus": '<path d="M5 12h14"/>',
    "moon": '<path d="M19.6 14.6A8 8 0 0 1 9.4 4.4a8 8 0 1 0 10.2 10.2z"/>',
    "mute": '<path d="M4 9.6v4.8h3.3l4.4 3.4V6.2L7.3 9.6zM16 9.8l4.4 4.4m0-4.4L16 14.2"/>',
    "pause": '<path d="M8.5 6v12M15.5 6v12"/>',
    "play": '<path d="M7.5 5.2v13.6L18.8 12z"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "search": '<circle cx="10.8" cy="10.8" r="6.3"/><path d="m15.6 15.6 4.6 4.6"/>',
    "settings": '<circle cx="12" cy="12" r="3"/><path d="M12 3.5V6m0 12v2.5M3.5 12H6m12 0h2.5M6 6l1.8 1.8m8.4 8.4L18 '
    '18m0-12-1.8 1.8m-8.4 8.4L6 18"/>',
    "sound": '<path d="M4 9.6v4.8h3.3l4.4 3.4V6.2L7.3 9.6zM15.2 9.2a4 4 0 0 1 0 5.6M17.8 6.8a7.4 7.4 0 0 1 0 10.4"/>',
    "sun": '<circle cx="12" cy="12" r="3.8"/><path d="M12 3v2.2m0 13.6V21M3 12h2.2m13.6 0H21M5.7 5.7l1.5 1.5m9.6 9.6 '
    '1.5 1.5m0-12.6-1.5 1.5m-9.6 9.6-1.5 1.5"/>',
    "user": '<circle cx="12" cy="8.4" r="3.8"/><path d="M4.6 20c.8-4 3.3-6 7.4-6s6.6 2 7.4 6"/>',
}


@cache
def defs() -> SafeString:
    """The hidden `<svg class="defs">` with gradients, tile bodies, halves and chip stacks. Once a page.

    It must not be hidden with `display: none`, which takes the gradients away; give it no size and no place instead.
    """
    halves = "".join(_half(value, upright) for value in range(1, 7) for upright in (True, False))
    stacks = "".join(_stack(height) for height in range(1, CHIPS_IN_STACK + 1))
    return SafeString(
        '<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        f"{_gradients()}{_body(True)}{_body(False)}{halves}{_back(True)}{_back(False)}{_chip()}{stacks}{_ends()}"
        '<path id="d-segment" d="M21.2 3A17 17 0 0 1 29 5.6" fill="none" stroke="currentColor" stroke-width="3.2"/>'
        "</defs></svg>"
    )


def face(values: tuple[int, int], *, upright: bool, x: int = 0, y: int = 0, shadow: bool = True) -> str:
    """The elements of a tile face, `values` as they are seen: top and bottom, or left and right."""
    way = "u" if upright else "l"
    step_x, step_y = (0, UPRIGHT_STEP) if upright else (LYING_STEP, 0)
    body = f'<use href="#d-{way}{"s" if shadow else ""}"{at(x, y)}/>'
    first, second = values
    if first:
        body += f'<use href="#d-{way}{first}"{at(x, y)}/>'
    if second:
        body += f'<use href="#d-{way}{second}"{at(x + step_x, y + step_y)}/>'
    return body


def at(x: int, y: int) -> str:
    """The place of an element, in attributes; a frame has a hundred of them, so a nought is left out.

    >>> at(0, -11)
    ' y="-11"'
    """
    return (f' x="{x}"' if x else "") + (f' y="{y}"' if y else "")


@lru_cache(maxsize=1024)
def tile_face(tile: Tile, unit: int, *, upright: bool = True, label: str = "", larger_first: bool = True) -> SafeString:
    """A tile face up; `unit` is the side of a half in CSS pixels. Without `label` screen readers pass it over."""
    values = (tile.high, tile.low) if larger_first else (tile.low, tile.high)
    return _picture("tile", unit, upright, face(values, upright=upright, shadow=False), label)


@lru_cache(maxsize=64)
def tile_back(unit: int, *, upright: bool = True) -> SafeString:
    """A tile face down. It is the same for every tile."""
    return _picture("tile tile--back", unit, upright, f'<use href="#d-b{"u" if upright else "l"}"/>', "")


@lru_cache(maxsize=512)
def chips(points: int, width: int) -> SafeString:
    """Stacks of chips of five, seen from the side: `points` a multiple of 5, `width` of a chip in CSS pixels.

    The last stack is the short one; without points there is one empty place.
    """
    full, rest = divmod(points // CHIP_VALUE, CHIPS_IN_STACK)
    heights = [CHIPS_IN_STACK] * full + ([rest] if rest else [])
    pitch = 100 + max(300 // width, 18)
    wide = max(1, len(heights)) * pitch - (pitch - 100) + 8
    stacks = "".join(f'<use href="#d-c{height}" x="{number * pitch}"/>' for number, height in enumerate(heights))
    return SafeString(
        f'<svg class="chips" width="{wide * width / 100:.4g}" height="{STACK_HEIGHT * width / 100:.4g}" '
        f'viewBox="-4 0 {wide} {STACK_HEIGHT}" aria-hidden="true">{stacks}</svg>'
    )


def flying_chip(diameter: int) -> SafeString:
    """One chip seen from above."""
    return SafeString(
        f'<svg class="chip" width="{diameter}" height="{diameter}" viewBox="-21 -21 42 42" aria-hidden="true">'
        '<circle r="20" fill="var(--chip-b)"/><circle r="19.2" fill="var(--chip-a)"/>'
        '<circle r="16.8" fill="none" stroke="var(--chip-c)" stroke-width="5" pathLength="12" stroke-dasharray="1"/>'
        '<circle r="12.6" fill="var(--chip-c)"/><circle r="10.8" fill="none" stroke="var(--chip-b)" pathLength="36" '
        'stroke-dasharray="1"/><text y="4.7" text-anchor="middle" font-size="13" font-weight="800" '
        'fill="var(--chip-b)">5</text></svg>'
    )


def clock_ring(delay_left: int, state: str) -> SafeString:
    """The ring of ten segments of a clock, `delay_left` of them lit from the top clockwise.

    `state` is "delay" (the number counts down), "bank" (a clock hand) or "paused" (bars). All three middles are there,
    and the page shows the one that `data-state` names, so a script may switch without drawing anything.
    """
    segments = "".join(
        f'<use class="clock__segment" href="#d-segment" transform="rotate({36 * number} 20 20)"{lit}/>'
        for number, lit in enumerate([' data-lit=""'] * delay_left + [""] * (10 - delay_left))
    )
    return SafeString(
        f'<svg class="clock__ring" data-state="{escape(state)}" viewBox="0 0 40 40" fill="none" stroke="currentColor" '
        f'stroke-linecap="round" aria-hidden="true"><g stroke-linecap="butt">{segments}</g>'
        '<text class="clock__count" x="20" y="25" text-anchor="middle" fill="currentColor" stroke="none">'
        f"{delay_left}</text>"
        '<path class="clock__hand" stroke-width="2.4" d="M20 13v7.6l5 3"/>'
        '<path class="clock__bars" stroke-width="2.6" d="M16.6 14.6v10.8m6.8-10.8v10.8"/></svg>'
    )


@cache
def icon(name: str) -> SafeString:
    """A line icon of 24 × 24 in the text colour; KeyError for a name that is not in ICONS."""
    return SafeString(
        '<svg class="icon" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" '
        'stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">'
        f"{ICONS[name]}</svg>"
    )


@cache
def logo() -> SafeString:
    """The mark of the site: a leaning tile, 2 over 3."""
    pips = "".join(
        f'<circle cx="{x}" cy="{y}" r="1.8"/>'
        for x, y in ((12.6, 6.6), (19.4, 11.6), (12.6, 20.4), (16, 23), (19.4, 25.6))
    )
    return SafeString(
        '<svg class="logo" width="32" height="32" viewBox="0 0 32 32" aria-hidden="true" focusable="false">'
        '<g transform="rotate(-18 16 16)" fill="var(--bg)">'
        '<rect x="8" y="2" width="16" height="28" rx="4.2" fill="var(--primary)"/>'
        f'<rect x="11" y="15.3" width="10" height="1.4" rx=".7"/>{pips}</g></svg>'
    )


def avatar(name: str, *, size: str = "", language: str = "") -> SafeString:
    """`<span class="avatar" data-hue="0..6">` with the initials of a name; `size` is "", "s" or "l".

    The hue depends on the name alone, so that a player looks the same everywhere.
    """
    hue = sum(number * ord(letter) for number, letter in enumerate(name, start=3)) % HUES
    classes = f"avatar avatar--{escape(size)}" if size else "avatar"
    return SafeString(
        f'<span class="{classes}" data-hue="{hue}" aria-hidden="true">{escape(initials(name, language))}</span>'
    )


def initials(name: str, language: str = "") -> str:
    """The first letters of the first two words, upper case as the language has it.

    >>> initials("Przemysław Wiśniewski-Kowalczyk"), initials("inci", "tr"), initials("inci")
    ('PW', 'İ', 'I')
    """
    letters = "".join(_first_letter(word) for word in name.split()[:2])
    if language.partition("-")[0] in {"az", "tr"}:
        letters = letters.replace("i", "İ")
    return letters.upper()


def _first_letter(word: str) -> str:
    """The first character with the accents that belong to it."""
    word = unicodedata.normalize("NFC", word)
    end = 1
    while end < len(word) and unicodedata.combining(word[end]):
        end += 1
    return word[:end]


def _picture(classes: str, unit: int, upright: bool, body: str, label: str) -> SafeString:
    """A stand-alone tile with a tenth of a half of air on each side."""
    wide, high = (120, 220) if upright else (220, 120)
    name = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return SafeString(
        f'<svg class="{classes}" width="{wide * unit / 100:.4g}" height="{high * unit / 100:.4g}" '
        f'viewBox="-10 -10 {wide} {high}" {name}>{body}</svg>'
    )


def _gradients() -> str:
    def stops(*colours: tuple[str, str]) -> str:
        return "".join(f'<stop offset="{offset}" stop-color="var(--{colour})"/>' for offset, colour in colours)

    down = 'x1="0" y1="0" x2="0" y2="1"'
    return (
        f'<linearGradient id="d-ivory" {down}>{stops(("0", "tile-a"), ("1", "tile-b"))}</linearGradient>'
        f'<linearGradient id="d-back" {down}>{stops(("0", "back-a"), ("1", "back-b"))}</linearGradient>'
        f'<linearGradient id="d-side">{stops(("0", "chip-b"), (".35", "chip-a"), ("1", "chip-b"))}</linearGradient>'
        f'<radialGradient id="d-pip" cx=".5" cy=".62" r=".62">{stops(("0", "pip-hi"), (".55", "pip"))}</radialGradient>'
        f'<radialGradient id="d-rivet" cx=".4" cy=".35" r=".8">{stops(("0", "rivet-a"), ("1", "rivet-b"))}'
        "</radialGradient>"
    )


def _half(value: int, upright: bool) -> str:
    """The pips of a half. A lying tile is the standing one turned counter-clockwise; the light stays above."""
    spots = []
    for column, row in PIPS[value]:
        x, y = (UPRIGHT_X[column], UPRIGHT_Y[row]) if upright else (LYING_X[row], LYING_Y[2 - column])
        spots.append(f'<circle cx="{x}" cy="{y}" r="10.4"/>')
    way = "u" if upright else "l"
    # Coloured where the tokens name a colour for this number.
    fill = f"var(--pips-{value},url(#d-pip))"
    return f'<g id="d-{way}{value}" fill="{fill}">{"".join(spots)}</g>'


def _slab(wide: int, high: int, side: str, top: str) -> str:
    """A rounded slab whose side is seen below, whichever way it lies."""
    return (
        f'<rect x="3.5" y="7.6" width="{wide}" height="{high}" rx="17" fill="{side}"/>'
        f'<rect class="slab" x="3.5" y="3.5" width="{wide}" height="{high - 3.4:.4g}" rx="17" fill="{top}"/>'
    )


def _shadow(wide: int, high: int) -> str:
    """The soft contact shadow of a tile that lies on the cloth."""
    return f'<rect x="1.5" y="16" width="{wide + 4}" height="{high}" rx="17" fill="#000" opacity=".2"/>'


def _body(upright: bool) -> str:
    """A blank tile, and the same with its shadow on the cloth."""
    way, wide, high = ("u", 93, 193) if upright else ("l", 193, 93)
    x, y = (50, 98) if upright else (100, 48)
    rule = f'x="{x - 31}" y="{y - 1.5}" width="62" height="3"'
    if not upright:
        rule = f'x="{x - 1.5}" y="{y - 31}" width="3" height="62"'
    return (
        f'<g id="d-{way}">{_slab(wide, high, "var(--tile-edge)", "url(#d-ivory)")}'
        f'<rect {rule} rx="1.5" fill="var(--tile-rule)"/><circle cx="{x}" cy="{y}" r="5.5" fill="url(#d-rivet)"/></g>'
        f'<g id="d-{way}s">{_shadow(wide, high)}<use href="#d-{way}"/></g>'
    )


def _back(upright: bool) -> str:
    """A tile face down: brass inlay and one lozenge."""
    way, wide, high = ("u", 93, 193) if upright else ("l", 193, 93)
    x, y = (50, 98) if upright else (100, 48)
    return (
        f'<g id="d-b{way}">{_shadow(wide, high)}{_slab(wide, high, "var(--back-edge)", "url(#d-back)")}'
        f'<rect x="4.5" y="4.5" width="{wide - 2}" height="{high - 5.4:.4g}" rx="16" fill="none" stroke="#fff" '
        'stroke-opacity=".2" stroke-width="2"/>'
        f'<g fill="none" stroke="var(--back-rule)" stroke-width="4" opacity=".85">'
        f'<rect x="16.5" y="16.5" width="{wide - 26}" height="{high - 29.4:.4g}" rx="10"/>'
        f'<path d="M{x} {y - 26}l16 26-16 26-16-26z" fill="var(--back-rule)" stroke="none"/></g></g>'
    )


def _ends() -> str:
    """What lies at an end: the ground of a number of one digit and of two, and the ring where nothing counts."""
    size = f'y="{-BADGE_RADIUS}" height="{2 * BADGE_RADIUS}" rx="{BADGE_RADIUS}"'
    grounds = "".join(
        f'<rect id="d-num{digits}" class="badge__ground" x="{-half}" width="{2 * half}" {size} fill="var(--lit)" '
        'stroke="#000" stroke-opacity=".25"/>'
        for digits, half in ((1, BADGE_RADIUS), (2, BADGE_RADIUS + BADGE_WIDER))
    )
    ring = f'r="{RING_RADIUS}" fill="none" stroke="var(--ring)" stroke-width="2.4"'
    return f'{grounds}<circle id="d-open" class="badge__open" {ring}/>'


def _chip() -> str:
    """The side of one chip with its light spots, and the face of the one on top."""
    spots = "M40 16.7h20v19h-20zM4 6.2l10 6.8v19l-10-6.8zM96 6.2l-10 6.8v19l10-6.8z"
    return (
        '<g id="d-chip"><path d="M0 0v19a50 17 0 0 0 100 0V0z" fill="url(#d-side)" stroke="#280600" '
        f'stroke-opacity=".5" stroke-width="3"/><path d="{spots}" fill="var(--chip-c)"/></g>'
        '<g id="d-top"><ellipse cx="50" rx="50" ry="17" fill="var(--chip-a)" stroke="var(--chip-c)" stroke-width="7" '
        'stroke-dasharray="20"/><ellipse cx="50" rx="27" ry="9" fill="var(--chip-c)" opacity=".92"/></g>'
    )


def _stack(height: int) -> str:
    """So many chips on top of each other, standing on the same ground as a full stack."""
    ground = STACK_HEIGHT - CHIP_DEPTH - 6
    sides = "".join(f'<use href="#d-chip" y="{ground - CHIP_THICKNESS * number}"/>' for number in range(1, height + 1))
    return (
        f'<g id="d-c{height}"><ellipse cx="50" cy="{ground + 2}" rx="53" ry="20" fill="#000" opacity=".26"/>{sides}'
        f'<use href="#d-top" y="{ground - CHIP_THICKNESS * height}"/></g>'
    )
