"""The two seats: who sits there, points as chips, tiles, clock; below, the viewer's own tiles and the list of moves."""

from collections import defaultdict
from collections.abc import Hashable
from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.fragments import markup
from games.fragments.movelist import moves
from games.fragments.words import listed
from games.rules import Preview, Tile, format_tile, site_value
from games.table import TableView

CHIP_WIDTH = 19
BACK_UNIT = 26
FACE_UNIT = 46
MANY, ONE_ROW = 7, 12  # tiles: more are drawn smaller; more do not lie in one row on a phone


def change_of(view: TableView, seat: int) -> int:
    """The points that the last placement, bid or settlement moved for a seat; 0 once a later tile lies."""
    for fact in reversed(view.log):
        if fact["type"] == "transferred":
            return -fact["paid"] if fact["payer"] == seat else fact["paid"]
        if fact["type"] == "played":
            return 0
    return 0


def opponent_key(view: TableView) -> Hashable:
    """Changes with everything the far seat shows but the running of its clock."""
    return _seat_key(view, view.far)


def opponent(view: TableView) -> str:
    """The far seat with its tiles face down, or open once the hand is over."""
    seat = view.far
    return _seat(view, seat, "f-opponent", "far", f"{_who(view, seat)}{_held(view, seat)}{_end(view, seat)}")


def me_key(view: TableView) -> Hashable:
    """Like the far seat's; beside it the plays on offer and the version they are for."""
    sight = view.sight
    turn = (view.seq, sight.previews, sight.must_play, sight.must_open) if view.is_my_turn else None
    return (_seat_key(view, view.near), turn, sight.phase, view.prefs, view.csrf)


def me(view: TableView) -> str:
    """The near seat: own tiles with what they can score, the list of moves, name, chips and clock."""
    seat = view.near
    held = view.sight.held[seat]
    hand = _held(view, seat) if view.viewer is None or isinstance(held, int) else _tray(view, held)
    return _seat(view, seat, "f-me", "near", f"{hand}{_who(view, seat)}{_end(view, seat)}")


def _seat_key(view: TableView, seat: int) -> Hashable:
    sight = view.sight
    return (
        sight.balances[seat],
        sight.banks_ms[seat],
        sight.held[seat],
        sight.turn_started_ms if view.lit == seat else None,
        change_of(view, seat),
        view.away[seat] is None,
        view.seats[seat],
    )


def _seat(view: TableView, seat: int, fragment: str, side: str, body: str) -> str:
    lit = " data-turn" if view.lit == seat else ""
    if markup.is_low(view, seat):
        lit += " data-low"
    # A stop for whoever goes through the page by Tab; the own seat is reached by its tiles.
    stop = ' tabindex="0"' if side == "far" else ""
    return (
        f'<section id="{fragment}" class="seat seat--{side}" data-seat="{seat}"{lit}{stop}'
        f' aria-label="{_seat_label(view, seat)}">{body}</section>'
    )


def _seat_label(view: TableView, seat: int) -> str:
    held = view.sight.held[seat]
    count = held if isinstance(held, int) else len(held)
    tiles = ngettext("%(count)d tile", "%(count)d tiles", count) % {"count": count}
    parts = (view.seats[seat].name, view.seats[seat].rating_text, markup.points_label(view.sight.balances[seat]), tiles)
    return escape(", ".join(part for part in parts if part))


def _who(view: TableView, seat: int) -> str:
    card = view.seats[seat]
    points = view.sight.balances[seat]
    change = change_of(view, seat)
    direction = "gain" if change > 0 else "loss"
    delta = f'<span class="seat__change num" data-change="{direction}">{markup.signed(change)}</span>' if change else ""
    program = f'<span class="pill pill--felt">{escape(_("program"))}</span>' if card.is_program else ""
    name = escape(card.name)
    return (
        f'<div class="seat__who" id="who-{seat}">{markup.seat_avatar(view, seat)}<div class="seat__lines">'
        f'<div class="seat__name"><bdi class="clip" title="{name}">{name}</bdi>{program}'
        f'<span class="seat__rating num">{escape(card.rating_text)}</span></div>'
        f'<div class="seat__bank" role="img" aria-label="{escape(markup.points_label(points))}">'
        f'<span class="seat__points num">{points}</span>{markup.chip_stacks(points, CHIP_WIDTH)}{delta}'
        "</div></div></div>"
    )


def _held(view: TableView, seat: int) -> str:
    held = view.sight.held[seat]
    if isinstance(held, int):
        label = ngettext("%(count)d tile, face down", "%(count)d tiles, face down", held) % {"count": held}
        return f'<div class="seat__hand" role="img" aria-label="{escape(label)}">{markup.backs(held, BACK_UNIT)}</div>'
    label = _("Open tiles: %(tiles)s") % {"tiles": ", ".join(markup.tile_name(tile) for tile in held) or _("none")}
    faces = "".join(markup.face(tile, BACK_UNIT) for tile in held)
    return f'<div class="seat__hand" role="img" aria-label="{escape(label)}">{faces}</div>'


def _end(view: TableView, seat: int) -> str:
    away_ms = view.away[seat]
    note = ""
    if away_ms is not None and view.sight.phase != "over" and seat != view.viewer:
        since_ms = view.server_now_ms - away_ms
        time = f'<span class="num" data-since="{since_ms}">{markup.short_duration(away_ms)}</span>'
        note = f'<span class="seat__away">{escape(_("away for {time}")).replace("{time}", time)}</span>'
    return f'<div class="seat__end">{note}{markup.clock(view, seat)}</div>'


def _tray(view: TableView, held: tuple[Tile, ...]) -> str:
    """The viewer's own tiles as buttons; what each can score stands on it, a tile that cannot be played says why."""
    plays: dict[Tile, list[Preview]] = defaultdict(list)
    for preview in view.sight.previews:
        plays[preview.tile].append(preview)
    tiles = "".join(_hand_tile(view, tile, plays.get(tile, [])) for tile in held)
    many = "" if len(held) <= MANY else ' data-many="rows"' if len(held) > ONE_ROW else " data-many"
    return (
        f'<div class="seat__hand"><div class="tray" role="group" aria-label="{escape(_("Your tiles"))}"{many}>'
        f"{tiles}</div>{moves(view)}</div>"
    )


def _hand_tile(view: TableView, tile: Tile, plays: list[Preview]) -> str:
    code = format_tile(tile)
    label = markup.tile_name(tile)
    attributes, tag = "", ""
    if plays:
        scores = sorted({play.due for play in plays if play.due}, reverse=True)
        places = ngettext("%(count)d place", "%(count)d places", len(plays)) % {"count": len(plays)}
        best = _("best %(points)d") % {"points": scores[0]} if scores else _("no score")
        label = f"{label}, {places}, {best}"
        must = " data-must" if tile == view.sight.must_play else ""
        attributes = f' data-legal="yes" aria-pressed="false"{must}'
        if view.prefs.hints:
            tag = _tag(scores)
    elif view.is_my_turn and view.sight.phase == "play":
        why = _why_not(view, tile)
        label = f"{label}, {_('does not fit')}"
        attributes = f' data-legal="no" aria-disabled="true" data-why="{escape(why)}"'
    return (
        f'<button type="button" class="hand-tile" id="tile-{tile.low}-{tile.high}" data-tile="{code}"{attributes}'
        f' aria-label="{escape(label)}">{tag}{markup.face(tile, FACE_UNIT)}</button>'
    )


def _tag(scores: list[int]) -> str:
    if not scores:
        return '<span class="tag tag--zero" aria-hidden="true">0</span>'
    second = f'<span class="tag__second">/{scores[1]}</span>' if len(scores) > 1 else ""
    return f'<span class="tag num" aria-hidden="true">+{scores[0]}{second}</span>'


def _why_not(view: TableView, tile: Tile) -> str:
    sight = view.sight
    if sight.must_open is not None:
        return _("%(tile)s is the highest tile of both hands: it has to open.") % {
            "tile": markup.tile_name(sight.must_open)
        }
    if sight.must_play is not None:
        return _("You drew %(tile)s, which fits: it has to be played.") % {"tile": markup.tile_name(sight.must_play)}
    values = sorted({site_value(site) for site in sight.layout.sites})
    return _("%(tile)s does not fit: open are %(ends)s.") % {
        "tile": markup.tile_name(tile),
        "ends": listed([str(value) for value in values]),
    }
