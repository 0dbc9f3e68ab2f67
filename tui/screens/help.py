"""Help."""

from __future__ import annotations

from textual.content import Content

from kb.texts import text
from tui.screens.texts import TextScreen


class HelpScreen(TextScreen):
    """How to ask, and the keys."""

    title_key = "help"

    def text(self) -> Content:
        """The help text with its headings in bold; a kiosk tells no key that quits."""
        leave = self.words("help_kiosk" if self.almanac.kiosk else "help_quit")
        written = text(self.words.lang, "tui_help_text").replace("{quit}", leave + "\n")
        lines: list[Content] = []
        before = ""
        for row in written.split("\n"):
            heading = not before and "  " not in row and len(row) < 24 and not row.endswith((".", "。"))
            lines.append(Content.styled(row, "bold $primary") if heading else Content(row))
            before = row
        return Content("\n").join(lines)
