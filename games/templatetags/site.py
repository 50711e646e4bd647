"""Tags of the frame around every page: its style sheets, its navigation, its icons and its theme."""

from dataclasses import dataclass

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

register = template.Library()

STYLES = ("tokens", "fonts", "base", "header", "controls", "forms", "cards", "lobby", "pages")
THEMES = ("light", "dark")

# Paths on a 24-unit square, drawn as lines.
ICONS = {
    "home": '<path d="M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z"/>',
    "chart": '<path d="M4 19h16M5 15l4-5 4 3 6-8"/>',
    "book": '<path d="M5 5.5A2.5 2.5 0 0 1 7.5 3H19v15H7.5A2.5 2.5 0 0 0 5 20.5zM5 20.5A2.5 2.5 0 0 0 7.5 21H19v-3"/>',
    "moon": '<path d="M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z"/>',
    "globe": '<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c5 5 5 12 0 17c-5-5-5-12 0-17z"/>',
    "back": '<path d="m14.5 5.5-7 6.5 7 6.5"/>',
    "list": '<path d="M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "user": '<circle cx="12" cy="8.5" r="3.7"/><path d="M4.8 20a7.2 7.2 0 0 1 14.4 0"/>',
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One page of the navigation."""

    label: str
    url: str
    icon: str
    is_current: bool


@register.simple_tag
def site_icon(name: str) -> SafeString:
    """A line icon in the colour of the text around it; it says nothing to a screen reader."""
    return mark_safe(  # noqa: S308 - constants of this module
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"'
        f' stroke-linejoin="round" aria-hidden="true">{ICONS[name]}</svg>'
    )


@register.simple_tag
def site_styles() -> SafeString:
    """The style sheets that every page loads, in their order."""
    return format_html_join(
        "\n  ", '<link rel="stylesheet" href="{}">', ((static(f"css/{name}.css"),) for name in STYLES)
    )


@register.simple_tag
def test_deals() -> bool:
    """Whether this site deals tiles that were chosen beforehand."""
    return bool(getattr(settings, "TEST_DEALS", None))


@register.simple_tag(takes_context=True)
def theme_attribute(context: template.Context) -> SafeString:
    """The theme of the visitor's cookie as an attribute; nothing when the page follows the system."""
    request = context.get("request")
    theme = request.COOKIES.get("theme") if request is not None else None
    return format_html(' data-theme="{}"', theme) if theme in THEMES else SafeString("")


@register.simple_tag(takes_context=True)
def site_pages(context: template.Context) -> list[Entry]:
    """The pages of the navigation that this site has."""
    request = context.get("request")
    path = request.path if request is not None else ""
    user = getattr(request, "user", None)
    wanted: list[tuple[str, str, str, tuple[str, ...]]] = [(_("Play"), "home", "lobby", ())]
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
