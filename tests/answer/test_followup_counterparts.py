"""kb.answer.followup_counterparts: which part of the question before a follow-up takes the place of."""

from __future__ import annotations

import pytest

from kb.answer.followup_counterparts import codes, counterpart, plural
from kb.answer.subjects import KnownSubjects
from kb.tree.taxonomy import Taxonomy

KNOWN = KnownSubjects.of(["farm/crop/maize/a.md"], Taxonomy({"maize": {"zh": ("玉米",), "en": ("maize",)}}))


@pytest.mark.parametrize(
    ("named", "before", "mine", "theirs"),
    [
        ("in clay soil", "How deep is maize sown in sandy soil?", "in clay soil", "in sandy soil"),
        ("clay soil", "How deep is maize sown in sandy soil?", "clay soil", "sandy soil"),
        ("at fruit set", "How much nitrogen at flowering?", "at fruit set", "at flowering"),
        ("鼓粒期", "玉米苗期要多少水", "鼓粒期", "苗期"),
        ("R3期", "玉米R5期要多少水", "R3", "R5"),
        ("稀释500倍", "稀释 800 倍加多少", "500倍", "800 倍"),
    ],
)
def test_the_like_is_found(named: str, before: str, mine: str, theirs: str) -> None:
    pair = counterpart(named, before, KNOWN)
    assert pair is not None
    assert (named[slice(*pair[0])], before[slice(*pair[1])]) == (mine, theirs)


@pytest.mark.parametrize(
    ("named", "before"),
    [
        # A month is no soil, and both may stand in one question.
        ("in June", "How deep is maize sown in sandy soil?"),
        ("鼓粒期", "玉米安全间隔期几天"),
        ("干旱的时候", "玉米播种深度是多少"),
        ("", ""),
    ],
)
def test_what_has_no_like_takes_no_place(named: str, before: str) -> None:
    assert counterpart(named, before, KNOWN) is None


def test_codes_and_plurals() -> None:
    assert [("E-07 和 R5期")[slice(*span)] for span in codes("E-07 和 R5期")] == ["E-07", "R5"]
    assert (plural("es are"), plural("sown")) == ("es", "")
