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
# A Chinese keyboard gives the full-width signs.
_QUOTED = r'["＂](?P<{name}>[^"＂]+)["＂]'
_FORMS = re.compile(
    rf"(?<![\w-])(?P<without>[-－]?){_QUOTED.format(name='phrase')}"
    rf"|(?<!\S)(?P<name>path|tag|before|type|lang)[:：](?:{_QUOTED.format(name='quoted')}|(?P<value>[^\s\"＂]\S*))"
    r"|(?<!\S)[-－](?P<minus>[^\s\d\"＂－-]\S*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: the free `text`, and the `limits` it sets."""

    text: str
    limits: Filter


def parse_query(written: str, limits: Filter) -> Query:
    """Read the operators out of `written` (cut to MAX_CHARACTERS) and narrow `limits` by them."""
    text = whole(written)[:MAX_CHARACTERS]
    unread = limits
    phrases: list[str] = []
    excluded: list[str] = []

    def read(found: re.Match[str]) -> str:
        """What stays in the text of a form, whose limit is noted."""
        nonlocal limits
        if found["phrase"]:
            (excluded if found["without"] else phrases).append(found["phrase"])
            return " " if found["without"] else f" {found['phrase']} "
        if found["minus"]:
            excluded.append(found["minus"])
            return " "
        narrower = _narrowed(limits, found["name"].lower(), found["quoted"] or found["value"])
        limits = narrower or limits
        return " " if narrower else found[0]

    free = _FORMS.sub(read, text)
    if not free.strip() and limits == unread:
        # Nothing but exclusions: a minus was meant as text.
        free, excluded = text, []
    limits = replace(
        limits,
        phrases=(*limits.phrases, *phrases),
        exclude_terms=(*limits.exclude_terms, *excluded),
    )
    return Query(" ".join(free.split()), limits)


def _narrowed(limits: Filter, name: str, value: str) -> Filter | None:
    """`limits` and those of the operator `name`; None where `value` is none of its values."""
    if name == "path":
        return replace(limits, path_words=(*limits.path_words, value))
    if name == "tag":
        return replace(limits, tags=(*limits.tags, value))
    if name == "type":
        return replace(limits, type=value)
    if name == "lang":
        return replace(limits, lang=value) if value in ("zh", "en") else None
    try:
        return replace(limits, before=_date(value))
    except (ValueError, OverflowError):
        return None


def _date(value: str) -> datetime.date:
    """`2026-03-01`, `2026-03` or `2026` as the first day of it. ValueError or OverflowError for anything else."""
    parts = [int(part) for part in value.split("-")]
    if len(parts) > 3:
        raise ValueError(value)
    year, month, day = (*parts, 1, 1)[:3]
    return datetime.date(year, month, day)
