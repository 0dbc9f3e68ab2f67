"""What a list of documents says of each, and how the index keeps days."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from kb.hashing import blake2b
from kb.tree import document

# Days are kept as ordinals; 0 and this stand for no limit.
FOREVER = 10_000_000


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in a list. `headings` in order; dates None where the document sets no limit."""

    path: str
    title: str
    version: str
    lang: str
    status: str
    valid_from: datetime.date | None
    valid_to: datetime.date | None
    headings: tuple[str, ...]

    def mark(self, day: datetime.date) -> str:
        """Why it does not answer on `day`: its status, `expired` or `future`; '' when it does."""
        if self.status != document.RELEASED:
            return self.status
        if self.valid_to is not None and self.valid_to < day:
            return "expired"
        return "future" if self.valid_from is not None and day < self.valid_from else ""


def day_of(ordinal: int) -> datetime.date | None:
    """The date of a column; 0 and FOREVER stand for no limit."""
    return datetime.date.fromordinal(ordinal) if 0 < ordinal < FOREVER else None


def text_digest(text: str) -> bytes:
    """The digest (16 bytes) that tells one state of a document from another, whatever its file's time says."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
