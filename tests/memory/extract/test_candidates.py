"""kb.memory.extract.candidates: values with the words of their clause and the conditions they stand under."""

from __future__ import annotations

from kb.memory.extract.candidates import Candidate, candidates
from kb.memory.extract.constraints import limits


def found(text: str) -> list[Candidate]:
    return candidates(text, 0, len(text), [limit for limit in limits(text) if limit.condition], [])


def under(text: str) -> list[tuple[str, list[str]]]:
    return [
        (item.value.text, [text[limit.start : limit.end] for limit in item.conditions]) for item in found(text)
    ]  # fmt: skip


def test_what_stands_in_brackets_does_not_cut_the_words_before_a_value() -> None:
    text = "In dry wheat (14 % moisture) the auger moves 75 t/h."
    assert [item.lead for item in found(text)] == ["In dry wheat (", "In dry wheat  the auger moves"]
    assert [item.lead for item in found("Emollients (glycerol, sorbitol) 8 %")] == ["Emollients"]


def test_a_number_that_is_no_value_does_not_cut_them_either() -> None:
    assert [item.lead for item in found("Gate 4 leaks 12 litres")] == ["Gate 4 leaks"]


def test_a_condition_behind_a_value_belongs_to_it_alone() -> None:
    assert under("About 5 ml is used when dipping and 10 ml when spraying.") == [
        ("5 ml", ["when dipping"]),
        ("10 ml", ["when spraying"]),
    ]


def test_a_condition_in_front_holds_up_to_the_next_one() -> None:
    assert under("低于 -10 ℃ 时预热 30 分钟，油压 2 bar，低于 -20 ℃ 时预热 60 分钟") == [
        ("30 分钟", ["低于 -10 ℃ 时"]),
        ("2 bar", ["低于 -10 ℃ 时"]),
        ("60 分钟", ["低于 -20 ℃ 时"]),
    ]


def test_the_old_value_is_told_from_the_new_one() -> None:
    assert [(item.value.text, item.old) for item in found("供货量从 60 吨降为 45 吨")] == [
        ("60 吨", True),
        ("45 吨", False),
    ]
