"""kb.answer.topics: which words of a question the evidence does not name."""

from __future__ import annotations

import pytest

from kb.answer.topics import share, unnamed
from kb.search.quantities import folded


def _lacking(question: str, frame: str) -> list[str]:
    return unnamed(folded(question), folded(frame))


@pytest.mark.parametrize(
    ("question", "frame", "lacking"),
    [
        ("牛腹泻灌多少蒙脱石散", "猪腹泻：灌服蒙脱石散每头 6 克。", ["牛"]),
        ("放多少氯化钾", "氯化钠 3.5 g", ["钾"]),
        ("Gearbox oil capacity", "| Engine oil | 12.5 | Capacity (L)", ["gearbox"]),
        ("Row spacing for cherries", "Plant pears at 4 m between rows.", ["cherri"]),
        ("PHI of Captor 50 WP", "| Captor 80 WG | 14 | PHI (days)", ["50"]),
        ("alarm 14", "alarm 13: vent blocked", ["14"]),
        ("Head of the ZKP 90", "| ZKP 80 | 90 | Head (m)", ["90"]),  # that 90 is another value
        ("Weight of the ZKP 40", "The ZKP runs at 40 °C and weighs 3 kg.", ["40"]),
        ("Weight of the FM 30", "| FM 40 | 30 | 610 | Weight (kg)", ["30"]),
        ("Loader of version 3.5", "version 3.4 needs loader 1.9", ["3.5"]),
    ],
)
def test_another_thing_is_lacked(question: str, frame: str, lacking: list[str]) -> None:
    assert _lacking(question, frame) == lacking


@pytest.mark.parametrize(
    ("question", "frame"),
    [
        ("播种深度是多少", "播深 3 厘米"),  # a measure, said by its unit
        ("rear tyre pressure", "Tyres: rear 3.2 bar"),
        ("dose of Penethone", "| Penethone | 15 | Dose (mg/kg)"),
        ("大概放多少盐比较合适", "盐每头 6 克"),  # words that only ask
        ("一共有几台播种机", "播种机 1，共计"),  # what is counted
        ("which box holds lamps?", "PL40 holds lamps."),
        ("Storage of pears", "Pears are stored."),  # forms of a word
        ("When are calves fed?", "The calf is fed twice."),
        ("How deep is beet sown?", "Sow beet 4-5 cm deep."),
        ("soybean sowing depth", "Plant soybean 2.5-4 cm deep."),  # another word for the deed
        ("gatway reset buton", "Hold the reset button of the gateway."),  # spellings
        ("re-entry interval of Spinodor", "Spinodor, REI (hours)"),  # initials
        ("milk in week 4", "Milk, weeks 2-5"),  # a condition, no name
        ("Who pays for damage?", "Damage is paid by the buyer."),  # irregular forms
        ("How fast is milk chilled?", "The milk is cooled in 2 hours."),
        ("牛发烧多少度", "牛发热：39.5 ℃"),
        ("管子埋多深", "管道埋深 1.2 米"),
        ("糖和水的比例", "糖与水 2:1"),
        ("Box size for ponies", "Boxes for ponies have 7 m2."),
        ("Panel angle", "Panels face south at 35 degrees."),
        ("蚕室提前几天消毒", "蚕室用前 7 天消毒"),
        ("in the formula for power what is h", "power: h the head"),
    ],
)
def test_what_is_said_in_other_words_is_not(question: str, frame: str) -> None:
    assert _lacking(question, frame) == []


def test_a_character_of_a_longer_word_is_named_beside_with_its_neighbour_only() -> None:
    assert unnamed("油压保护值", "高压保护 2.4 mpa", "压缩机油每年更换") == ["油"]
    assert unnamed("油压保护值", "高压保护 2.4 mpa", "油压另行规定") == []
    assert unnamed("给牛用多少", "每头 6 克", "用于牛") == []


def test_the_share_of_what_is_lacked() -> None:
    assert share(["gearbox"], "gearbox oil capacity") == pytest.approx(1 / 3)
    assert share(["牛"], "牛腹泻") == pytest.approx(1 / 3)
    assert share([], "what is it?") == 0.0


@pytest.mark.parametrize(
    ("question", "frame", "lacking"),
    [
        ("radar detection on channel 124", "radar detection 10 minutes on channels 120-128", []),
        ("radar detection on channel 100", "radar detection 10 minutes on channels 120-128", ["100"]),
        ("how often is the discharge test done?", "discharge test once a year", []),
        ("罗非鱼氨氮上限", "氨氮 罗非鱼 ≤0.6 mg/l", []),
    ],
)
def test_a_number_within_a_range_and_words_that_only_ask_are_named(
    question: str, frame: str, lacking: list[str]
) -> None:
    assert _lacking(question, frame) == lacking


def test_a_word_is_named_by_one_that_means_the_same() -> None:
    same = {"狗": frozenset({"犬"}), "swap": frozenset({"exchange"})}
    assert unnamed("狗的用量", "犬 5 毫克", synonyms=same) == []
    assert unnamed("狗的用量", "猫 5 毫克", synonyms=same) == ["狗"]
    assert unnamed("swap the battery", "exchange the battery", synonyms=same) == []
