"""kb.answer.checker: nothing passes that the evidence does not say."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kb.answer.checker import check, check_sentence, is_piece, says_nothing_new

DOSE = "鼓粒初期（R5）每公顷追施氯化钾45-60公斤，结合灌水施入。"


@pytest.mark.parametrize(
    ("answer", "evidence", "question"),
    [
        ("每公顷追施氯化钾45-60公斤", DOSE, "R5期追施多少钾肥？"),
        ("4-6 cm in moist soil", "Sow maize at a depth of 4-6 cm in moist soil.", "How deep is maize sown?"),
        ("清洗滤网", "代码：E-07；含义：进水压力低；处理：清洗滤网", "E-07 怎么处理"),
        ("不得超过10分钟", "拌种剂浸泡不得超过10分钟。", "浸泡多久"),
        ("45-60公斤。", DOSE, "R5期追施多少钾肥？"),
    ],
)
def test_a_piece_of_the_evidence_passes(answer: str, evidence: str, question: str) -> None:
    verdict = check(answer, evidence, question)
    assert verdict.passed, verdict.reason


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        pytest.param("每公顷追施氯化钾46-60公斤", DOSE, id="another number"),
        pytest.param("60公斤", DOSE, id="one end of a range"),
        pytest.param("45公斤", DOSE, id="the other end"),
        pytest.param("45-60克", DOSE, id="another unit"),
        pytest.param("45-60", DOSE, id="unit left out"),
        pytest.param("5公斤", "每亩施0.5公斤。", id="decimal cut off"),
        pytest.param("500公斤", "每亩施1,500公斤。", id="thousands cut off"),
        pytest.param("500 kg", "Apply 1 500 kg in total.", id="thousands with a space cut off"),
        pytest.param("5 kg", "Apply 15 kg.", id="digit cut off"),
        pytest.param("五天", "间隔十五天。", id="Chinese digit cut off"),
        pytest.param("18℃以下", "储存温度 -18℃ 以下。", id="sign lost"),
        pytest.param("18℃以下", "储存温度−18℃以下。", id="typographic minus lost"),
        pytest.param("18℃以下", "储存温度零下18℃以下。", id="sign in words lost"),
        pytest.param("2片", "每次1/2片。", id="fraction cut off"),
        pytest.param("500倍", "按1:500倍稀释。", id="ratio cut off"),
        pytest.param("一斤", "每亩一斤半。", id="half cut off"),
        pytest.param("2 L", "Apply 2 L/ha of product.", id="per hectare lost"),
        pytest.param("5公斤", "每次施5公斤/亩。", id="per mu lost"),
        pytest.param("105 CFU/mL", "活菌数不低于 10⁵ CFU/mL。", id="power read as digits"),
        pytest.param("15公斤尿素", "①5公斤尿素", id="circled digit joined"),
        pytest.param("3-10天", "苗期3天，花期10天。", id="range that is none"),
    ],
)
def test_a_changed_number_does_not_pass(answer: str, evidence: str) -> None:
    assert not check(answer, evidence, "用量是多少？").passed


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("超过10分钟", "拌种剂浸泡不得超过10分钟。"),
        ("exceed 5 kg per day", "Do not exceed 5 kg per day."),
        ("在花期使用", "禁止在花期使用。"),
        ("be mixed with lime", "It must never be mixed with lime."),
        ("soil has reached 10 °C", "Do not sow before the soil has reached 10 °C."),
    ],
)
def test_a_lost_negation_does_not_pass(answer: str, evidence: str) -> None:
    assert not check(answer, evidence, "怎么做才对 what is right?").passed


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        pytest.param("大豆不追", "大豆追肥。玉米不追。", id="joined from two sentences"),
        pytest.param("多喷几次更好", DOSE, id="not in the text"),
        pytest.param("rain first", "Do the training first.", id="word cut in the middle"),
        pytest.param("XC23", "箱子 XC231 装一个玩具。", id="code cut"),
        pytest.param("型号E-07", "型号 E-071 需要更换。", id="code with hyphen cut"),
        pytest.param("", DOSE, id="empty"),
        pytest.param("  \n", DOSE, id="blank"),
        pytest.param("。！", DOSE, id="marks only"),
    ],
)
def test_words_that_are_not_one_piece_do_not_pass(answer: str, evidence: str) -> None:
    assert not check(answer, evidence, "装什么").passed


def test_an_echo_of_the_question_does_not_pass() -> None:
    assert check("追施氯化钾", DOSE, "怎么追施氯化钾？").reason == "echo"
    assert says_nothing_new("the pump", "Where is the pump?")
    assert not says_nothing_new("the red pump", "Where is the pump?")


def test_a_number_is_owed_when_one_was_asked_for() -> None:
    assert check("结合灌水施入", DOSE, "每公顷追施多少氯化钾？").reason == "no_number"


def test_white_space_and_closing_marks_do_not_matter() -> None:
    assert is_piece("追施 氯化钾", "每公顷追施氯化钾45公斤")
    assert is_piece("Sow at 4 cm", "Sow at\n4 cm.")


_NUMBERS = st.integers(1, 9999).map(str) | st.decimals("0.1", "99.9", places=1).map(str)
_FRAMES = st.sampled_from(
    [
        "每公顷追施氯化钾{}公斤，结合灌水施入。",
        "每亩用药 {} 克，安全间隔期14天。",
        "Apply {} kg/ha before sowing.",
        "Keep it below {} °C at night.",
        "稀释{}倍液喷雾。",
        "压力不得超过{}MPa。",
        "间隔{}天。",
        "浓度为{}%的溶液。",
    ]
)


@given(frame=_FRAMES, number=_NUMBERS, data=st.data())
def test_a_sentence_with_one_digit_changed_never_passes(frame: str, number: str, data: st.DataObject) -> None:
    evidence = frame.format(number)
    places = [found.start() for found in re.finditer(r"\d", evidence)]
    place = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from("0123456789"))
    assume(digit != evidence[place])
    changed = evidence[:place] + digit + evidence[place + 1 :]
    assert not check(changed, evidence, "怎么用 how to use it").passed


@given(frame=_FRAMES, number=_NUMBERS, data=st.data())
def test_a_sentence_with_one_digit_less_never_passes(frame: str, number: str, data: st.DataObject) -> None:
    evidence = frame.format(number)
    place = data.draw(st.sampled_from([found.start() for found in re.finditer(r"\d", evidence)]))
    changed = evidence[:place] + evidence[place + 1 :]
    assume(changed.strip() != evidence.strip())
    assert not check(changed, evidence, "怎么用 how to use it").passed


@given(frame=_FRAMES, number=_NUMBERS)
def test_the_evidence_itself_passes(frame: str, number: str) -> None:
    evidence = frame.format(number)
    assert check(evidence, evidence, "怎么办 tell me").passed


@given(text=st.text(max_size=60), evidence=st.text(max_size=60), question=st.text(max_size=20))
def test_whatever_passes_is_a_piece(text: str, evidence: str, question: str) -> None:
    if check(text, evidence, question).passed:
        assert is_piece(text, evidence)


@pytest.mark.parametrize(
    ("sentence", "evidence", "passes"),
    [
        (
            "20% of fields were wet early.",
            "Of 15 reports, 20% were ranked good, 7% were wet early, 13% were dry.",
            False,
        ),
        ("7% of fields were wet early.", "Of 15 reports, 20% were ranked good, 7% were wet early, 13% were dry.", True),
        ("20% were ranked good and 7% were wet early.", "20% were ranked good, 7% were wet early.", True),
        ("拔节期追施尿素 75 公斤。", "返青期追施尿素 75 公斤，拔节期追施尿素 150 公斤。", False),
        ("返青期追施尿素 75 公斤。", "返青期追施尿素 75 公斤，拔节期追施尿素 150 公斤。", True),
        ("Feed 4 L within 2 hours.", "Feed 4 L within 2 hours, then 2 L within 12 hours.", True),
    ],
)
def test_a_number_stays_with_what_it_is_said_of(sentence: str, evidence: str, passes: bool) -> None:
    question = "What percentage of fields were wet early? 拔节期追施多少尿素"
    assert check_sentence(sentence, evidence, question).passed is passes


@pytest.mark.parametrize(
    ("sentence", "evidence", "reason"),
    [
        ("每窝断奶仔猪最多 12 头。", "每窝断奶仔猪不得超过 12 头。", ""),
        ("Cool milk to below 6 °C within 2 hours.", "Milk must be cooled to below 6 °C within 2 hours.", ""),
        ("Never refuel a running engine.", "Do not refuel a running engine.", ""),
        ("每窝断奶仔猪 12 头。", "每窝断奶仔猪不得超过 12 头。", "comparison"),
        ("Spray at 3 m/s or less.", "Spray below 3 m/s.", "comparison"),
        ("The oil must exceed 80 °C.", "The oil must not exceed 80 °C.", "comparison"),
        ("It closes on 30 July 2025.", "It closes on 30 June 2025.", "date"),
        ("It ran from April 2022 to October 2021.", "It ran from April 2021 to October 2022.", "date"),
        ("Sow in May.", "You may sow.", "date"),
        ("Mix it with copper, not with water.", "Do not mix it with copper; mix it with water.", "negation"),
        ("Gloves must be worn.", "Gloves may be worn; goggles must be worn.", "duty"),
        ("需要加洗涤剂。", "可用清水冲洗，不需要加洗涤剂。", "negation"),
        ("Use sulphur against early blight.", "Use mancozeb against early blight and sulphur against mildew.", "mixed"),
    ],
)
def test_a_sentence_says_what_the_evidence_says_in_its_own_words(sentence: str, evidence: str, reason: str) -> None:
    assert check_sentence(sentence, evidence, "").reason == reason
