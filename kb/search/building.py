"""From documents to what the index keeps of them: postings of their sections, and one row each."""

from __future__ import annotations

import dataclasses
import json
import marshal
import os
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kb.errors import AlmanacError
from kb.search import tokens
from kb.search.chunks import chunk_key, chunks
from kb.search.keys import Keys, fact_keys, section_keys, term_keys
from kb.search.listing import FOREVER, text_digest
from kb.search.sections import document_sections
from kb.search.writing import SegmentBuilder
from kb.tree import document
from kb.tree.document import Facts, Parsed
from kb.tree.taxonomy import Taxonomy
from kb.tree.walk import FileState

# A segment is written when it holds about so many words: some 60 MB of memory.
_OCCURRENCES_PER_SEGMENT = 1_000_000


Plain = tuple[list[tuple[Any, ...]], list[tuple[object, ...]], list[tuple[int, int, str]]]


@dataclass(frozen=True, slots=True)
class Built:
    """A written segment: file name, sections, how many terms those have, and its documents' rows.

    A row has the columns of the table `documents` from `path` to `headings`, then the ordinal in the segment.
    """

    name: str
    sections: int
    occurrences: int
    packed: bytes

    @property
    def rows(self) -> list[tuple[object, ...]]:
        """The rows, which are packed until they are written: of many documents they would be most of the memory."""
        rows: list[tuple[object, ...]] = marshal.loads(zlib.decompress(self.packed))
        return rows


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of reading files: the segments, the rows of files that could not be read, and size, time and path of
    those whose text is the one that was known."""

    built: list[Built]
    unreadable: list[tuple[object, ...]]
    same: list[tuple[int, int, str]]

    def plain(self) -> Plain:
        """As tuples and lists, for the way between processes."""
        return [dataclasses.astuple(built) for built in self.built], self.unreadable, self.same

    @classmethod
    def of(cls, plain: Plain) -> Outcome:
        """From what `plain` gave."""
        return cls([Built(*built) for built in plain[0]], plain[1], plain[2])


def warm_up() -> None:
    """Load what reading needs, so that a forked helper finds it loaded: an import of another thread could be under way
    in the middle of a fork, and would never end in the child."""
    document.parse("a.md", "---\ntitle: [a]\n---\n大豆 $a$")
    section_keys(["大豆 soybean"])


def build(
    root: Path,
    folder: Path,
    states: list[FileState],
    taxonomy: Taxonomy,
    mean_length: float | None,
    known: Mapping[str, bytes],
    tick: Callable[[], None],
) -> Outcome:
    """Read the documents and write their segments to `folder`; `tick` is called before each document. `known`: digests
    of texts by path, which need not be indexed again."""
    built: list[Built] = []
    unreadable: list[tuple[object, ...]] = []
    same: list[tuple[int, int, str]] = []
    batch = Batch(mean_length, taxonomy)
    for state in states:
        tick()
        try:
            parsed = document.load(root, state.path)
        except AlmanacError as error:
            unreadable.append((state.path, state.size, state.mtime_ns, error.key, str(error)))
            continue
        digest = text_digest(parsed.text)
        if known.get(state.path) == digest:
            same.append((state.size, state.mtime_ns, state.path))
            continue
        batch.add(state, parsed, digest)
        if batch.is_full:
            built.append(batch.write(folder))
            batch = Batch(mean_length, taxonomy)
    if batch.builder.documents:
        built.append(batch.write(folder))
    return Outcome(built, unreadable, same)


class Batch:
    """The segment that is being collected."""

    def __init__(self, mean_length: float | None, taxonomy: Taxonomy) -> None:
        self.builder = SegmentBuilder(mean_length)
        self._rows: list[tuple[object, ...]] = []
        self._taxonomy = taxonomy

    @property
    def is_full(self) -> bool:
        """Whether it is time to write."""
        return self.builder.occurrences > _OCCURRENCES_PER_SEGMENT

    def write(self, folder: Path) -> Built:
        """Write the segment to `folder` under a name of its own."""
        name = segment_name()
        self.builder.write(folder / name)
        packed = zlib.compress(marshal.dumps(self._rows), 1)
        return Built(name, self.builder.sections, self.builder.occurrences, packed)

    def add(self, state: FileState, parsed: Parsed, digest: bytes) -> None:
        """Take in one document."""
        facts = parsed.facts
        sections = document_sections(parsed)
        keys, owners = section_keys(["\n".join((*section.trail, section.text)) for section in sections])
        names = [[chunk_key(text) for text in chunks(facts.title, section)] for section in sections]
        ordinal = self.builder.add(keys, owners, names, _own_words(facts, self._taxonomy))
        headings = list(dict.fromkeys(section.trail[-1] for section in sections if section.trail))
        self._rows.append(
            (state.path, state.size, state.mtime_ns, digest,
             facts.title, facts.version, facts.lang, facts.status, facts.type,
             facts.valid_from.toordinal() if facts.valid_from else 0,
             facts.valid_to.toordinal() if facts.valid_to else FOREVER,
             facts.date_updated.toordinal() if facts.date_updated else 0,
             json.dumps(facts.metadata, ensure_ascii=False),
             json.dumps([[p.line, p.reason, p.detail] for p in facts.problems], ensure_ascii=False),
             json.dumps(headings, ensure_ascii=False), ordinal)
        )  # fmt: skip


def _own_words(facts: Facts, taxonomy: Taxonomy) -> Keys:
    """The keys of a document's own words: `k` title, keywords and tags, `p` path and taxonomy words."""
    keywords = list(tokens.terms("\n".join((facts.title, *facts.keywords, *facts.tags))))
    path = list(tokens.terms("\n".join(taxonomy.words(facts.path))))
    return np.concatenate((fact_keys("k", term_keys(keywords)), fact_keys("p", term_keys(path))))


def segment_name() -> str:
    """A name that no other process or time makes."""
    return f"{time.time_ns():x}-{os.getpid():x}.seg"
