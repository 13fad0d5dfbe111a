"""Characters as a reader means them: composed, ligatures spelled out, nothing invisible. Never changes
digits.
"""

import re
import unicodedata

SOFT_HYPHEN = "\u00ad"
_LIGATURES = dict(
    zip(
        "\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06",
        ["ff", "fi", "fl", "ffi", "ffl", "st", "st"],
        strict=True,
    )
)
_INVISIBLE = dict.fromkeys(
    code
    for codes in (
        [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)],  # controls, tab and line feed kept
        [0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF],  # zero-width
        [0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)],  # writing direction
        range(0xD800, 0xE000),  # lone surrogates
    )
    for code in codes
)
_TRANSLATION: dict[int, str | None] = {**_INVISIBLE, **{ord(key): value for key, value in _LIGATURES.items()}}
_LINE_TRANSLATION = {**_TRANSLATION, 0x09: "\t"}
_LIGATURE = re.compile(f"[{''.join(_LIGATURES)}]")
_LONG_WORD = re.compile(r"\b[A-Za-zÀ-ɏ]{4,}\b")
_VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿāăąēĕėęěĩīĭįıōŏőœũūŭůűų")
_SIGNS = frozenset("!\"#%&'*+/:;<=>?@[\\]^`{|}~")  # no dash, bracket, comma, point or currency: tables have those
_LEADER = re.compile(r"[.\u2026\u00b7_]{4,}|(?:[.\u00b7] ){4,}")


def clean_word(text: str) -> str:
    """A printed word in NFC, ligatures spelled out, control and direction characters gone."""
    return unicodedata.normalize("NFC", text.translate(_TRANSLATION))


def without_leaders(text: str) -> str:
    """The word without the dots that lead the eye to a number ("Sales.....1,204.5" becomes "Sales
    1,204.5").
    """
    return _LEADER.sub(" ", text)


def clean_line(text: str) -> str:
    """A line of a text file: as `clean_word`, tabs kept."""
    return text if is_clean(text) else unicodedata.normalize("NFC", text.translate(_LINE_TRANSLATION))


def is_clean(text: str) -> bool:
    """Whether cleaning would change nothing; quick, and False also for some texts that are clean."""
    return text.isprintable() and (
        text.isascii() or (not _LIGATURE.search(text) and unicodedata.is_normalized("NFC", text))
    )


def is_unreadable(text: str) -> bool:
    """Whether the text layer says nothing: unmapped characters, or signs where words should be.

    A font without a usable mapping gives replacement or private-use characters, or a cipher of signs and digits.
    """
    visible = [character for character in text if not character.isspace()]
    if len(visible) < 20:
        return False
    bad = sum(1 for c in visible if c == "\ufffd" or 0xE000 <= ord(c) <= 0xF8FF or not c.isprintable())
    letters = sum(1 for c in visible if c.isalpha())
    signs = sum(1 for c in visible if c in _SIGNS)
    if bad / len(visible) > 0.3 or (letters < 0.1 * len(visible) and signs > 0.4 * len(visible)):
        return True
    return _is_letter_cipher(text)


def _is_letter_cipher(text: str) -> bool:
    """Words of Latin letters that nobody can pronounce: every language written so has a vowel in three letters."""
    words = {word.casefold() for word in _LONG_WORD.findall(text)}
    letters = sum(len(word) for word in words)
    vowels = sum(1 for word in words for letter in word if letter in _VOWELS)
    return len(words) >= 12 and vowels < 0.26 * letters
