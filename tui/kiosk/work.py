"""What a piece of maintenance tells when it ends; it goes to the application, which outlives the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from kb.kiosk.maintenance import Outcome


@dataclass
class WorkTold(Message):
    """What it said, or why it could not be done. `show` shows that, and is False where its screen is gone."""

    outcome: Outcome | None
    error: BaseException | None
    show: Callable[[WorkTold], bool]
