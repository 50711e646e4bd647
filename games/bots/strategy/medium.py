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
        own = max(_value(known, choice) - _variety(known.hand ^ choice.bit) for choice in openings_of(known))
        return speak(sight, own + expected_reply(EMPTY, known.unseen, known.chance))
    choices = choices_of(sight, known)
    return choices[max(choices, key=lambda choice: _value(known, choice))]


def _value(known: Known, choice: Choice) -> float:
    reply = expected_reply(choice.after, known.unseen, known.chance)
    left = known.hand ^ choice.bit
    return choice.due - _REPLY_SHARE * reply + _PIP_WORTH * PIPS[choice.bit] + _variety(left)


def _variety(hand: int) -> float:
    return _VARIETY_WORTH * sum(1 for tiles in WITH_VALUE if tiles & hand)
