"""How well the supply of knowledge works: seven figures with their definitions, and how they went week by week."""

from __future__ import annotations

from rich.cells import cell_len
from textual import on
from textual.content import Content

from kb.supply.metrics_plot import as_text, spark
from kb.texts import text
from tui import messages, work
from tui.screens.texts import TextScreen
from tui.widgets.flow import Lead
from tui.words import pad


class MetricsScreen(TextScreen):
    """Name, value and trend of each figure, the trends as a plot, and what each figure means."""

    title_key = "metrics"

    def __init__(self) -> None:
        super().__init__()
        self._found: messages.WorkbenchRead | None = None

    @property
    def waits(self) -> bool:
        """While they are counted."""
        return self._found is None

    def on_mount(self) -> None:
        """Count in the background."""
        runtime = self.almanac.runtime
        self.in_background(lambda: work.read_workbench(runtime, self.post_message), "metrics")

    @on(messages.WorkbenchRead)
    def workbench_read(self, event: messages.WorkbenchRead) -> None:
        """Show them."""
        self._found = event
        self.refresh_texts()

    def lines(self) -> list[tuple[Lead, Content]]:
        """The figures."""
        words = self.words
        if self._found is None:
            return []
        found = self._found.look.report
        lang, room = words.lang, max(self.app.size.width - 8, 24)
        trends = {trend.key: spark(trend.values, plain=words.plain) for trend in found.trends}
        named = [(one, text(lang, f"metrics_{one.key}")) for one in found.figures]
        broad = min(max(cell_len(name) for _, name in named), room // 2)
        lines: list[tuple[Lead, Content]] = []
        for figure, name in named:
            said, drawn = figure.shown(lang), f"   {trends.get(figure.key, '')}"
            shown = drawn if cell_len(said) + cell_len(drawn) + broad + 2 <= room else ""
            lead = Content.styled(f"{pad(name, broad)}  ", "bold")
            lines.append((lead, Content.assemble((said, "$primary"), shown)))
        names = [text(lang, f"metrics_{trend.key}") for trend in found.trends]
        if plot := as_text(found.trends, names, room):
            lines += [("", Content(row)) for row in ("", *plot)]
            span = text(lang, "metrics_span", first=found.weeks[0].monday, last=found.weeks[-1].monday)
            lines.append(("", Content.styled(span, "$muted")))
        for figure, name in named:
            meant = text(lang, f"metrics_{figure.key}_definition")
            lines += [("", Content("")), ("", Content(name)), ("  ", Content.styled(meant, "$muted"))]
        return lines
