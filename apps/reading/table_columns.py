"""Value columns of a table: clusters of right edges, merged where another alignment hides one column in two."""

from apps.reading.geometry import Line
from apps.reading.table_parts import Column, ParsedLine, digit_edge
from apps.reading.values import trailing_values


def columns_of(parsed: list[ParsedLine], rows: list[int]) -> list[Column]:
    edges = [
        (digit_edge(value), value, index, parsed[index].line.size) for index in rows for value in parsed[index].values
    ]
    edges.sort(key=lambda item: item[0])
    clusters: list[Column] = []
    for edge, value, index, size in edges:
        if clusters and edge - clusters[-1].edge < max(2.5, 0.45 * size) and index not in clusters[-1].lines:
            column = clusters[-1]
            column.x0, column.x1 = min(column.x0, value.x0), max(column.x1, value.x1)
            column.reach = min(column.reach, value.tokens[0].x0)
            column.lines.add(index)
        else:
            clusters.append(Column(value.x0, value.x1, edge, {index}, value.tokens[0].x0))
    return _merged(sorted(clusters, key=lambda column: column.middle))


def _merged(clusters: list[Column]) -> list[Column]:
    """Clusters that overlap and never share a row are one column set with another alignment."""
    changed = True
    while changed:
        changed = False
        for i in range(len(clusters)):
            for j in range(i + 1, len(clusters)):
                a, b = clusters[i], clusters[j]
                overlap = min(a.x1, b.x1) - max(a.x0, b.x0)
                if overlap <= 0.35 * min(a.x1 - a.x0, b.x1 - b.x0) or a.lines & b.lines:
                    continue
                wide = a if len(a.lines) >= len(b.lines) else b
                x0, x1, reach = min(a.x0, b.x0), max(a.x1, b.x1), min(a.reach, b.reach)
                clusters[i] = Column(x0, x1, wide.edge, a.lines | b.lines, reach)
                del clusters[j]
                changed = True
                break
            if changed:
                break
    return sorted(clusters, key=lambda column: column.middle)


def promote_weak(parsed: list[ParsedLine], span: range, columns: list[Column], rows: list[int]) -> None:
    """Takes numbers out of labels that run right up to them, where they stand in an established column."""
    for index in span:
        entry = parsed[index]
        if entry.after or len(entry.values) >= len(columns) or (not entry.label and not entry.values):
            continue
        tokens = [token for token in (entry.label or entry.line.tokens) if not token.is_mark]
        label, values = trailing_values(Line(tokens or entry.line.tokens))
        limit = min((value.x0 for value in entry.values), default=columns[-1].x1 + 30)
        aligned = [v for v in values if v.x1 < limit and any(abs(digit_edge(v) - c.edge) < 3.0 for c in columns)]
        if label and aligned and len(aligned) == len(values) and label[-1].text.lower() not in {"note", "dipnot"}:
            if not entry.values:
                rows.append(index)
            entry.label, entry.values = label, values + entry.values
