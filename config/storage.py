"""Where collected static files are: under names that change with what is in them, those of imported modules too.

Our own are without their comments there, which are a quarter of a script even when it is compressed.
"""

import re
from fnmatch import fnmatch
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The address of an imported module, in scripts of our own only: what others wrote looks alike in places.
IMPORTS = (r"""(?P<matched>(?P<word>(?:from|import)\s*\(?\s*)"(?P<url>\./[^"]+)")""", '%(word)s"%(url)s"')
# Whole lines, and blocks that tell types; a text of a program never looks like either here.
COMMENTS = {
    "js/*.js": re.compile(r"^[ \t]*//[^\n]*\n|/\*\*.*?\*/[ \t]?", re.MULTILINE | re.DOTALL),
    "css/*.css": re.compile(r"/\*.*?\*/\n?", re.DOTALL),
}


class StaticFiles(CompressedManifestStaticFilesStorage):
    """A browser may keep every file for good, and a page never runs modules of two versions together."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", (IMPORTS,)))
    max_post_process_passes = 20  # as deep as modules import one another

    def _save(self, name: str, content: Any) -> str:
        return super()._save(name, ContentFile(without_comments(name, b"".join(content.chunks()))))


def without_comments(name: str, content: bytes) -> bytes:
    """A script or style sheet of ours as browsers get it; any other file as it is.

    >>> without_comments("js/a.js", b"// Why.\\nlet a = /** @type {any} */ (b);\\n")
    b'let a = (b);\\n'
    """
    for pattern, comment in COMMENTS.items():
        if fnmatch(name, pattern):
            return comment.sub("", content.decode()).encode()
    return content
