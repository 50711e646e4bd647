"""The medium strategy: what a placement earns, and one look at what may answer it."""

from games.bots.strategy.auctions import speak
from games.bots.strategy.known import Choice, Known, choices_of, known_of, openings_of
from games.bots.strategy.positions import EMPTY, PIPS, WITH_VALUE, expected_reply
from games.rules import PlayerCommand, Sight

_REPLY_SHARE = 0.8
_PIP_WORTH = 0.1
_VARIETY_WORTH = 0.3


def choose_medium(sight: Sight) -> PlayerCommand:
    """The placement with the best balance of score, answer and hand that remains."""
    known = known_of(sight)
    if sight.phase == "auction":
        return speak(sight, lambda: _opening_gain(known))
    choices = choices_of(sight, known)
    return choices[max(choices, key=lambda choice: _value(known, choice))]


def _opening_gain(known: Known) -> float:
    # The own opening and the answer to it, against the other's opening.
    own = max(choice.due - _REPLY_SHARE * _reply(known, choice) for choice in openings_of(known))
    return own + expected_reply(EMPTY, known.unseen, known.chance)


def _value(known: Known, choice: Choice) -> float:
    left = known.hand ^ choice.bit
    variety = sum(1 for tiles in WITH_VALUE if tiles & left)
    reply = _reply(known, choice)
    return choice.due - _REPLY_SHARE * reply + _PIP_WORTH * PIPS[choice.bit] + _VARIETY_WORTH * variety


def _reply(known: Known, choice: Choice) -> float:
    return expected_reply(choice.after, known.unseen, known.chance)
