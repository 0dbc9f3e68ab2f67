"""kb.memory.extract.fronts: names that say too little, and what makes them whole."""

from __future__ import annotations

import pytest

from kb.memory.extract.fronts import front_of, fronted
from kb.memory.extract.leads import is_thin


@pytest.mark.parametrize("name", ["降", "之后每", "is used", "we recommend", "should be renewed", "between", "、", ""])
def test_a_name_without_a_telling_word_is_thin(name: str) -> None:
    assert is_thin(name)


@pytest.mark.parametrize("name", ["功率", "换油", "leaks", "fuse rating", "SAE", "$g$"])
def test_one_telling_word_is_enough(name: str) -> None:
    assert not is_thin(name)


def test_the_front_of_a_sentence_is_what_it_speaks_of() -> None:
    assert front_of("Check whether the minimum vent position is set to zero; ") == "minimum vent position"
    assert front_of("Gearbox oil (SAE 90), ") == "Gearbox oil"
    assert front_of("减速箱首次换油，") == "减速箱首次换油"
    assert front_of("Store at 13 % for sale, ") == ""


def test_a_thin_name_takes_the_words_before_it_or_behind_it_or_the_heading() -> None:
    assert fronted("should be renewed", "Gearbox oil", "should be renewed", "", "Service") == (
        "Gearbox oil should be renewed"
    )
    assert fronted("is used", "", "", "is used per cow", "") == "is used per cow"
    assert fronted("升", "", "升", "", "耐压试验") == "耐压试验升"
    assert fronted("supplement", "", "Vegetable growers keep a supplement of", "", "") == (
        "Vegetable growers keep a supplement"
    )
