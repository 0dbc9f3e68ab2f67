"""Pictures in the terminal: the best way it knows (sixel, kitty, half blocks), or a line of text."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.widget import Widget

from tui import themes

if TYPE_CHECKING:
    from PIL.Image import Image


# Terminals that can show real pictures say so in one of these.
_GRAPHIC_TERMS = ("kitty", "foot", "mlterm", "ghostty", "contour", "wezterm", "sixel", "vt340", "yaft")
_GRAPHIC_VARIABLES = ("KITTY_WINDOW_ID", "WEZTERM_PANE", "KONSOLE_VERSION", "XTERM_VERSION", "WT_SESSION")


def prepare(environment: Mapping[str, str]) -> bool:
    """Whether pictures can be shown. Terminals that may know real ones are asked how, before the application runs.

    Asking needs a terminal that nobody else reads, and loading the library takes 0.4 s: others get half blocks, and
    the library when the first picture comes.
    """
    if themes.suited(environment) == themes.PLAIN:
        return False
    named = f"{environment.get('TERM', '')} {environment.get('TERM_PROGRAM', '')}".lower()
    if any(word in named for word in _GRAPHIC_TERMS) or any(name in environment for name in _GRAPHIC_VARIABLES):
        try:
            import textual_image.widget  # noqa: F401
        except Exception:  # noqa: BLE001 - whatever a terminal answers, pictures are only an extra
            return False
    return True


def widget(picture: Image, room: Size) -> Widget | None:
    """A widget that shows `picture` within `room`; None when that fails."""
    try:
        with _unasked():
            from textual_image import renderable
            from textual_image import widget as widgets

        shown = (widgets.Image if renderable.is_tty else widgets.HalfcellImage)(picture)
    except Exception:  # noqa: BLE001 - a line of text stands in its place
        return None
    shown.styles.width, shown.styles.height = cells(picture.size, room)
    return shown


@contextlib.contextmanager
def _unasked() -> Iterator[None]:
    """Let the library be loaded without a word to the terminal, which belongs to the application now."""
    terminal = sys.__stdout__
    sys.__stdout__ = io.StringIO()  # type: ignore[misc,assignment]  # read-only by declaration alone
    try:
        yield
    finally:
        sys.__stdout__ = terminal  # type: ignore[misc]


def cells(pixels: tuple[int, int], room: Size) -> tuple[int, int]:
    """How many cells a picture of this size takes within `room`, its proportions kept; a cell is 1:2."""
    width = max(min(room.width, 80), 4)
    height = max(1, round(width * pixels[1] / max(pixels[0], 1) / 2))
    if height > room.height:
        width = max(4, round(width * room.height / height))
        height = max(room.height, 1)
    return width, height
