"""kb.memory.reading.marks: what text begins with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.memory.reading.marks import CAPTION, LEADERS, NOTE, NUMBER, plain_mark, section_level, split_bullet


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("1 Scope", 1), ("1. INTENT", 1), ("2.3 安装环境", 2), ("3.2.1温度要求", 3), ("第三章 启动", 1),
        ("第二节 准备", 2),
        ("第一条 合同标的", 2), ("一、总则", 1), ("（二）范围", 2), ("Appendix A", 1), ("Article 5 Warranty", 2),
        ("12.5 mg/L", 2), ("2024年", 0), ("pump 3", 0), ("3.5", 0),
    ],
)  # fmt: skip
def test_how_deep_a_number_is(text: str, level: int) -> None:
    assert section_level(text) == level


@pytest.mark.parametrize("text", ["• item", "- item", "▪item", "➢ item", "— item"])
def test_bullets(text: str) -> None:
    assert split_bullet(text) == "item"


@pytest.mark.parametrize("text", ["-5 °C", "*Other", "--option", "item"])
def test_what_is_no_bullet(text: str) -> None:
    assert split_bullet(text) is None


@pytest.mark.parametrize("text", ["1. first", "2) second", "（3）第三", "④第四", "(a) alpha", "5、第五"])
def test_numbers_of_items(text: str) -> None:
    assert NUMBER.match(text)


@pytest.mark.parametrize("text", ["1.5 kg", "2024 was", "3.2.1 x", "100 m"])
def test_what_is_no_number_of_an_item(text: str) -> None:
    assert not NUMBER.match(text)


@pytest.mark.parametrize("text", ["图 1 结构", "表2-1 参数", "Figure 3. Pump", "Table 1: Data", "续表 2"])
def test_captions(text: str) -> None:
    assert CAPTION.match(text)


def test_what_is_no_caption() -> None:
    assert not CAPTION.match("Tables 1 and 2")
    assert not CAPTION.match("图书馆")


def test_leaders_of_a_table_of_contents() -> None:
    assert LEADERS.sub(" … ", "Pumps .......... 12") == "Pumps … 12"


@pytest.mark.parametrize(("mark", "label"), [("¹²", "12"), ("①", "1"), ("[3]", "3"), ("*", "star"), ("4.", "4")])
def test_marks_as_labels(mark: str, label: str) -> None:
    assert plain_mark(mark) == label
    assert NOTE.match(f"{mark} text") or mark == "4."


@given(st.text(max_size=60))
def test_any_text_has_a_level(text: str) -> None:
    assert 0 <= section_level(text) <= 6
