"""The financial glossary and word lists of data/*.toml, loaded once and folded for matching."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from apps.agents.engine.text import fold, key, stem

_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Concept:
    """One financial notion: how rows print it, how questions call it, where it stands, how it is computed."""

    id: str
    labels: tuple[str, ...]
    labels_tr: tuple[str, ...]
    asked: tuple[str, ...]
    statement: str
    unit: str
    formula: str
    format: str

    def name(self, language: str) -> str:
        return self.labels_tr[0] if language == "tr" and self.labels_tr else self.labels[0]

    def keys(self) -> dict[str, int]:
        """Folded labels with their rank; earlier labels are surer names."""
        ranked: dict[str, int] = {}
        for group in (self.labels, self.labels_tr):
            for rank, label in enumerate(group):
                ranked.setdefault(key(label), rank)
        return ranked


@dataclass(frozen=True, slots=True)
class Clause:
    asked: tuple[str, ...]
    cues: tuple[str, ...]


@cache
def concepts() -> dict[str, Concept]:
    loaded = tomllib.loads((_DATA / "glossary.toml").read_text(encoding="utf-8"))
    return {
        name: Concept(
            id=name,
            labels=tuple(entry["labels"]),
            labels_tr=tuple(entry.get("labels_tr", ())),
            asked=tuple(entry.get("asked", ())),
            statement=entry["statement"],
            unit=entry["unit"],
            formula=entry.get("formula", ""),
            format=entry.get("format", ""),
        )
        for name, entry in loaded.items()
    }


@cache
def concept_phrases() -> tuple[tuple[str, str], ...]:
    """(folded phrase, concept id), longest first, so that "gross margin" wins over "margin"."""
    pairs: dict[str, str] = {}
    for concept in concepts().values():
        for phrase in (*concept.asked, *concept.labels, *concept.labels_tr):
            folded = key(phrase)
            if len(folded) > 2 and (concept.formula or folded not in pairs or phrase in concept.asked):
                pairs[folded] = concept.id
    for generic in ("sales", "basic", "diluted", "gelirler", "sg"):
        pairs.pop(generic, None)
    pairs["sales"] = "revenue"
    return tuple(sorted(pairs.items(), key=lambda pair: (-len(pair[0]), pair[0])))


@cache
def concept_keys(concept_id: str) -> dict[str, int]:
    return concepts()[concept_id].keys()


@cache
def _words() -> dict[str, object]:
    return tomllib.loads((_DATA / "words.toml").read_text(encoding="utf-8"))


@cache
def stop_words() -> frozenset[str]:
    lists = _words()["stop"]
    assert isinstance(lists, dict)
    return frozenset(fold(word) for group in lists.values() for word in group.split())


@cache
def word_set(name: str) -> frozenset[str]:
    """A word list of data/words.toml, folded."""
    sets = _words()["sets"]
    assert isinstance(sets, dict)
    return frozenset(fold(word) for word in sets[name].split())


@cache
def stem_set(name: str) -> frozenset[str]:
    """A word list of data/words.toml as stems."""
    return frozenset(stem(word) for word in word_set(name))


@cache
def statement_names() -> dict[str, tuple[str, ...]]:
    names = _words()["statement_names"]
    assert isinstance(names, dict)
    return {statement: tuple(fold(name) for name in group) for statement, group in names.items()}


@cache
def statement_rows(statement: str, language: str) -> str:
    """Words that stand together on a page that prints this primary statement: a query that finds it."""
    rows = _words()["statement_rows"]
    assert isinstance(rows, dict)
    return str(rows.get(f"{statement}_{language}", rows.get(f"{statement}_en", "")))


@cache
def same_words() -> dict[str, frozenset[str]]:
    """A stem and the stems that mean the same when looking in prose (single words only)."""
    section = _words()["same"]
    assert isinstance(section, dict)
    related: dict[str, set[str]] = {}
    for group in section["groups"]:
        members = {stem(part) for word in group for part in [fold(word)] if " " not in part}
        for member in members:
            related.setdefault(member, set()).update(members)
    return {member: frozenset(group) for member, group in related.items()}


def related_words(root: str) -> frozenset[str]:
    """Stems that mean the same as the word, found also under Turkish endings ("primi" is "prim")."""
    related = same_words()
    for length in range(len(root), 3, -1):
        if root[:length] in related and (length == len(root) or len(root) - length <= 3):
            return related[root[:length]]
    return related.get(root, frozenset())


@cache
def clauses() -> tuple[Clause, ...]:
    entries = _words()["clauses"]
    assert isinstance(entries, list)
    return tuple(
        Clause(tuple(fold(word) for word in entry["asked"]), tuple(fold(word) for word in entry["cues"]))
        for entry in entries
    )


def find_statement(text: str) -> str:
    """Which primary statement `text` names, "" when none."""
    folded = re.sub(r"\s+", " ", fold(text))
    for statement, names in statement_names().items():
        if any(name in folded for name in names):
            return statement
    return ""
