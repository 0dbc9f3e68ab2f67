"""The list of documents by their human names, read from the index; example questions; search as you type.

These functions read the index and may take long: they run in background threads.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kb.answer.runtime import Runtime
from kb.errors import AlmanacError
from kb.texts import Lang
from kb.tree.taxonomy import Taxonomy

if TYPE_CHECKING:
    from kb.search.listing import Listed

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
    return Catalog(entries, runtime.retriever.taxonomy, tuple(_headings(usable)))


def _headings(usable: Iterable[Listed], limit: int = 300) -> list[tuple[str, str, str]]:
    """(language, domain, question) for the start screen; headings that are questions come first."""
    asked: list[tuple[str, str, str]] = []
    composed: list[tuple[str, str, str]] = []
    per_domain: dict[str, int] = {}
    for item in usable:
        domain = item.path.split("/", 1)[0]
        if per_domain.get(domain + item.lang, 0) > limit:
            continue
        names = [name for name in item.headings[:40] if name != item.title]
        per_domain[domain + item.lang] = per_domain.get(domain + item.lang, 0) + len(names)
        questions = [name for name in names if name.rstrip().endswith(("?", "？")) and 4 < len(name) < 60]
        asked.extend((item.lang, domain, name) for name in questions)
        if names and not questions:
            name = min(names[1:4] or names, key=len)
            composed.append((item.lang, domain, _compose(item.title, name, item.lang)))
    return [*asked, *composed]


def _compose(title: str, heading: str, lang: str) -> str:
    """A title and one of its headings as words to ask with."""
    short = title
    for sign in ("（", "(", "：", ":", "——"):
        short = short.split(sign, 1)[0].strip() or short
    return f"{short}：{heading}" if lang == "zh" else f"{short}: {heading}"


def starters(catalog: Catalog, lang: Lang, count: int = 5, turn: int = 0) -> list[str]:
    """Example questions in `lang` (else in any language), taken from the domains in turn."""
    chosen = [item for item in catalog.starters if item[0] == lang] or list(catalog.starters)
    by_domain: dict[str, list[str]] = {}
    for _, domain, question in chosen:
        by_domain.setdefault(domain, []).append(question)
    picked: list[str] = []
    for step in range(count):
        for questions in by_domain.values():
            place = (turn + step * 7) % len(questions)
            if len(picked) < count and questions[place] not in picked:
                picked.append(questions[place])
    return picked


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
    """Documents whose name or folder holds every word typed, then passages that fit; expired ones too."""
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
        entry_found = known.get(item.path)
        if entry_found is None:
            facts = item.document.facts
            entry_found = Entry(facts.path, facts.title, facts.version, facts.lang, "")
        trail = tuple(name for name in item.section.trail if name != entry_found.title)
        hits.append(Hit(entry_found, trail, (item.section.start, item.section.end)))
    return tuple(hits[:HIT_LIMIT])
