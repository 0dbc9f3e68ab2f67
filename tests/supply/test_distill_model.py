"""kb.supply.distill_model: what a model may write, and what becomes of it."""

from __future__ import annotations

import json

import pytest

from kb.supply.card import CONCLUSION_CHARACTERS
from kb.supply.distill import adds_nothing
from kb.supply.distill_decide import REASON_CHARACTERS
from kb.supply.distill_model import GRAMMAR, OPINION_GRAMMAR, Opinion, judged_by, prompt, worded_by
from kb.supply.events import parse_event
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


EVENT = parse_event('{"id": "e", "kind": "delivery", "request": "黑屏", "comments": ["先加热 30 分钟，再开屏。"]}')
FULL = {"should_save": "yes", "reason": "坑", "conclusion": "先热再开", "scene": ["黑屏"], "do": ["加热"], "dont": []}


@pytest.mark.parametrize(
    ("written", "opinion"),
    [
        (FULL, Opinion(True, "坑", "先热再开", ("黑屏",), ("加热",), ())),
        (
            FULL | {"should_save": "no", "reason": "x" * 99},
            Opinion(False, "x" * 30, "先热再开", ("黑屏",), ("加热",), ()),
        ),
        ({"should_save": "yes"}, None),
        (FULL | {"do": 7}, None),
        ([], None),
        ("cut", None),
    ],
)
def test_an_opinion_is_whole_or_none(written: object, opinion: Opinion | None) -> None:
    text = written if isinstance(written, str) else json.dumps(written)
    assert judged_by(lambda p, g, n: text)(EVENT) == opinion


def test_a_model_sees_the_event_and_its_task() -> None:
    asked: list[str] = []
    judged_by(lambda p, g, n: asked.append(p) or "")(EVENT)  # type: ignore[func-returns-value]
    assert "comments[0]: 先加热 30 分钟，再开屏。" in asked[0]
    assert "should_save is no" in asked[0]


def test_the_real_model_writes_an_opinion(engine: Engine) -> None:
    """The model that ships is no judge; what it writes is an opinion all the same, in all its fields."""
    written: list[str] = []

    def complete(text: str, grammar: str, most: int) -> str:
        written.append(engine.text_model.complete(text, most, grammar=grammar).text)
        return written[-1]

    found = judged_by(complete)(EVENT)
    assert OPINION_GRAMMAR.startswith("root ::=")
    # Where it ran out of tokens there is none, and the rules decide.
    assert found is None or len(found.reason) <= REASON_CHARACTERS, written
