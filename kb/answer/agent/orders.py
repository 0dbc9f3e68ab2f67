"""Orders from a file that a person's system exports: one row an order, `orders.jsonl` or `orders.csv`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from kb.answer.agent.values import Note, Record, ToolResult
from kb.errors import KnowledgeError
from kb.tree.textfile import read_text
from kb.tree.walk import inside

FILES = ("orders.jsonl", "orders.csv")
ID_FIELDS = ("order_id", "order", "id", "订单号", "订单编号")
_MAX_FIELDS = 40
_MAX_VALUE = 300


def find_order(folder: Path, order_id: str) -> ToolResult:
    """The rows of that order. Rows that cannot be read are named in a note; KnowledgeError without any order file."""
    wanted = order_id.strip().casefold()
    found: list[Record] = []
    broken: list[str] = []
    known = False
    for name in FILES:
        try:
            path = inside(folder, name)
        except KnowledgeError:
            continue
        known = True
        text = read_text(path).text
        for record in _csv(text, name) if name.endswith(".csv") else _jsonl(text, name, broken):
            if _identifier(record).casefold() == wanted:
                found.append(record)
    if not known:
        raise KnowledgeError("agent_no_orders", path=str(folder), files=" / ".join(FILES))
    notes = [Note("agent_rows_broken", {"places": ", ".join(broken[:5]), "count": len(broken)})] if broken else []
    if not found:
        notes.append(Note("agent_no_such_order", {"order": order_id}))
    text = "\n\n".join("\n".join(f"{key}: {value}" for key, value in record.fields) for record in found)
    return ToolResult(found=bool(found), text=text, records=tuple(found), notes=tuple(notes))


def _identifier(record: Record) -> str:
    """The value of the first field that names an order."""
    fields = {key.strip().casefold(): value for key, value in record.fields}
    return next((fields[name].strip() for name in ID_FIELDS if name in fields), "")


def _jsonl(text: str, name: str, broken: list[str]) -> Iterator[Record]:
    """One JSON object a line. Numbers stay as written; a line that is none goes to `broken`."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_int=str, parse_float=str, parse_constant=str)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            yield Record(name, number, _fields(row.items()))
        else:
            broken.append(f"{name}:{number}")


def _csv(text: str, name: str) -> Iterator[Record]:
    """Rows under a header; the separator is the one that the header holds most of."""
    header = text.split("\n", 1)[0]
    separator = max((",", ";", "\t"), key=header.count)
    rows = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        names = next(rows, [])
        for row in rows:
            if row:
                yield Record(name, rows.line_num, _fields(zip(names, row, strict=False)))
    except csv.Error as error:
        raise KnowledgeError("agent_csv_broken", path=name, line=rows.line_num, reason=str(error)) from error


def _fields(items: Iterable[tuple[object, object]]) -> tuple[tuple[str, str], ...]:
    """Names and values as text, empty ones left out."""
    pairs = [(str(key), value) for key, value in list(items)[:_MAX_FIELDS] if value not in (None, "", [], {})]
    return tuple((key, _plain(value)[:_MAX_VALUE]) for key, value in pairs)


def _plain(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
