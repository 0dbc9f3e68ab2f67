"""The list of documents by their human names, read from the index; example questions; search as you type.

These functions read the index and may take long: they run in background threads.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field

from kb.answer.runtime import Runtime
from kb.errors import AlmanacError
from kb.tree.taxonomy import Taxonomy
from tui.starters import questions

HIT_LIMIT = 30


@dataclass(frozen=True, slots=True)
class Entry:
    """A document in the list. `mark` is expired, future, draft, reviewing or empty."""

    path: str
    title: str
    version: str
    lang: str
    mark: str

    @property
    def folders(self) -> list[str]:
        """The path's parts without the file."""
        return self.path.split("/")[:-1]


@dataclass(frozen=True, slots=True)
class Catalog:
    """All documents, with the taxonomy that names their folders and headings for example questions."""

    entries: tuple[Entry, ...] = ()
    taxonomy: Taxonomy = field(default_factory=Taxonomy)
    starters: tuple[tuple[str, str, str], ...] = ()

    def entry(self, path: str) -> Entry | None:
        """The document at `path`."""
        return next((entry for entry in self.entries if entry.path == path), None)

    def title(self, path: str) -> str | None:
        """The title of the document at `path`; None where there is none."""
        found = self.entry(path)
        return found.title if found is not None else None


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that fits the words typed: document, headings and lines (None: the document as a whole)."""

    entry: Entry
    trail: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None


def read_catalog(runtime: Runtime) -> Catalog:
    """Everything the browser and the start screen show."""
    documents = runtime.retriever.documents()
    today = datetime.date.today()
    entries = tuple(Entry(item.path, item.title, item.version, item.lang, item.mark(today)) for item in documents)
    usable = [item for item, entry in zip(documents, entries, strict=True) if not entry.mark]
    return Catalog(entries, runtime.retriever.taxonomy, tuple(questions(usable, runtime.uses())))


def branches(catalog: Catalog) -> dict[str, tuple[list[str], list[Entry]]]:
    """For each folder prefix the folders and documents directly in it."""
    found: dict[str, tuple[list[str], list[Entry]]] = {"": ([], [])}
    for entry in catalog.entries:
        prefix = ""
        for name in entry.folders:
            inner = f"{prefix}{name}/"
            if inner not in found:
                found[inner] = ([], [])
                found[prefix][0].append(name)
            prefix = inner
        found[prefix][1].append(entry)
    return found


def search(runtime: Runtime, catalog: Catalog, typed: str) -> tuple[Hit, ...]:
    """Documents whose name or folder holds every word typed, then sections that fit; expired ones too."""
    from kb.search.confidence import NOTHING
    from kb.search.snapshot import Filter

    words = typed.casefold().split()
    hits: list[Hit] = []
    for entry in catalog.entries:
        names = " ".join((entry.title, *catalog.taxonomy.words(entry.path))).casefold()
        if all(word in names for word in words):
            hits.append(Hit(entry))
            if len(hits) >= HIT_LIMIT // 2:
                break
    known = {entry.path: entry for entry in catalog.entries}
    try:
        found = runtime.retriever.find(typed, HIT_LIMIT, Filter(on=None, released_only=False))
    except AlmanacError:
        found = []
    for item in found:
        if item.confidence < NOTHING:
            continue
        entry_found = known.get(item.path)
        if entry_found is None:
            facts = item.document.facts
            entry_found = Entry(facts.path, facts.title, facts.version, facts.lang, "")
        trail = tuple(name for name in item.section.trail if name != entry_found.title)
        hits.append(Hit(entry_found, trail, (item.section.start, item.section.end)))
    return tuple(hits[:HIT_LIMIT])
