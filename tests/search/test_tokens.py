"""kb.search.tokens: from text to index terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.tokens import counted, question_terms, stem, stop_terms, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("水泵", {"水", "泵", "水泵"}),
        ("E-07", {"e-07", "e", "07"}),
        ("10MPa", {"10mpa", "10", "mpa"}),
        ("20.04", {"20.04"}),
        ("pH:5", {"ph:5", "ph", "5", "p", "h"}),
        ("ERR_TIMEOUT", {"err_timeout", "err", "timeout"}),
        ("ESP32-C3", {"esp32-c3", "esp", "32", "c", "3", "esp32", "c3"}),
        ("don't", {"don"}),
        ("50%", {"50"}),
        ("pumps pumping", {"pump"}),
        ("gateTimeout", {"gatetimeout", "gate", "timeout"}),
        ("型号ESP32更换", {"型", "号", "型号", "esp32", "esp", "32", "更", "换", "更换"}),
        ("Ｅ－０７", {"e-07", "e", "07"}),
        ('"', set()),
        ("", set()),
    ],
)
def test_terms(text: str, expected: set[str]) -> None:
    assert set(terms(text)) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [("水稻紋枯病", "水稻纹枯病"), ("ＥＲＲ", "err"), ("PUMP", "pump"), ("pumps", "pump"), ("$R_5$", "R5")],
)
def test_spellings_meet(one: str, other: str) -> None:
    assert set(terms(one)) & set(terms(other))


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("请问水泵怎么办？", {"水", "泵", "水泵"}),
        ("What is the pump?", {"pump"}),
        ("why?", {stem("why")}),
        ("是什么", set(terms("是什么"))),
        ("?!", set()),
    ],
)
def test_a_question_is_about_its_rare_words(question: str, about: set[str]) -> None:
    assert set(question_terms(question)) == about


@given(st.text(max_size=200))
def test_no_text_falls_over(text: str) -> None:
    found = list(terms(text))
    assert sum(counted(text).values()) == len(found)
    assert all(term and not term.isspace() for term in found)
    asked = question_terms(text)
    assert len(asked) == len(set(asked))
    words(text)


@given(st.text("大豆播种深度紋豐ABCabc019-_.:/ ", max_size=60))
def test_width_and_case_do_not_matter(text: str) -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)
    assert set(terms(wide.lower())) == set(terms(text.lower()))


def test_a_long_paste_is_linear() -> None:
    assert len(list(terms("大豆R5期E-07 " * 20_000))) > 100_000


def test_words_that_carry_no_subject() -> None:
    assert stop_terms() >= {"the", "is"}
