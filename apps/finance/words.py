"""Numbers written in words, English and Turkish: "one hundred and twenty thousand", "bir buçuk milyon"."""

import re
from decimal import Decimal

from apps.finance.folding import folded

_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "a": 1, "an": 1,
    "sifir": 0, "bir": 1, "iki": 2, "uc": 3, "dort": 4, "bes": 5, "alti": 6, "yedi": 7, "sekiz": 8, "dokuz": 9,
    "on": 10, "yirmi": 20, "otuz": 30, "kirk": 40, "elli": 50, "altmis": 60, "yetmis": 70, "seksen": 80, "doksan": 90,
}  # fmt: skip
_HUNDREDS = {"hundred", "yuz"}
_SCALES = {
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "bin": 10**3, "milyon": 10**6, "milyar": 10**9, "trilyon": 10**12,
}  # fmt: skip
_HALVES = {"bucuk": Decimal("0.5"), "half": Decimal("0.5"), "quarter": Decimal("0.25"), "ceyrek": Decimal("0.25")}
_KNOWN = sorted({*_UNITS, *_HUNDREDS, *_SCALES, *_HALVES} - {"a", "an"}, key=len, reverse=True)
_GLUED = re.compile("|".join(_KNOWN))
_ENGLISH = frozenset(list(_UNITS)[:30]) | {"hundred", "thousand", "million", "billion", "trillion", "half", "quarter"}


def read_number_words(text: str) -> Decimal | None:
    """The number that the whole text says in words of one language; None when it is anything else."""
    words = _words(text)
    if not words or words in (["a"], ["an"]) or _mixes_languages(words):
        return None
    total, group, last_scale = Decimal(0), Decimal(0), None
    has_group = False
    for position, word in enumerate(words):
        if word in _UNITS:
            if has_group and not _may_follow(group, _UNITS[word]):
                return None
            group, has_group = group + _UNITS[word], True
        elif word in _HUNDREDS:
            tens = group % 100 if has_group else Decimal(1)
            if (has_group and not 1 <= group <= 99) or group > 99:
                return None
            group, has_group = (tens or Decimal(1)) * 100, True
        elif word in _HALVES:
            if position == 0 and (len(words) == 1 or words[1] not in ("a", *_SCALES)):
                return _HALVES[word] if len(words) == 1 else None
            group, has_group = group + _HALVES[word], True
        else:
            scale = _SCALES[word]
            if last_scale is not None and scale >= last_scale:
                return None
            if not has_group and scale != 1000:
                return None
            total += (group if has_group else Decimal(1)) * scale
            group, has_group, last_scale = Decimal(0), False, scale
    return total + group


def _words(text: str) -> list[str]:
    """Words of the number without "and"; Turkish ones written together are parted. [] for any other word."""
    found: list[str] = []
    for word in re.split(r"[\s-]+", folded(text.strip())):
        if word in ("and", "ve", ""):
            continue
        if word in _UNITS or word in _HUNDREDS or word in _SCALES or word in _HALVES:
            found.append(word)
            continue
        parts = _GLUED.findall(word)
        if not parts or "".join(parts) != word:
            return []
        found += parts
    return found


def _mixes_languages(words: list[str]) -> bool:
    english = sum(word in _ENGLISH for word in words)
    return 0 < english < len(words)


def _may_follow(group: Decimal, unit: int) -> bool:
    """Whether the unit goes on with the group: hundreds take tens and units, tens take units."""
    if group % 100 == 0 and group:
        return 0 < unit < 100
    tens = group % 100
    return (tens >= 20 and tens % 10 == 0 and 0 < unit < 10) or (tens == 10 and 0 < unit < 10)
