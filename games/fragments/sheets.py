"""The sheet over the table while the clocks stand: before Start, after a hand, at the end of the match."""

from collections.abc import Hashable

from games.fragments import result, settlement, start_sheet
from games.table import TableView


def sheet_key(view: TableView) -> Hashable:
    """Changes whenever somebody presses Start or Continue, and with the end of a hand or of the match."""
    sight = view.sight
    if sight.phase not in ("ready", "over"):
        return None
    return (sight.phase, sight.hand, sight.ready, view.cap_ms, view.result, view.commitment, view.seed, view.csrf)


def sheet(view: TableView) -> str:
    """The sheet of the moment; hidden while tiles are played."""
    sight = view.sight
    if sight.phase == "over":
        return result.match_over(view)
    if sight.phase == "ready":
        return start_sheet.before_start(view) if sight.hand == 0 else settlement.after_hand(view)
    return '<div id="f-sheet" class="sheet" hidden></div>'
