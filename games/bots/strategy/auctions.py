"""What to say in an auction, once it is known what opening is worth. All in points."""

from collections.abc import Callable

from games.rules import Accept, Bid, Decline, PlayerCommand, Raise, Sight
from games.rules.auction import net_price

# The gain is an estimate, and the price is not.
_CAUTION = 2.0


def speak(sight: Sight, gain: Callable[[], float]) -> PlayerCommand:
    """The least bid or raise if opening is worth its price, else decline or accept.

    `gain` works out how much better off the viewer is opening than if the other seat does; it is
    asked only where a price can be offered. One that is the whole balance never is (SB-57), and
    one that is the other's whole balance is always taken. To bid more than the least only raises
    the price: no bid keeps the other from answering but one that it cannot pay.
    """
    seat = sight.viewer
    assert seat is not None
    higher = next((command for command in sight.legal if isinstance(command, Bid | Raise)), None)
    offered = 0 if sight.bid is None else net_price(sight.bid.amount, is_jockey=sight.bid.seat == sight.jockey)
    if higher is not None and offered < sight.balances[1 - seat]:
        price = net_price(higher.amount, is_jockey=seat == sight.jockey)
        # Outbidding costs the price and forgoes what is offered for the opening.
        if price < sight.balances[seat] and gain() > offered + price + _CAUTION:
            return higher
    return Decline(seat) if sight.bid is None else Accept(seat)
