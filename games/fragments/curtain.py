"""The curtain over the table of two at one device: whose turn it is to look, and nothing of either hand (D-4)."""

from collections.abc import Hashable
from html import escape

from django.utils.translation import gettext as _

from games.fragments import markup
from games.table import TableView


def curtain_key(view: TableView) -> Hashable:
    """Changes with each fall of the curtain."""
    if view.sight.phase != "curtain":
        return None
    return (view.seq, view.csrf)


def curtain(view: TableView) -> str:
    """The curtain with its one button; hidden while somebody looks, and always where each has a device."""
    seat = view.sight.turn
    if view.sight.phase != "curtain" or seat is None:
        return '<div id="f-curtain" class="curtain" hidden></div>'
    title = _("Pass the device to %(name)s") % {"name": markup.short_name(view, seat)}
    text = _("Both hands are hidden and the clocks are stopped until the next player looks.")
    action = ""
    if view.can("reveal"):
        # It names the version, too: pressed late, it must not show the tiles of the other.
        values = {"seq": str(view.seq)}
        attributes = ' id="reveal" aria-describedby="curtain-title"'
        button = markup.button(_("Show my tiles"), "large", attributes)
        action = markup.command_form(view, "reveal", button, values=values, names_hand=True)
    return (
        '<div id="f-curtain" class="curtain"><section class="curtain__card" aria-labelledby="curtain-title">'
        f"{markup.seat_avatar(view, seat, 'l')}"
        f'<h2 class="curtain__title" id="curtain-title">{escape(title)}</h2>'
        f'<p class="curtain__text">{escape(text)}</p>{action}</section></div>'
    )
