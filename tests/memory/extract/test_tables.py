"""kb.memory.extract.tables: four shapes of tables."""

from __future__ import annotations

import pytest

from kb.memory.extract.tables import Shape, Table, read_table
from kb.memory.schema import EntityType


def _table(*rows: str) -> Table:
    columns = rows[0].count("|") - 1
    text = "\n".join([rows[0], "|" + "---|" * columns, *rows[1:]])
    found = read_table(text, 7)
    assert found is not None
    for cell in found.cells:
        start, end = cell.place.span()
        assert text[start - 7 : end - 7] == cell.value
    return found


def test_parameters_with_a_unit_column() -> None:
    table = _table("| 项目 | 数值 | 单位 | 备注 |", "| 额定功率 | 5.5 | kW | |", "| 电压 | 380 | V | 仅适用于三相 |")
    assert table.shape is Shape.PARAMETERS
    assert [(cell.name, cell.value, cell.unit, cell.kind) for cell in table.cells] == [
        ("额定功率", "5.5", "kW", "power"),
        ("电压", "380", "V", "electric"),
    ]
    assert table.cells[1].note is not None
    assert table.cells[1].note.shown == "仅适用于三相"


def test_a_column_for_each_model() -> None:
    table = _table("| 参数 | XM-2000 | XM-3000 |", "| 功率(kW) | 5.5 | 7.5 |", "| 重量 | 35 kg | 50 kg |")
    assert (table.shape, table.subject_type) == (Shape.MODELS, EntityType.PRODUCT)
    assert [(cell.subject, cell.name, cell.value, cell.unit) for cell in table.cells][::3] == [
        ("XM-2000", "功率", "5.5", "kW"),
        ("XM-3000", "重量", "50 kg", "kg"),
    ]


def test_rows_of_one_thing_are_told_apart_by_conditions() -> None:
    table = _table("| 兽药 | 动物 | 休药期（天） |", "| 土霉素片 | 牛 | 7 |", "| | 禽 | 5 |", "| 青霉素 | 牛 | — |")
    assert [(cell.subject, cell.value, cell.unit, cell.conditions) for cell in table.cells] == [
        ("土霉素片", "7", "天", (("动物", "牛"),)),
        ("土霉素片", "5", "天", (("动物", "禽"),)),
    ]


def test_a_column_that_belongs_to_the_thing_is_said_once() -> None:
    table = _table("| Size | Colour | psi | Flow (gpm) |", "| 01 | orange | 30 | 0.09 |", "| 01 | orange | 40 | 0.10 |")
    colours = [cell for cell in table.cells if cell.name == "Colour"]
    assert [(cell.value, cell.conditions) for cell in colours] == [("orange", (("Size", "01"),))]


def test_dated_rows() -> None:
    table = _table("| 日期 | 版本 | 说明 |", "| 2024-03-01 | V1.0 | 首次发布 |", "| 2024-06-01 | V1.1 | 修订 |")
    assert table.shape is Shape.DATED
    assert [(row.date.shown, row.description) for row in table.dated][1] == ("2024-06-01", "V1.1; 修订")


def test_ditto_and_escaped_bars() -> None:
    table = _table("| Pump | Seal | Head (m) |", "| A\\|1 | NBR | 10 |", "| B | ditto | 12 |")
    assert [(cell.subject, cell.value) for cell in table.cells if cell.name == "Seal"] == [("A|1", "NBR"), ("B", "NBR")]


@pytest.mark.parametrize("text", ["", "| a |", "| a | b |\n|---|---|", "|||\n|---|\n|||"])
def test_nothing_in_it(text: str) -> None:
    found = read_table(text, 0)
    assert found is None or found.cells == ()


def test_ten_thousand_rows() -> None:
    rows = "\n".join(f"| P{n:05} | {n} |" for n in range(10_000))
    found = read_table(f"| 件号 | 数量（件） |\n|---|---|\n{rows}", 0)
    assert found is not None
    assert (len(found.cells), found.cells[-1].subject, found.cells[-1].value) == (10_000, "P09999", "9999")
