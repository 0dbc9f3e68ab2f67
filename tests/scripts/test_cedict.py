"""scripts/cedict.py: the words of CC-CEDICT."""

from __future__ import annotations

import cedict
import pytest

_LINES = (
    "# CC-CEDICT",
    "奶牛 奶牛 [nai3 niu2] /milk cow; dairy cow/",
    "播 播 [bo1] /to sow; to broadcast (on radio)/to scatter/old variant of 撒[sa3]/",
    "牛 牛 [Niu2] /surname Niu/",
    "胎壓 胎压 [tai1 ya1] /tire pressure/",
    "3C 3C [san1 C] /computers/",
    "慢條斯理 慢条斯理 [man4 tiao2 si1 li3] /in an unhurried manner, calmly and in good order/",
    "broken line",
)


def test_entries_are_simplified_words_with_their_meanings() -> None:
    assert [(entry.word, entry.means) for entry in cedict.entries(_LINES)] == [
        ("奶牛", ("milk cow", "dairy cow")),
        ("播", ("sow", "broadcast", "scatter")),
        ("牛", ()),
        ("胎压", ("tire pressure",)),
        ("慢条斯理", ()),
    ]


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
    assert list(cedict.meanings(written)) == kept
