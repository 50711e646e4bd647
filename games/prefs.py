"""What an account prefers at the table, as the table takes it."""

from accounts.models import Preferences
from games.table import Prefs


def prefs_of(chosen: Preferences | None) -> Prefs:
    """The settings of the table among all that was chosen; the defaults for a visitor."""
    if chosen is None:
        return Prefs()
    return Prefs(
        hints=chosen.hints,
        confirm_moves=chosen.confirm_moves,
        move_list=chosen.move_list,
        auto_draw=chosen.auto_draw,
        letter_keys=chosen.letter_keys,
        sound=chosen.sound,
        volume=chosen.volume,
    )
