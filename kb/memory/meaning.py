"""Search by meaning, as memory uses it: sections near a question, and how near single sentences are.

The vectors are those of document search (kb.search): memory has none of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from kb.memory.client_records import MemoryRecord, read

if TYPE_CHECKING:
    from kb.search.retriever import Retriever

_SECTIONS = 8
_MOST_RECORDS = 300
# Of so many records at most the sentence itself is compared with the question.
_COMPARED = 6
_BY_SECTION, _BY_SENTENCE = 0.2, 3.0
# Cosines of multilingual-e5 lie between 0.7 and 0.95; below this a sentence is no nearer than any other.
_FLOOR = 0.80


@dataclass(frozen=True, slots=True)
class Near:
    """A section near a question: its document's `path` in the tree, its lines, and how near it is (best: 1)."""

    path: str
    lines: tuple[int, int]
    score: float


class Meaning(Protocol):
    """Where meaning comes from."""

    def near(self, question: str) -> Sequence[Near]:
        """The sections nearest to a question, best first."""

    def similarities(self, question: str) -> Callable[[list[str]], list[float]] | None:
        """A function that gives the cosines of texts with a question; None without an embedder."""


class SearchMeaning:
    """Meaning of a retriever that has its embedder."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    def near(self, question: str) -> Sequence[Near]:
        """The sections that document search finds, by words and by meaning."""
        found = self._retriever.find(question, _SECTIONS)
        best = max((item.voices.score for item in found), default=0.0)
        return [
            Near(item.path, (item.section.start, item.section.end), item.voices.score / best if best > 0 else 0.0)
            for item in found
        ]

    def similarities(self, question: str) -> Callable[[list[str]], list[float]] | None:
        """Cosines by the retriever's embedder."""
        return self._retriever.similarities(question)


def records_near(
    connection: sqlite3.Connection, sections: Sequence[Near], where: str, parameters: Sequence[object]
) -> dict[str, tuple[MemoryRecord, float]]:
    """The records that stand in `sections`, by id, each with the nearness of its section; `where` narrows them."""
    found: dict[str, tuple[MemoryRecord, float]] = {}
    for section in sections:
        inside = (
            "r.kind<>'constraint' AND r.doc_id IN (SELECT doc_id FROM documents WHERE path=?) AND "
            f"json_extract(r.source, '$[1]') BETWEEN ? AND ? AND ({where})"
        )
        for record in read(connection, inside, (section.path, *section.lines, *parameters), _MOST_RECORDS):
            found.setdefault(record.id, (record, section.score))
    return found


def reranked(
    scored: Sequence[MemoryRecord],
    sections: dict[str, tuple[MemoryRecord, float]],
    similar: Callable[[list[str]], list[float]] | None,
) -> list[MemoryRecord]:
    """Records with what meaning adds to their scores; the best are compared with the question sentence by sentence."""
    told = [
        replace(record, score=record.score + _BY_SECTION * sections[record.id][1]) if record.id in sections else record
        for record in scored
    ]
    told.sort(key=lambda record: -record.score)
    if similar is None:
        return told
    texts = list(dict.fromkeys(_words(record) for record in told[:_COMPARED]))
    cosines = dict(zip(texts, similar(texts), strict=True)) if texts else {}
    return [
        replace(record, score=round(record.score + _BY_SENTENCE * max(cosines.get(_words(record), 0) - _FLOOR, 0), 4))
        for record in told
    ]


def _words(record: MemoryRecord) -> str:
    place = record.place
    quote = "" if record.value == place.quote else place.quote[:240]
    return "\n".join(filter(None, (place.title, record.text, quote)))
