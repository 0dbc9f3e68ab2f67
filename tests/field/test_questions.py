"""Questions as people type them, and those that the documents do not answer."""

from __future__ import annotations

import re

import pytest

from kb.answer.answerer import Answerer
from kb.errors import AlmanacError


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("水泵", "QY-25"),
        ("水泵型號QY-25的揚程", "17 米"),
        ("ＱＹ－２５扬程", "17 米"),
        ("qy-25扬程多少", "17 米"),
        ("E-07", "叶轮堵塞"),
        ("e-07？", "叶轮堵塞"),
        ("Ｅ－０７", "叶轮堵塞"),
        ("10MPa", "10MPa"),
        ("哪个水泵10MPa", "10MPa"),
        ("Ubuntu 20.04", "20.04"),
        ("pH:5", "pH:5"),
        ("湿度50%", "50%"),
        ("密封圈多久换一次", "2000 小时"),
        ("油位低于1/3怎么办", "46 号液压油"),
        ("Crop-55 dose", "166 g/ha"),
        ("PX-55 interval", "7 d"),
        ("品种4321的用量是多少", "8647 毫升/亩"),
        ("ZX-0055", "115 毫升/亩"),
        ("Which box holds 1 toy?", "XC23"),
        ("Which box holds 2 games?", "HJ22"),
        ("which box holds 10 toys", "TR55"),
        ("dose of glyphosate", "2 L/ha"),
        ("拖拉机T-88胎压", "1.6 bar"),
        ("SB-60流量多少", "SB-60：62 L/min"),
        ("sb60流量", "SB-60：62 L/min"),
        ("200KJ32-91扬程", "91"),
        ("井泵怎么复位", "按住复位键 12 秒"),
        ("井泵为什么不能干转", "水封靠水冷却"),
        ("黏质井多少天更换井泵滤网", "每 90 天"),
        ("0471-5550123", "服务电话"),
        ("10.20.30.40", "网关地址"),
    ],
)
def test_the_right_place_answers(asking: Answerer, question: str, said: str) -> None:
    answer = asking.ask(question)
    assert not answer.refused
    assert said in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "zebra pancake trombone", "why?", "don't", "水泵的价格是多少", "QY-25的功率是多少", "水泵QY-26的扬程", "E-70",
        "E-08", "故障代码E-7", "Crop-61 dose", "PX-155", "品种6001的用量", "ZX-55", "Which box holds 3 toys?",
        "Which box holds 4 games?", "HJ23", "SB-80流量", "200KJ40-80扬程", "0471-5550124", "10.20.30.41", "(a+)+$",
        "--output=/x", "../../etc/passwd", "大豆" * 2000, "A" * 4000,
    ],
)  # fmt: skip
def test_what_the_documents_do_not_say_is_a_refusal_without_citation_or_number(asking: Answerer, question: str) -> None:
    answer = asking.ask(question)
    assert (answer.refused, answer.text, answer.evidence, answer.cited) == (True, "", (), ())


@pytest.mark.parametrize("question", ["", " ", "\n", '"', "？？", "...", "\x1b", "\0"])
def test_nothing_is_no_question(asking: Answerer, question: str) -> None:
    with pytest.raises(AlmanacError) as caught:
        asking.ask(question)
    assert caught.value.key == "empty_question"


@pytest.mark.parametrize(
    "question", ["dose of glyphosate", "How much glyphosate per hectare?", "草甘膦 glyphosate 用量"]
)
def test_an_instruction_in_a_document_changes_no_dose(asking: Answerer, question: str) -> None:
    answer = asking.ask(question)
    assert answer.refused or set(re.findall(r"\d+", answer.text)) <= {"2"}
