"""The one writer of matches.

Every accepted command is one transaction: read the match under its lock, let the rules decide,
insert one `MatchEvent`, update the row on condition of its `seq`. A plain move costs these three
statements and no more, however long the match. Sockets, forms, programs, tasks and management
commands all come through here; nothing else changes a match. Who may see what is not decided
here (`games.access`, `games.rules.sight`), nor is any rule of the game.
"""

from games.service.applying import DEVICE_CAP_MS, Applied
from games.service.commands import NAMES_THE_HAND, end_at_device, leave, submit, submit_at_device
from games.service.deadlines import cancel_abandoned, cancel_unstarted, claim_time, continue_overdue, expire_due
from games.service.repair import rebuild_snapshot, void_for_fault
from games.service.starts import active_match_of, running_at_device, running_rated, start_at_device, start_match

__all__ = [
    "DEVICE_CAP_MS",
    "NAMES_THE_HAND",
    "Applied",
    "active_match_of",
    "cancel_abandoned",
    "cancel_unstarted",
    "claim_time",
    "continue_overdue",
    "end_at_device",
    "expire_due",
    "leave",
    "rebuild_snapshot",
    "running_at_device",
    "running_rated",
    "start_at_device",
    "start_match",
    "submit",
    "submit_at_device",
    "void_for_fault",
]
