"""PDF by PyMuPDF: opening, words with boxes, page images, decrypted copies. Runs only in the child process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PIL import Image

from apps.reading import normalise, ocr
from apps.reading._pymupdf import pymupdf
from apps.reading.compose import Composed, Running, compose, edge_lines, is_page_number, pattern_of
from apps.reading.contracts import (
    TRIED,
    WAITING,
    FileFacts,
    MediaType,
    PageContent,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    WarningCode,
)
from apps.reading.geometry import Token
from apps.reading.language import language_of
from apps.reading.pdf_extras import Attachments, notes_of, with_fields
from apps.reading.pdf_figures import figures_of, outline_of
from apps.reading.pdf_hidden import Hiding, has_hidden_layers, has_text_on_hidden_layers
from apps.reading.pdf_rules import rules_of
from apps.reading.pdf_words import PageWords, words_of
from apps.reading.table_parts import TableDraft

READER = f"pymupdf {pymupdf.VersionBind} layout 2"
_OCR_PIXELS = 30e6

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


class PdfReader:
    """One opened PDF. Pages are read in windows so that running headers show by repetition."""

    def __init__(self, data: bytes, password: str = "") -> None:
        self._document = _opened(data, password)
        self._warnings: tuple[ReadingWarning, ...] = ()
        if self._document.is_repaired:
            self._warnings = (ReadingWarning(WarningCode.REPAIRED, None),)
        try:
            page_count = self._document.page_count
            self._attachments = Attachments(self._document)
        except Exception as exc:  # MuPDF raises its own, undocumented kinds
            raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc
        if page_count == 0:
            raise ReadingError(ReadingFailure.NO_PAGES)
        if self._attachments.members:
            count = str(len(self._attachments.members))
            self._warnings += (ReadingWarning(WarningCode.HAS_ATTACHMENTS, None, count),)
        self._has_hidden_layers = has_hidden_layers(self._document)

    def facts(self) -> FileFacts:
        """Page count, title of the metadata, warnings of opening."""
        metadata = self._document.metadata or {}
        title = normalise.clean_word(str(metadata.get("title") or "")).strip()[:300]
        members = tuple(self._attachments.members)
        return FileFacts(
            MediaType.PDF,
            self._document.page_count,
            title,
            READER,
            self._warnings,
            members,
            outline=outline_of(self._document),
        )

    def pages(self, first: int, last: int) -> list[tuple[PageContent, tuple[ReadingWarning, ...]]]:
        """Pages first … last (from 1, inclusive). Raises ReadingError(DAMAGED) for a page that cannot be
        read.
        """
        raw = [self._raw(number) for number in range(max(1, first - 1), last + 1)]
        running = Running(_repeated(raw))
        table: TableDraft | None = None
        contents = []
        for page in raw:
            content, warnings, table = self._content(page, running, table)
            if page.number >= first:
                contents.append((content, warnings))
        return contents

    def image(self, number: int, dpi: int) -> bytes:
        """PNG of a page as shown, at most 40 megapixels."""
        return page_png(self._document[number - 1], dpi)

    def recognise(self, number: int) -> tuple[PageContent, tuple[ReadingWarning, ...]]:
        """The page by its image alone. Raises ReadingError(UNSUPPORTED) when no recogniser is installed."""
        if ocr.recogniser() is None:
            raise ReadingError(ReadingFailure.UNSUPPORTED, "no recogniser")
        page = self._document[number - 1]
        content, warnings = recognised_page(page, number)
        return replace(content, label=self._label(page, content), rotation=int(page.rotation)), warnings

    def member(self, index: int) -> bytes:
        """Bytes of an attached file. Raises ReadingError(TOO_LARGE | DAMAGED)."""
        return self._attachments.bytes_of(index)

    def decrypted(self) -> bytes:
        """The opened file without encryption."""
        return bytes(self._document.tobytes(encryption=pymupdf.PDF_ENCRYPT_NONE, garbage=1))

    def _raw(self, number: int) -> _RawPage:
        try:
            page = self._document[number - 1]
            words = words_of(page)
            words.tokens = with_fields(page, words.tokens)
            if self._has_hidden_layers and has_text_on_hidden_layers(self._document, number - 1):
                words.hidden[Hiding.OFF_LAYER] += 1
            return _RawPage(number, page, words, notes_of(page))
        except ReadingError:
            raise
        except Exception as exc:  # MuPDF raises its own, undocumented kinds
            raise ReadingError(ReadingFailure.DAMAGED, f"page {number}: {type(exc).__name__}") from exc

    def _content(
        self, raw: _RawPage, running: Running, before: TableDraft | None
    ) -> tuple[PageContent, tuple[ReadingWarning, ...], TableDraft | None]:
        page, words = raw.page, raw.words
        tokens, warnings = self._sound(raw)
        composed = compose(tokens, words.width, words.height, running, before, raw.notes, lambda: rules_of(page))
        content = PageContent(
            number=raw.number,
            label=self._label(page, composed),
            width=round(page.rect.width, 2),
            height=round(page.rect.height, 2),
            rotation=int(page.rotation),
            text=composed.text,
            words=composed.words,
            blocks=composed.blocks,
            tables=composed.tables,
            language=language_of(composed.text),
            grids=composed.grids,
            figures=figures_of(page),
        )
        return content, tuple(warnings), composed.last_table

    def _sound(self, raw: _RawPage) -> tuple[list[Token], list[ReadingWarning]]:
        """The page's tokens that say something, and what is to be told about the others."""
        page, words, number = raw.page, raw.words, raw.number
        tokens, warnings = words.tokens, []
        if words.hidden:
            said = ", ".join(f"{count} {hiding}" for hiding, count in sorted(words.hidden.items()) if count)
            if said:
                warnings.append(ReadingWarning(WarningCode.HIDDEN_TEXT, number, said))
        if raw.notes:
            warnings.append(ReadingWarning(WarningCode.HAS_COMMENTS, number, str(len(raw.notes))))
        if words.unreadable:
            warnings.append(ReadingWarning(WarningCode.UNREADABLE_FONT, number, _waits()))
            tokens = [token for token in tokens if token.run not in words.unreadable]
        elif not tokens:
            has_marks = bool(page.get_image_info()) or len(page.get_drawings()) > 3
            code = WarningCode.NO_TEXT_LAYER if has_marks else WarningCode.BLANK_PAGE
            warnings.append(ReadingWarning(code, number, _waits() if has_marks else ""))
        return tokens, warnings

    def _label(self, page: Any, composed: Composed | PageContent) -> str:
        """The label of the file's own page-label tree, else the number printed at the page's edge, else ""."""
        label = normalise.clean_word(str(page.get_label() or "")).strip()
        if label:
            return label[:40]
        for block in (*reversed(composed.blocks[-3:]), *composed.blocks[:2]):
            text = composed.text[block.start : block.end]
            if block.kind in ("header", "footer") and is_page_number(text) and len(text) <= 8:
                return text.strip("- ")
        return ""


def page_png(page: Any, dpi: int) -> bytes:
    """PNG of a page as shown, at most 40 megapixels."""
    scale = dpi / 72
    pixels = page.rect.width * scale * page.rect.height * scale
    if pixels > 40e6:
        scale *= (40e6 / pixels) ** 0.5
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)
    return bytes(pixmap.tobytes("png"))


def recognised_page(page: Any, number: int) -> tuple[PageContent, tuple[ReadingWarning, ...]]:
    """A page read from its image by OCR, with a warning that says so, or NO_TEXT_LAYER when no word was found."""
    tokens = recognised(page)
    width, height = page.rect.width, page.rect.height
    upright = (height, width) if any(t.x1 > width + 2 or t.y1 > height + 2 for t in tokens) else (width, height)
    composed = compose(tokens, *upright, Running())
    content = PageContent(
        number=number,
        label="",
        width=round(width, 2),
        height=round(height, 2),
        rotation=0,
        text=composed.text,
        words=composed.words,
        blocks=composed.blocks,
        tables=composed.tables,
        language=language_of(composed.text),
        grids=composed.grids,
    )
    if not tokens:
        return content, (ReadingWarning(WarningCode.NO_TEXT_LAYER, number, TRIED),)
    warnings = [ReadingWarning(WarningCode.TEXT_RECOGNISED, number)]
    doubtful = sum(1 for token in tokens if token.confidence < ocr.LOW_CONFIDENCE)
    if doubtful:
        warnings.append(ReadingWarning(WarningCode.LOW_CONFIDENCE, number, f"{doubtful}/{len(tokens)}"))
    return content, tuple(warnings)


def recognised(page: Any) -> list[Token]:
    """Words of a page's image by OCR; [] when no recogniser is installed or it finds none."""
    found = ocr.recogniser()
    if found is None:
        return []
    scale = min(ocr.DPI / 72, (_OCR_PIXELS / max(page.rect.width * page.rect.height, 1.0)) ** 0.5)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False)
    grey = Image.frombytes("L", (pixmap.width, pixmap.height), bytes(pixmap.samples))
    return ocr.with_doubts(found.tokens(grey, 1 / scale))


def _waits() -> str:
    """Detail of a page that can be read from its image later."""
    return WAITING if ocr.is_installed() else ""


@dataclass(slots=True)
class _RawPage:
    """A page with its words, before running headers are known."""

    number: int
    page: Any
    words: PageWords
    notes: list[list[Token]]


def _opened(data: bytes, password: str) -> Any:
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
    except Exception as exc:
        raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc
    if document.needs_pass and not document.authenticate(password):
        failure = ReadingFailure.WRONG_PASSWORD if password else ReadingFailure.NEEDS_PASSWORD
        raise ReadingError(failure)
    return document


def _repeated(pages: list[_RawPage]) -> frozenset[str]:
    """Patterns of edge lines that stand on at least a third of the window's pages, three at least (two of
    two).
    """
    counts: dict[str, int] = {}
    for raw in pages:
        for pattern in {pattern_of(line) for line in edge_lines(raw.words.tokens, raw.words.height)}:
            counts[pattern] = counts.get(pattern, 0) + 1
    needed = max(3, len(pages) / 3)
    return frozenset(pattern for pattern, count in counts.items() if count >= needed)
