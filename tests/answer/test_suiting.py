"""kb.answer.suiting: what cannot be what is asked for counts less, however alike its words are."""

from __future__ import annotations

import dataclasses

import pytest

from kb.answer.asked import Asked
from kb.answer.evidence import rank
from kb.answer.place import Place
from kb.answer.suiting import OTHER_SUBJECT, anchored, names_lacked, suited
from kb.answer.units import Unit
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from tests.helpers import DAY


@pytest.fixture
def place(retriever: Retriever) -> Place:
    """A place below no heading, in a section that says nothing."""
    found = rank(Asked.of("大豆播种深度", {"播": 0.5}), retriever.find("大豆播种深度", 1, Filter(on=DAY)))[0].place
    return dataclasses.replace(found, heading="", around="", under="")


def _unit(text: str, kind: str = "paragraph") -> Unit:
    return Unit(text, "", 1, 1, kind)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        # Another year, the contrary, another kind of quantity, another value.
        ("2024年的租金是多少", "2025年租金为 300 元。"),
        ("What does the pump weigh?", "The pump delivers 3 bar."),
        ("Which tank holds 250 L?", "The blue tank holds 200 L."),
    ],
)
def test_what_is_about_another_case_is_cut(place: Place, question: str, text: str) -> None:
    assert suited(Asked.of(question, {}), _unit(text), place) < 1.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("2024年的租金是多少", "2024年租金为 300 元。"),
        ("What does the pump weigh?", "The pump weighs 14 kg."),
        ("Which tank holds 250 L?", "The blue tank holds 250 L."),
    ],
)
def test_what_is_about_it_is_not(place: Place, question: str, text: str) -> None:
    assert suited(Asked.of(question, {}), _unit(text), place) == 1.0


def test_the_headings_speak_for_a_unit_and_the_section_for_prose_alone(place: Place) -> None:
    asked = Asked.of("2024年的租金是多少", {})
    section = dataclasses.replace(place, around="2024年租金如下。")
    headed = dataclasses.replace(place, heading="2024年")
    assert suited(asked, _unit("租金为 300 元。"), headed) == 1.0
    assert suited(asked, _unit("比2025年少，为 300 元。"), section) == 1.0
    assert suited(asked, _unit("- 比2025年少，为 300 元。", "item"), section) == OTHER_SUBJECT


def test_a_name_in_the_section_is_worth_less_than_one_in_the_unit(place: Place) -> None:
    asked = Asked.of("What does KD71 need?", {})
    section = dataclasses.replace(place, around="kd71 pumps need oil.")
    own, beside, none = (
        anchored(asked, _unit("KD71 needs oil."), place),
        anchored(asked, _unit("It needs oil."), section),
        anchored(asked, _unit("It needs oil."), place),
    )
    assert 1.0 == own > beside > none > 0.0


@pytest.mark.parametrize(
    ("text", "kind"), [("| oil | 2 L |", "table"), ("- oil: 2 L", "item"), ("The LM39 needs oil.", "paragraph")]
)
def test_rows_items_and_what_names_its_like_speak_for_themselves(place: Place, text: str, kind: str) -> None:
    asked = Asked.of("What does KD71 need?", {})
    section = dataclasses.replace(place, around="the kd71 needs oil; the lm39 needs none.")
    assert names_lacked(asked, _unit(text, kind), section, nearby=True) == ["kd71"]
    assert names_lacked(asked, _unit("It needs oil."), section, nearby=True) == []


def test_without_names_nothing_is_lacked(place: Place) -> None:
    assert anchored(Asked.of("What does the pump need?", {}), _unit("Oil."), place) == 1.0
