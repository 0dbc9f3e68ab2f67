"""One progress for work of several parts."""

from __future__ import annotations

from collections.abc import Callable

from kb.config import ProgressReport


class Steps:
    """One progress from 0 to 100 over parts of known weight. It never goes back, also where git counts anew."""

    def __init__(self, phase: str, report: ProgressReport) -> None:
        self._phase, self._report = phase, report
        self._next = 0
        self._shown = -1

    def part(self, weight: int) -> Callable[[float], None]:
        """A reporter for the next part, called with 0 to 1; the part before it is over."""
        start = self._next
        self._next += weight
        self._show(start)
        return lambda done: self._show(min(start + int(weight * done), 99))

    def end(self) -> None:
        """All is done."""
        self._show(100)

    def _show(self, done: int) -> None:
        if done > self._shown:
            self._shown = done
            self._report(self._phase, done, 100)
