"""The tag that has a page's modules fetched all at once, and not each when the one that imports it has come."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

# What is imported when it is needed (`import("…")`) is left for then.
IMPORT = re.compile(r'^(?:import|export)\s(?:[^"();]*?from\s)?"(\./[^"]+)"', re.MULTILINE)

register = template.Library()


@register.simple_tag
def module_preloads(name: str) -> SafeString:
    """Links for every module that the script imports, itself or by others."""
    find = _imports.__wrapped__ if settings.DEBUG else _imports
    return format_html_join("\n  ", '<link rel="modulepreload" href="{}">', ((static(one),) for one in find(name)))


@cache
def _imports(name: str) -> tuple[str, ...]:
    """In the order in which they are met, each once."""
    met: list[str] = []
    waiting = [name]
    while waiting:
        script = waiting.pop(0)
        found = finders.find(script)
        if found is None:
            raise FileNotFoundError(script)
        for other in IMPORT.findall(Path(found).read_text()):
            module = normpath(join(dirname(script), other))
            if module not in met:
                met.append(module)
                waiting.append(module)
    return tuple(met)
