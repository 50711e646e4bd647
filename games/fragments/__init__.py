"""The parts of the table page that are replaced on their own: each one root element, one id, drawn from a TableView.

They are built with f-strings and `escape`: two viewers' fragments of a move must cost less than 2 ms together.
A frame to a page is the changed fragments one after the other, with `render_seq` behind them.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from django.utils import translation

from games.fragments import auction, cloth, curtain, kept, panel, prompt, rows, seats, sheets, words
from games.table import TableView

__all__ = [
    "FRAGMENTS",
    "Fragment",
    "keys_of",
    "lacking",
    "page_context",
    "render_all",
    "render_changed",
    "render_error",
    "render_seq",
]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of the page. `key` is cheap and changes whenever `render` would give something else.

    `inside`: the id of the fragment that holds this one as well, and brings it along.
    """

    id: str
    key: Callable[[TableView], Hashable]
    render: Callable[[TableView], str]
    inside: str = ""


FRAGMENTS: tuple[Fragment, ...] = (
    Fragment("f-bar", panel.bar_key, panel.bar),
    Fragment("f-bar-watching", panel.watching_key, panel.bar_watching, inside="f-bar"),
    Fragment("f-opponent", seats.opponent_key, seats.opponent),
    Fragment("f-cloth", cloth.cloth_key, cloth.cloth),
    Fragment("f-sum", cloth.sum_key, cloth.ends_sum),
    Fragment("f-yard", cloth.yard_key, cloth.yard),
    Fragment("f-auction", auction.auction_key, auction.auction),
    Fragment("f-curtain", curtain.curtain_key, curtain.curtain),
    Fragment("f-prompt", prompt.prompt_key, prompt.prompt),
    Fragment("f-me", seats.me_key, seats.me),
    Fragment("f-sheet", sheets.sheet_key, sheets.sheet),
    Fragment("f-log", panel.log_key, panel.log),
    Fragment("f-watching", panel.watching_key, panel.watching, inside="f-log"),
    *(Fragment(f"f-log-{part}", rows.part_key(part), rows.part_render(part)) for part in range(rows.PARTS)),
    Fragment("f-words", words.words_key, words.words),
    Fragment("f-actions", panel.actions_key, panel.actions),
    Fragment("f-clocks", prompt.clocks_key, prompt.clocks),
    Fragment("f-announce", words.announce_key, words.announce),
)


def render_all(view: TableView) -> dict[str, str]:
    """Every fragment by its id, in the order of the page, in the viewer's language."""
    with translation.override(view.language):
        return {fragment.id: fragment.render(view) for fragment in FRAGMENTS if not fragment.inside}


def render_changed(view: TableView, last_keys: Mapping[str, Hashable]) -> tuple[dict[str, str], dict[str, Hashable]]:
    """The fragments whose key is not the one in `last_keys`, and the keys to remember for the next time.

    `last_keys` is empty for a connection that has seen nothing yet; it then gets everything. Pieces of a
    fragment that it has are left out (`games.fragments.kept`).
    """
    keys = {**last_keys, **keys_of(view)}
    with translation.override(view.language):
        changed = {fragment.id: fragment.render(view) for fragment in lacking(keys, last_keys)}
    for name, html in changed.items():
        if name.startswith(kept.FRAGMENTS):
            changed[name], keys[kept.name_of(name)] = kept.leave_out(name, html, last_keys)
    return changed, keys


def keys_of(view: TableView) -> dict[str, Hashable]:
    """The key of every fragment by its id."""
    return {fragment.id: fragment.key(view) for fragment in FRAGMENTS}


def lacking(keys: Mapping[str, Hashable], have: Mapping[str, Hashable]) -> list[Fragment]:
    """The fragments to be drawn for somebody who was shown `have`, in the order of the page."""
    changed = {name for name, key in keys.items() if name not in have or have[name] != key}
    return [fragment for fragment in FRAGMENTS if fragment.id in changed and fragment.inside not in changed]


def render_error(code: str, text: str) -> str:
    """The notice of a refused request: the fragment `f-toast`, with the code for the script."""
    return f'<div id="f-toast" class="toast" role="alert" data-code="{escape(code)}">{escape(text)}</div>'


def render_seq(view: TableView) -> str:
    """The marker `f-seq`: the version and the look this frame was drawn for, and the server's time at sending."""
    data = f'data-seq="{view.seq}" data-now="{view.server_now_ms}" data-look="{escape(view.look)}"'
    return f'<div id="f-seq" hidden {data}></div>'


def page_context(view: TableView) -> dict[str, Any]:
    """The context of `games/match.html`: the view and all its fragments by id with underscores."""
    fragments = {fragment_id.replace("-", "_"): html for fragment_id, html in render_all(view).items()}
    log_rows = "".join(fragments[f"f_log_{part}"] for part in range(rows.PARTS))
    return {"view": view, "fragments": fragments, "log_rows": log_rows, "seq_marker": render_seq(view)}
