"""Folding and cleaning of text. Turkish is never lower-cased with str.lower(): İ would grow by a code point."""

import unicodedata

_SPECIAL = {
    "İ": "i",
    "I": "i",
    "ı": "i",
    "ß": "s",
    "Ø": "o",
    "ø": "o",
    "Ł": "l",
    "ł": "l",
    "đ": "d",
    "Đ": "d",
    "’": "'",
    "‘": "'",
}
_BIDI_AND_INVISIBLE = {
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
    "\u200e",
    "\u200f",
    "\u061c",
    "\ufeff",
}


def fold(text: str) -> str:
    """Text for matching: case, accents and the two Turkish i's unified, one code point for each code point.

    The result has the same length as the input, so offsets found in it hold in the original.
    """
    return text.lower() if text.isascii() else text.translate(_FOLDED)


class _Folded(dict[int, str]):
    """Folded letters by code point, filled as they are met."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        folded = _SPECIAL.get(letter)
        if folded is None:
            base = unicodedata.normalize("NFD", letter)[0]
            lowered = base.lower()
            folded = lowered if len(lowered) == 1 else base
        if len(self) < 20_000:
            self[code] = folded
        return folded


_FOLDED = _Folded()


def clean_input(text: str) -> str:
    """Text from a person that Postgres and JSON can hold: NFC, no NUL, no lone surrogates."""
    without_surrogates = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFC", without_surrogates.replace("\x00", ""))


def clean_file_name(name: str, *, longest: int = 255) -> str:
    """A name to show: no path, no control or direction-changing characters, NFC. "unnamed" when nothing is left."""
    last = clean_input(name).replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    kept = "".join(c for c in last if unicodedata.category(c) not in {"Cc", "Cs"} and c not in _BIDI_AND_INVISIBLE)
    stripped = kept.strip().lstrip(".") or "unnamed"
    if len(stripped) <= longest:
        return stripped
    stem, dot, extension = stripped.rpartition(".")
    if not dot or len(extension) > 10:
        return stripped[:longest]
    return f"{stem[: longest - len(extension) - 1]}.{extension}"
