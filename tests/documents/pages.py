"""PDF files for tests, drawn here: a report with a statement, whose every figure is known."""

from apps.reading._pymupdf import pymupdf

_ROWS = (
    ("Revenue", "12,345", "11,222"),
    ("Cost of sales", "(7,222)", "(6,711)"),
    ("Gross profit", "5,123", "4,511"),
    ("Operating expenses", "(2,100)", "(1,950)"),
    ("Other loss", "(310)", "—"),
    ("Net income", "2,713", "2,561"),
    ("Gross margin", "41.5%", "40.2%"),
)


def statement_pdf() -> bytes:
    """One page: a title, a scale note, two years of seven rows."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((60, 70), "Consolidated statements of income", fontsize=16)
    page.insert_text((60, 92), "(in millions of US dollars)", fontsize=10)
    for x, year in ((380, "2024"), (480, "2023")):
        page.insert_text((x, 130), year, fontsize=10)
    for index, (label, *values) in enumerate(_ROWS):
        y = 150 + 18 * index
        page.insert_text((60, y), label, fontsize=10)
        for right, value in zip((405, 505), values, strict=True):
            width = pymupdf.get_text_length(value.replace("—", "-"), fontsize=10)
            page.insert_text((right - width, y), value.replace("—", "-"), fontsize=10)
    made = document.tobytes()
    document.close()
    return bytes(made)
