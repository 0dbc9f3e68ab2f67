"""What the plain theme does with signs that consoles without a good font lack: another one, as wide, of ASCII."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

# Signs of the interface and of typography, each one cell wide; parts of blocks end scroll bars. Raised digits are not
# among them: 10² is not 102.
_SIGNS = str.maketrans(
    "…›·•▸▾▶▷→←↑↓●○“”‘’–—─━│┃├└┌┐┘┤┬┴┼",
    "~>-*+->>><^v*.\"\"''----|||`..'|--+",
) | {ord("█"): "#", **dict.fromkeys(map(ord, "▁▂▃▄▅▆▇▉▊▋▌▍▎▏▐▔▕"), " ")}


class AsciiSigns(LineFilter):
    """Changes what reaches the terminal, whoever wrote it."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The line with other signs; its width stays."""
        return [
            one if one.control or one.text.isascii() else Segment(one.text.translate(_SIGNS), one.style)
            for one in segments
        ]
