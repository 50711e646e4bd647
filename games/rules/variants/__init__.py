"""The variants by their key."""

from typing import Final

from games.rules.errors import VariantNotAvailable
from games.rules.variants.spectacular_bid import SPECTACULAR_BID
from games.rules.variants.variant import Options, Variant

__all__ = ["VARIANTS", "Options", "Variant", "get_variant"]

VARIANTS: Final[dict[str, Variant]] = {SPECTACULAR_BID.key: SPECTACULAR_BID}
# The classic family has its keys already, so that asking for one is answered clearly.
_NOT_YET: Final = ("draw", "block", "goat", "international", "international-duo")


def get_variant(key: str) -> Variant:
    """The variant of this key.

    Raises VariantNotAvailable for a variant of the classic family, ValueError for an unknown key.
    """
    if key in _NOT_YET:
        raise VariantNotAvailable(variant=key)
    try:
        return VARIANTS[key]
    except (KeyError, TypeError):
        raise ValueError(f"unknown variant: {key!r}") from None
