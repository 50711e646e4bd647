"""The simple strategy: legal, hasty, glad of a score."""

from random import Random

from games.bots.strategy.positions import BIT, EMPTY
from games.rules import Accept, Bid, Decline, PlayerCommand, PlayTile, Raise, Sight

# Of its placements, how many it looks at before it takes the best of them.
_GLANCES = 2
_BOLDNESS = 0.5


def choose_simple(sight: Sight, rng: Random) -> PlayerCommand:
    """One of the legal plays at random, with a mild preference for those that score."""
    if sight.phase == "auction":
        return _speak(sight, rng)
    glanced = [rng.choice(sight.previews) for _ in range(_GLANCES)]
    best = max(glanced, key=lambda preview: preview.due)
    assert sight.viewer is not None
    return PlayTile(sight.viewer, best.tile, best.site)


def _speak(sight: Sight, rng: Random) -> PlayerCommand:
    # With a tile that would score it asks for the opening every other time, and goes as far as twenty.
    seat = sight.viewer
    assert seat is not None
    held = sight.held[seat]
    assert not isinstance(held, int)
    amounts = [command for command in sight.legal if isinstance(command, Bid | Raise)]
    scores = any(EMPTY.after(BIT[tile], None).total % 5 == 0 and tile.pips for tile in held)
    is_bold = rng.random() < _BOLDNESS
    if amounts and scores and is_bold and amounts[0].amount <= min(20, sight.balances[seat] // 3):
        return amounts[0]
    return Accept(seat) if sight.bid is not None else Decline(seat)
