"""What one variant is: its numbers and its options."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Options:
    """What is chosen when a match is offered."""

    shared_device: bool = False  # D-4


@dataclass(frozen=True, slots=True)
class Variant:
    """The numbers of a variant and how its options are read.

    `read_options` takes JSON data and raises ValueError for a wrong shape, BadOption for a
    value that is not offered.
    """

    key: str
    seats: int
    tiles_per_hand: int
    start_balance: int
    read_options: Callable[[Mapping[str, Any]], Options]
