"""The query language for people: quotes, minus, `path:`, `tag:`, `before:`; everything else is text.

No character is a syntax error: what does not fit one of the forms is searched for as it stands.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, replace

from kb.plain import whole
from kb.search.snapshot import Filter

MAX_CHARACTERS = 4000
_PHRASE = re.compile(r'(?<![\w-])(-?)"([^"]+)"')
_OPERATOR = re.compile(r"(?<!\S)(path|tag|before|type|lang):(\S+)", re.IGNORECASE)
_MINUS = re.compile(r"(?<!\S)-([^\s\d-]\S*)")


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: the free `text`, and the `limits` it sets."""

    text: str
    limits: Filter


def parse_query(written: str, limits: Filter) -> Query:
    """Read the operators out of `written` (cut to MAX_CHARACTERS) and narrow `limits` by them."""
    text = whole(written)[:MAX_CHARACTERS]
    phrases: list[str] = []
    excluded: list[str] = []

    def phrase(found: re.Match[str]) -> str:
        (excluded if found[1] else phrases).append(found[2])
        return " " if found[1] else f" {found[2]} "

    def operator(found: re.Match[str]) -> str:
        nonlocal limits
        name, value = found[1].lower(), found[2]
        if name == "path":
            limits = replace(limits, path_words=(*limits.path_words, value))
        elif name == "tag":
            limits = replace(limits, tags=(*limits.tags, value))
        elif name == "type":
            limits = replace(limits, type=value)
        elif name == "lang" and value in ("zh", "en"):
            limits = replace(limits, lang=value)
        elif name == "before":
            try:
                limits = replace(limits, before=_date(value))
            except (ValueError, OverflowError):
                return found[0]
        else:
            return found[0]
        return " "

    def minus(found: re.Match[str]) -> str:
        excluded.append(found[1])
        return " "

    text = _PHRASE.sub(phrase, text)
    text = _OPERATOR.sub(operator, text)
    stripped = _MINUS.sub(minus, text)
    if not stripped.strip() and not phrases:
        # Nothing but exclusions: a minus was meant as text.
        stripped, excluded = text, []
    limits = replace(
        limits,
        phrases=(*limits.phrases, *phrases),
        exclude_terms=(*limits.exclude_terms, *excluded),
    )
    return Query(" ".join(stripped.split()), limits)


def _date(value: str) -> datetime.date:
    """`2026-03-01`, `2026-03` or `2026` as the first day of it. ValueError or OverflowError for anything else."""
    parts = [int(part) for part in value.split("-")]
    if len(parts) > 3:
        raise ValueError(value)
    year, month, day = (*parts, 1, 1)[:3]
    return datetime.date(year, month, day)
