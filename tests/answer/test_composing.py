"""kb.answer.composing: each sentence of a model stands on its source, or the source is quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.composing import Source, compose, sentences

DEPTH = Source("Sow maize at a depth of 4-6 cm in moist soil.", "Maize sowing", "QUOTE A")
RATE = Source("Apply 30 kg of nitrogen per hectare. Do not spray above 25 °C.", "Nitrogen", "QUOTE B")
ASKED = "How deep is maize sown and how much nitrogen does it take?"


def test_sentences_with_their_sources() -> None:
    written = "Answer: Sow at 4-6 cm [1]. Apply 30 kg. [2]\n- 玉米播深4-6厘米【1】。再施肥。"
    assert sentences(written) == [
        ("Sow at 4-6 cm.", 0),
        ("Apply 30 kg.", 1),
        ("玉米播深4-6厘米。", 0),
        ("再施肥。", None),
    ]


def test_what_the_sources_say_stays() -> None:
    found = compose("Maize is sown at 4-6 cm [1]. Apply 30 kg of nitrogen per hectare [2].", [DEPTH, RATE], ASKED)
    assert found.text == "Maize is sown at 4-6 cm. Apply 30 kg of nitrogen per hectare."
    assert (found.cited, found.replaced, found.kept) == ((0, 1), 0, 2)


def test_a_sentence_without_a_number_finds_its_source() -> None:
    found = compose("Apply 30 kg of nitrogen per hectare.", [DEPTH, RATE], ASKED)
    assert (found.cited, found.kept, found.text) == ((0, 1), 1, "QUOTE A Apply 30 kg of nitrogen per hectare.")


@pytest.mark.parametrize(
    "lie",
    [
        pytest.param("Sow maize at 40-60 cm [1].", id="number"),
        pytest.param("Sow maize at 4-6 m [1].", id="unit"),
        pytest.param("Do not sow maize at 4-6 cm in moist soil [1].", id="negation"),
        pytest.param("Spray above 25 °C [2].", id="negation lost"),
        pytest.param("Spray below 25 °C [2].", id="direction"),
        pytest.param("Sow wheat at 4-6 cm [1].", id="another crop"),
        pytest.param("Use Fungiclear at once [1].", id="invented name"),
        pytest.param("Nitrogen is applied at 4-6 cm [1].", id="another's number"),
        pytest.param("Sow maize at a depth of 30 kg [2].", id="another's number from another source"),
    ],
)
def test_what_they_do_not_say_gives_way_to_the_quote(lie: str) -> None:
    kept = "Apply 30 kg of nitrogen per hectare [2]."
    found = compose(f"{kept} {lie}", [DEPTH, RATE], ASKED)
    assert found.replaced == 1
    assert "QUOTE" in found.text
    assert lie.split(" [")[0] not in found.text


def test_an_echo_of_the_question_is_left_out() -> None:
    found = compose("How much nitrogen does it take? Apply 30 kg of nitrogen per hectare [1].", [RATE], ASKED)
    assert (found.text, found.replaced) == ("Apply 30 kg of nitrogen per hectare.", 0)


def test_when_nothing_stays_the_first_source_answers() -> None:
    assert compose("I am a helpful model.", [DEPTH, RATE], ASKED).text == "QUOTE A"
    assert compose("", [DEPTH], ASKED).text == "QUOTE A"


def test_chinese_sentences_are_joined_without_a_space() -> None:
    source = Source("大豆播种深度3-5厘米。土壤墒情好时宜浅。", "大豆 播种", "原文")
    assert compose("大豆播种深度3-5厘米[1]。墒情好时宜浅[1]。", [source], "大豆播多深").text == (
        "大豆播种深度3-5厘米。墒情好时宜浅。"
    )


@given(st.text("Sow maize 4-6 cm [1][2]. 30 kg not 玉米。\n", max_size=80))
def test_no_number_but_the_sources_own(written: str) -> None:
    import re

    text = compose(written, [DEPTH, RATE], ASKED).text
    assert set(re.findall(r"\d+", text)) <= {"4", "6", "30", "25"}


def test_what_asks_or_only_repeats_the_headings_is_left_out() -> None:
    kept = "Apply 30 kg of nitrogen per hectare [1]."
    for idle in ("Nitrogen.", "Do not spray above 25 °C?"):
        found = compose(f"{idle} {kept}", [RATE], "How much nitrogen?")
        assert (found.text, found.replaced) == ("Apply 30 kg of nitrogen per hectare.", 0), idle


def test_the_first_source_is_told_first() -> None:
    found = compose("Do not spray above 25 °C [2].", [DEPTH, RATE], "When is maize sown?")
    assert (found.text, found.cited, found.kept) == ("QUOTE A Do not spray above 25 °C.", (0, 1), 1)


def test_a_number_is_owed_when_one_was_asked_for() -> None:
    row = Source("病虫害：蚜虫；每亩用量：20 克", "药剂", "QUOTE")
    assert compose("病虫害：蚜虫。", [row], "蚜虫每亩用多少？").text == "QUOTE"
    assert compose("病虫害：蚜虫。", [row], "是什么虫？").text == "病虫害：蚜虫。"
