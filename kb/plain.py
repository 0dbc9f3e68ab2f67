"""Text from documents, file names and models, made safe to show: no control sequences, no surprises.

Nothing that comes from outside reaches a terminal as an escape sequence (design invariant 5): C0 and C1
controls, DEL, and the invisible direction marks become visible pictures of themselves.
"""

from __future__ import annotations

import re

# Line feed and tab stay; U+2400.. are the Unicode control pictures.
_CONTROLS = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)}
_CONTROLS[0x7F] = "␡"
_CONTROLS.update({code: f"‹{code:02X}›" for code in range(0x80, 0xA0)})
# Direction overrides can make a dose read backwards; U+2028/9 break lines behind the layout's back.
_CONTROLS.update(dict.fromkeys((*range(8234, 8239), *range(8294, 8298)), "·"))
_CONTROLS.update({0x2028: " ", 0x2029: " ", 0xFEFF: ""})


def whole(text: str) -> str:
    """`text` without half surrogates (an escape such as "\\ud800" makes them), which no file or database can hold."""
    return text.encode("utf-8", "replace").decode()


def visible(text: str) -> str:
    """`text` with every control character replaced by a printable one; line feeds and tabs stay."""
    return text.replace("\r\n", "\n").translate(_CONTROLS)


def one_line(text: str, width: int | None = None) -> str:
    """`text` on one line, white space folded, cut to `width` characters with an ellipsis."""
    line = re.sub(r"\s+", " ", visible(text)).strip()
    return line if width is None or len(line) <= width else line[: max(width - 1, 0)] + "…"
