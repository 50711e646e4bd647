"""Deals of the unseen tiles that agree with what a seat knows."""

from collections.abc import Mapping
from math import log
from random import Random

from games.bots.strategy.known import Known

World = tuple[int, list[int]]


def deal(known: Known, weights: Mapping[int, float], rng: Random) -> World:
    """The other hand as a set of bits, and the boneyard in drawing order.

    The hand is drawn tile by tile, each with a chance in proportion to its weight among those
    that are left; the boneyard is in any order.
    """
    random = rng.random
    # The first of exponential waiting times with such rates is such a drawing.
    waits = sorted((-log(1.0 - random()) / weight, bit) for bit, weight in weights.items())
    hand = sum(bit for _, bit in waits[: known.others])
    yard = [bit for _, bit in waits[known.others :]]
    rng.shuffle(yard)
    return hand, yard
