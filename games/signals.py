"""What other apps ask of matches."""

from typing import Any

from accounts.signals import token_wanted


def connect() -> None:
    """Listen; called once when the apps are ready."""
    token_wanted.connect(_refuse_while_playing, dispatch_uid="games.refuse_while_playing")


def _refuse_while_playing(sender: Any, user: Any, **kwargs: Any) -> str:
    """A person cannot become a program in the middle of a match: it is rated among people."""
    from games import service

    return "playing" if service.active_match_of(user) is not None else ""
