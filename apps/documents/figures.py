"""Figures of a document: what is said of them on their page, stored beside where they stand."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.contracts import Actor
from apps.core.text import fold
from apps.documents.models import Figure
from apps.documents.rows import readable
from apps.reading.contracts import Block, BlockKind, Box, FigureContent, PageContent

_CAPTION = re.compile(
    r"^(?:figure|fig\.|chart|graph|exhibit|image|picture|photo|diagram|sekil|grafik|resim|gorsel|tablo|cizim)\b"
)
_NEAR_PT = 60.0
_LONGEST_CAPTION = 300


@dataclass(frozen=True, slots=True)
class FigureView:
    """`table_key`: the table with the data of a chart, "" for none."""

    page: int
    label: str
    kind: str
    box: Box | None
    caption: str
    nearby: str
    table_key: str


def rows_of(page_id: UUID, content: PageContent) -> Iterator[Figure]:
    """Unsaved rows of the page's figures."""
    for ordinal, figure in enumerate(content.figures):
        caption, nearby = _words_about(content, figure)
        yield Figure(
            page_id=page_id,
            ordinal=ordinal,
            kind=figure.kind[:10],
            box=list(figure.box) if figure.box else None,
            caption=(figure.title or caption)[:400],
            nearby=nearby[:600],
            table_block=figure.block,
        )


def list_figures(*, actor: Actor, document_id: UUID) -> tuple[FigureView, ...]:
    """Pictures and charts in reading order. Raises NotFound."""
    version_id = readable(actor, document_id).current_version_id
    rows = Figure.objects.filter(page__version_id=version_id).order_by("page__number", "ordinal")
    fields = ("page__number", "page__label", "kind", "box", "caption", "nearby", "table_block")
    return tuple(
        FigureView(
            number, label, kind, tuple(box) if box else None, caption, nearby, f"{number}-{block}" if block >= 0 else ""
        )
        for number, label, kind, box, caption, nearby, block in rows.values_list(*fields)
    )


def count_figures(*, version_id: UUID) -> int:
    """Figures of a version. The caller checked the right."""
    return Figure.objects.filter(page__version_id=version_id).count()


def _words_about(content: PageContent, figure: FigureContent) -> tuple[str, str]:
    """(caption, nearest words): of a picture by distance, of a chart by what stands before its data."""
    if figure.box is None:
        before = [block for block in content.blocks if block.ordinal < figure.block]
        return "", _text(content, before[-1]) if before else ""
    near = sorted(_near(content.blocks, figure.box), key=lambda pair: pair[0])
    captions = [block for _distance, block in near if _is_caption(_text(content, block))]
    words = [block for _distance, block in near if block not in captions[:1]]
    return (_text(content, captions[0]) if captions else ""), (_text(content, words[0]) if words else "")


def _near(blocks: Iterable[Block], box: Box) -> Iterator[tuple[float, Block]]:
    """(distance in points, block) of what stands over, under or beside the picture."""
    x0, y0, x1, y1 = box
    for block in blocks:
        if block.box is None or block.kind in (BlockKind.HEADER, BlockKind.FOOTER, BlockKind.HIDDEN, BlockKind.NOTE):
            continue
        across = max(block.box[0] - x1, x0 - block.box[2], 0.0)
        down = max(block.box[1] - y1, y0 - block.box[3], 0.0)
        if max(across, down) <= _NEAR_PT:
            yield across + down, block


def _is_caption(text: str) -> bool:
    return len(text) <= _LONGEST_CAPTION and bool(_CAPTION.match(fold(text)))


def _text(content: PageContent, block: Block) -> str:
    return " ".join(content.text[block.start : block.end].split())
