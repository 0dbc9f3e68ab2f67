"""A restore that the interface runs: how far it is, and how it ended. It goes on when its screen is left."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tui.session import Pace

if TYPE_CHECKING:
    from kb.versions.restore import Restored


@dataclass
class Recovery:
    """`source` is the bundle, None to finish an interrupted restore. `done` or `problem` is set at the end."""

    source: Path | None
    pace: Pace
    done: Restored | None = None
    problem: BaseException | None = None

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.done is None and self.problem is None
