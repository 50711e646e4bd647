"""Tags that show a person: the avatar with initials on one of seven hues."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

HUES = 7

register = template.Library()


@register.simple_tag
def avatar(name: str, size: str = "") -> SafeString:
    """Initials of `name` on its hue; `size` is "", "tiny", "small" or "large".

    Silent for screen readers, since the name always stands beside it.
    """
    css_class = f"avatar avatar--{size}" if size else "avatar"
    return format_html(
        '<span class="{}" data-hue="{}" aria-hidden="true">{}</span>', css_class, hue(name), initials(name)
    )


def hue(name: str) -> int:
    """The hue of a name, 0 to 6, the same in every process."""
    number = 7
    for letter in name:
        number = (number * 31 + ord(letter)) & 0xFFFFFFFF
    return number % HUES


def initials(name: str) -> str:
    """First letters of the first two words as they are written; a single word gives its first two letters.

    Case is kept: upper case of i differs between languages, and a name is not ours to change.

    >>> initials("Zeynep Karahanoğlu"), initials("alice")
    ('ZK', 'al')
    """
    words = name.replace("_", " ").replace("-", " ").replace(".", " ").split()
    if len(words) > 1:
        return words[0][0] + words[1][0]
    return name[:2]
