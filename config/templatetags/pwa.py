"""The tag of every page's head for browsers that install sites."""

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.looks import look_of
from config.icons import icon_name
from config.pwa import GROUND

register = template.Library()


@register.simple_tag(takes_context=True)
def pwa_links(context: template.Context) -> SafeString:
    """Manifest, icon, and the colour around the page: that of the reader's theme, or of either as the system says."""
    request = context.get("request")
    theme = look_of(request).get("theme", "") if request is not None else ""
    grounds = (
        [(GROUND[theme], "all")]
        if theme in GROUND
        else [(colour, f"(prefers-color-scheme: {name})") for name, colour in GROUND.items()]
    )
    return format_html(
        '<link rel="manifest" href="{}">\n  <link rel="apple-touch-icon" href="{}">\n  {}',
        reverse("manifest", args=(get_language() or "en",)),
        static(icon_name("apple", 180)),
        format_html_join("\n  ", '<meta name="theme-color" content="{}" media="{}">', grounds),
    )
