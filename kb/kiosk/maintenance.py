"""What the maintenance screen can do, as callables: whoever starts the kiosk gives them, the screen only shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a piece of work said, in the language that it was asked in, and whether it went well."""

    lines: tuple[str, ...]
    good: bool


Work = Callable[[str], Outcome]
"""Does the work and tells of it in the language given (zh, en). Called in a thread; what it raises is shown calmly."""


@dataclass(frozen=True, slots=True)
class Maintenance:
    """`look_for_update` says what an update would change; good means that there is one, and `update` applies it."""

    look_for_update: Work | None = None
    update: Work | None = None
    back_up: Work | None = None
    examine: Work | None = None
