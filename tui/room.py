"""The least room that screens are laid out for: where a terminal is smaller, its corner shows a part of them.

Below some columns nothing is left of a list or a line of text, and Textual's widgets divide by their width.
"""

from __future__ import annotations

from textual import events
from textual.app import App
from textual.geometry import Size

SMALLEST = Size(20, 8)


def roomy(size: Size) -> Size:
    """`size`, or what is laid out where that is less."""
    return Size(max(size.width, SMALLEST.width), max(size.height, SMALLEST.height))


class RoomyApp(App[int]):
    """An application whose screens never learn of a terminal smaller than `SMALLEST`."""

    @property
    def size(self) -> Size:
        """What is laid out; the terminal may be smaller."""
        return roomy(super().size)

    async def on_event(self, event: events.Event) -> None:
        """As Textual does, but for the size that a terminal reports."""
        if isinstance(event, events.Resize):
            size = roomy(event.size)
            event = events.Resize(size, size, size, event.pixel_size)
        await super().on_event(event)
