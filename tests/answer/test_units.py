"""kb.answer.units: the smallest pieces that can be cited, verbatim and whole."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.prose import readable
from kb.answer.units import MAX_UNIT, Unit, cells, naming, spoken_of, units, whole
from kb.search.sections import sections
from tests.helpers import DATA


def _units(text: str) -> list[Unit]:
    return [unit for section in sections(text, 1, "T") for unit in units(section)]


def test_a_table_row_comes_with_its_header() -> None:
    (row,) = _units("| code | meaning |\n|---|---|\n| E-07 | low pressure |")
    assert (row.text, row.context, row.kind) == ("| E-07 | low pressure |", "| code | meaning |", "table")
    assert readable(row.text, row.context, row.kind) == "code: E-07; meaning: low pressure"


@pytest.mark.parametrize(
    ("heading", "is_unit"),
    [
        ("## Dose: 5 ml for 10 kg", True),
        ("## 播种深度：3-5 cm", True),
        ("丁罐容积 12 m³。\n---", True),
        ("## The 15 kW motor", False),
        ("## 2. 播种深度", False),
        ("## Step 3: clean the filter", False),
        ("# Tank: 12 m³", False),
    ],
)
def test_a_heading_that_gives_a_value_is_a_unit_the_name_of_a_thing_is_not(heading: str, is_unit: bool) -> None:
    above = "" if heading.startswith("# ") else "# Title\n\n"
    found = _units(f"{above}{heading}\nKeep it dry.\n")
    own = heading.partition("\n")[0].lstrip("# ")
    assert [unit.text for unit in found] == [*([own] if is_unit else []), "Keep it dry."]
    assert found[0].start == found[0].end == (3 if above else 1) + (0 if is_unit else 1 + heading.count("\n"))


def test_row_55_of_sixty() -> None:
    text = (DATA / "tree/agriculture/chemical/pesticide/dose_table_2025_v1.md").read_text()
    row = next(unit for unit in _units(text.split("---\n", 2)[2]) if "病害55" in unit.text)
    assert (
        readable(row.text, row.context, row.kind)
        == "病害：病害55；药剂：药剂55号；每亩用量（克）：275；安全间隔期（天）：4"
    )


def test_a_list_item_knows_what_leads_into_its_list() -> None:
    found = _units("Mix in this order:\n\n- water first\n- then the powder\n\nDone.")
    assert [(unit.text, unit.context) for unit in found[1:3]] == [
        ("- water first", "Mix in this order:"), ("- then the powder", "Mix in this order:"),
    ]  # fmt: skip
    assert found[-1].context == ""


def test_sentences_know_their_lines() -> None:
    text = "# T\n\nFirst sentence here. Second one\ngoes on. Third.\n"
    lines = text.split("\n")
    for unit in _units(text):
        cited = " ".join(lines[unit.start - 1 : unit.end])
        assert " ".join(unit.text.split()) in cited


def test_a_quote_loses_its_marks_only() -> None:
    (unit,) = _units("> A quoted warning\n> in two lines.")
    assert unit.text == "A quoted warning\nin two lines."


@pytest.mark.parametrize("cut", range(MAX_UNIT - 12, MAX_UNIT + 12))
@pytest.mark.parametrize("frame", ["- {}", "{}", "```\n{}\n```"])
def test_a_number_is_never_cut(frame: str, cut: int) -> None:
    filler = ("长句" * MAX_UNIT)[: cut - len(frame.split("{}")[0])]
    for unit in _units(frame.format(f"{filler}123456789公斤。")):
        for number in re.findall(r"\d+", unit.text):
            assert number == "123456789", unit.text[-20:]


@pytest.mark.parametrize(
    ("row", "expected"),
    [("| a | b |", ["a", "b"]), ("a | b", ["a", "b"]), (r"| a \| b | c |", ["a | b", "c"]), ("|  | x |", ["", "x"])],
)
def test_cells(row: str, expected: list[str]) -> None:
    assert cells(row) == expected


@given(st.text("大豆ab 1。.!\n|-#>*`$", max_size=200))
def test_units_are_verbatim_and_in_their_lines(text: str) -> None:
    lines = text.split("\n")
    for unit in _units(text):
        assert 1 <= unit.start <= unit.end <= len(lines)
        cited = "".join("".join(lines[unit.start - 1 : unit.end]).split())
        bare = "".join(unit.text.split())
        if ">" not in text:
            assert bare in cited


def test_a_nested_item_stands_below_the_items_above_it() -> None:
    found = _units(
        "每亩灌水：\n\n- 苗期：\n    - 沙土地：50 立方米\n    - 黏土地：38 立方米\n- 穗期：\n    - 沙土地：55 立方米\n"
    )
    item = next(unit for unit in found if "55" in unit.text)
    assert (item.text, item.context) == ("- 沙土地：55 立方米", "每亩灌水：\n- 穗期：")
    assert readable(item.text, item.context, item.kind) == "穗期：沙土地：55 立方米"
    above = next(unit for unit in found if unit.text == "- 苗期：")
    assert whole(above).text == "- 苗期：\n    - 沙土地：50 立方米\n    - 黏土地：38 立方米"
    assert whole(above).end == 5


@pytest.mark.parametrize("lead", ["To reset the gateway:", "复位步骤如下。", "Reset the gateway as follows."])
def test_a_lead_in_comes_with_its_list(lead: str) -> None:
    first = _units(f"{lead}\n\n1. Hold the button.\n2. Let go.\n\nDone.")[0]
    assert first.text == lead
    assert whole(first).text == f"{lead}\n1. Hold the button.\n2. Let go."
    assert (whole(first).start, whole(first).end) == (1, 4)


def test_a_lead_in_stays_with_its_items_in_the_next_section() -> None:
    text = "Check before the winter:\n\n" + "".join(f"- part {number} {'is clean ' * 20}\n" for number in range(40))
    assert len(sections(text, 1, "T")) > 1
    assert {unit.context for unit in _units(text)[1:]} == {"Check before the winter:"}


@pytest.mark.parametrize(
    "text",
    [
        "问：为什么不能重茬？答：线虫会增多。",
        "**Why not twice?**\n\nBecause of nematodes.",
        "Why not? It rots. It smells.",
    ],
)
def test_a_question_comes_with_its_answer_and_an_answer_knows_its_question(text: str) -> None:
    asking, *answering = _units(text)
    assert "".join(whole(asking).text.split()) == "".join(text.split())
    assert {unit.context for unit in answering} == {asking.text}
    assert whole(asking).end == text.count("\n") + 1


def test_what_is_announced_is_never_more_than_a_unit() -> None:
    text = "Do this:\n\n" + "".join(f"- step {number} {'x' * 90}\n" for number in range(30))
    first = whole(_units(text)[0])
    assert len(first.text) <= MAX_UNIT
    assert first.text.endswith("x" * 90)


def test_a_caption_belongs_to_its_table() -> None:
    row = _units("表 3 ZB-60 的参数\n\n| 项目 | 值 |\n|---|---|\n| 流量 | 62 L/min |")[-1]
    assert row.context == "表 3 ZB-60 的参数\n| 项目 | 值 |"


def test_a_row_is_about_the_columns_in_which_it_says_something() -> None:
    row = _units("| 项目 | ZB-40 | ZB-60 |\n|---|---|---|\n| 流量 | — | 62 L/min |")[-1]
    assert naming(row) == "项目：流量；ZB-60：62 L/min"


def test_a_clause_knows_what_its_sentence_opens_with() -> None:
    found = _units("钾肥分两次施：6 月下旬 10 公斤；7 月下旬 15 公斤。积水会烂根；不耐涝的地块要开沟。")
    assert [unit.context for unit in found] == ["", "钾肥分两次施：", "", ""]
    assert readable(found[1].text, found[1].context, found[1].kind) == "钾肥分两次施：7 月下旬 15 公斤。"


def test_a_short_answer_comes_with_what_follows() -> None:
    assert [unit.text for unit in _units("不能。病株要挖除。撒石灰。")] == ["不能。病株要挖除。", "撒石灰。"]
    assert [unit.text for unit in _units("No. Use lime.")] == ["No. Use lime."]


def test_a_formula_comes_with_its_legend() -> None:
    formula, legend, other = _units("$$Y = N W$$\n\n式中 $Y$ 为亩产量，$W$ 为单株重。\n\n另起一段。")
    assert whole(formula).text == "$$Y = N W$$\n式中 $Y$ 为亩产量，$W$ 为单株重。"
    assert (whole(formula).end, legend.led, other.led) == (3, "", "")


def test_what_announces_a_formula_comes_with_its_legend_too() -> None:
    announcing = _units(
        "Water need follows from:\n\n$$E = K C$$\n\nwhere:\n\n- $K$ is a factor,\n- $C$ is mm.\n\nMore."
    )[0]
    assert whole(announcing).text.endswith("$$E = K C$$\nwhere:\n- $K$ is a factor,\n- $C$ is mm.")
    assert whole(announcing).end == 8


@pytest.mark.parametrize(
    "text",
    ["某甲（1909年－？），本名某乙。他写过小说。", "See https://example.org/watch?v=jp for more. It is short."],
)
def test_a_doubt_in_brackets_and_an_address_ask_nothing(text: str) -> None:
    assert not any(unit.led for unit in _units(text))
    assert all(unit.text in text for unit in _units(text))


@pytest.mark.parametrize(
    "text", ["为什么叶片发黄？植株缺氮。追施尿素。", "Why yellow? It lacks nitrogen.\nTop-dress urea."]
)
def test_a_question_comes_with_its_answer_as_it_is_written(text: str) -> None:
    assert whole(_units(text)[0]).text == text


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("滚轮每 500 小时更换，皮带每 80 小时张紧。", ["滚轮每 500 小时更换 ", "滚轮每 500 皮带每 80 小时张紧"]),
        ("Price is 36 for reds, 24 for whites.", ["Price is 36 for reds ", "Price is 36 for 24 for whites."]),
        ("In heat, 5 mites a day, 10 in May.", ["In heat  5 mites a day ", "In heat  5 mites  10 in May."]),
    ],
)
def test_each_value_of_a_sentence_has_its_own_words_and_the_topic_before_them(sentence: str, said: list[str]) -> None:
    assert [" ".join(text.split()) for text in spoken_of(sentence)] == [" ".join(text.split()) for text in said]


@pytest.mark.parametrize("sentence", ["皮带每 80 小时张紧，要停机。", "Stop it, then open the lid."])
def test_a_sentence_with_one_value_is_one(sentence: str) -> None:
    assert spoken_of(sentence) == [sentence]
