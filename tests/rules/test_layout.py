"""Layouts: the worked figures, the vectors of placement, and sites that never go astray."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import (
    EMPTY_LAYOUT,
    TILES,
    Layout,
    Site,
    Tile,
    format_site,
    format_tile,
    parse_site,
    parse_tile,
    site_value,
)
from games.rules.layout import layout_of, sites_of
from games.rules.scoring import points_due

FIGURES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "figures.json").read_text())


def lay(moves: str) -> Layout:
    """The layout after moves like `1|4 4|4@1|4.high`."""
    layout = EMPTY_LAYOUT
    for move in moves.split():
        tile, _, site = move.partition("@")
        layout = layout.place(parse_tile(tile), parse_site(site) if site else None)
    return layout


def shown(layout: Layout) -> tuple[str, str]:
    """Sites and contributions as text."""
    sites = " ".join(format_site(site) for site in layout.sites)
    return sites, " ".join(f"{format_tile(tile)}:{value}" for tile, value in layout.contributions)


def test_there_are_eleven_figures() -> None:
    assert [figure["id"][:3] for figure in FIGURES] == [f"F{number:02}" for number in range(1, 12)]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure["id"])
def test_a_figure_is_laid_as_it_is_drawn(figure: dict[str, Any]) -> None:
    layout = EMPTY_LAYOUT.place(Tile(*figure["tiles"][0]), None)
    for connection in figure["connections"]:
        site, joined = connection["a"], connection["b"]
        layout = layout.place(Tile(*joined["tile"]), Site(Tile(*site["tile"]), site["port"]))
        assert layout.joins[-1][1] == (Tile(*joined["tile"]), joined["port"])
    assert [list(tile) for tile in layout.tiles] == figure["tiles"]
    assert layout.spinner == (Tile(*figure["spinner"]) if figure["spinner"] else None)
    assert [{"tile": list(site.tile), "port": site.port, "value": site_value(site)} for site in layout.sites] == figure[
        "legal_sites"
    ]
    assert [{"tile": list(tile), "value": value} for tile, value in layout.contributions] == figure["counted"]
    assert layout.total == figure["sum"]
    assert points_due(layout.total) == figure["score"]
    if figure["placed_at"]:
        onto = figure["placed_at"]["onto"]
        assert layout.joins[-1] == (
            (Tile(*onto["tile"]), onto["port"]),
            (Tile(*figure["placed"]), figure["placed_at"]["joining_port"]),
        )


F09 = "1|4 1|1@1|4.low 4|4@1|4.high 3|4@4|4.line_b 1|2@1|1.line_b 1|5@1|1.arm_a"


@pytest.mark.parametrize(
    ("moves", "sites", "contributions", "total", "due"),
    [
        pytest.param("5|5", "5|5.line_a 5|5.line_b", "5|5:10", 10, 10, id="V1"),
        pytest.param(
            f"{F09} 5|5@1|5.high",
            "1|1.arm_b 1|2.high 3|4.low 5|5.line_b",
            "1|2:2 3|4:3 5|5:10",
            15,
            15,
            id="V2",
        ),
        pytest.param(
            "3|3 3|6@3|3.line_a 3|5@3|3.line_b 3|4@3|3.arm_a 1|3@3|3.arm_b 6|6@3|6.high 5|5@3|5.high "
            "4|4@3|4.high 1|5@1|3.low",
            "1|5.high 4|4.line_b 5|5.line_b 6|6.line_b",
            "1|5:5 4|4:8 5|5:10 6|6:12",
            35,
            35,
            id="V3",
        ),
        pytest.param("6|6 3|6@6|6.line_a", "3|6.low 6|6.line_b", "3|6:3 6|6:12", 15, 15, id="V4-two"),
        pytest.param(
            "6|6 3|6@6|6.line_a 1|6@6|6.line_b",
            "1|6.low 3|6.low 6|6.arm_a 6|6.arm_b",
            "1|6:1 3|6:3",
            4,
            0,
            id="V4-three",
        ),
        pytest.param("5|5 0|5@5|5.line_a", "0|5.low 5|5.line_b", "0|5:0 5|5:10", 10, 10, id="V5"),
        pytest.param("1|4 4|4@1|4.high", "1|4.low 4|4.line_b", "1|4:1 4|4:8", 9, 0, id="V6"),
        pytest.param(
            "4|4 4|6@4|4.line_a 1|4@4|4.line_b",
            "1|4.low 4|4.arm_a 4|4.arm_b 4|6.high",
            "1|4:1 4|6:6",
            7,
            0,
            id="V7",
        ),
        pytest.param("0|5", "0|5.high 0|5.low", "0|5:5 0|5:0", 5, 5, id="V8-0-5"),
        pytest.param("2|3", "2|3.high 2|3.low", "2|3:3 2|3:2", 5, 5, id="V8-2-3"),
        pytest.param("4|6", "4|6.high 4|6.low", "4|6:6 4|6:4", 10, 10, id="V8-4-6"),
        pytest.param("1|4", "1|4.high 1|4.low", "1|4:4 1|4:1", 5, 5, id="V8-1-4"),
    ],
)
def test_a_vector_counts_as_written(moves: str, sites: str, contributions: str, total: int, due: int) -> None:
    layout = lay(moves)
    assert shown(layout) == (sites, contributions)
    assert (layout.total, points_due(layout.total)) == (total, due)


def test_the_spinner_is_the_first_double_laid_not_the_opening_tile() -> None:
    """SB-21, D-13."""
    assert lay("1|4").spinner is None
    assert lay("1|4 4|4@1|4.high").spinner == (4, 4)
    assert lay("1|4 4|4@1|4.high 1|1@1|4.low").spinner == (4, 4)


def test_the_fourth_arm_stays_open_while_the_others_grow() -> None:
    """B001: four ways, with the totals that each placement leaves."""
    layout = EMPTY_LAYOUT
    totals = []
    for move in ("6|6", "4|6@6|6.line_a", "1|6@6|6.line_b", "5|6@6|6.arm_a", "4|5@4|6.low", "1|3@1|6.low"):
        tile, _, site = move.partition("@")
        layout = layout.place(parse_tile(tile), parse_site(site) if site else None)
        totals.append(layout.total)
        if len(layout.tiles) >= 4:
            assert parse_site("6|6.arm_b") in layout.sites
            assert len(layout.sites) == 4
    assert totals == [12, 16, 5, 10, 11, 13]
    assert shown(lay("6|6 4|6@6|6.line_a 1|6@6|6.line_b 5|6@6|6.arm_a"))[0] == "1|6.low 4|6.low 5|6.low 6|6.arm_b"


def test_a_later_double_on_an_arm_has_no_arms() -> None:
    """SB-24."""
    layout = lay("6|6 4|6@6|6.line_a 1|6@6|6.line_b 5|6@6|6.arm_a 5|5@5|6.low 3|5@5|5.line_b")
    assert not [site for site in layout.sites if site.tile == (5, 5)]
    assert layout.spinner == (6, 6)


def test_an_opening_is_not_kept_by_the_empty_layout() -> None:
    """Or the tables of all matches would pile up behind it."""
    lay(F09)
    assert EMPTY_LAYOUT._next == {}


def random_layouts(seed: int) -> list[Layout]:
    """The positions of one random hand without an opponent, until nothing fits."""
    rng = Random(seed)
    left = list(TILES)
    rng.shuffle(left)
    layout = EMPTY_LAYOUT.place(left.pop(), None)
    layouts = [layout]
    while fitting := [(tile, site) for tile in left for site in layout.sites if site_value(site) in tile]:
        tile, site = rng.choice(fitting)
        left.remove(tile)
        layout = layout.place(tile, site)
        layouts.append(layout)
    return layouts


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_sites_carried_along_equal_those_found_from_scratch(seed: int) -> None:
    """B001: what is kept beside the joins is what the joins give."""
    for layout in random_layouts(seed):
        assert layout.sites == sites_of(layout.tiles, layout.joins)
        assert layout.values == tuple(site_value(site) for site in layout.sites)
        afresh = layout_of(layout.tiles[0], layout.joins)
        assert afresh == layout
        assert afresh._next == {}


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_layout_is_a_tree_with_two_or_four_sites(seed: int) -> None:
    """The invariants of layouts (SB-20, SB-23, SB-28, SB-31)."""
    for layout in random_layouts(seed):
        assert len(layout.joins) == len(layout.tiles) - 1
        ends = [end for join in layout.joins for end in join]
        assert len(set(ends)) == len(ends)
        assert all(site_value(site) == site_value(joined) for site, joined in layout.joins)
        lines = {Site(layout.spinner, "line_a"), Site(layout.spinner, "line_b")} if layout.spinner else set()
        is_closed = bool(lines) and lines <= set(ends)
        assert len(layout.sites) == (4 if is_closed else 2)
        assert list(layout.sites) == sorted(layout.sites)
        assert {site.tile for site in ends + list(layout.sites) if site.port in ("arm_a", "arm_b")} <= (
            {layout.spinner} if is_closed else set()
        )
        assert layout.total == sum(value for _, value in layout.contributions) <= 36


@pytest.mark.parametrize(
    ("opening", "joins", "why"),
    [
        (None, "1|4.low 1|1.line_a", "without an opening"),
        ("1|4", "1|4.low 1|1.line_b", "does not fit"),
        ("1|4", "1|4.low 2|3.low", "does not fit"),
        ("1|4", "4|4.line_a 1|4.high", "not open"),
        ("1|1", "1|1.arm_a 1|4.low", "not open"),
        ("1|4", "1|4.low 1|4.low", "not open"),
    ],
)
def test_joins_that_are_no_layout_are_refused(opening: str | None, joins: str, why: str) -> None:
    site, joined = (parse_site(text) for text in joins.split())
    with pytest.raises(ValueError, match=why):
        layout_of(parse_tile(opening) if opening else None, ((site, joined),))


@pytest.mark.parametrize("text", ["1|4.arm_a", "4|4.low", "1|4", "1|4.", "1|4.LOW", None])
def test_it_refuses_what_is_no_site(text: object) -> None:
    with pytest.raises(ValueError, match="not a site"):
        parse_site(text)
