"""kb.cli.parser: the grammar of the command line."""

from __future__ import annotations

import pytest

from kb.cli.parser import ROOMS, VERBS, build, parse
from kb.cli.usage import UsageError
from kb.texts import Lang, text


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


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_help_of_the_program_lists_every_verb_under_a_heading(lang: Lang) -> None:
    rows = build(lang).format_help().split("\n")
    assert not any(row != row.rstrip() for row in rows)
    headings = [rows.index(f"  {text(lang, key)}") for key in ROOMS]
    assert headings == sorted(headings)
    for key, room in ROOMS.items():
        start = rows.index(f"  {text(lang, key)}")
        below = "\n".join(rows[start:]).split("\n\n", 1)[0]
        assert all(f"\n    {verb.name}" in below for verb in room), key
    assert sorted(VERBS) == sorted({verb.name for room in ROOMS.values() for verb in room})


@pytest.mark.parametrize("words", [["ask"], ["memory", "review"]])
def test_the_help_of_a_verb_lists_its_own_options_and_says_where_the_others_stand(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse([*words, "--help"], "en")
    shown = capsys.readouterr().out
    assert "--json" in shown and "almanac --help" in shown
    assert "--threads N" not in shown and "--profile" not in shown
    assert "--threads N" in build("en").format_help()


@pytest.mark.parametrize("verb", ["ask", "eval"])
def test_the_way_of_wording_may_be_said_before_the_verb(verb: str) -> None:
    for words in (["--way", "select", verb, "q"], [verb, "q", "--way", "select"]):
        assert parse(words, "en").way == "select"
    assert parse([verb, "q"], "en").way is None
    assert parse(["--way", "select", verb, "--way", "quote", "q"], "en").way == "quote"
