"""kb.answer.cautions: what must be said beside the evidence."""

from __future__ import annotations

from pathlib import Path

from kb.answer.answerer import Answerer
from kb.search.retriever import Retriever
from tests.helpers import DAY, document, write

MANUAL = """仅适用于露地栽培。

## 用药

苯甲每亩用药30克，兑水45公斤。

采收前不得使用。

## 安全间隔期

苯甲7天。

## 冬季贮藏

贮藏时禁止与种子混放。
"""


def _warnings(retriever: Retriever, question: str) -> list[str]:
    return [item.text for item in Answerer(retriever, clock=lambda: DAY).ask(question).warnings]


def test_warnings_of_section_document_and_their_own_heading_come_along(empty_tree: Path, tmp_path: Path) -> None:
    """Not those of another section: storing is not spraying."""
    write(empty_tree, "a.md", document("茄子苯甲", MANUAL))
    made = Retriever(empty_tree, tmp_path / "i")
    assert _warnings(made, "茄子苯甲每亩用药多少克") == ["采收前不得使用。", "仅适用于露地栽培。", "苯甲7天。"]
    made.close()


def test_each_document_of_a_conflict_brings_its_warnings(empty_tree: Path, tmp_path: Path) -> None:
    said = "茄子苯甲每亩用药{}克。\n\n{}\n"
    write(empty_tree, "a.md", document("茄子苯甲", said.format(30, "设施内禁止使用。"), date_updated="2024-01-01"))
    write(empty_tree, "b.md", document("茄子苯甲", said.format(40, "安全间隔期9天。"), date_updated="2026-01-01"))
    made = Retriever(empty_tree, tmp_path / "i")
    assert _warnings(made, "茄子苯甲每亩用药多少克") == ["安全间隔期9天。", "设施内禁止使用。"]
    made.close()


def test_a_warning_of_the_same_section_is_said(retriever: Retriever) -> None:
    assert ["150 mg/kg" in text for text in _warnings(retriever, "R5期每公顷追施多少氯化钾")] == [True]
