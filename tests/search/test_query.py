"""kb.search.query: no character is a syntax error."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.query import MAX_CHARACTERS, Query, parse_query
from kb.search.snapshot import Filter

ANY = Filter(on=None)


def _limits(written: str) -> Filter:
    return parse_query(written, ANY).limits


@pytest.mark.parametrize(
    "written",
    [
        "水泵",
        "E-07",
        "10MPa",
        "20.04",
        "pH:5",
        '"',
        "50%",
        "don't",
        "why?",
        "-5 °C",
        "a-b",
        "5-6",
        "path:",
        "tag: x",
        "lang:fr",
        "before:soon",
        "https://x.org",
        "-",
        '""',
    ],
)
def test_ordinary_text_is_only_text(written: str) -> None:
    assert parse_query(written, ANY) == Query(" ".join(written.split()), ANY)


def test_operators_narrow_the_search() -> None:
    found = parse_query('pump "E-07 fault" -engine path:machinery tag:水泵 lang:zh type:faq before:2026-02', ANY)
    assert found.text == "pump E-07 fault"
    limits = found.limits
    assert limits.phrases == ("E-07 fault",)
    assert limits.exclude_terms == ("engine",)
    assert limits.path_words == ("machinery",)
    assert limits.tags == ("水泵",)
    assert (limits.lang, limits.type) == ("zh", "faq")
    assert limits.before == datetime.date(2026, 2, 1)


def test_full_width_signs_are_read_too() -> None:
    written, like = "＂水泵 汽蚀＂ path：pump －柴油", '"水泵 汽蚀" path:pump -柴油'
    assert parse_query(written, ANY) == parse_query(like, ANY)
    assert _limits(written).path_words == ("pump",)


def test_the_value_of_an_operator_may_be_quoted() -> None:
    assert parse_query('path:"two words" pump', ANY) == Query("pump", Filter(on=None, path_words=("two words",)))


def test_an_operator_inside_quotes_is_text() -> None:
    assert parse_query('"say path:pump"', ANY) == Query("say path:pump", Filter(on=None, phrases=("say path:pump",)))


def test_an_excluded_phrase() -> None:
    limits = _limits('pump -"red engine"')
    assert limits.exclude_terms == ("red engine",)
    assert limits.phrases == ()


def test_nothing_but_exclusions_is_text() -> None:
    assert parse_query("-engine", ANY) == Query("-engine", ANY)


def test_limits_that_were_there_stay() -> None:
    given_limits = Filter(on=datetime.date(2026, 1, 1), domain="livestock", tags=("a",))
    limits = parse_query("tag:b x", given_limits).limits
    assert (limits.on, limits.domain, limits.tags) == (given_limits.on, "livestock", ("a", "b"))


@pytest.mark.parametrize(
    "day", ["99999999999999999999", "-1", "0", "2026-13", "2026-02-30", "1e5", "9" * 5000, "²", "--", "1-1-1-1"]
)
def test_a_strange_date_is_text(day: str) -> None:
    query = parse_query(f"before:{day} pump", ANY)
    assert query.limits.before is None and query.text.startswith(f"before:{day}"[:MAX_CHARACTERS])


def test_a_long_paste_is_cut() -> None:
    assert len(parse_query("泵" * 10_000, ANY).text) == MAX_CHARACTERS


_PARTS = st.sampled_from(
    [
        '"',
        "-",
        "path:",
        "tag:",
        "before:",
        "type:",
        "lang:",
        "2026",
        "(",
        ")",
        "*",
        "AND",
        ":",
        "%",
        "'",
        " ",
        "\0",
        "\n",
        "泵",
        "e-07",
    ]
)


@given(st.lists(_PARTS | st.text(max_size=8), max_size=12).map("".join))
def test_no_character_is_a_syntax_error(written: str) -> None:
    found = parse_query(written, ANY)
    assert found.text == " ".join(found.text.split())
    if written.strip() and not found.text:
        assert found.limits != ANY
