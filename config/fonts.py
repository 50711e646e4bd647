"""Cuts the site's two typefaces out of the wheels that carry them, as files for the web.

Inter for the interface, Fraunces for titles, both variable in weight. Each becomes two
woff2 files, `latin` and `latin-ext`; a browser loads the second only for a page with such
letters. What they cover is said once more in static/css/fonts.css (`unicode-range`).
"""

from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

LATIN = "0000-00FF,0131,0152-0153,02BB-02BC,02C6,02DA,02DC,2000-206F,20AC,2122,2191,2193,2212,2215"
LATIN_EXT = "0100-0130,0132-0151,0154-02BA,1E00-1E9F,1EF2-1EFF,2020,20A0-20AB,20AD-20C0,2113"
RANGES = {"latin": LATIN, "latin-ext": LATIN_EXT}
FEATURES = ["calt", "ccmp", "dnom", "frac", "kern", "liga", "lnum", "locl", "mark", "mkmk", "numr", "pnum", "tnum"]


@dataclass(frozen=True, slots=True)
class Typeface:
    """One family: the wheel that carries it, the file in there, and the axes that are not left open."""

    name: str
    package: str
    file: str
    pinned: tuple[tuple[str, float], ...]


TYPEFACES = (
    Typeface("inter", "fontpkg-inter", "Inter[opsz,wght].ttf", (("opsz", 14),)),
    Typeface(
        "fraunces", "fontpkg-fraunces", "Fraunces[SOFT,WONK,opsz,wght].ttf", (("SOFT", 0), ("WONK", 0), ("opsz", 14))
    ),
)


def cut_fonts(folder: Path) -> bool:
    """Fills `folder` with inter-latin.woff2 and its kin. False when the files there are already what it would make."""
    stamp = folder / ".made-of"
    made_of = _recipe()
    if stamp.is_file() and stamp.read_text() == made_of:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    for face in TYPEFACES:
        for name, unicodes in RANGES.items():
            font = _cut(_source(face), unicodes, face.pinned)
            font.flavor = "woff2"
            font.save(folder / f"{face.name}-{name}.woff2")
    stamp.write_text(made_of)
    return True


def _cut(source: Path, unicodes: str, pinned: tuple[tuple[str, float], ...]) -> TTFont:
    options = Options()
    options.layout_features = FEATURES
    options.notdef_outline = True
    font = TTFont(source, recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(unicodes))
    subsetter.subset(font)  # first, since pinning axes costs time per glyph
    return instantiateVariableFont(font, dict(pinned), inplace=True)


def _source(face: Typeface) -> Path:
    spec = find_spec(face.package.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"{face.package} is not installed")
    return Path(spec.origin).parent / "files" / face.file


def _recipe() -> str:
    """What the files depend on: versions, ranges, axes."""
    wheels = [f"{name} {version(name)}" for name in ("fonttools", *(face.package for face in TYPEFACES))]
    return "\n".join([*wheels, LATIN, LATIN_EXT, repr(FEATURES), repr(TYPEFACES)])
