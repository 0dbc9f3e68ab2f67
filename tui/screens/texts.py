"""Screens that are one text to read: help, and what this Almanac consists of."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.screens.base import AlmanacScreen
from tui.widgets.bars import HeaderBar, KeyLine, Rule


class TextScreen(AlmanacScreen):
    """Subclasses give the `title_key` and the `text`."""

    AUTO_FOCUS = "#text"
    title_key = ""

    def compose(self) -> ComposeResult:
        """Title, text, keys."""
        yield HeaderBar(id="header")
        yield Rule(classes="upper")
        with VerticalScroll(id="text"):
            yield Static("", id="text-body", markup=False)
        yield Rule(classes="lower")
        yield KeyLine(id="keys")

    def relabel(self) -> None:
        """The text in the current language."""
        if not self.is_mounted:
            return
        self.query_one("#header", HeaderBar).show([self.words(self.title_key)], [])
        self.query_one("#text-body", Static).update(self.text())
        super().relabel()

    def text(self) -> Content:
        """What to read."""
        return Content("")
