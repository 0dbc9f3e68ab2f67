"""Texts for the screen: in the current language, with everything from outside made harmless."""

from __future__ import annotations

import datetime

from rich.cells import cell_len, set_cell_size

from kb.errors import AlmanacError
from kb.plain import one_line, visible
from kb.texts import Lang, text

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_CHANGES = {"A": "added", "D": "deleted", "R": "renamed", "C": "added"}
_HIDDEN = str.maketrans({"\ufe0f": None, "\ufe0e": None, "\u200b": None, "\u00ad": None})


def shown(value: str) -> str:
    """`value` as it may reach a terminal: no control characters, no variation selectors, no tabs."""
    return visible(value).translate(_HIDDEN).expandtabs(4)


def line(value: str) -> str:
    """As `shown`, on one line."""
    return one_line(value).translate(_HIDDEN)


def fit(value: str, width: int) -> str:
    """`value` cut to `width` cells with an ellipsis; wide characters count two."""
    if cell_len(value) <= width:
        return value
    if width < 2:
        return "…"[:width]
    return set_cell_size(value, width - 1).rstrip() + "…"


def pad(value: str, width: int) -> str:
    """`value` cut or filled to exactly `width` cells."""
    cut = fit(value, width)
    return cut + " " * max(width - cell_len(cut), 0)


class Words:
    """The texts of one language; `plain` keeps to ASCII signs."""

    def __init__(self, lang: Lang, plain: bool = False) -> None:
        self.lang: Lang = lang
        self.plain = plain

    def __call__(self, key: str, **params: object) -> str:
        """The text of `tui_<key>`; text parameters are made harmless."""
        clean = {name: line(value) if isinstance(value, str) else value for name, value in params.items()}
        return self._signs(text(self.lang, f"tui_{key}", **clean))

    def problem(self, error: BaseException) -> str:
        """What happened, for a person: the error's own text, or a calm sentence with its kind."""
        if isinstance(error, AlmanacError):
            try:
                return line(text(self.lang, error.key, **error.params))
            except (KeyError, IndexError):
                return line(error.key)
        return self("trouble", kind=type(error).__name__)

    def change(self, letter: str) -> str:
        """What happened to a document, by git's letter."""
        return self(_CHANGES.get(letter, "modified"))

    def number(self, value: int) -> str:
        """A source number: ¹ or [1]."""
        if self.plain:
            return f"[{value}]"
        return "".join(_SUPERSCRIPTS[int(digit)] for digit in str(value))

    def quoted(self, value: str) -> str:
        """`value` between quotation marks."""
        return f'"{value}"' if self.plain else f"“{value}”"

    def dots(self, score: float) -> str:
        """Four places, filled by confidence: ●●●○ or ***. in plain."""
        filled = max(1, min(4, round(score * 4)))
        on, off = ("*", ".") if self.plain else ("●", "○")
        return on * filled + off * (4 - filled)

    def percent(self, score: float) -> str:
        """The confidence as a number, three cells wide."""
        return f"{min(99, max(0, round(score * 100)))}%"

    @property
    def between(self) -> str:
        """What stands between headings of a trail."""
        return " > " if self.plain else " › "

    @property
    def dot(self) -> str:
        """What stands between facts."""
        return " - " if self.plain else " · "

    def _signs(self, value: str) -> str:
        if not self.plain:
            return value
        return value.replace("…", "...").replace("→", "->").replace("·", "-").replace(" ...", "...")


def validity(
    words: Words, start: datetime.date | None, end: datetime.date | None, today: datetime.date | None = None
) -> str:
    """How long a document is valid, in words; date.min is an unreadable date: expired."""
    day = today or datetime.date.today()
    if end is not None and end < day:
        return words("expired", date="?" if end == datetime.date.min else end.isoformat())
    if start is not None and start > day:
        return words("future", date=start.isoformat())
    if end is not None:
        return words("valid_to", date=end.isoformat())
    return ""
