"""What changed in the knowledge, for `almanac kb changes` and for the question loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kb.cli.output import Output
from kb.errors import KnowledgeError
from kb.plain import one_line
from kb.tree import document
from kb.tree.document import Facts
from kb.tree.taxonomy import Taxonomy
from kb.tree.walk import inside
from kb.versions.asked import ChangedDocument, ChangesAsked, changed_documents
from kb.versions.history import History

# So many commits are looked through for the changes of a period.
MANY = 10_000


def answer(history: History, root: Path, asked: ChangesAsked) -> list[ChangedDocument]:
    """The documents that a question about changes asks for, from the history of the tree at `root`."""

    def facts_of(path: str) -> Facts | None:
        try:
            inside(root, path)
            return document.load(root, path).facts
        except KnowledgeError:
            return None

    return changed_documents(history.changes(since=asked.period.start, limit=MANY), asked, facts_of)


def lines_of(
    asked: ChangesAsked, found: Sequence[ChangedDocument], taxonomy: Taxonomy, output: Output
) -> Iterator[str]:
    """The answer as a person reads it: each document with version, path and the commits that changed it."""
    named = [*(taxonomy.label(word, output.config.lang) for word in asked.words), *asked.terms]
    subject = output.text("changes_about", subject=" ".join(one_line(name) for name in named)) if named else ""
    period = output.text("changes_period", start=asked.period.start, end=asked.period.end)
    if not found:
        yield output.text("changes_none", period=period, subject=subject)
        return
    yield output.text("changes_head", count=len(found), period=period, subject=subject)
    for item in found:
        title = one_line(item.facts.title) if item.facts is not None else ""
        version = one_line(item.facts.version) if item.facts is not None else ""
        yield f"- {output.text(f'kb_letter_{item.letter}')}: {title}  {version}  {one_line(item.path)}"
        for change in item.changes[:3]:
            yield f"    {change.date:%Y-%m-%d}  {change.commit[:10]}  {one_line(change.summary)}"


def as_json(asked: ChangesAsked, found: Sequence[ChangedDocument]) -> dict[str, object]:
    """The answer as programs read it."""
    return {
        "schema": 1,
        "start": asked.period.start,
        "end": asked.period.end,
        "words": asked.words,
        "terms": asked.terms,
        "documents": [
            {
                "path": item.path,
                "change": item.letter,
                "title": item.facts.title if item.facts is not None else "",
                "version": item.facts.version if item.facts is not None else "",
                "commits": [
                    {"commit": one.commit, "date": one.date, "author": one.author, "summary": one.summary}
                    for one in item.changes
                ],
            }
            for item in found
        ],
    }
