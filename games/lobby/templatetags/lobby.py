"""The picture on the lobby's big card: a small position around a spinner."""

from functools import cache

from django import template
from django.utils.safestring import SafeString, mark_safe

from games.pieces import defs, face

register = template.Library()

# As seen: values left to right or top to bottom, upright, place. A half is 100 wide, a tile 200. The arms are longer
# than the picture, so that they meet the edges of a card of any height.
POSITION = (
    ((3, 2), True, 0, 150),
    ((3, 5), False, 100, 200),
    ((5, 5), True, 300, 150),
    ((5, 1), False, 400, 200),
    ((1, 1), True, 600, 150),
    ((1, 6), False, 700, 200),
    ((4, 5), True, 300, -50),
    ((5, 6), True, 300, 350),
    ((2, 4), True, 300, -250),
    ((6, 3), True, 300, 550),
)
SPINNER = (
    '<rect x="294" y="144" width="112" height="214" rx="22" fill="none" stroke="var(--spinner)" stroke-width="9"/>'
)


@register.simple_tag
@cache
def lobby_art() -> SafeString:
    """The picture with the pieces it is drawn from."""
    tiles = "".join(face(values, upright=upright, x=x, y=y) for values, upright, x, y in POSITION)
    return mark_safe(  # noqa: S308 - constants of this module
        f'{defs()}<svg viewBox="-30 20 960 460" preserveAspectRatio="xMaxYMid slice">{tiles}{SPINNER}</svg>'
    )
