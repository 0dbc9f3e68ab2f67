"""Help."""

from __future__ import annotations

import re

from textual.content import Content

from kb.texts import text
from tui.screens.texts import TextScreen
from tui.widgets.flow import Lead

_KEY = re.compile(r"\S.*?  +")


class HelpScreen(TextScreen):
    """How to ask, and the keys."""

    title_key = "help"

    def lines(self) -> list[tuple[Lead, Content]]:
        """The help text, headings in bold, what a key does beside it; a kiosk tells no key that quits."""
        leave = self.words("help_kiosk" if self.almanac.kiosk else "help_quit")
        written = text(self.words.lang, "tui_help_text").replace("{quit}", leave + "\n")
        lines: list[tuple[Lead, Content]] = []
        before = ""
        for row in written.split("\n"):
            key = _KEY.match(row)
            heading = not before and key is None and len(row) < 24 and not row.endswith((".", "。"))
            lead = key[0] if key else ""
            lines.append((lead, Content.styled(row[len(lead) :], "bold $primary" if heading else "")))
            before = row
        return lines
