"""kb.answer.followup_anaphora: what leans on the question before, and words that only look as if."""

from __future__ import annotations

import pytest

from kb.answer.followup_anaphora import asks, circumstance, names_nothing, only_asks, pronoun
from kb.answer.subjects import KnownSubjects
from kb.tree.taxonomy import Taxonomy

KNOWN = KnownSubjects.of(
    ["farm/crop/maize/a.md", "farm/kiosk/terminal/a.md"],
    Taxonomy({"maize": {"zh": ("玉米",), "en": ("maize",)}, "terminal": {"zh": ("终端",), "en": ("terminal",)}}),
)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("它怎么晾晒", "它"), ("这种病怎么治", "这种病"), ("how do I clean it", "it"), ("what is its dose", "its"),
        ("how much nitrogen does it need", "it"), ("how often should this be done", "this"),
        ("is it safe to eat?", "it"),
        ("can I mix that with urea", "that"), ("玉米它要多少水", "它"),
    ],
)  # fmt: skip
def test_a_pronoun_points_back(text: str, word: str) -> None:
    found = pronoun(text, "玉米 maize", KNOWN)
    assert found is not None and found[0] == word


@pytest.mark.parametrize(
    "text",
    [
        "is it safe to mix urea with lime", "how long does it take to dry corn", "if it rains, what then",
        "which disease that kills calves is common", "when was rice sown this year", "这个终端怎么重启",
        "when does the maize lose its leaves", "who invented the pump and its valve", "what applies to rest as it does",
        "when the pump loses its prime, what should I do", "Which one is better",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_pronoun_does_not(text: str) -> None:
    assert pronoun(text, "大豆", KNOWN) is None


@pytest.mark.parametrize(
    "text", ["为什么", "多久一次", "要多少", "why", "for how long", "at what temperature", "how often"]
)
def test_asking_words_alone(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize(
    "text", ["为什么死苗", "多久浇水一次", "why does it leak", "at what temperature does it boil", "E-07"]
)
def test_asking_words_with_a_thing_or_deed(text: str) -> None:
    assert not only_asks(text)


@pytest.mark.parametrize(
    "text", ["怎么处理", "需要停机吗", "会不会冻坏", "保修期多久", "漏了怎么办", "会传染人吗", "打几次"]
)
def test_a_deed_or_measure_of_nothing(text: str) -> None:
    assert names_nothing(text, KNOWN)


@pytest.mark.parametrize(
    "text", ["汽蚀怎么办", "什么是汽蚀", "怎样炒股票", "玉米怎么收", "支付超时怎么办", "E-07 怎么办", "why?"]
)
def test_a_thing_that_is_named(text: str) -> None:
    assert not names_nothing(text, KNOWN)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("玉米", False), ("in dry soil", False), ("when it rains", False), ("In 1755 what fort did they take", True),
        ("if it leaks, should I stop", True), ("for grain where can I look", True), ("where is it", True),
    ],
)  # fmt: skip
def test_whether_words_ask_by_themselves(text: str, asked: bool) -> None:
    assert asks(text) is asked


def test_circumstances() -> None:
    assert circumstance("低于这个") and circumstance("这时能不能开仓") and circumstance("below that")
    assert not circumstance("低于 10 ℃") and not circumstance("这种药")
