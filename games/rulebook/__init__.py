"""The rules as pages tell them: the figures of the rule text, worked examples, and their numbers.

Everything is worked out by `games.rules`, so that the pages cannot say other numbers than the engine plays by.
"""

from games.rulebook.book import book

__all__ = ["book"]
