"""What has to be seen on what, computed from the tokens of both themes (WCAG 2.2, 1.4.3 and 1.4.11)."""

import re

import pytest

from tests.contrast import TOKENS, contrast, tokens

TEXT, PART = 4.5, 3.0  # the least for words, and for what is told without words
WORDS = (
    *(("ink", ground) for ground in ("bg", "surface", "surface-2", "sunk")),
    *(("ink-2", ground) for ground in ("bg", "surface", "surface-2", "sunk")),
    *(("ink-3", ground) for ground in ("bg", "surface", "sunk")),
    ("on-primary", "primary"),
    ("on-primary", "primary-hover"),
    ("primary-ink", "bg"),
    ("primary-ink", "primary-soft"),
    *((state, f"{state}-soft") for state in ("good", "bad", "warn")),
    *((state, "surface") for state in ("good", "bad")),
    *(("on-felt", ground) for ground in ("felt-a", "felt-b", "felt-c", "rail", "rail-2")),
    *(("on-felt-2", ground) for ground in ("felt-a", "felt-b", "felt-c", "rail", "rail-2")),
    *(("on-lit", ground) for ground in ("lit", "lit-sunk", "lit-raised", "lit-low")),
    *(("on-lit-2", ground) for ground in ("lit", "lit-sunk", "lit-low")),
    *(("on-lit-clock", ground) for ground in ("lit-clock", "lit-primary", "lit-primary-hover")),
    ("on-lit-clock", "alarm-deep"),
    ("lit-gain", "lit"),
    ("on-score", "score"),
    ("score", "rail"),
    ("alarm", "rail"),
    *(("on-avatar", f"avatar-{hue}") for hue in range(7)),
)
PARTS = (
    ("line-strong", "bg"),
    ("line-strong", "surface"),
    ("focus", "bg"),
    ("felt-focus", "felt-a"),
    ("lit-focus", "lit"),
    ("spinner", "felt-b"),
    ("ring", "felt-a"),
    ("last", "felt-a"),
    ("chip-a", "rail"),
    ("act", "lit"),
    ("pick", "lit-sunk"),
    *((f"chart-{line}", "surface") for line in (1, 2, 3)),
)
# What DESIGN promises, measured: no change of a token may make it less by more than a tenth of a step of the scale.
PROMISED = {
    ("ink", "bg"): (15.1, 15.9),
    ("ink-2", "bg"): (7.0, 9.6),
    ("ink-3", "bg"): (5.2, 6.2),
    ("on-primary", "primary"): (8.0, 8.1),
    ("on-felt", "felt-a"): (6.5, 7.3),
    ("on-felt-2", "felt-a"): (4.8, 5.4),
    ("on-lit", "lit"): (15.5, 13.9),
    ("on-lit-2", "lit"): (7.2, 6.5),
    ("on-score", "score"): (10.2, 10.2),
    ("line-strong", "bg"): (3.6, 5.0),
    ("focus", "bg"): (5.7, 10.2),
    ("ring", "felt-a"): (6.5, 7.3),
}
THEMES = ("light", "dark")
SETS = ("ivory", "ebony")

each_theme = pytest.mark.parametrize("theme", THEMES)


def seen(pairs: tuple[tuple[str, str], ...], colours: dict[str, str], least: float) -> list[str]:
    """The pairs that are not seen well enough."""
    ratios = ((pair, contrast(colours[pair[0]], colours[pair[1]])) for pair in pairs)
    return [f"{one} on {other}: {ratio:.2f}" for (one, other), ratio in ratios if ratio < least]


@each_theme
@pytest.mark.parametrize("more", ["", "more"])
def test_words_and_parts_are_seen(theme: str, more: str) -> None:
    colours = tokens(theme, more)
    assert seen(WORDS, colours, TEXT) == []
    assert seen(PARTS, colours, PART) == []


@each_theme
def test_more_contrast_is_more(theme: str) -> None:
    for one, other in (("ink-2", "bg"), ("ink-3", "bg"), ("line", "bg"), ("on-felt-2", "felt-a")):
        plain, more = tokens(theme), tokens(theme, "more")
        assert contrast(more[one], more[other]) > contrast(plain[one], plain[other]), (one, other)


@each_theme
def test_figures_of_the_design_hold(theme: str) -> None:
    colours = tokens(theme)
    for (one, other), figures in PROMISED.items():
        assert contrast(colours[one], colours[other]) >= figures[THEMES.index(theme)] - 0.1, (one, other)


@each_theme
@pytest.mark.parametrize("tiles", SETS)
def test_tiles_are_read_and_seen(theme: str, tiles: str) -> None:
    """Pips on both ends of the gradient, plain and coloured. Ivory on the cloth; an ebony tile by its pips and rule."""
    colours = tokens(theme, tiles)
    for ground in ("tile-a", "tile-b"):
        assert contrast(colours["pip"], colours[ground]) >= 7
        pips = tokens(theme, tiles, "coloured")
        for number in range(1, 7):
            assert contrast(pips[f"pips-{number}"], pips[ground]) >= TEXT, (number, ground)
    seen_on_cloth = "tile-b" if tiles == "ivory" else "pip"
    assert contrast(colours[seen_on_cloth], colours["felt-a"]) >= 4.5
    backs_on_rail = max(contrast(colours[part], colours["rail"]) for part in ("back-a", "back-rule"))
    assert backs_on_rail >= PART


def test_following_the_system_is_the_dark_theme() -> None:
    """The page without scripts and cookie has a copy of the dark colours; it must stay one."""
    text = TOKENS.read_text()
    copied = text[text.index(":root:not([data-theme]) {") :]
    found = dict(re.findall(r"--([\w-]+):\s*([^;]+);", copied[: copied.index("}")]))
    dark = tokens("dark")
    assert found == {name: dark[name] for name in found}
    plain = tokens("light")
    assert {name for name in dark if dark[name] != plain[name]} == set(found)
