"""kb.memory.extract.worded: values that are words."""

from __future__ import annotations

import pytest

from kb.memory.extract.worded import defined, plain_values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The frame is made of galvanised steel and has wheels.", ("frame", "made of", "galvanised steel")),
        ("机架采用不锈钢制成", ("机架", "采用", "不锈钢")),
        ("外壳的材质为铸铁", ("外壳", "材质", "铸铁")),
        ("The colour is grey.", ("", "colour", "grey")),
    ],
)
def test_words(text: str, expected: tuple[str, str, str]) -> None:
    (found,) = plain_values(text, ())
    assert (found.subject, found.name, found.value) == expected
    assert text[found.start : found.end].strip() == found.value


def test_what_is_denied_or_asked_for_is_no_value() -> None:
    assert list(plain_values("The colour is not important.", ())) == []


def test_definitions() -> None:
    (found,) = defined('"Goods" means the pumps of Annex A.')
    assert (found.subject, found.name, found.value) == ("Goods", "definition", "the pumps of Annex A")
