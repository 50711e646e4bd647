"""How hands and matches end."""

from enum import StrEnum


class Ending(StrEnum):
    """Why a match ended, as recorded (D-33)."""

    BALANCE = "balance"  # SB-6
    TIME = "time"  # SB-71
    RESIGN = "resign"  # D-22
    CANCELLED = "cancelled"  # D-1
    SERVICE_FAULT = "service_fault"  # SB-72
