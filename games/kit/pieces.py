"""What the index of the kit lays out side by side beside the states."""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import SimpleNamespace

from django.template.loader import render_to_string

from games.drawing import board_svg
from games.fragments import markup
from games.kit.states import CASES, NEAR

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
WORDS = (
    ("theme", "light", "Light"),
    ("theme", "dark", "Dark"),
    ("tiles", "ivory", "Ivory"),
    ("tiles", "ebony", "Ebony"),
    ("lang", "en", "English"),
    ("lang", "tr", "Türkçe"),
    ("lang", "pl", "Polski"),
    ("dir", "ltr", "Left to right"),
    ("dir", "rtl", "Right to left"),
)
PAGES = (
    ("/", "Lobby"),
    ("/rules/", "Rules"),
    ("/accounts/signup/", "Sign-up"),
    ("/accounts/login/", "Log-in"),
    ("/accounts/password/reset/", "Reset of a password"),
    ("/accounts/settings/", "Settings"),
)
# Pages that are rarely seen.
TROUBLE: Mapping[str, str] = {
    "error-403": "403.html",
    "error-csrf": "403_csrf.html",
    "error-404": "404.html",
    "error-429": "429.html",
    "error-500": "500.html",
    "error-503": "503.html",
    "signup-closed": "account/signup_closed.html",
    "account-inactive": "account/account_inactive.html",
}
# Letters by the names of their templates.
LETTERS: Mapping[str, str] = {
    "mail-confirm": "email_confirmation",
    "mail-new-password": "password_reset_key",
    "mail-no-account": "unknown_account",
    "mail-password-changed": "password_changed",
    "mail-password-reset": "password_reset",
    "mail-password-set": "password_set",
    "mail-address-changed": "email_changed",
    "mail-address-removed": "email_deleted",
}
_HOST = "boneyard.example.org"
_INVENTED = {
    "request": SimpleNamespace(scheme="https", get_host=lambda: _HOST),
    "user": {"username": NEAR[0]},
    "username": NEAR[0],
    "activate_url": f"https://{_HOST}/accounts/confirm-email/Mg:1vXk5T:rJ0pQ7c2mYl4Hn8sWd3aLf6uZb9eKt1xGv5oNi/",
    "password_reset_url": f"https://{_HOST}/accounts/password/reset/key/2-d1f4ka-7c2b5e9a0f3d8b6c1e4a7d0f/",
    "signup_url": f"https://{_HOST}/accounts/signup/",
    "from_email": "zeynep@example.org",
    "to_email": "zeynep.karahanoglu@example.net",
    "deleted_email": "zeynep@example.org",
    "ip": "2001:db8::7c2b:5e9a",
    "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "timestamp": datetime(2026, 3, 5, 14, 30, tzinfo=UTC),
}


def letter(name: str) -> tuple[str, str]:
    """Subject and text of one of `LETTERS`, to somebody invented, in the active language."""
    template = f"account/email/{LETTERS[name]}"
    subject = render_to_string(f"{template}_subject.txt", _INVENTED)
    return subject.strip(), render_to_string(f"{template}_message.txt", _INVENTED).strip()


def clocks() -> str:
    """A clock in each of its states: delay, bank, little time, stopped."""
    shown = (("your-turn", True), ("bank-runs", True), ("low-time", True), ("your-turn", False))
    parts = [f'<svg class="defs" width="0" height="0" aria-hidden="true"><defs>{markup.RING_PARTS}</defs></svg>']
    for number, (name, is_lit) in enumerate(shown):
        view = CASES[name].view()
        mark = markup.clock(view, view.near if is_lit else view.far)
        # A page has each id once; the script that runs the clocks is not on this one.
        for part in ("clock", "ring"):
            mark = mark.replace(f' id="{part}-', f' id="kit-{part}-{number}-', 1)
        parts.append(mark)
    return "".join(parts)


def cloth() -> str:
    """A small layout with what it says of itself: counted ends, open sites, the spinner, the last tile."""
    layout = CASES["your-turn"].view().sight.layout
    return board_svg(layout, "wide", last=layout.tiles[-1], label="A layout with its ends")
