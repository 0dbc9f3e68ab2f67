"""How much one document may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of reading one document. Beyond them reading ends with a message, never with a full disk or a frozen
    program."""

    file_mb: int = 500
    memory_mb: int = 2000
    """Address space of the child process."""
    seconds: int = 1800
    """For the whole document."""
    stalled_seconds: int = 60
    """Without any progress: a page that takes longer is skipped."""
    pages: int = 5000
    unpacked_mb: int = 400
    """All parts of a DOCX together, unpacked."""
    ratio: int = 150
    """How many times larger than packed a part above 1 MB may be: Word's XML reaches 30, a bomb 1,000."""
    entries: int = 5000
    nesting: int = 200
    """Depth of tables, lists and elements."""
    pictures: int = 300
