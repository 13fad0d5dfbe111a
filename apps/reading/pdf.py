"""PDF by PyMuPDF: opening, words with boxes, page images, decrypted copies. Runs only in the child process."""

from __future__ import annotations

from typing import Any

from apps.reading import normalise, ocr
from apps.reading._pymupdf import pymupdf
from apps.reading.compose import Composed, Running, compose, edge_lines, is_page_number, pattern_of
from apps.reading.contracts import (
    Box,
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
from apps.reading.table_parts import TableDraft

READER = f"pymupdf {pymupdf.VersionBind} layout 1"
_FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
)  # ligatures are expanded when TEXT_PRESERVE_LIGATURES is absent
_BOLD = 16
_SUPERSCRIPT = 1
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
        if self._document.page_count == 0:
            raise ReadingError(ReadingFailure.NO_PAGES)

    def facts(self) -> FileFacts:
        """Page count, title of the metadata, warnings of opening."""
        metadata = self._document.metadata or {}
        title = normalise.clean_word(str(metadata.get("title") or "")).strip()[:300]
        return FileFacts(MediaType.PDF, self._document.page_count, title, READER, self._warnings)

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

    def decrypted(self) -> bytes:
        """The opened file without encryption."""
        return bytes(self._document.tobytes(encryption=pymupdf.PDF_ENCRYPT_NONE, garbage=1))

    def _raw(self, number: int) -> _RawPage:
        try:
            page = self._document[number - 1]
            return _RawPage(number, page, *_tokens_of(page))
        except ReadingError:
            raise
        except Exception as exc:  # MuPDF raises its own, undocumented kinds
            raise ReadingError(ReadingFailure.DAMAGED, f"page {number}: {type(exc).__name__}") from exc

    def _content(
        self, raw: _RawPage, running: Running, before: TableDraft | None
    ) -> tuple[PageContent, tuple[ReadingWarning, ...], TableDraft | None]:
        page, warnings = raw.page, []
        tokens = raw.tokens
        plain = " ".join(token.text for token in tokens)
        if normalise.is_unreadable(plain):
            warnings.append(ReadingWarning(WarningCode.UNREADABLE_FONT, raw.number))
            tokens = []
        elif not tokens:
            has_marks = bool(page.get_image_info()) or len(page.get_drawings()) > 3
            code = WarningCode.NO_TEXT_LAYER if has_marks else WarningCode.BLANK_PAGE
            tokens = recognised(page) if has_marks else []
            warnings.append(ReadingWarning(WarningCode.TEXT_RECOGNISED if tokens else code, raw.number))
        composed = compose(tokens, raw.width, raw.height, running, before)
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
        )
        return content, tuple(warnings), composed.last_table

    def _label(self, page: Any, composed: Composed) -> str:
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


def recognised(page: Any) -> list[Token]:
    """Words of a page's image by OCR; [] when no recogniser is installed or it finds none."""
    found = ocr.recogniser()
    if found is None:
        return []
    scale = min(ocr.DPI / 72, (_OCR_PIXELS / max(page.rect.width * page.rect.height, 1.0)) ** 0.5)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False)
    return found.tokens(bytes(pixmap.tobytes("png")), 1 / scale)


class _RawPage:
    """A page with its tokens in an upright layout of `width` × `height`."""

    def __init__(self, number: int, page: Any, tokens: list[Token], width: float, height: float) -> None:
        self.number = number
        self.page = page
        self.tokens = tokens
        self.width = width
        self.height = height


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
        for pattern in {pattern_of(line) for line in edge_lines(raw.tokens, raw.height)}:
            counts[pattern] = counts.get(pattern, 0) + 1
    needed = max(3, len(pages) / 3)
    return frozenset(pattern for pattern, count in counts.items() if count >= needed)


def _tokens_of(page: Any) -> tuple[list[Token], float, float]:
    """Tokens, layout width and layout height. Coordinates are those of the page as shown."""
    textpage = page.get_textpage(flags=_FLAGS)
    styles, needs_characters, vertical = _styles(textpage)
    matrix = tuple(page.rotation_matrix) if page.rotation else None
    width, height = float(page.rect.width), float(page.rect.height)
    if needs_characters:
        pieces = _words_by_character(textpage)
    else:
        pieces = [
            (word[0], word[1], word[2], word[3], word[4], styles.get((word[5], word[6]), (0.0, False)), False,
             word[5] * 10_000 + word[6])
            for word in textpage.extractWORDS()
        ]  # fmt: skip
    turn = _turn(vertical, page.rotation)
    tokens: list[Token] = []
    for x0, y0, x1, y1, text, (size, bold), is_mark, run in pieces:
        box = _shown(x0, y0, x1, y1, matrix)
        upright = _turned(box, turn, width, height)
        size = round(size or (upright[3] - upright[1]), 1)
        tokens.extend(
            Token(cleaned, *upright, box, size, bold, run, is_mark)
            for cleaned in normalise.without_leaders(normalise.clean_word(text)).split()
        )
    return (tokens, height, width) if turn else (tokens, width, height)


def _styles(
    textpage: Any,
) -> tuple[dict[tuple[int, int], tuple[float, bool]], bool, dict[tuple[int, int], int]]:
    """Size and weight per parser line; whether raised marks need characters; letters per writing direction."""
    styles: dict[tuple[int, int], tuple[float, bool]] = {}
    directions: dict[tuple[int, int], int] = {}
    needs_characters = False
    for block_number, block in enumerate(textpage.extractDICT()["blocks"]):
        for line_number, line in enumerate(block.get("lines", ())):
            spans = [span for span in line["spans"] if span["text"].strip()]
            if not spans:
                continue
            main = max(spans, key=lambda span: len(span["text"]))
            styles[(block.get("number", block_number), line_number)] = (main["size"], _is_bold(main))
            direction = (round(line["dir"][0]), round(line["dir"][1]))
            directions[direction] = directions.get(direction, 0) + sum(len(s["text"]) for s in spans)
            if len(spans) > 1:
                needs_characters = needs_characters or any(
                    span["flags"] & _SUPERSCRIPT or span["size"] < 0.78 * main["size"] for span in spans
                )
    return styles, needs_characters, directions


def _is_bold(span: dict[str, Any]) -> bool:
    return bool(span["flags"] & _BOLD) or any(
        mark in span["font"].lower() for mark in ("bold", "black", "heavy", "semibold")
    )


_Piece = tuple[float, float, float, float, str, tuple[float, bool], bool, int]


def _words_by_character(textpage: Any) -> list[_Piece]:
    """Words built from characters, parted where a raised mark begins or ends."""
    pieces: list[_Piece] = []
    for block_number, block in enumerate(textpage.extractRAWDICT()["blocks"]):
        for line_number, line in enumerate(block.get("lines", ())):
            spans = [span for span in line["spans"] if span["chars"]]
            if not spans:
                continue
            main = max(spans, key=lambda span: sum(1 for c in span["chars"] if not c["c"].isspace()))
            run = block_number * 10_000 + line_number
            word: list[Any] = []
            style: tuple[float, bool] = (main["size"], _is_bold(main))
            was_mark = False
            for span in spans:
                raised = span["bbox"][3] < main["bbox"][3] - 0.12 * main["size"]
                is_mark = (
                    span is not main
                    and span["size"] < 0.78 * main["size"]
                    and (bool(span["flags"] & _SUPERSCRIPT) or raised)
                )
                for character in span["chars"]:
                    blank = character["c"].isspace()
                    if word and (blank or is_mark != was_mark):
                        pieces.append(_piece(word, style, was_mark, run))
                        word = []
                    if not blank:
                        style = (span["size"], _is_bold(span))
                        was_mark = is_mark
                        word.append(character)
            if word:
                pieces.append(_piece(word, style, was_mark, run))
    return pieces


def _piece(characters: list[Any], style: tuple[float, bool], is_mark: bool, run: int) -> _Piece:
    boxes = [character["bbox"] for character in characters]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
        "".join(character["c"] for character in characters),
        style,
        is_mark,
        run,
    )


def _shown(x0: float, y0: float, x1: float, y1: float, matrix: tuple[float, ...] | None) -> Box:
    """The box after the page's own rotation (`matrix`: a b c d e f, None for an upright page)."""
    if matrix is not None:
        a, b, c, d, e, f = matrix
        xs = (a * x0 + c * y0 + e, a * x1 + c * y1 + e)
        ys = (b * x0 + d * y0 + f, b * x1 + d * y1 + f)
        x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    return round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)


def _turn(directions: dict[tuple[int, int], int], rotation: int) -> int:
    """Degrees by which most text still lies on its side after the page's own rotation: 0, 90 or 270."""
    if not directions:
        return 0
    x, y = max(directions, key=lambda direction: directions[direction])
    angle = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}.get((x, y), 0)
    left = (angle + rotation) % 360
    return left if left in (90, 270) else 0


def _turned(box: Box, turn: int, width: float, height: float) -> Box:
    x0, y0, x1, y1 = box
    if turn == 90:  # text runs downwards: its right is the page's bottom
        return y0, width - x1, y1, width - x0
    if turn == 270:  # text runs upwards
        return height - y1, x0, height - y0, x1
    return box
