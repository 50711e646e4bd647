"""Rating figures and codes as words."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ratings.elo import is_provisional, shown_points

MINUS = "\N{MINUS SIGN}"

_VARIANTS = {
    "spectacular-bid": gettext_lazy("Spectacular Bid"),
    "draw": pgettext_lazy("game", "Draw"),
    "block": pgettext_lazy("game", "Block"),
    "goat": pgettext_lazy("game", "Goat"),
    "international": pgettext_lazy("game", "International"),
    "international-duo": pgettext_lazy("game", "International duo"),
}

_CASUAL = {
    "same-person": gettext_lazy("Nobody is rated against himself."),
    "program": gettext_lazy("Matches between people and programs are not rated."),
    "gap": gettext_lazy("The ratings are more than 600 points apart, so this match is not rated."),
    "day-limit": gettext_lazy("You two have played five rated matches within a day, so this one is not rated."),
    "week-limit": gettext_lazy("You two have played twenty rated matches within a week, so this one is not rated."),
}


def casual_text(code: str) -> str:
    """The sentence for a code of `ratings.service.casual_reason`."""
    return str(_CASUAL[code])


def pool_name(pool: str) -> str:
    """A pool as it is called on pages: its game, the number of players where it matters, and whose it is."""
    name = pool.removesuffix("-programs")
    variant, _sep, seats = name.rpartition("-")
    text = str(_VARIANTS.get(variant, variant))
    if seats == "pairs":
        text = _("%(game)s, pairs") % {"game": text}
    if pool != name:
        text = _("%(game)s, programs") % {"game": text}
    return text


def points_text(value_centi: int) -> str:
    """Whole points, half away from zero."""
    return str(shown_points(value_centi))


def rating_text(value_centi: int, games: int) -> str:
    """Whole points, with a question mark while provisional.

    >>> rating_text(151_249, 3), rating_text(151_249, 30)
    ('1512?', '1512')
    """
    return points_text(value_centi) + ("?" if is_provisional(games) else "")


def signed_text(delta_centi: int) -> str:
    """A change with its sign and one decimal, "+9.2", "−10.8", "0.0"; half away from zero."""
    tenths = (abs(delta_centi) + 5) // 10
    sign = "" if not tenths else "+" if delta_centi > 0 else MINUS
    return sign + number_format(tenths / 10, 1)
