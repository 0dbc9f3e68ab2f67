"""Which lines of a PDF are headings, and how deep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kb.memory.reading.marks import CAPTION, SECTION, levels_without_gaps, section_level, split_bullet
from kb.memory.reading.pdf_aligned import Table
from kb.memory.reading.pdf_layout import PageLayout
from kb.memory.reading.pdf_lines import Line, is_cjk

_LARGER = 1.1
_LONGEST = 160
_LONGEST_BOLD = 90
_LONGEST_NUMBERED = 44
# Letters of running text below which the text of tables tells the body's size too.
_SCANT = 400

Look = tuple[float, bool]
"""Size in half points and weight."""


@dataclass(frozen=True, slots=True)
class Fonts:
    """The document's body text: its size in points, whether it is bold, and the usual distance of its baselines."""

    body: float
    bold: bool
    leading: float
    common: frozenset[float]  # the sizes that much of the text is set in: none of them says «heading»


def measure(pages: Iterable[PageLayout]) -> Fonts:
    """The body text's size and leading over all pages."""
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    gaps: Counter[float] = Counter()
    in_tables: Counter[float] = Counter()
    for page in pages:
        before: Line | None = None
        for element in page.elements:
            if not isinstance(element, Line):
                if isinstance(element, Table):
                    in_tables[round(element.size * 4) / 4] += sum(len(cell) for row in element.rows for cell in row)
                before = None
                continue
            weight = sum(1 + is_cjk(char) for char in element.text[:120])
            sizes[round(element.size * 4) / 4] += weight
            bold[element.bold] += weight
            if before is not None and abs(before.size - element.size) < 0.3:
                gap = element.base - before.base
                if 0.8 * element.size < gap < 3 * element.size:
                    gaps[round(gap / element.size, 1)] += 1
            before = element
    if sizes.total() < _SCANT:
        sizes += in_tables
    body = sizes.most_common(1)[0][0] if sizes else 10.0
    leading = gaps.most_common(1)[0][0] if gaps else 1.2
    whole = sum(sizes.values())
    common = frozenset(size for size, weight in sizes.items() if weight > 0.2 * whole)
    return Fonts(body, bold[True] > bold[False], leading, common)


def look(line: Line) -> Look:
    """How a heading looks: lines that look alike have one level."""
    return round(line.size * 2) / 2, line.bold


def is_heading(line: Line, before: Line | None, after: Line | None, fonts: Fonts, gap: float, edge: float) -> bool:
    """Whether `line` is one. `gap`: distance to the line above in units of its size; `edge`: the column's right."""
    text = line.text.strip()
    if not any(char.isalpha() for char in text) or line.mono or split_bullet(text) is not None:
        return False
    if len(text) > _LONGEST or CAPTION.match(text):
        return False
    numbered = bool(SECTION.match(text))
    ends = text[-1] in ".;；。，,、" and not text.endswith(("...", "…"))
    if line.size >= _LARGER * fonts.body and (line.bold or round(line.size * 4) / 4 not in fonts.common):
        return not (text[-1] in ".;；。" and ends and len(text) > 40) and (
            len(text) > 1 or line.size > 1.3 * fonts.body
        )
    if line.size < 0.94 * fonts.body:
        return False
    if line.bold and not fonts.bold:
        if len(text) > _LONGEST_BOLD or (ends and not numbered) or (text[-1] in ":：" and len(text) > 40):
            return False
        # Bold words at the beginning of a paragraph are none: something follows on the same line or runs on.
        alone = after is None or not after.bold or gap > 1.15 * fonts.leading
        apart = before is None or gap > 1.1 * fonts.leading or numbered or not before.bold
        return alone and apart
    if not numbered or len(text) > _LONGEST_NUMBERED or ends or text[-1] in ":：.!?！？":
        return False
    return _plain_numbered(text, line, before, after, fonts, gap, edge)


def _plain_numbered(
    text: str, line: Line, before: Line | None, after: Line | None, fonts: Fonts, gap: float, edge: float
) -> bool:
    """A numbered line in the body's own font: a heading when it is short and stands apart, not one of a list."""
    found = SECTION.match(text)
    assert found is not None
    if line.x1 > edge - 2 * line.size:
        return False
    kind = next(name for name, value in found.groupdict().items() if value)
    if kind in ("dots", "deep"):
        depth = section_level(text)
        listed = any(
            each is not None and bool(SECTION.match(each.text)) and section_level(each.text) == depth
            for each in (before, after)
        )
        return (depth >= 2 or gap > 1.3 * fonts.leading) and not listed
    if kind in ("han2", "article", "article_en"):
        return len(text) <= 24 and (gap > 1.2 * fonts.leading or before is None) and not (
            after is not None and SECTION.match(after.text)
        )  # fmt: skip
    return len(text) <= 36


def levels(headings: Sequence[tuple[Line, str]]) -> list[int]:
    """The level of each heading: by how it looks, and within a numbered scheme by its number."""
    looks = sorted({look(line) for line, _ in headings}, key=lambda each: (-each[0], not each[1]))
    ranks = _ranks(looks)
    numbered = [(section_level(text), ranks[look(line)]) for line, text in headings if section_level(text)]
    if len(numbered) >= 2:
        least = min(depth for depth, _ in numbered)
        # The number decides; its shallowest headings stand where their look puts them.
        base = min(rank for depth, rank in numbered if depth == least)
        by_look = {look(line): base + section_level(text) - least for line, text in headings if section_level(text)}
    else:
        least, base, by_look = 0, 0, {}
    found: list[int] = []
    for line, text in headings:
        depth = section_level(text)
        if depth and numbered and len(numbered) >= 2:
            found.append(min(base + depth - least, 6))
        else:
            found.append(min(by_look.get(look(line), ranks[look(line)]), 6))
    return levels_without_gaps(found)


def _ranks(looks: Sequence[Look]) -> dict[Look, int]:
    """1 for the largest; sizes that differ by half a point count as one."""
    ranks: dict[Look, int] = {}
    rank = 0
    before: Look | None = None
    for each in looks:
        if before is None or before[0] - each[0] > 0.6 or (before[1] and not each[1]):
            rank += 1
        ranks[each] = rank
        before = each
    return ranks
