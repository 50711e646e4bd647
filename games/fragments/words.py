"""Sentences about the table: what lies there, what a move is called, what just happened."""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.drawing import describe
from games.fragments import markup
from games.messages import news_text, site_text, tile_text
from games.rules import Layout, Preview, Site, Tile, format_site
from games.table import TableView

NEWS_FACTS = 8
_TILE = re.compile("(?<=[0-6]–)(?=[0-6])")
_WORD_JOINER = "\u2060"
_WHO = ("seat", "payer", "winner")  # whose fact it is, as the facts name it
FIVE = 5  # points: what a sum has to be a multiple of, and what a chip is worth


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence: "4, 1 and 5"."""
    if len(words) < 2:
        return "".join(words)
    return _("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}


@lru_cache(maxsize=4096)
def move_name(tile: Tile, site: Site | None, language: str) -> str:
    """A play in words: "0–5 on the 5 of 4–5", for an opening "Open with 0–5"."""
    if site is None:
        return _("Open with %(tile)s") % {"tile": markup.tile_name(tile)}
    return _("%(tile)s on %(place)s") % {"tile": markup.tile_name(tile), "place": site_text(format_site(site))}


def place_label(play: Preview, language: str) -> str:
    """What a place says before it is chosen: the move, the ends it leads to and what it scores."""
    ends = pgettext("of the layout", "ends %(terms)s = %(total)d") % {
        "terms": terms_of(play.contributions),
        "total": play.total,
    }
    score = _("scores %(points)d") % {"points": play.due} if play.due else _("no score")
    return f"{move_name(play.tile, play.site, language)}: {ends}, {score}"


def terms_of(contributions: Sequence[Sequence[Any]]) -> str:
    """Contributions as the left side of a sum: "1 + 4 + 10"."""
    return " + ".join(str(value) for _tile, value in contributions)


def ends_text(contributions: Sequence[Sequence[Any]]) -> str:
    """Contributions, each with the tile it comes from: "1 (1–2) + 10 (5–5)". The tiles as the facts write them."""
    return " + ".join(f"{value} ({tile_text(tile)})" for tile, value in contributions)


def score_text(total: int, due: int, paid: int, payer: str) -> str:
    """Why a sum scored or did not, and who paid how much for it (SB-29, SB-5); `payer` "": whoever reads it."""
    if total % FIVE:
        return _("%(total)d is not a multiple of five, so nothing is paid.") % {"total": total}
    if not due:
        return _("The ends add up to nothing, so nothing is paid.")
    if paid < due and not payer:
        return _("%(due)d earned, %(paid)d paid: you had no more.") % {"due": due, "paid": paid}
    if paid < due:
        return _("%(due)d earned, %(paid)d paid: %(name)s had no more.") % {"due": due, "paid": paid, "name": payer}
    if not payer:
        return ngettext(
            "A multiple of five: you pay %(points)d, which is %(chips)d chip.",
            "A multiple of five: you pay %(points)d, which is %(chips)d chips.",
            due // FIVE,
        ) % {"points": due, "chips": due // FIVE}
    return ngettext(
        "A multiple of five: %(name)s pays %(points)d, which is %(chips)d chip.",
        "A multiple of five: %(name)s pays %(points)d, which is %(chips)d chips.",
        due // FIVE,
    ) % {"name": payer, "points": due, "chips": due // FIVE}


@lru_cache(maxsize=256)
def table_text(layout: Layout, language: str) -> str:
    """The whole picture of the cloth in words, with all that the rule texts say of their figures (SB-81).

    The tiles are named as all of the page names them.
    Kept for the other viewers, and like all that is kept here under the language it is written in.
    """
    if not layout.tiles:
        return _("No tile has been played in this hand.")
    return " ".join(table_sentences(layout, markup.tile_name, "{tile} ({port})"))


def table_sentences(
    layout: Layout, name: Callable[[Tile], str] = markup.bracketed, end: str = "{tile} {port}"
) -> tuple[str, ...]:
    """The sentences of a layout with tiles: contributions, tiles, spinner, connections, legal places.

    `name` writes a tile, `end` one end of a connection; by default both as the rule texts do.
    """
    picture = describe(layout)
    sum_text = f"{terms_of(picture.contributions)} = {picture.total}"
    tiles = ", ".join(map(name, picture.tiles))
    spinner = name(picture.spinner) if picture.spinner else _("none")
    ports = _port_names()
    joins = "; ".join(
        " – ".join(end.format(tile=name(tile), port=ports[port]) for tile, port in join) for join in picture.connections
    )
    sites = "; ".join(f"{name(site.tile)} ({ports[site.port]}, {value})" for site, value in picture.sites)
    return (
        _("Counted contributions: %(sum)s.") % {"sum": sum_text},
        _("Tiles: %(tiles)s.") % {"tiles": tiles},
        _("Spinner: %(tile)s.") % {"tile": spinner},
        _("Connections: %(joins)s.") % {"joins": joins or _("none")},
        _("Legal places: %(sites)s.") % {"sites": sites},
    )


def words_key(view: TableView) -> Hashable:
    """Changes with every tile on the table."""
    return (view.sight.hand, view.sight.layout.tiles)


def words(view: TableView) -> str:
    """The cloth in words, for everybody who asks for it."""
    # The name of a tile is never broken; a span around each would weigh more than all the words.
    text = _TILE.sub(_WORD_JOINER, escape(table_text(view.sight.layout, view.language)))
    return f'<p id="f-words" class="words" tabindex="0">{text}</p>'


def announce_key(view: TableView) -> Hashable:
    """Each version has its own sentence."""
    return view.seq


def announce(view: TableView) -> str:
    """What the last commands did, each with its version, for announce.js to put into the live regions of the page.

    The regions themselves stay where they are: a live region that is replaced is not read. Several versions, because
    one picture may stand for several of them.
    """
    names = [card.name for card in view.seats]
    you = None if view.at_device else view.viewer
    versions: dict[int, list[Mapping[str, Any]]] = {}
    for fact in view.log[-NEWS_FACTS:]:
        if fact["type"] != "turn_started":
            versions.setdefault(fact["seq"], []).append(fact)
    level = "assertive" if view.sight.phase == "over" else "polite"
    news = "".join(
        f'<p data-seq="{seq}" data-facts="{_fact_words(facts)}">{escape(news_text(facts, names, you))}</p>'
        for seq, facts in versions.items()
    )
    turn = escape(_("Your turn.")) if view.is_my_turn else ""
    return f'<div id="f-announce" hidden data-seq="{view.seq}" data-level="{level}" data-turn="{turn}">{news}</div>'


def _fact_words(facts: Sequence[Mapping[str, Any]]) -> str:
    """What happened, for the scripts that show and sound it: "played:0:double transferred:1".

    Only what everybody knows, the same for every viewer: a draw sounds alike whatever was drawn.
    """
    return " ".join(
        f"{fact['type']}:{next((fact[who] for who in _WHO if fact.get(who) is not None), '')}"
        f"{':double' if fact['type'] == 'played' and fact['tile'][0] == fact['tile'][-1] else ''}"
        for fact in facts
    )


def drawn_text(count: int) -> str:
    """How many tiles were drawn: "drew 2 tiles"."""
    return ngettext("drew %(count)d tile", "drew %(count)d tiles", count) % {"count": count}


def _port_names() -> dict[str, str]:
    return {
        "low": pgettext("port", "smaller end"),
        "high": pgettext("port", "larger end"),
        "line_a": pgettext("port", "line A"),
        "line_b": pgettext("port", "line B"),
        "arm_a": pgettext("port", "arm A"),
        "arm_b": pgettext("port", "arm B"),
    }
