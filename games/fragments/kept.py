"""What a page has already is not sent again, even when the fragment around it is.

After a move most of a fragment is as it was: all tiles on the cloth but the new one, a player's name and chips, rows of
the log. For such a piece that the page was sent in the same words before, a frame has an empty element with the
piece's id, and static/js/kept.js puts the piece of the page in its place. Which pieces a page has is remembered with
the keys of its fragments, so a page that is shown something by another way starts anew.
"""

import re
from collections.abc import Hashable, Mapping
from typing import cast

FRAGMENTS = ("f-cloth", "f-me", "f-opponent", "f-sum", "f-yard", "f-log-")  # how they begin
# Pieces are told by their first and last words.
PIECE = re.compile(
    r'<(?P<g>g) (?:class="board__tile" )?id="(?P<drawn>[^"]+)">.*?</g>'  # a tile on the cloth, the face of a clock
    r'|<(?P<div>div) class="seat__who" id="(?P<who>[^"]+)">.*?</div></div></div>'
    r'|<(?P<p>p) id="(?P<help>help-\w+)">.*?</p>'
    r'|<(?P<details>details) id="(?P<row>row[^"]+)">.*?</details>',
    re.DOTALL,
)

Pieces = tuple[tuple[str, int], ...]  # id, hash of the words


def leave_out(fragment: str, html: str, keys: Mapping[str, Hashable]) -> tuple[str, Pieces]:
    """The fragment without what the page has of it, and what the page has then.

    `keys` are those of the page so far; what is given back belongs there under `name_of(fragment)`.
    """
    had = dict(cast(Pieces, keys.get(name_of(fragment), ())))
    pieces = []

    def lighter(found: re.Match[str]) -> str:
        piece, name = found[0], found["drawn"] or found["who"] or found["help"] or found["row"]
        pieces.append((name, hash(piece)))
        if had.get(name) != hash(piece):
            return piece
        tag = found["div"] or found["p"] or found["details"]
        return f'<{tag} id="{name}" data-kept></{tag}>' if tag else f'<g id="{name}" data-kept/>'

    return PIECE.sub(lighter, html), tuple(pieces)


def name_of(fragment: str) -> str:
    """Where the pieces of a fragment stand among the keys."""
    return f"{fragment} pieces"
