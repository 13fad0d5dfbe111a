"""Metadata in the person's words: names of fields, kinds, periods, scales, durations, days."""

import re
from datetime import date

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.core.formats import format_number
from apps.documents.metadata.fields import DocumentKind, Field, PeriodKind

FIELD_NAMES: dict[Field, Promise] = {
    Field.TITLE: gettext_lazy("Title"),
    Field.KIND: gettext_lazy("Type"),
    Field.ENTITY: gettext_lazy("Entity"),
    Field.PERIOD: gettext_lazy("Period"),
    Field.FISCAL_YEAR_END: gettext_lazy("Fiscal year end"),
    Field.PUBLISHED: gettext_lazy("Published"),
    Field.CURRENCY: gettext_lazy("Currency"),
    Field.SCALE: gettext_lazy("Scale"),
    Field.PARTY: gettext_lazy("Party"),
    Field.POLICY_NUMBER: gettext_lazy("Policy number"),
    Field.CONTRACT_NUMBER: gettext_lazy("Contract number"),
    Field.INVOICE_NUMBER: gettext_lazy("Invoice number"),
    Field.CLAIM_NUMBER: gettext_lazy("Claim number"),
    Field.IBAN: gettext_lazy("IBAN"),
    Field.ISIN: gettext_lazy("ISIN"),
    Field.TAX_NUMBER: gettext_lazy("Tax number"),
    Field.PERSON_NUMBER: gettext_lazy("Person number"),
    Field.CIK: gettext_lazy("CIK"),
    Field.STARTS: gettext_lazy("Starts"),
    Field.ENDS: gettext_lazy("Ends"),
    Field.NOTICE: gettext_lazy("Notice"),
    Field.RENEWAL: gettext_lazy("Renewal"),
    Field.DUE: gettext_lazy("Due"),
}
KIND_NAMES: dict[DocumentKind, Promise] = {
    DocumentKind.ANNUAL_REPORT: gettext_lazy("Annual report"),
    DocumentKind.INTERIM_REPORT: gettext_lazy("Interim report"),
    DocumentKind.FINANCIAL_STATEMENTS: gettext_lazy("Financial statements"),
    DocumentKind.CURRENT_REPORT: gettext_lazy("Current report"),
    DocumentKind.KAP_DISCLOSURE: gettext_lazy("KAP disclosure"),
    DocumentKind.PRESS_RELEASE: gettext_lazy("Press release"),
    DocumentKind.PRESENTATION: gettext_lazy("Presentation"),
    DocumentKind.CONTRACT: gettext_lazy("Contract"),
    DocumentKind.AMENDMENT: gettext_lazy("Amendment"),
    DocumentKind.POLICY: gettext_lazy("Policy"),
    DocumentKind.CLAIM: gettext_lazy("Claim"),
    DocumentKind.INVOICE: gettext_lazy("Invoice"),
    DocumentKind.STATEMENT: gettext_lazy("Account statement"),
    DocumentKind.CORRESPONDENCE: gettext_lazy("Correspondence"),
}
PERIOD_NAMES: dict[PeriodKind, Promise] = {
    PeriodKind.YEAR: gettext_lazy("Year to"),
    PeriodKind.HALF: gettext_lazy("Half-year to"),
    PeriodKind.QUARTER: gettext_lazy("Quarter to"),
    PeriodKind.NINE_MONTHS: gettext_lazy("Nine months to"),
}


def value_in_words(field: str, value: str) -> str:
    """The value as a person reads it; what has no words of its own stays."""
    if field == Field.KIND:
        return kind_in_words(value)
    if field == Field.PERIOD:
        return period_in_words(value)
    if field == Field.SCALE and value.isdecimal():
        return format_number(int(value))
    if field in (Field.NOTICE, Field.RENEWAL):
        return _duration(value)
    known = next((known for known in Field if known.value == field), None)
    return _day(value) if known is not None and known.is_date else value


def kind_in_words(value: str) -> str:
    return next((str(name) for kind, name in KIND_NAMES.items() if kind.value == value), value)


def period_in_words(value: str) -> str:
    """ "Year to 31 December 2024"."""
    kind, _colon, end = value.partition(":")
    name = next((name for known, name in PERIOD_NAMES.items() if known.value == kind), None)
    return _("%(kind)s %(day)s") % {"kind": name, "day": _day(end)} if name is not None else value


def _duration(value: str) -> str:
    parts = re.fullmatch(r"P(\d+)([DWMY])", value)
    if parts is None:
        return value
    n = int(parts[1])
    return {
        "D": ngettext("%(n)d day", "%(n)d days", n),
        "W": ngettext("%(n)d week", "%(n)d weeks", n),
        "M": ngettext("%(n)d month", "%(n)d months", n),
        "Y": ngettext("%(n)d year", "%(n)d years", n),
    }[parts[2]] % {"n": n}


def _day(value: str) -> str:
    try:
        return str(date_format(date.fromisoformat(value), "DATE_FORMAT"))
    except ValueError:
        return value
