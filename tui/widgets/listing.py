"""A list to choose from, as all screens use it."""

from __future__ import annotations

from textual.style import Style
from textual.widgets import OptionList


class Listing(OptionList):
    """An OptionList without markup whose highlighted entry also shows where there are no colours."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(compact=True, markup=False, id=id)

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        """Textual leaves `reverse` out of visual styles; it is what marks the entry in the plain theme."""
        style = super().get_visual_style(*component_classes, partial=partial)
        reverse = any(self.get_component_styles(name).text_style.reverse for name in component_classes)
        return style + Style(reverse=True) if reverse else style
