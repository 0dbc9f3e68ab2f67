"""kb.answer.demands: values that the question names, and the kind of quantity that it wants."""

from __future__ import annotations

import datetime
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.answerer import Answerer
from kb.answer.demands import Demands
from kb.search.quantities import folded
from kb.search.retriever import Retriever
from tests.helpers import document, write


@pytest.mark.parametrize(
    ("question", "text", "met"),
    [
        ("Which box holds 3 toys?", "XC23 | 1 toy", False),
        ("Which box holds 1 toy?", "XC23 | 1 toy", True),
        ("Which box holds 1 toy?", "TR55 | 10 toys", False),
        ("Which box holds 2 kettles?", "PL40 holds 2 lamps.", False),
        ("Which box holds 2 lamps?", "PL40 holds 2 lamps.", True),
        ("which plan costs 20 dollars", "Team costs $20.", True),
        ("哪个箱子装2个水壶", "PL40 装 2 个灯泡。", False),
        ("哪个箱子装2个灯泡", "PL40 装 2 个灯泡。", True),
        ("Which tank holds 250 L of diesel?", "Tank A holds 200 L of diesel.", False),
        ("Which tank holds 1,000 L?", "Tank A holds 1000 L of diesel.", True),
        ("which hose is rated for 16 bar", "Hose H-3 is rated for 10 to 20 bar.", True),
        ("which hose is rated for 25 bar", "Hose H-3 is rated for 10 to 20 bar.", False),
        ("which hose is rated for 16 bar", "Hose H-3 may be used below 20 bar.", True),
        ("哪个箱子装3个玩具", "A箱装1个玩具。", False),
        ("哪个油箱装 300 升", "B 油箱装 300 升柴油。", True),
        ("哪种泵的扬程是18米", "QY-25 的扬程为 17 米。", False),
        ("哪种泵的扬程是１７米", "QY-25 的扬程为 17 米。", True),
        ("50%", "湿度保持 50%。", True),
        ("50%", "间距 50 cm。", False),
        ("50%", "湿度 40%-60%。", False),
        ("20.04", "系统为 20.04 版。", True),
        ("20.04", "系统为 22.04 版。", False),
        ("283?", "妊娠期 283 天。", True),
        ("10MPa", "额定压力 10MPa。", True),
        ("10MPa", "扬程 17 米，流量 100。", False),
        ("-20 °C?", "The freezer is kept at -20 °C.", True),
        ("-20 °C?", "The heater is kept at 20 °C.", False),
        ("哪两种化合物有毒", "砷化物有毒。", True),
        ("农作物虫害形成的条件有哪3个？", "虫源、寄主、气候。", True),
        ("哪一年建成", "1950 年建成。", True),
        # A value that is no condition on the thing asked for demands nothing.
        ("轴承温度80℃怎么办", "轴承温度不得超过 75℃。", True),
        ("Which crops were sown within 30 days?", "Maize was sown in April.", True),
        ("Which valve opens above 12 bar?", "The relief valve opens at 13 bar.", True),
        ("How deep is maize sown in 2 ha fields?", "4 cm", True),
    ],
)
def test_a_named_value_must_be_there(question: str, text: str, met: bool) -> None:
    assert Demands.of(question).met_by(folded(text), "") is met


@pytest.mark.parametrize(
    ("question", "text", "around", "met"),
    [
        ("水泵的价格是多少", "水泵的扬程为 17 米，额定压力 10MPa。", "", False),
        ("水泵多少钱", "水泵每台 1200 元。", "", True),
        ("How much does the pump cost?", "The pump is $450.", "", True),
        ("How much does the pump cost?", "The pump runs at 10 bar.", "", False),
        ("水泵的重量", "水泵的扬程为 17 米。", "", False),
        ("水泵有多重", "整机 35 公斤。", "", True),
        ("水泵有多重", "扬程 17 米。", "", False),
        ("支付超时最多重试几次", "最多 2 次。", "", True),
        ("QY-25的功率是多少", "QY-25 的扬程为 17 米。", "", False),
        ("QY-25的功率是多少", "QY-25 | 5.5", "型号 | 功率(kw)", True),
        ("QY-25的功率是多少", "电机 5.5 kW。", "", True),
        ("What is the voltage of the pump?", "The pump has a head of 17 m.", "", False),
        ("What is the voltage of the pump?", "The pump runs on 380 V.", "", True),
        ("胎压是多少", "胎压为 1.6 bar。", "", True),
        ("What pressure?", "The relief valve opens at 12 bar.", "", True),
        ("压力过高怎么办", "打开旁通阀。", "", True),
        ("What should I do when the power is off?", "Start the generator.", "", True),
        ("大豆播种深度是多少", "3-5 厘米", "", True),
    ],
)
def test_the_kind_of_quantity_that_is_wanted_must_be_given(question: str, text: str, around: str, met: bool) -> None:
    assert Demands.of(question).met_by(folded(text), around) is met


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_falls_over(question: str, text: str) -> None:
    assert isinstance(Demands.of(question).met_by(folded(text), ""), bool)


def test_a_thing_without_the_value_is_not_named(empty_tree: Path, tmp_path: Path) -> None:
    write(
        empty_tree, "boxes.md", document("Boxes", "| Box | Content |\n|---|---|\n| XC23 | 1 toy |\n| HJ22 | 2 games |")
    )
    write(empty_tree, "pump.md", document("水泵", "水泵 QY-25 的扬程为 17 米，额定压力 10MPa。"))
    retriever = Retriever(empty_tree, tmp_path / "index")
    answerer = Answerer(retriever, clock=lambda: datetime.date(2026, 6, 1))
    try:
        assert "XC23" in answerer.ask("Which box holds 1 toy?").text
        assert "HJ22" in answerer.ask("Which box holds 2 games?").text
        assert answerer.ask("Which box holds 3 toys?").refused
        assert "17 米" in answerer.ask("水泵QY-25的扬程是多少").text
        for question in ("水泵的价格是多少", "水泵QY-25的重量", "QY-25的功率是多少", "水泵QY-26的扬程"):
            refused = answerer.ask(question)
            assert (refused.refused, refused.text, refused.evidence) == (True, "", ()), question
    finally:
        retriever.close()


def test_a_figure_alone_takes_its_unit_from_the_column() -> None:
    asked = Demands.of("50%")
    assert asked.met_by("| 8-14 | 50 |", "| 日龄（天） | 湿度（%） |")
    assert not asked.met_by("| 8-14 | 50 |", "| 日龄（天） | 间距（cm） |")


@pytest.mark.parametrize("question", ["7", "20.04 是哪一年的版本", "why?", "50% 60%"])
def test_what_is_more_or_less_than_a_figure_is_none(question: str) -> None:
    assert Demands.of(question).figure is None


@pytest.mark.parametrize(("figure", "held"), [("42 天", True), ("43 天", False), ("0.35 MPa", True), ("350", False)])
def test_a_figure_alone_shows_what_holds_it(tmp_path: Path, figure: str, held: bool) -> None:
    write(tmp_path, "a/b/c/pump.md", document("水泵", "停机超过 42 天要排空。\n\n进口压力为 0.35 MPa。"))
    retriever = Retriever(tmp_path, tmp_path / "index")
    try:
        answer = Answerer(retriever, clock=lambda: datetime.date(2026, 6, 1)).ask(figure)
    finally:
        retriever.close()
    assert answer.refused is not held
    assert not held or figure in answer.text


@pytest.mark.parametrize(
    ("question", "text", "around", "met"),
    [
        ("水稻返青期追多少钾肥", "返青后每公顷追施尿素 75-90 公斤", "追肥", False),
        ("大豆R5期追施多少钾肥", "每公顷追施氯化钾 45-60 公斤", "追肥", True),
        ("每亩喷多少药", "每亩用 20 毫升", "用量", True),
        ("追施多少公斤尿素", "每公顷追施尿素 75-90 公斤", "", True),
        ("how much water do broilers drink", "Add skim milk powder, 2.5 g per litre.", "Vaccination", False),
        ("how much water do broilers drink", "0.25 l a day", "Drinking water", True),
        ("how much fertilizer should I apply", "Apply 150 kg of N per hectare.", "Fertilizers", True),
    ],
)
def test_an_amount_is_given_of_the_thing_that_is_asked(question: str, text: str, around: str, met: bool) -> None:
    assert Demands.of(question).met_by(folded(text), folded(around)) is met


@pytest.mark.parametrize(
    ("question", "text", "around", "met"),
    [
        ("水稻返青期追多少钾肥", "倒 2 叶期每公顷追氯化钾 45 公斤。", "", False),
        ("水稻返青期追多少钾肥", "每公顷追氯化钾 45 公斤。", "", True),
        ("返青期水层多深", "返青期保持 3-5 cm，分蘖期 2-3 cm。", "", True),
        ("分蘖前期水层多深", "有效分蘖期落干 5 cm。", "", True),
        ("保修期几年", "试用期 3 年。", "", False),
        ("什么时期播种", "拔节期追肥。", "", True),
        ("How is wheat watered at the tillering stage?", "Water once at the booting stage.", "", False),
        ("How is wheat watered at the tillering stage?", "Water once.", "Tillering", True),
        ("Which growth stage needs water?", "The booting stage needs most.", "", True),
    ],
)
def test_another_stage_is_no_answer(question: str, text: str, around: str, met: bool) -> None:
    assert Demands.of(question).met_by(folded(text), folded(around)) is met


@pytest.mark.parametrize(
    ("under", "met"), [("抽穗扬花期", False), ("返青期", True), ("追肥", True), ("booting stage", False)]
)
def test_a_unit_under_another_stage_is_no_answer(under: str, met: bool) -> None:
    assert Demands.of("水稻返青期追多少钾肥").met_by("叶面喷 0.2% 磷酸二氢钾", under, under) is met


@pytest.mark.parametrize(
    ("question", "unknown", "text", "met"),
    [
        ("青霉素用于马休药几天", {"马休"}, "青霉素 | 牛、羊 | 休药期 14 天", False),
        ("青霉素用于牛休药几天", {"牛休"}, "青霉素 | 牛、羊 | 休药期 14 天", True),
        ("青霉素用于奶牛休药几天", set(), "青霉素 | 牛、羊 | 休药期 14 天", True),
        ("青霉素休药几天", set(), "青霉素 | 牛、羊 | 休药期 14 天", True),
    ],
)
def test_another_recipient_is_no_answer(question: str, unknown: set[str], text: str, met: bool) -> None:
    assert Demands.of(question, unknown).met_by(folded(text), "") is met


def test_acidity_is_answered_by_acidity_alone() -> None:
    assert not Demands.of("土壤 pH").met_by(folded("相对湿度 50%-65%"), "")
    assert Demands.of("土壤 pH").met_by(folded("土壤 pH 6.5"), "")


def test_a_figure_in_one_cell_is_found_among_many_documents_with_its_unit(empty_tree: Path, tmp_path: Path) -> None:
    for number in range(30):
        body = f"# kW\n\n{300 + number} kW, {400 + number} kW."
        write(empty_tree, f"power/kw/kw/kw_{number}.md", document("kW", body, keywords="[kW]"))
    rows = "\n".join(f"| WQ-{number} | {number * 2} |" for number in range(1, 31))
    write(empty_tree, "pumps.md", document("Pumps", f"| Type | Power (kW) |\n|---|---|\n{rows}"))
    with closing(Retriever(empty_tree, tmp_path / "i")) as made:
        answerer = Answerer(made)
        assert "WQ-11" in answerer.ask("22kW").text
        assert answerer.ask("23kW").refused
