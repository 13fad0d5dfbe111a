"""Check digits of identifiers. An identifier that fails its own arithmetic is not one."""

import re

_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_IBAN_LENGTHS = {
    "TR": 26, "DE": 22, "FR": 27, "GB": 22, "NL": 18, "IT": 27, "ES": 24, "CH": 21, "AT": 20, "BE": 16, "PL": 28,
    "IE": 22, "LU": 20, "SE": 24, "DK": 18, "NO": 15, "FI": 18, "PT": 25, "GR": 27, "CY": 28, "AE": 23, "SA": 24,
    "AZ": 28, "GE": 22, "UA": 29, "RO": 24, "BG": 22, "CZ": 24, "HU": 28,
}  # fmt: skip
_ISIN = re.compile(r"[A-Z]{2}[A-Z0-9]{9}\d")


def is_iban(text: str) -> bool:
    """ISO 13616: the country's length where it is known, and 98 minus the rest modulo 97 (ISO 7064)."""
    if not _IBAN.fullmatch(text) or len(text) != _IBAN_LENGTHS.get(text[:2], len(text)):
        return False
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97 == 1


def is_isin(text: str) -> bool:
    """ISO 6166: the Luhn digit over letters as two digits."""
    if not _ISIN.fullmatch(text):
        return False
    digits = [int(d) for c in text for d in str(int(c, 36))]
    doubled = [d if index % 2 == 0 else sum(divmod(2 * d, 10)) for index, d in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


def is_vkn(text: str) -> bool:
    """Turkish tax number: ten digits, the last of which follows from the others (Gelir İdaresi Başkanlığı)."""
    if len(text) != 10 or not text.isdecimal() or not text.isascii():
        return False
    total = 0
    for index, digit in enumerate(map(int, text[:9])):
        step = (digit + 9 - index) % 10
        total += 0 if step == 0 else (step * 2 ** (9 - index) % 9 or 9)
    return (10 - total % 10) % 10 == int(text[9])


def is_tckn(text: str) -> bool:
    """Turkish person number: eleven digits with two check digits (Nüfus ve Vatandaşlık İşleri)."""
    if len(text) != 11 or not text.isdecimal() or not text.isascii() or text[0] == "0":
        return False
    d = [int(c) for c in text]
    tenth = (7 * sum(d[0:9:2]) - sum(d[1:8:2])) % 10
    return d[9] == tenth and d[10] == sum(d[:10]) % 10
