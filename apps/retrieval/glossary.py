"""Words of financial statements that mean the same, English and Turkish, as data. Matched on folded words.

Each concept: phrases (any of them in a question brings the others into the search) and the statement where it stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from apps.core.text import fold
from apps.retrieval.terms import words_of


class StatementKind(StrEnum):
    INCOME = "income"
    BALANCE = "balance"
    CASH_FLOW = "cash_flow"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Concept:
    phrases: tuple[tuple[str, ...], ...]  # folded words
    roots: tuple[str, ...]  # the phrases in singular, " a b " each: how they are looked for
    statement: StatementKind


STATEMENT_TITLES: dict[StatementKind, tuple[str, ...]] = {
    StatementKind.INCOME: tuple(
        map(
            fold,
            (
                "statements of income", "statements of operations", "statements of earnings", "income statement",
                "statement of income", "statement of operations", "profit or loss", "profit and loss",
                "kar veya zarar", "gelir tablosu", "kapsamlı gelir",
            ),
        )
    ),
    StatementKind.BALANCE: tuple(
        map(
            fold,
            (
                "balance sheet", "financial position", "bilanço", "finansal durum tablosu",
            ),
        )
    ),
    StatementKind.CASH_FLOW: tuple(
        map(fold, ("cash flows", "cash flow statement", "nakit akış"))
    ),
}  # fmt: skip

_I, _B, _C, _N = StatementKind.INCOME, StatementKind.BALANCE, StatementKind.CASH_FLOW, StatementKind.NONE
_DATA: tuple[tuple[StatementKind, str], ...] = (
    (_I, "revenue; revenues; net sales; total revenue; turnover; net revenue; sales; hasılat; satış gelirleri; ciro"),
    (_I, "cost of sales; cost of goods sold; cogs; cost of revenue; merchandise costs; satışların maliyeti"),
    (_I, "gross profit; gross margin; brüt kar; brüt kâr marjı"),
    (_I, "operating income; operating profit; income from operations; ebit; esas faaliyet karı; faaliyet karı"),
    (_I, "net income; net profit; net earnings; profit for the year; bottom line; net dönem karı; dönem karı"),
    (_I, "earnings per share; eps; diluted earnings per share; pay başına kazanç; hisse başına kar"),
    (_I, "selling general and administrative; sg&a; sga; pazarlama giderleri; genel yönetim giderleri"),
    (_I, "research and development; r&d; araştırma ve geliştirme; ar-ge"),
    (_I, "interest expense; finance costs; finansman giderleri; faiz gideri"),
    (_I, "income tax expense; provision for income taxes; effective tax rate; vergi gideri; etkin vergi oranı"),
    (_I, "ebitda; favök; adjusted ebitda; operating income; depreciation and amortization"),
    (_I, "membership fees; üyelik gelirleri"),
    (_C, "depreciation and amortization; d&a; depreciation; amortization; amortisman; itfa payı"),
    (_C, "capital expenditure; capital expenditures; capex; purchases of property and equipment; "
         "additions to property; yatırım harcamaları; maddi duran varlık alımı"),
    (_C, "operating cash flow; cash from operations; net cash provided by operating activities; "
         "işletme faaliyetlerinden nakit akışları"),
    (_C, "free cash flow; net cash provided by operating activities; capital expenditures; serbest nakit akışı"),
    (_C, "dividends; dividends paid; cash dividends; temettü; temettü ödemeleri; kar payı"),
    (_C, "share repurchases; stock repurchase; repurchases of common stock; buyback; geri alım"),
    (_C, "acquisition; acquisitions; purchase of business; business combination; satın alma; işletme birleşmesi"),
    (_B, "total assets; toplam varlıklar; varlıklar toplamı; aktif toplamı"),
    (_B, "total liabilities; toplam yükümlülükler; toplam borç"),
    (_B, "current assets; dönen varlıklar; working capital; işletme sermayesi; current ratio; cari oran"),
    (_B, "current liabilities; kısa vadeli yükümlülükler; working capital; current ratio; quick ratio"),
    (_B, "shareholders equity; stockholders equity; total equity; net assets; özkaynaklar; özsermaye"),
    (_B, "cash and cash equivalents; cash; nakit ve nakit benzerleri"),
    (_B, "accounts receivable; trade receivables; receivables; ticari alacaklar"),
    (_B, "inventories; inventory; merchandise inventories; stoklar; inventory turnover"),
    (_B, "property plant and equipment; property and equipment; pp&e; ppe; ppne; fixed assets; maddi duran varlıklar"),
    (_B, "goodwill; şerefiye"),
    (_B, "intangible assets; maddi olmayan duran varlıklar"),
    (_B, "accounts payable; trade payables; payables; dpo; ticari borçlar"),
    (_B, "long-term debt; long term debt; borrowings; notes payable; debt; uzun vadeli borçlanmalar; finansal borçlar"),
    (_B, "short-term debt; short-term borrowings; current portion of long-term debt; kısa vadeli borçlanmalar"),
    (_B, "provisions; karşılıklar"),
    (_B, "deposits; mevduat; toplanan fonlar"),
    (_B, "loans; krediler"),
    (_I, "ebitda margin; operating income; depreciation and amortization; total revenue; favök marjı"),
    (_I, "gross margin; gross profit; cost of sales; cost of goods sold; net sales; brüt kar marjı"),
    (_I, "operating margin; operating income; net sales; total revenue; faaliyet kar marjı"),
    (_I, "net margin; net profit margin; net income; total revenue; net kar marjı"),
    (_I, "interest coverage; interest expense; operating income; faiz karşılama oranı"),
    (_I, "effective tax; effective tax rate; effective income tax rate; provision for income taxes; "
         "income before income taxes; earnings before income tax"),
    (_B, "quick ratio; total current assets; inventories; total current liabilities; likidite oranı; asit test oranı"),
    (_B, "current ratio; total current assets; total current liabilities; cari oran"),
    (_B, "return on assets; roa; total assets; net income; aktif karlılığı"),
    (_B, "return on equity; roe; total equity; net income; özkaynak karlılığı; özsermaye karlılığı"),
    (_B, "return on capital employed; roce; total assets; total current liabilities; operating income"),
    (_B, "capitalization ratio; debt ratio; debt to equity; leverage; long-term debt; total equity; borç oranı"),
    (_B, "inventory turnover; inventories; cost of sales; cost of goods sold; stok devir hızı"),
    (_B, "asset turnover; total assets; net sales; total revenue; aktif devir hızı"),
    (_B, "days payable outstanding; dpo; accounts payable; cost of goods sold; inventories"),
    (_B, "days sales outstanding; dso; accounts receivable; net sales"),
    (_N, "industry; primary business; principal business; business overview; faaliyet konusu; sektör"),
    (_N, "employees; headcount; number of employees; workforce; çalışan sayısı; personel sayısı"),
    (_N, "headquarters; principal executive offices; genel merkez"),
    (_N, "legal proceedings; litigation; lawsuits; davalar"),
    (_N, "governing law; applicable law; uygulanacak hukuk"),
    (_N, "termination; expiration; fesih; sona erme"),
    (_N, "insurance premium; prim; premiums"),
    (_N, "lease; leases; kiralama"),
    (_N, "segment; segments; bölüm; faaliyet bölümleri"),
)  # fmt: skip


def _concept(statement: StatementKind, phrases: str) -> Concept:
    words = tuple(tuple(words_of(phrase)) for phrase in phrases.split(";"))
    return Concept(words, tuple(map(_rooted, words)), statement)


def concepts_in(words: list[str]) -> list[tuple[Concept, tuple[str, ...]]]:
    """Concepts whose phrase stands in the folded words, with that phrase. Longer phrases win over their parts."""
    text = _rooted(words)
    found: list[tuple[Concept, tuple[str, ...], str]] = []
    for concept in CONCEPTS:
        matching = [i for i, root in enumerate(concept.roots) if root in text]
        if matching:
            best = max(matching, key=lambda i: len(concept.phrases[i]))
            found.append((concept, concept.phrases[best], concept.roots[best]))
    return [
        (concept, phrase)
        for concept, phrase, root in found
        if not any(len(other) > len(root) and root in other for _concept_found, _phrase, other in found)
    ]


def _rooted(words: Sequence[str]) -> str:
    return f" {' '.join(map(_singular, words))} "


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


CONCEPTS: tuple[Concept, ...] = tuple(_concept(statement, phrases) for statement, phrases in _DATA)
