"""The parts of the table page that are replaced on their own: each one root element, one id, drawn from a TableView.

Most of it is built with f-strings and `escape`: two viewers' fragments of a move must cost less than 2 ms together.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from games.table import TableView


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of the page. `key` is cheap and changes whenever `render` would give something else."""

    id: str
    key: Callable[[TableView], Hashable]
    render: Callable[[TableView], str]


FRAGMENTS: tuple[Fragment, ...] = ()


def render_all(view: TableView) -> dict[str, str]:
    """Every fragment by its id, in the order of the page."""
    return {fragment.id: fragment.render(view) for fragment in FRAGMENTS}


def render_changed(view: TableView, last_keys: Mapping[str, Hashable]) -> tuple[dict[str, str], dict[str, Hashable]]:
    """The fragments whose key is not the one in `last_keys`, and the keys to remember for the next time.

    `last_keys` is empty for a connection that has seen nothing yet; it then gets everything.
    """
    keys = {fragment.id: fragment.key(view) for fragment in FRAGMENTS}
    changed = {
        fragment.id: fragment.render(view)
        for fragment in FRAGMENTS
        if fragment.id not in last_keys or last_keys[fragment.id] != keys[fragment.id]
    }
    return changed, keys


def render_error(code: str, text: str) -> str:
    """The notice of a refused request: the fragment `f-toast`, with the code for the script."""
    raise NotImplementedError


def render_seq(view: TableView) -> str:
    """The marker `f-seq`: the version this frame was drawn for and the server's time at sending."""
    return f'<div id="f-seq" hidden data-seq="{view.seq}" data-now="{view.server_now_ms}"></div>'
