"""What stands under an answer, and in the line below its list."""

from __future__ import annotations

from kb.answer.answer import Evidence, Nearest
from kb.versions.asked import ChangedDocument
from tui.session import Exchange, Phase
from tui.words import Words, line


def listing(exchange: Exchange) -> tuple[Evidence, ...] | tuple[Nearest, ...] | tuple[ChangedDocument, ...]:
    """What stands under the answer: its sources, what came near, or the documents that changed."""
    if exchange.changes is not None:
        return exchange.changes.documents
    if exchange.phase is Phase.REFUSED and exchange.answer is not None:
        return exchange.answer.nearest
    return exchange.evidence


def under_line(source: Evidence, words: Words, narrow: bool) -> str:
    """The references of a source; on narrow screens also what did not fit into its line."""
    named = words.dot.join(line(reference) for reference in source.references)
    if not narrow:
        return words("references", references=named) if named else words("no_references")
    until = words("valid_to", date=source.valid_to) if source.valid_to else ""
    return words.dot.join(part for part in (line(source.version), until) if part)
