"""Example questions for an empty screen: made from the documents, by domain, what is used most first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.texts import Lang

if TYPE_CHECKING:
    from kb.search.listing import Listed
    from tui.catalog import Catalog

_PER_DOMAIN = 300


@dataclass(frozen=True, slots=True)
class Starter:
    """A question to begin with, and the name of the domain that it is about."""

    domain: str
    question: str


def questions(usable: Iterable[Listed], uses: Mapping[str, int]) -> list[tuple[str, str, str]]:
    """(language, domain, question): those of documents that answered most first, then headings that are questions.

    People's own words are never shown to others: what is asked most decides which document comes first, not how.
    """
    found: list[tuple[int, bool, tuple[str, str, str]]] = []
    per_domain: dict[tuple[str, str], int] = {}
    for item in usable:
        domain = item.path.split("/", 1)[0]
        held = per_domain.get((domain, item.lang), 0)
        if held > _PER_DOMAIN:
            continue
        names = [name for name in item.headings[:40] if name != item.title]
        per_domain[domain, item.lang] = held + len(names)
        asked = [name for name in names if name.rstrip().endswith(("?", "？")) and 4 < len(name) < 60]
        used = -uses.get(item.path, 0)
        found.extend((used, False, (item.lang, domain, name)) for name in asked)
        if names and not asked:
            name = min(names[1:4] or names, key=len)
            found.append((used, True, (item.lang, domain, _compose(item.title, name, item.lang))))
    return [question for _, _, question in sorted(found, key=lambda entry: entry[:2])]


def _compose(title: str, heading: str, lang: str) -> str:
    """A title and one of its headings as words to ask with."""
    short = title
    for sign in ("（", "(", "：", ":", "——"):
        short = short.split(sign, 1)[0].strip() or short
    return f"{short}：{heading}" if lang == "zh" else f"{short}: {heading}"


def starters(catalog: Catalog, lang: Lang, count: int = 5, turn: int = 0) -> list[Starter]:
    """At most `count` examples in `lang` (else in any language), as many of each domain, those of one together."""
    chosen = [item for item in catalog.starters if item[0] == lang] or list(catalog.starters)
    by_domain: dict[str, list[str]] = {}
    for _, domain, question in chosen:
        by_domain.setdefault(domain, []).append(question)
    picked: dict[str, list[str]] = {domain: [] for domain in by_domain}
    taken = 0
    for step in range(count):
        for domain, asked in by_domain.items():
            question = asked[(turn + step * 7) % len(asked)]
            if taken < count and question not in picked[domain]:
                picked[domain].append(question)
                taken += 1
    return [
        Starter(catalog.taxonomy.label(domain, lang), question)
        for domain, asked in picked.items()
        for question in asked
    ]
