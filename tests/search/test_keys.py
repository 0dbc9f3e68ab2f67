"""kb.search.keys: the fast way gives the terms of the plain way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.search.keys import KEY_BITS, fact_keys, section_keys, term_key, term_keys
from kb.search.tokens import terms

_TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
        st.sampled_from("大豆開發氣門麵水泵々〇 abcXYZ019-._/+:'$^⁻·L㎏％Ａ\n"),
    ),
    max_size=60,
)


def _plain(text: str) -> list[int]:
    return sorted(term_key(term) for term in terms(text))


def _fast(texts: list[str]) -> list[list[int]]:
    keys, owners = section_keys(texts)
    return [sorted(keys[owners == number].tolist()) for number in range(len(texts))]


@settings(max_examples=300)
@given(st.lists(_TEXTS, max_size=4))
def test_fast_keys_are_the_keys_of_the_terms(texts: list[str]) -> None:
    assert _fast(texts) == [_plain(text) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "E-07 报警时，ESP32-C3 的 pH:5 不变",
        "DeepSleepMode don't 10MPa",
        "大豆R5期用 $R_5$ 与 mg·L⁻¹",
        "額定壓力１０ＭＰａ",
        "𠀀大豆𠀁",
        "閒㑮䥑鎝",
        "\ud800 大豆",
    ],
)
def test_examples(text: str) -> None:
    assert _fast([text]) == [_plain(text)]


def test_keys_are_small_and_differ() -> None:
    known = [term_key(term) for term in ("大", "豆", "大豆", "豆大", "bean", "beans", "e-07")]
    assert len(set(known)) == len(known)
    assert all(0 <= key < 2**KEY_BITS for key in known)
    pump = term_keys(["pump"])
    assert len({int(fact_keys("k", pump)[0]), int(fact_keys("p", pump)[0]), term_key("pump")}) == 3
