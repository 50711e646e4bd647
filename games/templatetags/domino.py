"""Template tags for the pieces: `{% tile_face tile 46 %}`, `{% chips 150 19 %}`, `{% icon "back" %}`, `{% logo %}`."""

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games import pieces
from games.rules import Tile

SAMPLE_UNIT = 36  # CSS pixels

register = template.Library()
register.simple_tag(pieces.defs, name="domino_defs")
for piece in (
    pieces.tile_face,
    pieces.tile_back,
    pieces.chips,
    pieces.flying_chip,
    pieces.clock_ring,
    pieces.icon,
    pieces.logo,
):
    register.simple_tag(piece)


@register.simple_tag
def avatar(name: str, size: str = "") -> SafeString:
    """The avatar of a name, its initials in the upper case of the page's language."""
    return pieces.avatar(name, size=size, language=get_language() or "")


@register.simple_tag
def sample_tiles() -> SafeString:
    """Every number of pips once and a tile face down, to show what a set looks like."""
    faces = (pieces.tile_face(Tile(low, high), SAMPLE_UNIT) for low, high in ((5, 6), (3, 4), (1, 2)))
    return SafeString("".join((*faces, pieces.tile_back(SAMPLE_UNIT))))
