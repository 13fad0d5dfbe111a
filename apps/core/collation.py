"""The order of names in lists: the Turkish alphabet, case ignored. One table for Python and for PostgreSQL.

The embedded PostgreSQL has no ICU, so the database sorts by letters translated to characters in alphabetical order.
"""

import unicodedata
from typing import Any

from django.db.models import CharField, F, Func, Value
from django.db.models.functions import Collate

_ALPHABET = "aAâÂ bB cC çÇ dD eE fF gG ğĞ hH ıI iİîÎ jJ kK lL mM nN oO öÖ pP qQ rR sS şŞ tT uUûÛ üÜ vV wW xX yY zZ"
_FIRST = 0x3400  # a block of characters that sort after every digit and sign, in order
_FROM = "".join(_ALPHABET.replace(" ", ""))
_TO = "".join(chr(_FIRST + place) * len(group) for place, group in enumerate(_ALPHABET.split()))
_TABLE = str.maketrans(_FROM, _TO)


def sort_key(name: str) -> tuple[str, str]:
    """Names sorted by this stand as a Turkish list has them: c ç, g ğ, ı i, o ö, s ş, u ü; case decides last."""
    composed = unicodedata.normalize("NFC", name)
    return composed.translate(_TABLE), composed


def ordered(field: str) -> Any:  # Any: a Django expression
    """The same order in the database, for a text column that is kept in NFC."""
    translated = Func(F(field), Value(_FROM), Value(_TO), function="translate", output_field=CharField())
    return Collate(translated, "C")
