"""kb.answer.agent.orders: rows of an export, whatever its state."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.agent.orders import find_order
from kb.errors import KnowledgeError
from tests.helpers import write


def test_a_row_keeps_its_spelling_and_its_place(tmp_path: Path) -> None:
    write(
        tmp_path,
        "orders.jsonl",
        '{"order_id": 7}\n\n{"order_id": "A-1", "amount": 1.10, "empty": "", "x": {"y": [1]}}\n',
    )
    found = find_order(tmp_path, " a-1 ")
    assert found.found
    [record] = found.records
    assert record.place == "orders.jsonl:3"
    assert record.fields == (("order_id", "A-1"), ("amount", "1.10"), ("x", '{"y": ["1"]}'))
    assert "amount: 1.10" in found.text
    assert find_order(tmp_path, "7").records[0].line == 1


def test_an_order_that_does_not_exist_is_said(tmp_path: Path) -> None:
    write(tmp_path, "orders.jsonl", '{"order_id": "1"}\n')
    found = find_order(tmp_path, "999")
    assert not found.found and not found.records and not found.text
    assert [(note.key, note.params) for note in found.notes] == [("agent_no_such_order", {"order": "999"})]


def test_rows_that_cannot_be_read_are_named_and_the_others_found(tmp_path: Path) -> None:
    write(tmp_path, "orders.jsonl", '{"order_id": \n[1]\n{"order_id": "5"}\n' + "[" * 100_000 + "\n")
    found = find_order(tmp_path, "5")
    assert found.records[0].line == 3
    assert found.notes[0].key == "agent_rows_broken"
    assert found.notes[0].params == {"places": "orders.jsonl:1, orders.jsonl:2, orders.jsonl:4", "count": 3}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_as_a_spreadsheet_saves_it(tmp_path: Path, separator: str) -> None:
    rows = [["订单号", "状态", "备注"], ["007", "已支付", '"一行\n两行"'], ["008", "", "x"]]
    text = "\r\n".join(separator.join(row) for row in rows)
    write(tmp_path, "orders.csv", text.encode("gb18030"))
    [record] = find_order(tmp_path, "007").records
    assert record.fields[:2] == (("订单号", "007"), ("状态", "已支付"))
    assert find_order(tmp_path, "8").found is False
    assert find_order(tmp_path, "008").records[0].fields == (("订单号", "008"), ("备注", "x"))


def test_without_an_order_file_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as caught:
        find_order(tmp_path, "1")
    assert caught.value.key == "agent_no_orders"


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "secret.jsonl", '{"order_id": "1", "password": "x"}\n')
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "orders.jsonl").symlink_to(tmp_path / "secret.jsonl")
    with pytest.raises(KnowledgeError):
        find_order(tmp_path / "data", "1")


def test_a_broken_table_and_a_binary_file_are_refused_calmly(tmp_path: Path) -> None:
    write(tmp_path, "orders.csv", "order_id,x\n1," + "a" * 200_000 + "\n")
    with pytest.raises(KnowledgeError) as caught:
        find_order(tmp_path, "2")
    assert caught.value.key == "agent_csv_broken"
    write(tmp_path, "orders.csv", b"\x00\xff\xfe\x01" * 50)
    with pytest.raises(KnowledgeError):
        find_order(tmp_path, "2")


def test_wide_rows_and_long_values_are_cut(tmp_path: Path) -> None:
    fields = ", ".join(f'"f{number}": "{"x" * 999}"' for number in range(99))
    write(tmp_path, "orders.jsonl", f'{{"order_id": "1", {fields}}}\n')
    [record] = find_order(tmp_path, "1").records
    assert len(record.fields) == 40 and all(len(value) <= 300 for _, value in record.fields)
