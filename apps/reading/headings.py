"""Words that say what a table or a section is: headings, scale notes, periods. English and Turkish."""

import re

from apps.reading.geometry import Line

_SCALE = re.compile(
    r"(?:\b(?:in|of)\s+(?:\w+\s+){0,3}?(?:thousands?|millions?|billions?|hundreds)\b"
    r"|[$€£₺]\s?(?:in\s+)?(?:000s?|thousands?|millions?|billions?|mn|m|bn)\b|\bin\s+[$€£₺]?\s?(?:millions?|thousands?)"
    r"|\b(?:thousand|million|billion)s?\s+(?:of\s+)?(?:U\.?S\.?\s+)?"
    r"(?:dollars|euros?|pounds|(?:turkish\s+)?liras?|TL|TRY|USD|EUR|GBP)\b"
    r"|\((?:000['’]?s?|millions?|thousands?|billions?)(?:\s+omitted)?[^)]*\)"
    r"|\b(?:bin|milyon|milyar)\s+(?:TL|TRY|t[uü]rk\s+liras\w*|ABD\s+dolar\w*|USD|EUR|avro|euro)"
    r"|\bsunum\s+para\s+birimi\b|\b1\.000(?:\.000)?\s*TL\b)",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\b(?:(?:three|six|nine|twelve|13|26|39|52|53|sixteen|16|24|36)[\s-]+(?:months?|weeks?)|months?\s+ended|"
    r"weeks?\s+ended|years?\s+ended|quarters?\s+ended|year-to-date|fiscal(?:\s+year)?|for\s+the|as\s+of|as\s+at|ended|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık|dönem|cari|önceki|yıl|"
    r"denetimden|geçmiş|geçmemiş|\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^(?:(?:PART|KISIM|BÖLÜM)\s+[IVX\d]+|(?:ITEM|Item)\s*\d+[A-C]?\.?|(?:NOTE|Note|DİPNOT|Dipnot)\s+\d+)\b"
)
_SENTENCE_END = re.compile(r"[.;,]$")
_COMPANY_END = re.compile(r"\b(?:inc|co|corp|ltd|plc|llc|s\.a|n\.v|a\.ş|t\.a\.ş|a\.s|şti)\.$", re.IGNORECASE)


def scale_note_in(text: str) -> str:
    """The printed words on unit and scale in a line, brackets included when it stands in some; "" when
    none.
    """
    match = _SCALE.search(text)
    if match is None or len(text) > 400:
        return ""
    opening = text.rfind("(", 0, match.start() + 1)
    closing = text.find(")", match.end() - 1)
    if opening >= 0 and ")" not in text[opening : match.start()]:
        return text[opening : closing + 1 if closing >= 0 else len(text)].strip()
    if text[: match.start()].rstrip().endswith((",", ":", "–", "—", "-")):
        return text[match.start() :].strip()
    return text.strip() if len(text) <= 160 else ""


def is_scale_line(text: str) -> bool:
    """Whether the whole line is such a note."""
    note = scale_note_in(text)
    return bool(note) and len(note) >= 0.7 * len(text.strip())


def has_period(text: str) -> bool:
    return bool(_PERIOD.search(text))


def heading_level(line: Line, body_size: float) -> int:
    """1 (highest) to 4 for a line set like a heading, 0 for any other. Type size first, then weight and
    capitals.
    """
    text = line.text.strip()
    letters = [character for character in text if character.isalpha()]
    if len(letters) < 2 or len(text) > 180:
        return 0
    numbered = bool(_NUMBERED.match(text)) and len(text) < 120
    ends_sentence = bool(_SENTENCE_END.search(text)) and not numbered and not (line.bold and text.endswith("."))
    if _COMPANY_END.search(text) and len(text) < 80:
        ends_sentence = False
    if ends_sentence or is_scale_line(text):
        return 0
    ratio = line.size / body_size if body_size else 1.0
    capitals = sum(1 for c in letters if c.isupper()) > 0.9 * len(letters) and len(letters) >= 5
    if ratio >= 1.5:
        return 1
    if ratio >= 1.15 or (numbered and (line.bold or capitals)):
        return 2
    if line.bold and len(text) <= 140:
        return 3
    if capitals and len(text.split()) >= 2 and len(text) <= 100:
        return 3
    return 0
