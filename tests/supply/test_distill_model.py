"""kb.supply.distill_model: what a model may write, and what becomes of it."""

from __future__ import annotations

import pytest

from kb.supply.card import CONCLUSION_CHARACTERS
from kb.supply.distill import adds_nothing
from kb.supply.distill_model import GRAMMAR, prompt, worded_by
from tests.conftest import Engine


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ('{"conclusion": "先清滤网 再复位"}', "先清滤网 再复位"),
        ('{"conclusion": "a\\n b"}', "a b"),
        ('{"conclusion": 7}', ""),
        ('["x"]', ""),
        ('{"conclusion": "cut', ""),
        ("", ""),
    ],
)
def test_only_an_object_with_a_text_counts(written: str, words: str) -> None:
    asked: list[tuple[str, str, int]] = []

    def complete(text: str, grammar: str, most: int) -> str:
        asked.append((text, grammar, most))
        return written

    assert worded_by(complete)("先清\n滤网再复位") == words
    assert asked[0][0].endswith("Note: 先清 滤网再复位\n")
    assert asked[0][1] == GRAMMAR


def test_the_examples_add_nothing_themselves() -> None:
    for part in prompt("x").split("\n\n")[:-1]:
        note, _, said = part.partition("\n")
        assert adds_nothing(said.removeprefix('{"conclusion": "').removesuffix('"}'), note.removeprefix("Note: "))


def test_the_real_model_keeps_to_the_grammar(engine: Engine) -> None:
    said = "以后低温开机必须先开机柜加热 30 分钟，再开屏幕"
    words = worded_by(lambda p, g, n: engine.text_model.complete(p, n, grammar=g).text)(said)
    assert 0 < len(words) <= CONCLUSION_CHARACTERS
    assert "\n" not in words
