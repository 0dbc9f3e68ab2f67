"""Where a unit of evidence stands, and what is said around it."""

from __future__ import annotations

from dataclasses import dataclass

from kb.search.retriever import Found


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit stands: its section (`found`), the `rank` of that among the sections that were found and the unit's
    own `position` in it, both from 0.

    `heads`, `before` and `after` are terms of the headings above it and of the units on both sides, as
    `Asked.terms_in` tells them. Folded texts: all headings (`heading`), the section (`around`), the nearest heading
    (`under`, '' where there is none).
    """

    found: Found
    rank: int
    position: int
    heads: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]
    heading: str
    around: str
    under: str = ""

    @property
    def beside(self) -> frozenset[str]:
        """The terms of the units on both sides."""
        return self.before | self.after
