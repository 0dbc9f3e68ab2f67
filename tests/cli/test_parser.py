"""kb.cli.parser: the grammar of the command line."""

from __future__ import annotations

import pytest

from kb.cli.parser import VERBS, build, parse
from kb.cli.usage import UsageError
from kb.texts import Lang


def test_options_may_stand_before_or_after_the_verb() -> None:
    for words in (["--knowledge", "d", "ask", "q"], ["ask", "q", "--knowledge", "d"], ["ask", "--knowledge=d", "q"]):
        found = parse(words, "en")
        assert (found.verb, found.knowledge, found.question) == ("ask", "d", ["q"])


def test_what_is_not_given_has_a_value() -> None:
    found = parse(["search", "a", "b"], "en")
    assert (found.home, found.threads, found.no_model, found.top, found.query) == (None, None, False, 5, ["a", "b"])
    assert parse([], "en").verb is None


@pytest.mark.parametrize(
    "words", [["ask", "--js", "x"], ["--knowl", "d", "ask", "x"], ["--threads", "257", "ask", "x"], ["--threads", "x"]]
)
def test_half_and_wrong_options_are_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(words, "en")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(verb: str, lang: Lang, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse([verb, "--help"], lang)
    assert ended.value.code == 0
    assert f"almanac {verb}" in capsys.readouterr().out


def test_all_verbs_are_there() -> None:
    assert set(VERBS) <= set(build("en").format_help().split())
