"""What the words around a table say of its figures: "in thousands, except per share data", "bin TL", "USD ($)"."""

import re
from dataclasses import dataclass
from enum import StrEnum

from apps.finance.folding import folded
from apps.finance.units import Scale

_WORDS = {
    "thousand": Scale.THOUSAND, "bin": Scale.THOUSAND, "000": Scale.THOUSAND, "k": Scale.THOUSAND,
    "million": Scale.MILLION, "milyon": Scale.MILLION, "mn": Scale.MILLION, "m": Scale.MILLION,
    "billion": Scale.BILLION, "milyar": Scale.BILLION, "bn": Scale.BILLION,
}  # fmt: skip
_SCALE = re.compile(
    r"(?<![a-z0-9.,])(thousand|million|billion|bin|milyon|milyar|mn|bn)s?(?![a-z])"
    r"|(?<![0-9.,])(?:[’'`])?(000)s?(?![0-9])"
    r"|(?:\$|us\$|€|£|₺|tl|eur|usd|gbp)\s?(m|mn|bn|k)(?![a-z])"
)
_CURRENCIES = (
    ("TRY", r"turk lirasi|(?<![a-z])tl(?![a-z])|₺|(?<![a-z])try(?![a-z])|(?<![a-z])lira(?:s|si)?(?![a-z])"),
    ("EUR", r"(?<![a-z])euros?(?![a-z])|(?<![a-z])eur(?![a-z])|€|(?<![a-z])avro(?![a-z])"),
    ("GBP", r"£|(?<![a-z])gbp(?![a-z])|pounds? sterling|(?<![a-z])sterlin(?![a-z])"),
    ("CHF", r"(?<![a-z])chf(?![a-z])|swiss francs?"),
    ("JPY", r"¥|(?<![a-z])jpy(?![a-z])|(?<![a-z])yen(?![a-z])"),
    ("INR", r"₹|(?<![a-z])inr(?![a-z])|rupees|(?<![a-z])rs\.|(?<![a-z])crores?(?![a-z])"),
    ("CAD", r"canadian dollars|(?<![a-z])cad(?![a-z])|c\$"),
    ("AUD", r"australian dollars|(?<![a-z])aud(?![a-z])|a\$"),
    ("USD", r"us\$|(?<![a-z])usd(?![a-z])|dollars?(?![a-z])|dolar|\$"),
)
_SHARES = re.compile(
    r"(?<!per )\bshares?\b(?!holder|[- ]based|[- ]settle)"
    r"|\bhisse (?:sayisi|adedi|senedi)|\bpay (?:adedi|sayisi)|\badet pay"
)
_MONEY = re.compile(r"dollar|amounts?\b|\busd|\$|\beuro|€|\btl\b|₺|lira|£|sterling")
_PER_UNIT = re.compile(
    r"\bweighted[- ]average (?:\w+[- ]){0,3}(?:fair value|price)\b"
    r"|\bper (?:\w+[ -]){0,3}(?:share|unit|ads|adr)\b|\beps\b|(?:hisse|pay) basina|birim pay|per-share"
)
_COUNT = re.compile(
    r"\b(?:head ?count|employees|personnel|staff|stores|branches|customers|subscribers|number of|square f\w+)\b"
    r"|\b(?:calisan|personel|sube|magaza|musteri|kisi|uye|abone|police|ortak) (?:sayisi|adedi)"
)
_SHARE_OF = re.compile(
    r"(?<![\d.])\s?%|\bper ?cent|\bpercent|yuzde|\bmargin\b|\bratio\b|\b\w*orani\b|\brate\b(?!d)|\bmarji\b|\byield\b"
)
_AMOUNT_OF_SHARES = re.compile(r"repurchase|premium|issu\w+ of|proceeds|purchase of|buyback|withheld|compensation")
_SHARES_USED = re.compile(r"\bshares used\b|\beffect of dilutive\b|\bweighted[- ](?:average )?(?:\w+ ){0,4}shares\b")
_BASIC = re.compile(r"(?:basic|diluted|seyreltilmis|adi)\b")
_IN_LABEL = re.compile(
    r"[(\[,]\s*(?:in |usd |eur |tl )?(?:\$ ?)?(thousand|million|billion|bin|milyon|milyar|mn|bn)s?\b"
)


class RowKind(StrEnum):
    """What a row counts; scale notes speak of money and sometimes of shares."""

    MONEY = "money"
    SHARES = "shares"
    PER_UNIT = "per_unit"
    COUNT = "count"
    PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class Note:
    """A scale note taken apart. `shares` is None when it says nothing of their number."""

    general: Scale
    shares: Scale | None
    currency: str  # ISO 4217, "" when none is named


def read_note(text: str) -> Note:
    """The scale of money, the scale of numbers of shares, and the currency that the words name."""
    words = folded(text)
    general, shares = Scale.ONE, None
    before = 0
    for match in _SCALE.finditer(words):
        subject = words[before : match.start()]
        before = match.end()
        scale = _WORDS[next(group for group in match.groups() if group)]
        clause = _last_clause(subject)
        is_of_shares = bool(_SHARES.search(clause))
        is_of_money = not is_of_shares or bool(_MONEY.search(clause))
        if is_of_shares:
            shares = scale
        if is_of_money and general is Scale.ONE:
            general = scale
    exception = words.partition("except")[2] or words.partition("haric")[0] * ("haric" in words)
    if shares is None and exception and re.search(r"(?<!per )\bshares?\b|hisse|pay\b", exception):
        shares = Scale.ONE
    return Note(general, shares, currency_of(text))


def currency_of(text: str) -> str:
    """The first currency that the words name, "" when none."""
    words = folded(text)
    found = [(match.start(), code) for code, pattern in _CURRENCIES if (match := re.search(pattern, words))]
    return min(found)[1] if found else ""


def kind_of_row(label: str, header: str, section: str = "") -> RowKind:
    """What the row's own words say that it counts; "Basic" and "Diluted" say it by the line above them."""
    words, over = folded(label), folded(header)
    if section and _BASIC.match(words):
        words = f"{folded(section)} {words}"
    if _SHARES_USED.search(words):
        return RowKind.SHARES
    if _PER_UNIT.search(words) or _PER_UNIT.search(over):
        return RowKind.PER_UNIT
    if _SHARE_OF.search(words) or "%" in over or re.search(r"\bper ?cent|yuzde|\bmargin\b", over):
        return RowKind.PERCENT
    if _SHARES.search(words) and not _AMOUNT_OF_SHARES.search(words):
        return RowKind.SHARES
    return RowKind.COUNT if _COUNT.search(words) else RowKind.MONEY


def scale_in_label(label: str) -> Scale | None:
    """The scale that a row or head states of itself: "Average shares (millions)"."""
    match = _IN_LABEL.search(folded(label))
    return _WORDS[match[1]] if match else None


def _last_clause(text: str) -> str:
    """The words that a scale word speaks of: "shares in", "number of shares, which are reflected in"."""
    return re.split(r"[,;(](?!\s*which)|\bexcept\b", text)[-1]
