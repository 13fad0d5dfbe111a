"""The cases' words for units, decimal marks and warnings, told in ours. The one table of each."""

from decimal import Decimal

from apps.finance.numbers import DecimalMark, decide_decimal_mark
from apps.reading.contracts import WarningCode

WARNING_CODES = {  # the cases' word → ours
    "hidden_text": "hidden_text",
    "hidden_content": WarningCode.HIDDEN_CONTENT.value,
    "no_text_layer": WarningCode.NO_TEXT_LAYER.value,
    "needs_ocr": WarningCode.NO_TEXT_LAYER.value,
    "garbled_text": WarningCode.UNREADABLE_FONT.value,
    "unreadable_text_layer": WarningCode.UNREADABLE_FONT.value,
    "has_attachments": "has_attachments",
    "tracked_changes": WarningCode.TRACKED_CHANGES.value,
    "has_macros": WarningCode.HAS_MACROS.value,
    "formula_not_calculated": WarningCode.FORMULA_NOT_CALCULATED.value,
}


def agreed_code(code: str) -> str:
    """Our warning code for the cases' word; a word without an entry is looked for as it is."""
    return WARNING_CODES.get(code, code)


def unit_is(found: str, wanted: str) -> bool:
    return found == wanted


def in_unit(value: Decimal, unit: str, wanted: str) -> tuple[Decimal, str]:
    """Basis points said in the unit that the case asks for: 50 bps are 0.50 percent or percentage points."""
    if unit == "basis_points" and wanted in ("percent", "percentage_points"):
        return value / 100, wanted
    return value, unit


def mark_of_context(context: object) -> DecimalMark | None:
    """The decimal mark that a case's context tells: a language, neighbouring numbers, or nothing."""
    if isinstance(context, dict):
        for value in context.values():
            found = mark_of_context(value)
            if found is not None:
                return found
        return None
    if isinstance(context, list):
        return decide_decimal_mark([str(item) for item in context])
    said = str(context or "").casefold()
    if said[:2] in ("tr", "de"):
        return DecimalMark.COMMA
    if said[:2] == "en":
        return DecimalMark.POINT
    return decide_decimal_mark([said]) if said else None
