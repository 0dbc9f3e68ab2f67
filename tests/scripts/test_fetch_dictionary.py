"""scripts/fetch_dictionary.py: the words of CC-CEDICT, both ways."""

from __future__ import annotations

import fetch_dictionary
import pytest

_LINES = (
    "# CC-CEDICT",
    "奶牛 奶牛 [nai3 niu2] /milk cow; dairy cow/",
    "播種 播种 [bo1 zhong3] /to sow seeds/",
    "播 播 [bo1] /to sow; to broadcast (on radio)/to scatter/old variant of 撒[sa3]/",
    "牛 牛 [Niu2] /surname Niu/",
    "胎壓 胎压 [tai1 ya1] /tire pressure/",
    "3C 3C [san1 C] /computers/",
    "慢條斯理 慢条斯理 [man4 tiao2 si1 li3] /in an unhurried manner, calmly and in good order/",
    "broken line",
)


def test_words_are_listed_both_ways() -> None:
    found = fetch_dictionary.both_ways(_LINES)
    assert {name: list(word.means) for name, word in found.items() if word.means} == {
        "奶牛": ["milk cow", "dairy cow"], "播种": ["sow seeds"], "播": ["sow", "broadcast", "scatter"],
        "胎压": ["tire pressure"],
        "milk cow": ["奶牛"], "dairy cow": ["奶牛"], "sow seeds": ["播种"], "sow": ["播"], "broadcast": ["播"],
        "scatter": ["播"], "tire pressure": ["胎压"],
    }  # fmt: skip
    assert list(found["sow"].helps) == ["播种"]
    assert list(found["cow"].helps) == ["奶牛"]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("to be (physically) strong", ["strong"]),
        ("the dairy's cow", ["dairy cow"]),
        ("CL:個|个[ge4]", []),
        ("see 牛[niu2]", []),
        ("seeds", ["seeds"]),
        ("sth of one two three four", []),
        ("a/an/one", ["a", "an", "one"]),
    ],
)
def test_meanings_are_short_phrases(written: str, kept: list[str]) -> None:
    assert list(fetch_dictionary.meanings(written)) == kept


def test_lines_are_sorted_by_their_bytes() -> None:
    lines = fetch_dictionary.render(fetch_dictionary.both_ways(_LINES)).split(b"\n")[:-1]
    assert lines == sorted(lines)
    assert "sow\t播\t播种".encode() in lines
    assert "cow\t\t奶牛".encode() in lines
