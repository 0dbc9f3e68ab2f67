"""kb.answer.contrasts: what is said of one thing is not said of another."""

from __future__ import annotations

import pytest

from kb.answer.contrasts import beside, mixes

WHEAT = "小麦播深 3-4 厘米，玉米播深 5-6 厘米。"
BLIGHT = "Use mancozeb against early blight and sulphur against mildew."
WEEKS = "In the first week the house is kept at 33 °C, in the third week at 27 °C."


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        ("小麦播深 5-6 厘米。", WHEAT),
        ("玉米播深 5-6 厘米，小麦播深 5-6 厘米。", WHEAT),
        ("小麦播深 5-6 厘米，玉米播深 3-4 厘米。", WHEAT),
        ("Use sulphur against early blight.", BLIGHT),
        ("Use sulphur against early blight and mancozeb against mildew.", BLIGHT),
        ("In the first week the house is kept at 27 °C.", WEEKS),
        ("Ewes need 2 L of water a day.", "Ewes need 6 L of water a day; lambs need 2 L."),
        ("京农 6 号抗旱。", "京农 6 号抗倒伏，冀麦 22 抗旱。"),
        ("施肥 1,200 公斤的是乙地。", "甲地施肥 1,200 公斤，乙地施肥 1,500 公斤。"),
        ("Front tyres need 2.1 bar.", "Front and rear tyres need 1.6 and 2.1 bar respectively."),
        ("前轮 2.1 bar，后轮 1.6 bar，分别如此。", "前轮和后轮气压分别为 1.6 bar 和 2.1 bar。"),
        ("Tighten to 90 Nm, then to 45 Nm.", "Tighten the bolts to 45 Nm, then to 90 Nm."),
    ],
)
def test_what_is_taken_from_two_parts_is_mixed(sentence: str, evidence: str) -> None:
    assert mixes(sentence, evidence)


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        ("玉米播深 5-6 厘米。", WHEAT),
        (WHEAT, WHEAT),
        ("玉米播深 5-6 厘米，小麦播深 3-4 厘米。", WHEAT),
        (BLIGHT, BLIGHT),
        ("Use sulphur against mildew.", BLIGHT),
        ("In the third week the house is kept at 27 °C.", WEEKS),
        ("Lambs need 2 L of water a day.", "Ewes need 6 L of water a day; lambs need 2 L."),
        ("Replace the seal if the pump leaks.", "If the pump leaks, replace the seal."),
        (
            "Irrigate before transplanting when dry.",
            "When the soil is dry, irrigate the plot a day before transplanting.",
        ),
        ("3 月播玉米。", "3 月播小麦，5 月播玉米，南方 3 月播玉米。"),
        (
            "Front and rear tyres need 1.6 and 2.1 bar respectively.",
            "Front and rear tyres need 1.6 and 2.1 bar respectively.",
        ),
        ("", WHEAT),
    ],
)
def test_what_one_part_says_or_joins_parts_that_are_not_alike_is_not(sentence: str, evidence: str) -> None:
    assert not mixes(sentence, evidence)


def test_the_parts_that_share_most_stand_beside_each_part() -> None:
    found = dict(beside("Goggles must be worn, mangoes too", "Gloves may be worn; goggles must be worn."))
    assert found == {"goggles must be worn": [" goggles must be worn."]}
