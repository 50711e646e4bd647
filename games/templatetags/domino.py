"""Template tags for the pieces: `{% tile_face tile 46 %}`, `{% chips 150 19 %}`, `{% icon "back" %}`, `{% logo %}`."""

from django import template

from games import pieces

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
    pieces.avatar,
):
    register.simple_tag(piece)
