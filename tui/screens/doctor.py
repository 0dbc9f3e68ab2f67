"""How program, models, knowledge and machine are, with a remedy for each thing that is wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass

from textual import on
from textual.content import Content
from textual.message import Message

from kb.kiosk.maintenance import Outcome, Work
from tui.screens.texts import TextScreen
from tui.widgets.flow import Lead
from tui.words import shown

# A finding: a mark, its name, and from a column on what it is; an arrow leads in a remedy.
_FINDING = re.compile(r"(?P<mark>[! ]) (?P<name>\S.*?  +|(?= ) +-> )(?P<value>\S.*)")


@dataclass
class Examined(Message):
    """The examination ended."""

    outcome: Outcome


class DoctorScreen(TextScreen):
    """`examine` is done anew each time; it goes on for a while, and one may leave meanwhile."""

    title_key = "doctor"

    def __init__(self, examine: Work) -> None:
        super().__init__()
        self._examine = examine
        self._outcome: Outcome | None = None

    @property
    def waits(self) -> bool:
        """While it examines."""
        return self._outcome is None

    def missing(self) -> str:
        """It takes longer than other things."""
        return self.words("work_running") if self.trouble is None else super().missing()

    def on_mount(self) -> None:
        """Begin."""
        examine, lang = self._examine, self.words.lang

        def job() -> None:
            self.post_message(Examined(examine(lang)))

        self.in_background(job, "doctor")

    @on(Examined)
    def examined(self, event: Examined) -> None:
        """Show it."""
        self._outcome = event.outcome
        self.refresh_texts()

    def lines(self) -> list[tuple[Lead, Content]]:
        """The findings as the command line tells them; what is wrong stands out."""
        if self._outcome is None:
            return []
        good = self._outcome.good
        said = self.words("doctor_well" if good else "doctor_ill")
        head = Content.styled(said, "bold $primary" if good else "bold $warning")
        return [("", head), ("", Content("")), *(self._row(said) for said in self._outcome.lines)]

    def _row(self, said: str) -> tuple[Lead, Content]:
        found = _FINDING.match(said)
        if found is None:
            return "", Content(shown(said))
        wide = self.app.size.width >= 60
        name = found["name"] if wide else found["name"].strip() + " "
        remedy = name.lstrip().startswith("->")
        mark = Content.styled(f"{found['mark']} ", "bold $warning")
        style = "$warning" if remedy else ""
        return Content.assemble(mark, (shown(name), style or "$muted")), Content.styled(shown(found["value"]), style)
