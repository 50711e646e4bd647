"""Draws the icons of the site as PNG files, from the SVG files that browsers also get.

Phones want an installed site's icon in pixels. A drawing here is rectangles and circles, each of one colour, in groups
that may be turned (`rotate(degrees x y)`): enough for a tile, and little enough to be drawn without a library.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from math import ceil, cos, floor, hypot, radians, sin
from pathlib import Path
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
PNG_HEAD = b"\x89PNG\r\n\x1a\n"
# A tile on nothing, for whatever ground a device has; and one on cloth to the very edge, of which a device may keep a
# circle of four fifths.
DRAWINGS = {"any": "icon.svg", "maskable": "icon-full.svg", "apple": "icon-full.svg"}
SIZES = {"any": (192, 512), "maskable": (192, 512), "apple": (180,)}


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle with round corners, turned about a point of its own; a circle is one that is all corner. Pixels."""

    middle: tuple[float, float]
    half: tuple[float, float]
    radius: float
    degrees: float
    colour: tuple[int, int, int]

    def distance(self, x: float, y: float) -> float:
        """How far a point is outside of the edge; inside it is negative."""
        dx, dy = _turned(x - self.middle[0], y - self.middle[1], -self.degrees)
        outside_x, outside_y = abs(dx) - self.half[0] + self.radius, abs(dy) - self.half[1] + self.radius
        return hypot(max(outside_x, 0), max(outside_y, 0)) + min(max(outside_x, outside_y), 0) - self.radius


def icon_name(purpose: str, size: int) -> str:
    """The static file of an icon.

    >>> icon_name("maskable", 512)
    'icons/maskable-512.png'
    """
    return f"icons/{purpose}-{size}.png"


def draw_icons(static: Path, folder: Path) -> bool:
    """Fills `folder` with all icons. False when the files there are already what it would make."""
    stamp = folder / ".made-of"
    made_of = sha256(b"".join(path.read_bytes() for path in (Path(__file__), *sorted(static.glob("icon*.svg")))))
    if stamp.is_file() and stamp.read_text() == made_of.hexdigest():
        return False
    folder.mkdir(parents=True, exist_ok=True)
    for purpose, drawing in DRAWINGS.items():
        for size in SIZES[purpose]:
            path = folder / Path(icon_name(purpose, size)).name
            path.write_bytes(draw(static / drawing, size))
    stamp.write_text(made_of.hexdigest())
    return True


def draw(drawing: Path, size: int) -> bytes:
    """A square PNG of a drawing, `size` pixels wide; what nothing covers stays clear."""
    root = ElementTree.parse(drawing).getroot()  # noqa: S314 (a file of ours)
    left, top, width, _height = map(float, root.attrib["viewBox"].split())
    pixels = bytearray(size * size * 4)
    for shape in _shapes(root, (left, top, size / width), 0, ""):
        _paint(pixels, size, shape)
    return _png(bytes(pixels), size)


def _shapes(
    element: ElementTree.Element, frame: tuple[float, float, float], degrees: float, fill: str
) -> Iterator[Shape]:
    """The shapes in their order; `frame` is what the left upper corner is called, and pixels for a unit."""
    left, top, scale = frame
    for child in element:
        fill_here = child.get("fill", fill)
        if child.tag == f"{SVG}g":
            turn = child.get("transform", "rotate(0 16 16)").removeprefix("rotate(").removesuffix(")").split()
            if turn[1:] != ["16", "16"]:
                raise ValueError("groups turn about 16 16")
            yield from _shapes(child, frame, degrees + float(turn[0]), fill_here)
            continue
        number = {name: float(value) for name, value in child.items() if name != "fill"}
        if child.tag == f"{SVG}circle":
            x, y, half, radius = number["cx"], number["cy"], (number["r"],) * 2, number["r"]
        else:
            half, radius = (number["width"] / 2, number["height"] / 2), number.get("rx", 0)
            x, y = number["x"] + half[0], number["y"] + half[1]
        dx, dy = _turned(x - 16, y - 16, degrees)
        colour = bytes.fromhex(fill_here.removeprefix("#"))
        yield Shape(
            ((16 + dx - left) * scale, (16 + dy - top) * scale),
            (half[0] * scale, half[1] * scale),
            radius * scale,
            degrees,
            (colour[0], colour[1], colour[2]),
        )


def _paint(pixels: bytearray, size: int, shape: Shape) -> None:
    """The shape over what is there, its edge as soft as the part of each pixel that it covers."""
    reach = hypot(*shape.half) + 1
    columns, rows = (range(max(0, floor(middle - reach)), min(size, ceil(middle + reach))) for middle in shape.middle)
    for row in rows:
        for column in columns:
            cover = min(1.0, 0.5 - shape.distance(column + 0.5, row + 0.5))
            if cover <= 0:
                continue
            at = 4 * (row * size + column)
            below = pixels[at + 3] / 255
            above = cover + below * (1 - cover)
            for channel in range(3):
                mixed = shape.colour[channel] * cover + pixels[at + channel] * below * (1 - cover)
                pixels[at + channel] = round(mixed / above)
            pixels[at + 3] = round(255 * above)


def _turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    angle = radians(degrees)
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)


def _png(pixels: bytes, size: int) -> bytes:
    rows = b"".join(b"\0" + pixels[start : start + 4 * size] for start in range(0, len(pixels), 4 * size))
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return PNG_HEAD + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
