"""How well the supply of knowledge works: seven figures with their definitions, and how they went week by week."""

from __future__ import annotations

from textual import on
from textual.content import Content

from kb.supply.metrics_plot import spark
from kb.texts import text
from tui import messages, work
from tui.screens.texts import TextScreen


class MetricsScreen(TextScreen):
    """Name, value and trend of each figure; below it what it means."""

    title_key = "metrics"

    def __init__(self) -> None:
        super().__init__()
        self._found: messages.WorkbenchRead | None = None
        self._trouble: BaseException | None = None

    def on_mount(self) -> None:
        """Count in the background."""
        runtime = self.almanac.runtime
        self.in_background(lambda: work.read_workbench(runtime, self.post_message), "metrics")

    @on(messages.WorkbenchRead)
    def workbench_read(self, event: messages.WorkbenchRead) -> None:
        """Show them."""
        self._found = event
        self.refresh_texts()

    @on(messages.WorkFailed)
    def work_failed(self, event: messages.WorkFailed) -> None:
        """Say what is wrong in place of the figures."""
        event.stop()
        self._trouble = event.error
        self.refresh_texts()

    def text(self) -> Content:
        """The figures, or why there are none."""
        words = self.words
        if self._trouble is not None:
            return Content(words.problem(self._trouble))
        if self._found is None:
            return Content(words("loading"))
        found = self._found.look.report
        trends = {trend.key: spark(trend.values, plain=words.plain) for trend in found.trends}
        lines: list[Content] = []
        for figure in found.figures:
            name = text(words.lang, f"metrics_{figure.key}")
            value, trend = figure.shown(words.lang), trends.get(figure.key, "")
            lines.append(Content.assemble((f"{name}  ", "bold"), (value, "$primary"), f"   {trend}"))
            lines.append(Content.styled(f"  {text(words.lang, f'metrics_{figure.key}_definition')}", "$muted"))
        if found.weeks:
            span = text(words.lang, "metrics_span", first=found.weeks[0].monday, last=found.weeks[-1].monday)
            lines += [Content(""), Content.styled(span, "$muted")]
        return Content("\n").join(lines)
