"""What the maintenance screen can do, as callables: whoever starts the kiosk gives them, the screen only shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a piece of work said, in the language that it was asked in, and whether it went well.

    `leads_on`: there is something to do about what it found.
    """

    lines: tuple[str, ...]
    good: bool
    leads_on: bool = True


Work = Callable[[str], Outcome]
"""Does the work and tells of it in the language given (zh, en). Called in a thread; what it raises is shown calmly."""


@dataclass(frozen=True, slots=True)
class Maintenance:
    """`look_for_update` says what an update would change; it leads on to `update` where there is one, and `undo_update`
    takes the last one back."""

    look_for_update: Work | None = None
    update: Work | None = None
    undo_update: Work | None = None
    back_up: Work | None = None
    examine: Work | None = None
