"""What is shown of a ranked unit: the words, and where they stand."""

from __future__ import annotations

import re

from kb.answer.answer import Evidence
from kb.answer.evidence import Ranked
from kb.tree.document import Reference

# An id of a standard as file names hold it: series, recommended or not, number, part, year.
_STANDARD = re.compile(r"^([A-Z]{2,4})(_T)?_(\d+)(?:_(\d{1,2}))?(?:_((?:19|20)\d\d))?$")


def to_evidence(ranked: Ranked) -> Evidence:
    """The value that is shown and cited."""
    facts = ranked.found.document.facts
    unit = ranked.unit
    return Evidence(
        path=facts.path,
        title=facts.title,
        trail=tuple(name for name in ranked.found.section.trail if name != facts.title),
        lines=(unit.start, unit.end),
        text=unit.text,
        context=unit.context,
        plain=ranked.prose,
        kind=unit.kind,
        version=facts.version,
        valid_from=facts.valid_from.isoformat() if facts.valid_from else "",
        valid_to=facts.valid_to.isoformat() if facts.valid_to else "",
        date_updated=facts.date_updated.isoformat() if facts.date_updated else "",
        references=tuple(as_written(reference) for reference in facts.references),
        score=ranked.score,
    )


def as_written(reference: Reference) -> str:
    """A reference as people write it: `GB_T_22871_2024` -> `GB/T 22871-2024`, then its title."""
    found = _STANDARD.match(reference.id)
    if found is None:
        return f"{reference.id} {reference.title}".strip()
    series, recommended, number, part, year = found.groups()
    name = f"{series}{'/T' if recommended else ''} {number}{'.' + part if part else ''}{'-' + year if year else ''}"
    return reference.title if name in reference.title else f"{name} {reference.title}".strip()
