"""kb.search.numbers: the value that was asked for, as it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.numbers import ANY, asked_kinds, best_value
from kb.search.sections import sections
from kb.search.tokens import question_terms

TABLE = """# 农药用量

| 病害 | 药剂 | 每亩用量 | 安全间隔期 |
|---|---|---|---|
| 锈病 | 甲药 | 30克 | 7天 |
| 赤霉病 | 乙药 | 45克 | 14天 |
"""

WATER = "# 水质\n\n" + r"溶氧不低于 5 mg·L⁻¹，氨氮低于 $0.02\,mg\cdot L^{-1}$，水温 25 ℃。"


def _value(text: str, question: str) -> str:
    wanted = dict.fromkeys(question_terms(question), 1.0)
    found = [best_value(section, asked_kinds(question), wanted) for section in sections(text)]
    best = max((value for value in found if value), key=lambda value: value.score, default=None)
    return best.text if best else ""


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        ("# 大豆\n\n大豆播种深度3-5厘米，行距50厘米。", "大豆播种深度是多少？", "3-5厘米"),
        ("# 大豆\n\n2024年规定：播种深度为３－５ｃｍ。", "大豆播种多深", "３－５ｃｍ"),
        ("# 大豆\n\n追肥每亩用30克硼砂，浓度0.3%。", "硼砂浓度多少", "0.3%"),
        ("# 大豆\n\n追肥每亩用30克硼砂，浓度0.3%。", "硼砂每亩多少克", "每亩用30克"),
        (WATER, "氨氮含量多少 mg/L", r"$0.02\,mg\cdot L^{-1}$"),
        (WATER, "溶氧含量多少", "5 mg·L⁻¹"),
        (TABLE, "赤霉病安全间隔期几天", "14天"),
        (TABLE, "锈病每亩用多少克", "30克"),
        ("# Maize\n\nSow maize 4 to 6 cm deep at 10 °C.", "How deep is maize sown?", "4 to 6 cm"),
        ("# Maize\n\nSow maize 4 to 6 cm deep at 10 °C.", "What temperature does maize need?", "10 °C"),
        (
            "# Pump\n\nThe pump holds a pressure of 0.3 MPa and weighs 12 kg.",
            "What pressure does the pump hold?",
            "0.3 MPa",
        ),
        ("# 猪\n\n仔猪断奶后十五天驱虫。", "断奶后多少天驱虫", "十五天"),
        ("# Pump\n\nOpen the valve.", "How much oil?", ""),
        ("# 大豆\n\n播种深度为三厘米。", "播种深度", "三厘米"),
        ("# 药液\n\n喷施浓度50 mg/L。", "喷施浓度是多少", "50 mg/L"),
        ("# 别的\n\n长度 3 cm。", "大豆播种多深", ""),
    ],
)
def test_the_value_is_read_out(text: str, question: str, value: str) -> None:
    assert _value(text, question) == value


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("大豆播种多深", {"length"}),
        ("喷药浓度是多少", {"share"}),
        ("安全间隔期几天", {"time"}),
        ("how many days until harvest", {"time"}),
        ("每亩用量", {ANY}),
        ("大豆怎么种", set()),
        ("", set()),
    ],
)
def test_kinds(question: str, kinds: set[str]) -> None:
    assert asked_kinds(question) == kinds


@given(st.text(max_size=80), st.text(max_size=20))
def test_any_text_may_be_read(text: str, question: str) -> None:
    wanted = dict.fromkeys(question_terms(question), 1.0)
    for section in sections(text):
        found = best_value(section, frozenset((ANY,)), wanted)
        assert found is None or 0.0 <= found.score <= 1.0
