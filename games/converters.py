"""What may stand in an address. Anything else is not found, before it can reach a query."""

from django.urls import register_converter


class MatchName:
    """The public id of a match."""

    regex = "[A-Za-z0-9_-]{1,16}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class PlayerName(MatchName):
    """The name of an account: any letters of the world, but no control character, which no database would look up."""

    regex = r"[^/\x00-\x1f\x7f]{1,64}"


def register() -> None:
    """Make both known to `path`; may be called by each module of routes."""
    for name, converter in (("match", MatchName), ("player", PlayerName)):
        if name not in _registered:
            _registered.add(name)
            register_converter(converter, name)


_registered: set[str] = set()
