"""Line breaking for Chinese and English: between Chinese characters, not before a closing mark.

A number keeps its unit: there is no break at the space in `45-60 kg` unless the line is too narrow for both.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rich.cells import cell_len

_NO_START = frozenset("，。、；：？！）】》」』〉〕”’…,.;:?!)]}%％℃°·¹²³⁴⁵⁶⁷⁸⁹⁰")
_NO_END = frozenset("（【《「『〈〔“‘([{")
_WIDE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_PIECE = re.compile(rf"[ ]+|[{_WIDE}]|[^ {_WIDE}]+")
_NUMBER_END = re.compile(r"[\d%℃°]$")
_UNIT = re.compile(r"^[A-Za-zμµ°℃%‰\u4e00-\u9fff]")
_LONGEST_UNIT = 9


@lru_cache(4096)
def breaks(text: str, width: int) -> tuple[tuple[int, int], ...]:
    """The rows of `text` as (start, end) offsets, at most `width` cells each, without spaces at the end."""
    rows: list[tuple[int, int]] = []
    offset = 0
    for paragraph in text.split("\n"):
        rows.extend((offset + start, offset + end) for start, end in _paragraph(paragraph, max(width, 2)))
        offset += len(paragraph) + 1
    return tuple(rows)


def _paragraph(text: str, width: int) -> list[tuple[int, int]]:
    rows: list[tuple[int, int]] = []
    row_start = 0
    used = 0
    for start, end in _units(text):
        size = cell_len(text[start:end].rstrip(" "))
        if used and used + size > width:
            rows.append((row_start, _trimmed(text, row_start, start)))
            row_start, used = start, 0
        if size > width:
            row_start, used = _fold(text, row_start, end, width, rows)
            continue
        used += cell_len(text[start:end])
    rows.append((row_start, _trimmed(text, row_start, len(text))))
    return rows


def _fold(text: str, start: int, end: int, width: int, rows: list[tuple[int, int]]) -> tuple[int, int]:
    """Cut a unit that is wider than a row wherever the row ends."""
    used = 0
    for place in range(start, end):
        size = cell_len(text[place])
        if used + size > width:
            rows.append((start, place))
            start, used = place, 0
        used += size
    return start, used


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] == " ":
        end -= 1
    return end


def _units(text: str) -> list[tuple[int, int]]:
    """Pieces between which a line may break; spaces belong to the piece before them."""
    units: list[tuple[int, int]] = []
    for found in _PIECE.finditer(text):
        start, end = found.span()
        glued = units and (
            found[0][0] == " "
            or found[0][0] in _NO_START
            or text[units[-1][1] - 1] in _NO_END
            or _is_unit_of(text, units[-1], start, end)
        )
        if glued:
            units[-1] = (units[-1][0], end)
        else:
            units.append((start, end))
    return units


def _is_unit_of(text: str, before: tuple[int, int], start: int, end: int) -> bool:
    """Whether the piece is the unit of the number before it."""
    word = text[before[0] : before[1]]
    return (
        word.endswith(" ")
        and bool(_NUMBER_END.search(word.rstrip(" ")))
        and end - start <= _LONGEST_UNIT
        and bool(_UNIT.match(text[start:end]))
        and cell_len(word) < 20
    )
