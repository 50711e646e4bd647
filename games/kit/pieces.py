"""What the index of the kit lays out side by side: the names of the tokens."""

from collections.abc import Mapping

TOKENS: Mapping[str, tuple[str, ...]] = {
    "Page": ("bg", "surface", "surface-2", "sunk", "line", "line-strong", "ink", "ink-2", "ink-3"),
    "Action": ("primary", "primary-hover", "on-primary", "primary-soft", "primary-ink", "focus", "focus-gap"),
    "State": ("good", "good-soft", "bad", "bad-soft", "warn", "warn-soft"),
    "Table": (
        *("felt-a", "felt-b", "felt-c", "felt-line", "felt-veil", "rail", "rail-2", "on-felt", "on-felt-2"),
        *("lit", "lit-raised", "lit-sunk", "lit-line", "lit-low", "on-lit", "on-lit-2", "lit-clock", "lit-gain"),
    ),
    "Pieces": (
        *("tile-a", "tile-b", "tile-edge", "tile-rule", "pip", "pip-hi", "rivet-a", "rivet-b"),
        *("back-a", "back-b", "back-edge", "back-rule", "chip-a", "chip-b", "chip-c"),
    ),
    "Signals": (
        *("spinner", "score", "on-score", "ring", "pick", "last", "alarm", "alarm-deep", "act", "felt-focus"),
        "lit-focus",
    ),
    "Chart": ("chart-1", "chart-2", "chart-3", "chart-grid"),
    "Avatars": tuple(f"avatar-{hue}" for hue in range(7)),
}
TYPE = (11, 12, 13, 14, 15, 16, 18, 22, 28, 36, 48)
