"""What to say in an auction, once it is known what opening is worth. All in points."""

from games.rules import Accept, Bid, Decline, PlayerCommand, Raise, Sight
from games.rules.auction import net_price

# The gain is an estimate, and the price is not.
_CAUTION = 2.0


def speak(sight: Sight, gain: float) -> PlayerCommand:
    """The least bid or raise if opening is worth its price, else decline or accept.

    `gain` is how much better off the viewer is opening than if the other seat does. A price that
    is the whole balance is never offered (SB-57), and one that is the other's is always taken.
    """
    seat = sight.viewer
    assert seat is not None
    offered = 0 if sight.bid is None else net_price(sight.bid.amount, is_jockey=sight.bid.seat == sight.jockey)
    higher = next((command for command in sight.legal if isinstance(command, Bid | Raise)), None)
    if higher is not None and offered < sight.balances[1 - seat]:
        price = net_price(higher.amount, is_jockey=seat == sight.jockey)
        # Taking the offer would bring `offered` and the second word; outbidding costs the price.
        if price < sight.balances[seat] and gain > offered + price + _CAUTION:
            return higher
    return Decline(seat) if sight.bid is None else Accept(seat)
