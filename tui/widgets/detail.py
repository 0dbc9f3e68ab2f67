"""The chosen source beside the answer, where the screen is broad."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from kb.answer.answer import Evidence
from tui import formula
from tui.widgets.flow import FlowText
from tui.words import Words, line, shown


class SourceDetail(VerticalScroll):
    """Title, headings, the passage itself, validity and references of one source."""

    can_focus = False

    def compose(self) -> ComposeResult:
        """One text."""
        yield FlowText(id="detail-text")

    def show(self, source: Evidence, place: int, words: Words) -> None:
        """Show `source`, which is number `place`."""
        facts = [
            words("version", version=source.version) if source.version else "",
            words("updated_on", date=source.date_updated) if source.date_updated else "",
            words("valid_from", date=source.valid_from) if source.valid_from else "",
            words("valid_to", date=source.valid_to) if source.valid_to else "",
            words("confidence", percent=words.percent(source.score).rstrip("%")),
        ]
        lines = [
            Content.styled(words("source_of", number=place), "bold $primary"),
            Content.styled(line(source.title), "bold"),
            Content.styled(words.between.join(line(name) for name in source.trail), "$muted"),
            Content(""),
            Content(formula.inline(shown(source.full))),
            Content(""),
            *(Content.styled(fact, "$muted") for fact in facts if fact),
        ]
        if source.references:
            lines += [Content(""), Content.styled(words("named_standards"), "bold")]
            lines += [Content.styled(line(reference), "$muted") for reference in source.references]
        self.query_one("#detail-text", FlowText).update(Content("\n").join(lines))
        self.scroll_home(animate=False)
