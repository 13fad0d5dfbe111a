"""The fields of a document's metadata, the kinds of documents, and what a rule finds."""

from dataclasses import dataclass
from enum import StrEnum


class Field(StrEnum):
    TITLE = "title"
    KIND = "kind"  # a DocumentKind
    ENTITY = "entity"
    PERIOD = "period"  # "year:2024-12-31", "quarter:2024-09-28": what it speaks of, and its last day
    FISCAL_YEAR_END = "fiscal_year_end"  # ISO date
    PUBLISHED = "published"  # ISO date
    CURRENCY = "currency"  # ISO 4217
    SCALE = "scale"  # 1000, 1000000 …
    PARTY = "party"
    POLICY_NUMBER = "policy_number"
    CONTRACT_NUMBER = "contract_number"
    INVOICE_NUMBER = "invoice_number"
    CLAIM_NUMBER = "claim_number"
    IBAN = "iban"
    ISIN = "isin"
    TAX_NUMBER = "tax_number"
    PERSON_NUMBER = "person_number"  # TCKN
    CIK = "cik"
    STARTS = "starts"  # ISO date
    ENDS = "ends"  # ISO date
    NOTICE = "notice"  # ISO 8601 duration: P30D
    RENEWAL = "renewal"  # ISO 8601 duration
    DUE = "due"  # ISO date

    @property
    def is_many(self) -> bool:
        """Whether a document may have several."""
        return self in _MANY

    @property
    def is_date(self) -> bool:
        return self in _DATES


_MANY = frozenset({
    Field.PARTY, Field.POLICY_NUMBER, Field.CONTRACT_NUMBER, Field.INVOICE_NUMBER, Field.CLAIM_NUMBER, Field.IBAN,
    Field.ISIN, Field.TAX_NUMBER, Field.PERSON_NUMBER, Field.CIK,
})  # fmt: skip
_DATES = frozenset({Field.FISCAL_YEAR_END, Field.PUBLISHED, Field.STARTS, Field.ENDS, Field.DUE})


class DocumentKind(StrEnum):
    ANNUAL_REPORT = "annual_report"
    INTERIM_REPORT = "interim_report"
    FINANCIAL_STATEMENTS = "financial_statements"
    CURRENT_REPORT = "current_report"  # 8-K, 6-K
    KAP_DISCLOSURE = "kap_disclosure"
    PRESS_RELEASE = "press_release"
    PRESENTATION = "presentation"
    CONTRACT = "contract"
    AMENDMENT = "amendment"
    POLICY = "policy"
    CLAIM = "claim"
    INVOICE = "invoice"
    STATEMENT = "statement"  # of an account
    CORRESPONDENCE = "correspondence"


class PeriodKind(StrEnum):
    YEAR = "year"
    HALF = "half"
    QUARTER = "quarter"
    NINE_MONTHS = "nine_months"


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule read. Its evidence is page text[start:end]; page 0: the file itself says it (name, type, header)."""

    field: Field
    value: str  # in the field's own form, see Field
    confidence: int  # percent
    rule: str  # name of the rule
    page: int = 0
    start: int = 0
    end: int = 0
    quote: str = ""
