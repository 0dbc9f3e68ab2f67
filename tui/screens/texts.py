"""Screens that are one text to read: help, and what this Almanac consists of."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from tui.screens.base import AlmanacScreen
from tui.widgets.bars import HeaderBar, KeyLine, Rule
from tui.widgets.flow import FlowLines, Lead


class TextScreen(AlmanacScreen):
    """Subclasses give the `title_key` and the `text`, or `lines` where what wraps shall hang under its beginning."""

    AUTO_FOCUS = "#text"
    title_key = ""

    def compose(self) -> ComposeResult:
        """Title, text, keys."""
        yield HeaderBar(id="header")
        yield Rule(classes="upper")
        with VerticalScroll(id="text"):
            yield FlowLines(id="text-body")
        yield Rule(classes="lower")
        yield KeyLine(id="keys")

    def relabel(self) -> None:
        """The text in the current language."""
        if not self.is_mounted:
            return
        self.query_one("#header", HeaderBar).show([self.words(self.title_key)], [])
        waits = Content.styled(self.missing(), "$muted" if self.trouble is None else "")
        self.query_one("#text-body", FlowLines).update([("", waits)] if self.waits else self.lines())
        super().relabel()

    def lines(self) -> Sequence[tuple[Lead, Content]]:
        """What to read, each line after what it hangs under."""
        return [("", self.text())]

    def text(self) -> Content:
        """What to read."""
        return Content("")
