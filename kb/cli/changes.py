"""What changed in the knowledge, for `almanac kb changes` and for `almanac ask`."""

from __future__ import annotations

from collections.abc import Iterator

from kb.cli.output import Output
from kb.plain import one_line
from kb.versions.asked import ChangesFound


def lines_of(found: ChangesFound, output: Output) -> Iterator[str]:
    """The answer as a person reads it: each document with version, path and the commits that changed it."""
    yield found.headline(output.config.lang)
    for item in found.documents:
        title = one_line(item.facts.title) if item.facts is not None else ""
        version = one_line(item.facts.version) if item.facts is not None else ""
        yield f"- {output.text(f'kb_letter_{item.letter}')}: {title}  {version}  {one_line(item.path)}"
        for change in item.changes[:3]:
            yield f"    {change.date:%Y-%m-%d}  {change.commit[:10]}  {one_line(change.summary)}"


def as_json(found: ChangesFound) -> dict[str, object]:
    """The answer as programs read it."""
    return {
        "schema": 1,
        "start": found.asked.period.start,
        "end": found.asked.period.end,
        "words": found.asked.words,
        "terms": found.asked.terms,
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
            for item in found.documents
        ],
    }
