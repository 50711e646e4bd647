"""The list of moves: every legal move as a button of its own, with what it scores or costs.

It is the whole hand of a page without scripts and of a very narrow one, and what the scripts send. With the setting it
holds draws and bids too, which else have their buttons on the cloth. A bid of the whole balance is only on the
auction's card, where it is asked for twice (D-21).
"""

import re
from collections.abc import Iterator
from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.fragments import markup
from games.fragments.words import move_name
from games.rules import Preview, format_site, format_tile
from games.rules.auction import net_price
from games.table import TableView

TILE_NAME = re.compile(r"\d–\d")


def moves(view: TableView) -> str:
    """The list; nothing where the viewer has no move."""
    rows = "".join(_play(view, preview) for preview in view.sight.previews)
    if view.prefs.move_list and view.is_my_turn:
        rows += "".join(_others(view))
    if not rows:
        return ""
    return f'<div class="moves" role="group" aria-label="{escape(_("Your moves"))}">{rows}</div>'


def _play(view: TableView, preview: Preview) -> str:
    tile, site = format_tile(preview.tile), format_site(preview.site) if preview.site else ""
    score = f'<span class="moves__score num"{" data-scores" if preview.due else ""}>{markup.signed(preview.due)}</span>'
    name = escape(move_name(preview.tile, preview.site, view.language))
    name = TILE_NAME.sub(r'<span class="moves__tile">\g<0></span>', name)
    return markup.command_form(
        view,
        "play",
        f'<button class="moves__button"><span>{name}</span> {score}</button>',
        values={"tile": tile, "site": site},
        attributes=f' data-play="{tile}@{site}"',
    )


def _others(view: TableView) -> Iterator[str]:
    """Drawing, and the answers of an auction."""
    if view.can("draw"):
        count = view.sight.boneyard
        text = ngettext("Draw a tile, %(count)d left", "Draw a tile, %(count)d left", count) % {"count": count}
        yield _simple(view, "draw", text)
    if view.can("decline"):
        yield _simple(view, "decline", _("No bid"))
    if view.can("accept") and view.sight.bid is not None:
        yield _simple(view, "accept", _("Accept %(amount)d") % {"amount": view.sight.bid.amount})
    for kind in ("bid", "raise"):
        yield from _bids(view, kind)


def _bids(view: TableView, kind: str) -> Iterator[str]:
    wording = _("Bid {amount}") if kind == "bid" else _("Raise to {amount}")
    for amount in view.amounts(kind):
        net = net_price(amount, is_jockey=view.sight.jockey == view.viewer)
        if net < view.sight.balances[view.near]:
            text = escape(wording.replace("{amount}", str(amount)))
            price = f'<span class="moves__score num">{markup.signed(-net)}</span>'
            button = f'<button class="moves__button">{text} {price}</button>'
            yield markup.command_form(view, kind, button, values={"amount": str(amount)})


def _simple(view: TableView, kind: str, text: str) -> str:
    return markup.command_form(view, kind, f'<button class="moves__button">{escape(text)}</button>')
