"""kb.answer.signals: what speaks for a unit."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.asked import Asked
from kb.answer.evidence import rank
from kb.answer.signals import NAMES, longest_run, signals
from kb.answer.units import Unit
from kb.answer.weights import WITHOUT_SIMILARITY
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from kb.search.tokens import question_terms
from tests.helpers import DAY


def test_every_signal_has_a_name_and_stays_small(retriever: Retriever) -> None:
    question = "大豆播种深度是多少"
    found = retriever.find(question, 4, Filter(on=DAY))
    ranked = rank(Asked.of(question, {"播种": 2.0, "深度": 3.0}), found)
    assert ranked
    for item in ranked:
        assert set(item.signals) <= set(NAMES)
        assert set(item.signals) >= set(WITHOUT_SIMILARITY)
        assert all(-1.5 <= value <= 1.5 for value in item.signals.values()), item.signals


def test_the_longest_common_run() -> None:
    assert longest_run("大豆播种深度", "春大豆播种深浅") == 5
    assert longest_run("", "x") == longest_run("x", "") == 0


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_run_is_a_piece_of_both(question: str, text: str) -> None:
    length = longest_run(question, text)
    assert length <= min(len(question), len(text))
    assert length == 0 or any(question[n : n + length] in text for n in range(len(question)))


def test_the_longest_run_of_a_long_paste() -> None:
    assert longest_run("大豆泵" * 1300, "大豆播种深度为三到五厘米" * 80) == 2


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("drying temperature for seed grain", "- Seed grain: drying air must not exceed 43 °C.", 1.0),
        ("drying temperature for seed grain", "- Soybean for crushing: below 54 °C.", 0.0),
        ("drying temperature for seed grain", "- The: drying air of seed grain.", 0.0),
        ("粳稻收获时的水分", "- **粳稻收获**：水分 20%-24%。", 1.0),
        ("粳稻收获时的水分", "- 籼稻收获：水分 18%。", 0.0),
    ],
)
def test_an_item_is_meant_when_the_question_holds_its_label(
    retriever: Retriever, question: str, text: str, expected: float
) -> None:
    asked = Asked.of(question, dict.fromkeys(question_terms(question), 0.5))
    place = rank(asked, retriever.find("大豆播种深度", 1, Filter(on=DAY)))[0].place
    assert signals(asked, Unit(text, "", 1, 1, "item"), place, 0.0)["rowkey"] == expected


@pytest.mark.parametrize(
    ("question", "text", "denial", "forbids"),
    [
        ("When should peppers not be irrigated?", "Do not irrigate peppers after sunset.", 1.0, 0.0),
        ("When should peppers not be irrigated?", "Irrigate peppers every 2 days.", -1.0, 0.0),
        # Who asks whether it may be done is answered by that.
        ("辣椒能不能夜里浇水", "辣椒夜里不得浇水。", 0.0, -1.0),
        ("Can I irrigate peppers after sunset?", "Do not irrigate peppers after sunset.", 0.0, -1.0),
        ("When are peppers irrigated?", "Do not irrigate peppers after sunset.", 0.0, 1.0),
        # The value that is asked for stands beside the prohibition, or is what is prohibited.
        ("安全间隔期几天", "安全间隔期 5 天，采收前不得使用。", 0.0, 0.0),
        ("浸泡多少分钟", "不得浸泡超过10分钟。", 0.0, 1.0),
    ],
)
def test_what_is_not_so_answers_who_asks_for_it(
    retriever: Retriever, question: str, text: str, denial: float, forbids: float
) -> None:
    asked = Asked.of(question, dict.fromkeys(question_terms(question), 0.5))
    place = rank(asked, retriever.find("大豆播种深度", 1, Filter(on=DAY)))[0].place
    found = signals(asked, Unit(text, "", 1, 1, "paragraph"), place, 0.0)
    assert (found["denial"], found["forbids"]) == (denial, forbids)


def test_words_of_the_unit_before_and_after_are_told_apart(retriever: Retriever) -> None:
    asked = Asked.of("pump seal flow", {"pump": 0.5, "seal": 0.3, "flow": 0.2})
    place = rank(asked, retriever.find("大豆播种深度", 1, Filter(on=DAY)))[0].place
    beside = dataclasses.replace(place, before=frozenset({"pump"}), after=frozenset({"seal", "flow"}))
    found = signals(asked, Unit("It is 3 of flow.", "", 1, 1, "paragraph"), beside, 0.0)
    assert found["before"] == pytest.approx(0.5)
    assert found["after"] == pytest.approx(0.3)
