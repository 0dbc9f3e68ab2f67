"""Pictures in the terminal: the best way it knows (sixel, kitty, half blocks), or a line of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.widget import Widget

from tui import themes

if TYPE_CHECKING:
    from PIL.Image import Image


def prepare(environment: Mapping[str, str]) -> bool:
    """Ask the terminal what it can show. Must run before the application: it answers on standard input."""
    if themes.suited(environment) == themes.PLAIN:
        return False
    try:
        import textual_image.widget  # noqa: F401
    except Exception:  # noqa: BLE001 - whatever a terminal answers, pictures are only an extra
        return False
    return True


def widget(picture: Image, room: Size) -> Widget | None:
    """A widget that shows `picture` within `room`; None when that fails."""
    try:
        from textual_image.widget import Image as ImageWidget

        shown = ImageWidget(picture)
    except Exception:  # noqa: BLE001 - a line of text stands in its place
        return None
    shown.styles.width, shown.styles.height = cells(picture.size, room)
    return shown


def cells(pixels: tuple[int, int], room: Size) -> tuple[int, int]:
    """How many cells a picture of this size takes within `room`, its proportions kept; a cell is 1:2."""
    width = max(min(room.width, 80), 4)
    height = max(1, round(width * pixels[1] / max(pixels[0], 1) / 2))
    if height > room.height:
        width = max(4, round(width * room.height / height))
        height = max(room.height, 1)
    return width, height
