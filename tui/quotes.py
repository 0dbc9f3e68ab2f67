"""Units of documents as a person reads them: no marks, tables as `name: value`, formulas readable."""

from __future__ import annotations

import re

from kb.answer.answer import Evidence
from kb.answer.prose import readable
from tui import formula
from tui.words import line, shown

_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")


def is_picture(evidence: Evidence) -> bool:
    """Whether the unit is nothing but a picture."""
    return not _PICTURE.sub("", evidence.text).strip()


def quote(evidence: Evidence) -> str:
    """The unit on one line."""
    header = evidence.context.split("\n")[-1]
    kind = "table" if "|" in evidence.text and "|" in header else "text"
    text = _PICTURE.sub(r"[\1]", evidence.text)
    return formula.inline(line(readable(text, evidence.context if kind == "table" else "", kind).lstrip("!！ ")))


def prose(text: str) -> str:
    """An answer's text; its line breaks stay."""
    return formula.inline(shown(text))
