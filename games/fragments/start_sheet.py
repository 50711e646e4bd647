"""The sheet before Start: who is ready, and the way out while nothing is dealt."""

from html import escape

from django.utils.translation import gettext as _

from games.fragments import markup, sheet_parts
from games.table import TableView


def before_start(view: TableView) -> str:
    sight = view.sight
    subtitle = _("Once both have pressed Start, the tiles are dealt and the first clock starts.")
    sides = "".join(
        f'<div class="sheet__side">{sheet_parts.person(view, seat)}<p>{_readiness(seat in sight.ready)}</p></div>'
        for seat in (view.near, view.far)
    )
    actions = ""
    if view.at_device:
        subtitle = _("One press deals the tiles for both. The first clock starts when the opener looks.")
        sides = "".join(
            f'<div class="sheet__side">{sheet_parts.person(view, seat)}</div>' for seat in (view.near, view.far)
        )
    if view.viewer is not None or view.at_device:
        if view.can("start"):
            start = markup.button(_("Start"), "primary large wide", ' id="start"')
            action = markup.command_form(view, "start", start, names_hand=True)
        else:
            action = f'<p class="sheet__waiting" role="status">{escape(sheet_parts.waiting_for(view))}</p>'
        actions = f'<div class="sheet__actions">{_leave(view)}{action}</div>'
    note = sheet_parts.counted_note(_("Cancelled without rating unless both press Start within {time}"), view)
    body = f'<div class="sheet__sides">{sides}</div>{sheet_parts.proof(view)}'
    is_player = view.viewer is not None or view.at_device
    title = _("Ready to play?") if is_player else _("The match has not started yet")
    return sheet_parts.frame("start", title, subtitle, body, f"{actions}{note}")


def _leave(view: TableView) -> str:
    token = f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(view.csrf)}">' if view.csrf else ""
    way = "end" if view.at_device else "leave"
    return (
        f'<form class="command" method="post" action="/matches/{escape(view.public_id)}/{way}/" data-leave>{token}'
        f"{markup.button(_('Leave'), 'large')}</form>"
    )


def _readiness(is_ready: bool) -> str:
    if is_ready:
        return f'<span class="pill pill--good">{escape(_("ready"))}</span>'
    return f'<span class="pill">{escape(_("not ready yet"))}</span>'
