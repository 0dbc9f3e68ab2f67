"""What this Almanac consists of and how it is doing: what one reads out on the telephone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import on
from textual.content import Content

from kb.texts import text
from tui import messages, work
from tui.screens.texts import TextScreen
from tui.widgets.flow import Lead
from tui.words import line, pad

if TYPE_CHECKING:
    from kb.search.retriever import Status

_SPACE: tuple[Lead, Content] = ("", Content(""))


class InfoScreen(TextScreen):
    """Version, counts, models, folders, files with problems."""

    title_key = "info"

    def __init__(self) -> None:
        super().__init__()
        self._status: Status | None = None

    def on_mount(self) -> None:
        """Count in the background."""
        runtime = self.almanac.runtime
        self.in_background(lambda: work.survey(runtime, self.post_message), "info")
        self.set_interval(1.0, self.refresh_texts)

    @on(messages.CatalogRead)
    def counted(self, event: messages.CatalogRead) -> None:
        """Show the counts, and let the application know them too."""
        event.stop()
        self._status = event.status
        self.almanac.catalog_read(event)

    def lines(self) -> list[tuple[Lead, Content]]:
        """Name and value, one a line; problems with file, line and reason."""
        words, config, engine = self.words, self.almanac.runtime.config, self.almanac.runtime.status
        status, version = self._status, self.almanac.version
        rows: list[tuple[str, str]] = []
        known = "" if version is None else words.dot.join(part for part in (version.label, version.date[:10]) if part)
        rows.append(("info_version", known or words("unknown")))
        if status is not None:
            rows.append(("info_documents", str(status.documents)))
            rows.append(("info_sections", str(status.sections)))
        meaning = words(f"info_state_{engine.embedder.value}")
        if status is not None and engine.embedder.value == "ready":
            meaning += f"{words.dot}{words('info_prepared', done=status.embedded, total=status.sections)}"
        rows.append(("info_meaning", meaning))
        name = config.answer_model.name if config.answer_model else ""
        rows.append(("info_model", words.dot.join(x for x in (words(f"info_state_{engine.answer.value}"), name) if x)))
        if engine.variant:
            rows.append(("info_processor", engine.variant))
        rows.append(("info_knowledge", str(self.almanac.runtime.root)))
        rows.append(("info_home", str(config.home)))
        names = {key: words(key) for key, _ in rows}
        column = max(map(cell_len, names.values())) + (4 if self.app.size.width >= 60 else 1)
        lines: list[tuple[Lead, Content]] = [
            (Content.styled(pad(names[key], column), "$muted"), Content(line(value))) for key, value in rows
        ]
        notes = [words.problem(problem) for problem in engine.problems]
        notes += [line(config.home_note)] if config.home_note else []
        notes += [self.almanac.console_note()] if self.almanac.console_note() else []
        for note in notes:
            lines += [_SPACE, (Content.styled("! ", "bold $warning"), Content(note))]
        if status is not None:
            lines += [_SPACE, ("", Content.styled(words("info_problems"), "bold $primary"))]
            lines += [("", Content(words("info_none")))] if not status.problems else []
            for problem in status.problems:
                where = words.dot.join(
                    part
                    for part in (
                        line(problem.path),
                        words("info_line", line=problem.line) if problem.line else "",
                    )
                    if part
                )
                reason = self._reason(problem.reason, problem.detail)
                lines.append(("", Content.assemble(where, (f"  {reason}", "$muted"))))
        return lines

    def _reason(self, reason: str, detail: str) -> str:
        try:
            return line(text(self.words.lang, reason, detail=line(detail)))
        except (KeyError, IndexError):
            return line(f"{reason} {detail}")
