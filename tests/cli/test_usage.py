"""kb.cli.usage: what is said of a command line that does not fit, in both languages."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError, explain
from kb.texts import Lang


def _told(words: list[str], lang: Lang = "en") -> list[str]:
    with pytest.raises(UsageError) as raised:
        parse(words, lang)
    return explain(raised.value, lang).splitlines()


@pytest.mark.parametrize(
    ("words", "en", "zh"),
    [
        (["ask"], "missing: QUESTION", "还缺少：QUESTION"),
        (["ask", "x", "--nonsense"], "--nonsense: not understood", "不能用 --nonsense"),
        (["ask", "x", "--way", "foo"], "foo is none of quote, select, compose", "foo 不在 quote, select, compose 之中"),
        (["search", "x", "--top", "many"], "many is not a number", "many 不是数字"),
        (["ask", "x", "--threads", "0"], "from 1 to 256", "1 到 256"),
        (["ask", "x", "--on"], "--on needs a value", "--on 后面要有值"),
        (["ask", "x", "--json=yes"], "--json takes no value (yes)", "--json 不带值（yes）"),
        (["ledger", "feedback", "c", "--like", "--dislike"], "exclude each other", "不能同用"),
        (["ledger", "feedback", "c"], "One of these is needed: --like --dislike", "须选一项：--like --dislike"),
    ],
)
def test_what_is_wrong_is_said_in_both_languages(words: list[str], en: str, zh: str) -> None:
    assert en in _told(words)[0]
    assert zh in _told(words, "zh")[0]


def test_how_the_verb_is_used_follows_in_two_lines() -> None:
    assert _told(["kb", "log", "--wrong"])[1:] == [
        "usage: almanac kb log [OPTIONS] [DOCUMENT]",
        "`almanac kb log --help` shows what there is.",
    ]
    assert _told(["inject"], "zh")[1:] == [
        "用法：almanac inject [选项] --task FILE|TEXT",
        "用 almanac inject --help 查看用法。",
    ]


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        (["aks", "x"], "ask"),
        (["ask", "x", "--theads=2"], "--threads"),
        (["kb", "lgo"], "log"),
        (["ask", "x", "--way", "qoute"], "quote"),
    ],
)
def test_what_was_probably_meant_is_named(words: list[str], guess: str) -> None:
    assert _told(words)[0].endswith(f" Did you mean {guess}?")


def test_nothing_is_guessed_from_nothing_near() -> None:
    assert "Did you mean" not in _told(["zebra"])[0]
    assert "choose" not in _told(["zebra"])[0]


@pytest.mark.parametrize(("lang", "words"), [("en", "verbs and values"), ("zh", "显示本帮助")])
def test_help_speaks_the_language(lang: Lang, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["kb", "log", "--help"], lang)
    assert words in capsys.readouterr().out
