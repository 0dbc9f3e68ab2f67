"""Tables as statements: what each row is about, what each column says of it, with units and row conditions.

Four shapes are told apart by their heads: parameter lists (name, value, unit), parameter lists with a column for each
model, lists of dated things, and tables with one thing a row. Empty cells below a key, and 同上 or ditto, repeat it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from kb.memory.extract.dates import dates
from kb.memory.extract.mentions import HAN, mentions
from kb.memory.extract.table_forms import Row, unfolded
from kb.memory.extract.values import is_unit, kind_of, measures
from kb.memory.extract.written import Written, written
from kb.memory.schema import EntityType

MAX_ROWS = 20_000
_DITTO = re.compile(r"同上|〃|″|\"|ditto|do\.|同左", re.IGNORECASE)
_EMPTY = re.compile(r"[-—–/\\*\s]*|n/?a|无|空", re.IGNORECASE)
_NAME_HEAD = re.compile(
    r"(?:技术|主要|检测|检验|考核|性能)?(?:参数|项目|指标|名目|内容|条目|属性|特性|规格项|科目|要素)(?:名称)?|名称|"
    r"parameters?|items?|propert(?:y|ies)|characteristics?|"
    r"specifications?|features?|attributes?|descriptions?|quantit(?:y|ies)|fields?",
    re.IGNORECASE,
)
_VALUE_HEAD = re.compile(
    r"(?:技术|标准|设定|额定|规定|实测|参考|约定)?(?:数值|值|参数|规格|要求|指标|数据|内容|标准|说明|约定|"
    r"结果)(?:值)?|values?|specifications?|data|details?|ratings?|requirements?|"
    r"settings?|limits?|results?|terms?",
    re.IGNORECASE,
)
_UNIT_HEAD = re.compile(r"(?:计量)?单位|units?|uom", re.IGNORECASE)
_NOTE_HEAD = re.compile(
    r"备注|注|说明|注意事项|限制|其他限制|适用条件|条件|适用范围|例外|notes?|remarks?|comments?|restrictions?|"
    r"conditions?|limitations?|exceptions?",
    re.IGNORECASE,
)
_DATE_HEAD = re.compile(
    r"日期|时间|年月|完成时间|计划时间|截止日期|生效日期|date|time|when|due(?: date)?|deadline|period|month|"
    r"milestone date",
    re.IGNORECASE,
)
# Several values of one property.
_LEVEL_HEAD = re.compile(
    r"min(?:imum|\.)?|max(?:imum|\.)?|typ(?:ical|\.)?|nom(?:inal|\.)?|rated|actual|target|标准值?|额定值?|最[小大高低]值?|"
    r"典型值?|下限|上限|实测值?|允许值|合格值?|设计值?",
    re.IGNORECASE,
)
_NUMBER_HEAD = re.compile(r"序号|编号|no\.?|#|№|item no\.?|s/n|行号", re.IGNORECASE)
_PERSON_HEAD = re.compile(r"姓名|人员|联系人|负责人|name of person|contact(?: person)?|employee|staff", re.IGNORECASE)
_HEAD_UNIT = re.compile(
    r"^(?P<name>.+?)\s?(?:[(（\[](?P<bracket>[^()（）\[\]]{1,14})[)）\]]|[/／,，]\s?(?P<slash>[^\s/()（）]{1,10}))$"
)


class Shape(StrEnum):
    """What a table's rows are."""

    PARAMETERS = "parameters"
    MODELS = "models"
    DATED = "dated"
    THINGS = "things"


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table: `subject` '' stands for what the section is about; `row` is the row's place, `words` its own.

    `conditions` are pairs of a head and what the row says under it; `note` is the row's remark.
    """

    subject: str
    name: str
    value: str
    unit: str
    kind: str
    place: Written
    row: Written
    conditions: tuple[tuple[str, str], ...] = ()
    note: Written | None = None


@dataclass(frozen=True, slots=True)
class DatedRow:
    """A row with a date: the date's cell and the row."""

    date: Written
    row: Written
    description: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table read: its shape, its cells, dated rows, and the type of the things its rows are about."""

    shape: Shape
    cells: tuple[Cell, ...]
    dated: tuple[DatedRow, ...]
    subject_type: EntityType = EntityType.THING


@dataclass(frozen=True, slots=True)
class _Head:
    name: str
    unit: str


def read_table(text: str, start: int) -> Table | None:
    """The table `text` (Markdown, header row and rule first) that begins at `start`; None without rows."""
    lines: list[tuple[int, str]] = []
    place = start
    for line in text.split("\n"):
        lines.append((place, line))
        place += len(line) + 1
    if len(lines) < 3:
        return None
    head = _cells(*lines[0])
    kept: list[Row] = [(head, written(lines[0][1], lines[0][0]))]
    for at, line in lines[2 : 2 + MAX_ROWS]:
        cells = _cells(at, line)
        if any(cell.plain for cell in cells):
            cells = cells[: len(head)] + [written("", at)] * (len(head) - len(cells))
            kept.append((cells, written(line, at)))
    if not head or len(kept) < 2:
        return None
    kept = unfolded(kept)
    heads = [_head(cell.plain) for cell in kept[0][0]]
    return _read(heads, [row for row, _ in kept[1:]], [whole for _, whole in kept[1:]])


def _cells(place: int, line: str) -> list[Written]:
    """The cells of a table line, outer bars left out; an escaped bar is text."""
    bounds = [found.start() for found in re.finditer(r"(?<!\\)\|", line)]
    body = line.rstrip()
    first = 0 if not line.lstrip().startswith("|") else bounds[0] + 1
    last = len(line) if not body.endswith("|") or body.endswith("\\|") else bounds[-1]
    edges = [first - 1, *(bar for bar in bounds if first <= bar < last), last]
    return [written(line[a + 1 : b], place + a + 1) for a, b in pairwise(edges)]


def _head(text: str) -> _Head:
    match = _HEAD_UNIT.match(text)
    if match:
        unit = (match["bracket"] or match["slash"] or "").strip()
        if is_unit(unit) or kind_of(unit):
            return _Head(match["name"].strip(), unit)
    return _Head(text.strip(), "")


def _read(heads: list[_Head], rows: list[list[Written]], wholes: list[Written]) -> Table:
    names = [head.name for head in heads]
    drop = {column for column, name in enumerate(names) if _NUMBER_HEAD.fullmatch(name) and _counts(rows, column)}
    columns = [column for column in range(len(heads)) if column not in drop]
    notes = next((c for c in columns[1:] if _NOTE_HEAD.fullmatch(names[c])), None)
    unit_column = next((c for c in columns if _UNIT_HEAD.fullmatch(names[c])), None)
    values = [c for c in columns if c not in (notes, unit_column)]
    if not values:
        return Table(Shape.THINGS, (), ())
    rows = _repeated(rows, values)
    date_column = next((c for c in values if _DATE_HEAD.fullmatch(names[c]) and _share(rows, c, _is_date) > 0.6), None)
    key = values[0] if values[0] != date_column or len(values) < 2 else values[1]
    rest = [c for c in values if c != key]
    dated = _dated(rows, wholes, date_column, [c for c in (*values, notes) if c is not None and c != date_column])
    cells: list[Cell]
    if len(rest) == 1 and (
        not any(names)
        or (
            _NAME_HEAD.fullmatch(names[key])
            and (_VALUE_HEAD.fullmatch(names[rest[0]]) or unit_column is not None or _looks_like_names(rows, key))
        )
    ):
        return Table(Shape.PARAMETERS, _parameters(heads, rows, wholes, key, rest[0], unit_column, notes), dated)
    if (
        len(rest) > 1
        and (not names[key] or _NAME_HEAD.fullmatch(names[key]))
        and (unit_column is not None or all(_LEVEL_HEAD.fullmatch(names[c]) for c in rest))
        and not any(_is_model(names[c]) for c in rest)
    ):
        cells = []
        for column in rest:
            found = _parameters(heads, rows, wholes, key, column, unit_column, notes)
            cells += [replace(cell, name=f"{cell.name} {names[column]}") for cell in found]
        return Table(Shape.PARAMETERS, tuple(cells), dated)
    if rest and (_NAME_HEAD.fullmatch(names[key]) or not names[key]) and all(_is_model(names[c]) for c in rest):
        cells = []
        for column in rest:
            found = _parameters(heads, rows, wholes, key, column, unit_column, notes)
            cells += [_about(cell, names[column]) for cell in found]
        return Table(Shape.MODELS, tuple(cells), dated, EntityType.PRODUCT)
    if date_column is not None and len(rest) <= 2 and key != values[0]:
        return Table(Shape.DATED, (), dated)
    found, about = _things(heads, rows, wholes, key, rest, unit_column, notes), _type(names[key], rows, key)
    if date_column == 0 and about is EntityType.THING:
        # A log: what was done on a day is no thing of its own.
        found = tuple(replace(cell, subject="", name=f"{cell.subject} {cell.name}".strip()) for cell in found)
    return Table(Shape.THINGS, found, dated, about)


def _counts(rows: list[list[Written]], column: int) -> bool:
    return all(re.fullmatch(r"\d{0,4}|[一二三四五六七八九十]{1,3}", row[column].plain) for row in rows)


def _share(rows: list[list[Written]], column: int, test: object) -> float:
    filled = [row[column].plain for row in rows if row[column].plain]
    return sum(1 for cell in filled if callable(test) and test(cell)) / max(len(filled), 1)


def _is_date(cell: str) -> bool:
    return bool(dates(cell))


def _is_model(name: str) -> bool:
    found = mentions(name)
    return bool(found) and found[0].type is EntityType.PRODUCT and len(found[0].name) >= len(name) - 4


def _looks_like_names(rows: list[list[Written]], key: int) -> bool:
    """Whether a column holds names of properties, each once, and no codes."""
    cells = [row[key].plain for row in rows]
    return len(set(cells)) == len(cells) and not any(_is_model(cell) for cell in cells)


def _repeated(rows: list[list[Written]], columns: list[int]) -> list[list[Written]]:
    """Rows with the cell above in place of a ditto, and of an empty cell in the leading columns (merged cells)."""
    done: list[list[Written]] = []
    for row in rows:
        filled = list(row)
        for order, column in enumerate(columns):
            above = done[-1][column] if done else None
            cell = filled[column].plain
            merged = not cell and order < 2 and all(not filled[c].plain for c in columns[:order] if c != column)
            if order == 1 and not cell:
                merged = row[columns[0]].plain == ""
            if (
                above is not None
                and above.plain
                and (_DITTO.fullmatch(cell) or (merged and any(row[c].plain for c in columns[order + 1 :])))
            ):
                filled[column] = above
        done.append(filled)
    return done


def _dated(
    rows: list[list[Written]], wholes: list[Written], column: int | None, others: list[int]
) -> tuple[DatedRow, ...]:
    if column is None:
        return ()
    found = []
    for row, whole in zip(rows, wholes, strict=True):
        if not row[column].plain:
            continue
        parts = [row[c].shown for c in others if row[c].plain and not _EMPTY.fullmatch(row[c].plain)]
        found.append(DatedRow(row[column], whole, "; ".join(parts)))
    return tuple(found)


def _parameters(
    heads: list[_Head],
    rows: list[list[Written]],
    wholes: list[Written],
    key: int,
    value: int,
    unit: int | None,
    notes: int | None,
) -> tuple[Cell, ...]:
    cells = []
    for row, whole in zip(rows, wholes, strict=True):
        named, cell = _head(row[key].shown), row[value]
        if not named.name or _EMPTY.fullmatch(cell.plain):
            continue
        said = (
            row[unit].shown
            if unit is not None and not _EMPTY.fullmatch(row[unit].plain)
            else named.unit or heads[value].unit
        )
        cells.append(_cell("", named.name, cell, said, whole, (), row[notes] if notes is not None else None))
    return tuple(cells)


def _about(cell: Cell, subject: str) -> Cell:
    return Cell(subject, cell.name, cell.value, cell.unit, cell.kind, cell.place, cell.row, cell.conditions, cell.note)


def _things(
    heads: list[_Head],
    rows: list[list[Written]],
    wholes: list[Written],
    key: int,
    rest: list[int],
    unit: int | None,
    notes: int | None,
) -> tuple[Cell, ...]:
    """One thing a row. Where the key repeats, further columns of words tell the rows apart: they are conditions."""
    tellers, own = _tellers(rows, key, rest)
    numeric = _share(rows, key, lambda cell: re.fullmatch(r"[\d.,~\-–/≤≥<>± ]+(?:\s?\S{1,4})?", cell)) > 0.7
    cells: list[Cell] = []
    seen: set[tuple[str, int]] = set()
    for row, whole in zip(rows, wholes, strict=True):
        subject = row[key].shown
        if not subject or _EMPTY.fullmatch(subject):
            continue
        about = ((heads[key].name, _with_unit(subject, heads[key].unit)),) if numeric else ()
        told = tuple((heads[c].name, _with_unit(row[c].shown, heads[c].unit)) for c in tellers if row[c].plain)
        note = row[notes] if notes is not None else None
        for column in (*rest, *(() if notes is None else (notes,))):
            cell = row[column]
            if column in tellers or _EMPTY.fullmatch(cell.plain) or (column in own and (subject, column) in seen):
                continue
            seen.add((subject, column))
            said = heads[column].unit or (row[unit].shown if unit is not None and column != notes else "")
            conditions = about if column in own else (*about, *told)
            cells.append(
                _cell(
                    "" if numeric else subject,
                    heads[column].name,
                    cell,
                    said,
                    whole,
                    conditions,
                    note if column != notes else None,
                )
            )
    return tuple(cells)


def _tellers(rows: list[list[Written]], key: int, rest: list[int]) -> tuple[list[int], set[int]]:
    """The fewest columns from the left that, with the key, make every row different.

    Also the columns that say the same in all rows of a key: they belong to the thing, not to the row.
    """
    keys = [row[key].plain for row in rows]
    if len(set(keys)) == len(rows):
        return [], set()
    own = {column for column in rest if len({(row[key].plain, row[column].plain) for row in rows}) == len(set(keys))}
    chosen: list[int] = []
    for column in rest[:-1]:
        if len({tuple(row[c].plain for c in (key, *chosen)) for row in rows}) == len(rows):
            break
        if column not in own:
            chosen.append(column)
    return chosen, own


def _with_unit(value: str, unit: str) -> str:
    if not unit or value.endswith(unit):
        return value
    return f"{value}{'' if unit == '%' or re.match(f'[{HAN}]', unit) else ' '}{unit}"


def _cell(
    subject: str,
    name: str,
    cell: Written,
    unit: str,
    row: Written,
    conditions: tuple[tuple[str, str], ...],
    note: Written | None,
) -> Cell:
    found = measures(cell.plain)
    own = found[0].unit if len(found) == 1 else ""
    kind = "text"
    if found and (own or unit):
        kind = found[0].kind or kind_of(unit) or "number"
    elif found and len(found[0].text) >= len(cell.plain) - 2:
        kind = "number"
    if note is not None and _EMPTY.fullmatch(note.plain):
        note = None
    said = own or (unit if any(char.isdigit() for char in cell.plain) else "")
    return Cell(subject, name, cell.shown, said, kind, cell, row, conditions, note)


def _type(head: str, rows: list[list[Written]], key: int) -> EntityType:
    if _PERSON_HEAD.fullmatch(head):
        return EntityType.PERSON
    return EntityType.PRODUCT if _share(rows, key, _is_model) > 0.6 else EntityType.THING
