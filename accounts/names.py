"""What a user name may look like, and when two names are taken for one.

A name is shown as it was typed; its key decides whether it is free. Only Latin
letters are allowed, the Turkish and Polish ones among them: a letter of another
script that looks like one of these would let a stranger pose as a friend.
"""

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

NAME_MIN_LENGTH = 3
NAME_MAX_LENGTH = 30

# Composing a long text can take time with the square of its length, so what is longer than any name
# could be written is left as it is: no such name may be taken and none is found by it.
RAW_MAX_LENGTH = 8 * NAME_MAX_LENGTH

# One of these may stand between two letters or digits, never first, last or twice.
SEPARATORS = " -_."

# Latin-1 and Latin Extended-A hold the letters of the languages spoken here, and of most
# others written in Latin. Left out: signs, ligatures and letters that pass for another (kra is
# a k, the long s an f). The four last ones are the Romanian letters with a comma.
LETTERS = frozenset(
    letter
    for letter in map(chr, [*range(0x41, 0x5B), *range(0x61, 0x7B), *range(0xC0, 0x180), *range(0x218, 0x21C)])
    if letter.isalpha() and letter not in "ĸſŉĿŀĲĳ"
)
DIGITS = frozenset("0123456789")

# Names nobody may take, in each language of the site: whoever bears one could pass for it.
RESERVED = frozenset(
    {
        *("admin", "administrator", "anonymous", "boneyard", "moderator", "staff", "support", "system"),
        *("destek", "moderatör", "sistem", "yönetici"),
        *("administracja", "obsługa", "serwis"),
    }
)

# Folded after the case: what looks alike in one writing or the other is the same key.
_ALIKE = str.maketrans({"ı": "i", "l": "i", "1": "i", "0": "o", "ð": "đ", **dict.fromkeys(" _.", "-")})


def normalize_name(name: str) -> str:
    """The name as it is stored: composed letters, no space around it."""
    name = name.strip()
    if len(name) > RAW_MAX_LENGTH:
        return name
    return unicodedata.normalize("NFC", name).strip()


def name_key(name: str) -> str:
    """What two names share when one could be taken for the other.

    Case is folded without the rules of any one language, so that dotted and
    dotless i of both cases agree.

    >>> name_key("IŞIK") == name_key("ışık") == name_key("işik")
    True
    >>> name_key("Alice") == name_key("AIice")
    True
    >>> name_key("Zofia") == name_key("Żofia")
    False
    """
    folded = unicodedata.normalize("NFC", normalize_name(name)[:RAW_MAX_LENGTH].casefold())
    # A capital dotted I folds to an i and a dot above.
    return folded.replace("i\u0307", "i").translate(_ALIKE)


def validate_name(name: str) -> None:
    """Raises ValidationError (codes `length`, `letters`, `separators`, `reserved`) unless the name may be taken."""
    if not NAME_MIN_LENGTH <= len(name) <= NAME_MAX_LENGTH:
        raise ValidationError(
            _("Use between %(least)d and %(most)d characters."),
            code="length",
            params={"least": NAME_MIN_LENGTH, "most": NAME_MAX_LENGTH},
        )
    if any(sign not in LETTERS and sign not in DIGITS and sign not in SEPARATORS for sign in name):
        raise ValidationError(
            _("Use only Latin letters, digits, and single spaces, hyphens, dots or underscores between them."),
            code="letters",
        )
    inner = "".join("-" if sign in SEPARATORS else "x" for sign in name)
    if inner.startswith("-") or inner.endswith("-") or "--" in inner:
        raise ValidationError(
            _("Put spaces, hyphens, dots and underscores only between letters or digits, one at a time."),
            code="separators",
        )
    if name_key(name) in {name_key(reserved) for reserved in RESERVED}:
        raise ValidationError(_("This name is kept for the site itself."), code="reserved")
