"""The colours of static/css/tokens.css as numbers, and how well one is seen on another (WCAG 2.2)."""

import re
from functools import cache

from tests.stack import ROOT

TOKENS = ROOT / "static" / "css" / "tokens.css"


@cache
def tokens(*looks: str) -> dict[str, str]:
    """The custom properties of a look, by name without dashes: `tokens("dark", "ebony")`; "light" is the ground."""
    selectors = [":root"]
    if "dark" in looks:
        selectors.append(':root[data-theme="dark"]')
    if "ebony" in looks:
        selectors.append(':root[data-tiles="ebony"]')
    if "coloured" in looks:
        selectors.append(':root[data-pips="coloured"]')
    if {"coloured", "ebony"} <= set(looks):
        selectors.append(':root[data-pips="coloured"][data-tiles="ebony"]')
    text = TOKENS.read_text()
    found: dict[str, str] = {}
    for selector in selectors:
        found |= _block(text, f"{selector} {{")
    if "more" in looks:
        more = text[text.index("@media (prefers-contrast: more)") :]
        for selector in selectors[:2]:
            if f"{selector} {{" in more:
                found |= _block(more, f"{selector} {{")
    return found


def contrast(one: str, other: str) -> float:
    """The ratio of two `#rrggbb` colours, from 1 to 21.

    >>> round(contrast("#000000", "#ffffff"), 1)
    21.0
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _block(text: str, opening: str) -> dict[str, str]:
    start = text.index(opening) + len(opening)
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", text[start : text.index("}", start)]))


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
