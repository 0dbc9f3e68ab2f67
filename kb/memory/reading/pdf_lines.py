"""Glyphs to lines: what stands on one baseline without a wide gap, with spaces where the drawing has them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kb.memory.reading.pdf_page import Glyph
from kb.memory.reading.scripts import SYMBOLS, scripted

# In units of the font size. A word space is 0.2-0.35; a gap of JOIN or more may separate columns.
_SPACE = 0.2
_SPACE_CJK = 0.22  # more than the line's usual gap: titles and justified lines are set wide
_SPACE_MIXED = 0.45
_OVERHANG = 0.05  # the ink of an f reaches over its width, into the space behind it: of the
JOIN = 0.85
# How far apart baselines of one row lie at most.
_SAME_BASE = 0.22
_SMALL = 0.8
# Glyphs that a script and a note's mark have at most.
_LONGEST_SCRIPT = 40
_LONGEST_MARK = 6

_CJK = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LATIN = re.compile(r"[A-Za-z,;()]+")
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# Spaces of all kinds as one, ligatures as letters.
_SYMBOLS = {
    **SYMBOLS,
    "\u00a0": " ", "\u3000": " ", "\u2002": " ", "\u2003": " ", "\u2009": " ", "\u202f": " ", "\t": " ", "\n": " ",
    "\r": " ", "\u00ad": "-", "\u200b": "", "\ufeff": "",
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl",
}  # fmt: skip


@dataclass(slots=True)
class Line:
    """A run of text on one baseline. Points from the top left corner of the page."""

    text: str
    x0: float
    x1: float
    base: float
    size: float
    bold: bool = False
    italic: bool = False
    mono: bool = False

    @property
    def top(self) -> float:
        """The upper edge: what letters without accents reach."""
        return self.base - 0.88 * self.size

    @property
    def bottom(self) -> float:
        """The lower edge, descenders included."""
        return self.base + 0.22 * self.size


def is_cjk(char: str) -> bool:
    """Whether `char` is Chinese, Japanese or Korean, or full width punctuation: no space stands between such."""
    return bool(_CJK.match(char))


def is_prose(text: str) -> bool:
    """Whether a line is long enough to be of running text."""
    return sum(map(is_cjk, text)) >= 8 or len(text) >= 18


def lines(glyphs: Iterable[Glyph]) -> list[Line]:
    """The lines of a page or cell, from top to bottom; what a wide gap separates is separate."""
    found: list[Line] = []
    for row in _rows(glyphs):
        for run in _runs(row):
            _mark_raised(run)
            line = _line(run)
            if line is not None:
                found.append(line)
    return found


@dataclass(slots=True)
class _Drawn:
    glyph: Glyph
    raised: int = 0  # 1 for a superscript, -1 for a subscript


def _rows(glyphs: Iterable[Glyph]) -> list[list[_Drawn]]:
    """Glyphs by baseline, super- and subscripts in the row they belong to; spaces stay in."""
    rows: list[list[_Drawn]] = []
    bases: list[float] = []
    for glyph in sorted(glyphs, key=lambda each: each.base):
        if rows and glyph.base - bases[-1] <= _SAME_BASE * min(glyph.style.size, rows[-1][0].glyph.style.size):
            rows[-1].append(_Drawn(glyph))
        else:
            rows.append([_Drawn(glyph)])
            bases.append(glyph.base)
    sizes = [_main_size(row) for row in rows]
    for place, row in enumerate(rows):
        for other in (place - 1, place + 1, place - 2, place + 2):
            if not 0 <= other < len(rows) or not rows[other] or sizes[place] > _SMALL * sizes[other]:
                continue
            lift = bases[other] - bases[place]
            if -0.4 * sizes[other] < lift < 0.7 * sizes[other]:
                _attach(row, rows[other], sizes[other], 1 if lift > 0 else -1)
    rows = [row for row in rows if row]
    for row in rows:
        row.sort(key=lambda each: (each.glyph.x0, each.glyph.x1))
    return rows


def _main_size(row: Sequence[_Drawn]) -> float:
    """The size most of a row is set in."""
    sizes = Counter(each.glyph.style.size for each in row if not each.glyph.text.isspace())
    return sizes.most_common(1)[0][0] if sizes else row[0].glyph.style.size


def _attach(small: list[_Drawn], row: list[_Drawn], size: float, raised: int) -> None:
    """Move the runs of `small` that touch a glyph of `row` over to it, unless they are long enough to be a line."""
    edges = [(each.glyph.x0, each.glyph.x1) for each in row if not each.glyph.text.isspace() and not each.raised]
    reach = 0.3 * size
    first = min((left for left, _ in edges), default=0.0)
    for run in _touching(small, reach):
        x0, x1 = run[0].glyph.x0, max(each.glyph.x1 for each in run)
        letters = sum(each.glyph.text.isalpha() for each in run)
        # A note's mark before its text: a number, a sign, one letter.
        leads = letters < 2 and len(run) <= _LONGEST_MARK and -reach < first - x1 < 0.9 * size
        touches = any(-reach < x0 - right < reach or -reach < left - x1 < 0.12 * size for left, right in edges)
        if len(run) <= _LONGEST_SCRIPT and (leads or touches):
            for each in run:
                small.remove(each)
                row.append(_Drawn(each.glyph, raised))


def _touching(row: Sequence[_Drawn], reach: float) -> list[list[_Drawn]]:
    """A row cut where the next glyph is `reach` or more away."""
    runs: list[list[_Drawn]] = []
    edge = 0.0
    for each in sorted(row, key=lambda drawn: (drawn.glyph.x0, drawn.glyph.x1)):
        if runs and each.glyph.x0 - edge < reach:
            runs[-1].append(each)
        else:
            runs.append([each])
        edge = max(edge, each.glyph.x1) if len(runs[-1]) > 1 else each.glyph.x1
    return runs


def _mark_raised(run: list[_Drawn]) -> None:
    """Find scripts whose baseline is so near that they were taken for the row's own."""
    main = _main_size([each for each in run if not each.raised] or run)
    bases = sorted(each.glyph.base for each in run if each.glyph.style.size > _SMALL * main)
    if not bases:
        return
    base = bases[len(bases) // 2]
    for each in run:
        if not each.raised and each.glyph.style.size <= _SMALL * main:
            lift = (base - each.glyph.base) / main
            each.raised = 1 if lift > 0.1 else -1 if lift < -0.05 else 0


def _runs(row: list[_Drawn]) -> Iterator[list[_Drawn]]:
    """Cut a row at wide gaps. White space counts as gap: tables are often set with it."""
    run: list[_Drawn] = []
    edge = 0.0
    for each in row:
        if each.glyph.text.isspace():
            if run:
                run.append(each)
            continue
        size = max(each.glyph.style.size, run[0].glyph.style.size) if run else 0.0
        if run and each.glyph.x0 - edge > JOIN * size:
            yield run
            run, edge = [], each.glyph.x1
        edge = max(edge, each.glyph.x1) if run else each.glyph.x1
        run.append(each)
    if run:
        yield run


def _line(run: list[_Drawn]) -> Line | None:
    drawn = [each for each in run if not each.glyph.text.isspace()]
    if not drawn:
        return None
    full = [each.glyph for each in drawn if not each.raised] or [each.glyph for each in drawn]
    weights: Counter[str] = Counter()
    for glyph in full:
        weights.update(
            name
            for name, on in (("bold", glyph.style.bold), ("italic", glyph.style.italic), ("mono", glyph.style.mono))
            if on
        )
    text = _text(run)
    if not text:
        return None
    size = Counter(glyph.style.size for glyph in full).most_common(1)[0][0]
    bases = sorted(glyph.base for glyph in full)
    return Line(
        text,
        min(each.glyph.x0 for each in drawn),
        max(each.glyph.x1 for each in drawn),
        bases[len(bases) // 2],
        size,
        bold=weights["bold"] > 0.7 * len(full),
        italic=weights["italic"] > 0.7 * len(full),
        mono=weights["mono"] > 0.7 * len(full),
    )


def _text(run: list[_Drawn]) -> str:
    if sum(bool(_RTL.match(each.glyph.text)) for each in run) * 2 > sum(each.glyph.text.isalpha() for each in run):
        run = _logical(run)
    text = _spaced(run, _SPACE)
    # A tightly justified line has word spaces of half the usual width.
    if max(map(len, _LATIN.findall(text)), default=0) > 22 or (len(text) > 40 and " " not in text):
        closer = _spaced(run, _SPACE / 2)
        if len(closer) - len(text) < len(text) / 3:
            text = closer
    return unicodedata.normalize("NFC", text).strip()


def _spaced(run: list[_Drawn], latin: float) -> str:
    """The run's characters with spaces; a gap of more than `latin` of the size is one between Latin letters."""
    parts: list[str] = []
    before: _Drawn | None = None
    space = False
    wide = _SPACE_CJK + _usual_gap(run)
    for each in run:
        char = _SYMBOLS.get(each.glyph.text, each.glyph.text)
        if not char.strip():
            space = space or bool(char)
            continue
        if before is not None and (space or _gap(before, each, latin, wide)):
            parts.append(" ")
        parts.append(scripted(char, each.raised))
        before, space = each, False
    return "".join(parts)


def _usual_gap(run: list[_Drawn]) -> float:
    """The gap between most Chinese characters of a run, in units of the size."""
    gaps = [
        (right.glyph.x0 - left.glyph.x1) / right.glyph.style.size
        for left, right in pairwise(run)
        if is_cjk(left.glyph.text) and is_cjk(right.glyph.text)
    ]
    return max(sorted(gaps)[len(gaps) // 2], 0.0) if gaps else 0.0


def _gap(before: _Drawn, each: _Drawn, latin: float, cjk: float) -> bool:
    """Whether the drawing shows a space between two characters where the file has none."""
    left, right = before.glyph, each.glyph
    distance = max(right.x0 - left.x1, left.x0 - right.x1)
    size = min(left.style.size, right.style.size) if not (before.raised or each.raised) else right.style.size
    if left.text == "f" and right.text.isalpha():
        distance += _OVERHANG * size
    wide = (is_cjk(left.text), is_cjk(right.text))
    limit = cjk if all(wide) else _SPACE_MIXED if any(wide) else latin
    if before.raised or each.raised:
        limit = max(limit, 0.4)
    return distance > limit * size


def _logical(run: list[_Drawn]) -> list[_Drawn]:
    """A row of right-to-left script in reading order; numbers and Latin words in it keep theirs."""
    turned: list[_Drawn] = []
    latin: list[_Drawn] = []
    for each in reversed(run):
        char = each.glyph.text
        if char.isascii() and (char.isalnum() or (latin and char in ".,:/-%")):
            latin.insert(0, each)
            continue
        turned += latin
        latin = []
        turned.append(each)
    return turned + latin


def join_texts(left: str, right: str, words: Container[str] = frozenset()) -> str:
    """Two lines of one paragraph as one text: a hyphen at the end of a line is taken away where it only divides a
    word, and no space stands between Chinese characters. `words` are those of the document, in lower case: they tell
    a compound (chat-optimized) from a divided word (dolo-rem)."""
    if not left or not right:
        return left or right
    if left.endswith(("-", "‐")) and len(left) > 1 and left[-2].isalpha() and right[0].isalpha():
        if is_cjk(left[-2]):
            return left + right
        # A compound keeps its hyphen: what follows is a capital (Jean-Paul), or the word has another one already.
        word = left.rsplit(" ", 1)[-1]
        if right[0].islower() and "-" not in word[:-1] and not _compound(word[:-1], right, words):
            return left[:-1] + right
        return left + right
    if is_cjk(left[-1]) or is_cjk(right[0]):
        return left + right if is_cjk(left[-1]) and is_cjk(right[0]) else _mixed(left, right)
    return f"{left} {right}"


def _compound(word: str, right: str, words: Container[str]) -> bool:
    """Whether the document knows both halves as words and not the whole."""
    first = word.strip("([{\"'“‘").lower()
    found = re.match(r"[^\W\d_]+", right)
    second = found[0].lower() if found else ""
    if first + second in words:
        return False
    return f"{first}-{second}" in words or (len(first) > 2 and len(second) > 2 and first in words and second in words)


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """The words and compounds of lines of text, without those that the end or begin of a line may have cut."""
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text)[1:-1] if len(word) > 2)


def _mixed(left: str, right: str) -> str:
    """Between Chinese and Latin a line end says nothing of a space: there is one where the text has them elsewhere."""
    spaced = len(re.findall(r"[\u4e00-\u9fff] [A-Za-z0-9]|[A-Za-z0-9%] [\u4e00-\u9fff]", left + right))
    close = len(re.findall(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9%][\u4e00-\u9fff]", left + right))
    word = (left[-1].isalnum() or left[-1] == "%") and right[0].isalnum()
    return f"{left} {right}" if word and spaced > close else left + right
