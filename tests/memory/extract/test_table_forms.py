"""kb.memory.extract.table_forms: pairs of columns side by side, tables without a head."""

from __future__ import annotations

from kb.memory.extract.tables import Shape, read_table


def _cells(*rows: str) -> list[tuple[str, str, str]]:
    columns = rows[0].count("|") - 1
    found = read_table("\n".join([rows[0], "|" + "---|" * columns, *rows[1:]]), 0)
    assert found is not None
    assert found.shape is Shape.PARAMETERS
    return [(cell.subject, cell.name, cell.value) for cell in found.cells]


def test_columns_that_repeat_are_read_one_below_the_other() -> None:
    assert _cells("| Item | Value | Item | Value |", "| Power | 5 kW | Mass | 80 kg |", "| Width | 2 m | | |") == [
        ("", "Power", "5 kW"),
        ("", "Width", "2 m"),
        ("", "Mass", "80 kg"),
    ]


def test_a_form_without_a_head_loses_no_row() -> None:
    assert _cells("| 额定功率 | 5.5 kW | 质量 | 35 kg |", "| 电压 | 380 V | 产地 | 苏州 |") == [
        ("", "额定功率", "5.5 kW"),
        ("", "电压", "380 V"),
        ("", "质量", "35 kg"),
        ("", "产地", "苏州"),
    ]


def test_columns_for_the_least_and_the_most() -> None:
    assert _cells("| | Min. | Max. | Unit |", "| Voltage | 10 | 30 | V |") == [
        ("", "Voltage Min.", "10"),
        ("", "Voltage Max.", "30"),
    ]


def test_a_real_head_stays() -> None:
    found = read_table("| 泵 | 扬程 |\n|---|---|\n| A-10 | 18 m |\n| A-12 | 22 m |", 0)
    assert found is not None
    assert [(cell.subject, cell.name) for cell in found.cells] == [("A-10", "扬程"), ("A-12", "扬程")]
