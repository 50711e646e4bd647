"""Tags of the frame around every page: its style sheets, its navigation and its theme."""

import re
from dataclasses import dataclass

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.looks import look_of
from games.fragments import panel

register = template.Library()

FIRST_STYLES = ("tokens", "fonts", "base", "header", "controls", "cards")
# By the kind of page. What only the others need is not asked for.
STYLES = {
    "site": (*FIRST_STYLES, "forms", "lobby", "pages"),
    "table": (
        *FIRST_STYLES,
        *("table", "seat", "tray", "cloth", "auction", "curtain", "sheet", "panel", "rules", "motion", "sound"),
    ),
}
# Asked for last, and only by who needs them.
RARE_STYLES = (("contrast", "(forced-colors: active), (prefers-contrast: more)"), ("print", "print"))

_HYPHENED = re.compile(r"\w+-\w+")


@dataclass(frozen=True, slots=True)
class Entry:
    """One page of the navigation."""

    label: str
    url: str
    icon: str
    is_current: bool


@register.simple_tag
def site_styles() -> SafeString:
    """The style sheets of a page, in their order."""
    return _sheets("site")


@register.simple_tag
def table_styles() -> SafeString:
    """The style sheets of the table, which has nothing of other pages."""
    return _sheets("table")


@register.simple_tag
def rare_styles() -> SafeString:
    """The style sheets for paper, and for whoever asks for more contrast or has colours of their own."""
    links = ((static(f"css/{name}.css"), media) for name, media in RARE_STYLES)
    return format_html_join("\n  ", '<link rel="stylesheet" href="{}" media="{}">', links)


@register.simple_tag
def log_tiles() -> SafeString:
    """All tiles once, small, for the rows of the log to refer to."""
    return SafeString(panel.tile_symbols())


@register.simple_tag(takes_context=True)
def theme_attribute(context: template.Context) -> SafeString:
    """Theme, tiles, pips and motion of whoever reads as attributes; nothing where they are as by default."""
    request = context.get("request")
    return format_html_join("", ' data-{}="{}"', look_of(request).items() if request is not None else ())


@register.simple_tag(takes_context=True)
def site_pages(context: template.Context) -> list[Entry]:
    """The pages of the navigation that this site has."""
    request = context.get("request")
    path = request.path if request is not None else ""
    user = getattr(request, "user", None)
    wanted: list[tuple[str, str, str, tuple[str, ...]]] = [(pgettext("page", "Play"), "home", "lobby", ())]
    if user is not None and user.is_authenticated:
        wanted.append((_("Ratings"), "chart", "player", (user.get_username(),)))
    wanted.append((_("Rules"), "book", "rules", ()))
    entries = []
    for label, icon, name, arguments in wanted:
        try:
            url = reverse(name, args=arguments)
        except NoReverseMatch:
            continue
        is_current = path == url or (url == "/" and path.startswith("/matches/"))
        entries.append(Entry(label, url, icon, is_current))
    return entries


@register.filter
def longest_word(text: str) -> int:
    """Letters of the longest part that is never broken, of a name for example."""
    return max(map(len, text.split()), default=0)


@register.filter
def unbroken(text: str) -> SafeString:
    """Words with a hyphen, as "e-mail", kept in one line."""
    return SafeString(_HYPHENED.sub(r'<span class="unbroken">\g<0></span>', escape(text)))


def _sheets(page: str) -> SafeString:
    names = (f"all-{page}",) if settings.JOINED_STYLES else STYLES[page]
    links = ((static(f"css/{name}.css"),) for name in names)
    return format_html_join("\n  ", '<link rel="stylesheet" href="{}">', links)
