"""kb.texts: both catalogues say the same things, and nothing is missing."""

from __future__ import annotations

import ast
import errno
import os
import string

import pytest

from kb.texts import CATALOGS, Lang, language_of_locale, system_zh, text
from tests.helpers import PROJECT


def _fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_both_languages_have_every_text_with_the_same_blanks() -> None:
    assert CATALOGS["en"].keys() == CATALOGS["zh"].keys()
    different = [key for key in CATALOGS["en"] if _fields(CATALOGS["en"][key]) != _fields(CATALOGS["zh"][key])]
    assert different == []


def test_no_text_is_empty() -> None:
    assert [key for lang in CATALOGS.values() for key, value in lang.items() if not value.strip()] == []


def _named_keys() -> dict[str, set[str]]:
    """The keys that the code names in AlmanacError(…), KnowledgeError(…), tell(…), FrontMatterError(_, …)."""
    found: dict[str, set[str]] = {}
    places = {"AlmanacError": 0, "KnowledgeError": 0, "tell": 0, "FrontMatterError": 1}
    for path in [PROJECT / "agent_main.py", *(PROJECT / "kb").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            place = places.get(name)
            if place is not None and len(node.args) > place:
                argument = node.args[place]
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    found.setdefault(argument.value, set()).update(
                        keyword.arg for keyword in node.keywords if keyword.arg
                    )
    return found


def test_every_key_that_the_code_names_has_a_text() -> None:
    assert sorted(_named_keys().keys() - CATALOGS["en"].keys()) == []


def test_texts_are_filled_and_a_missing_one_is_loud() -> None:
    assert text("zh", "expired", date="2026-01-01") == CATALOGS["zh"]["expired"].format(date="2026-01-01")
    with pytest.raises(KeyError):
        text("en", "no_such_text")


def test_a_reason_of_front_matter_is_said_in_words() -> None:
    said = text("en", "broken_yaml", path="a", line=3, reason="fm_duplicate", detail="title")
    assert said == "a, line 3: the field title is there twice."
    assert text("zh", "broken_yaml", path="a", line=3, reason="YAML").endswith("YAML。")


@pytest.mark.parametrize(
    ("values", "lang"),
    [
        ((None, "zh_CN.UTF-8"), "zh"),
        (("", "zh_CN.GBK"), "zh"),
        (("en_GB.UTF-8", "zh_CN.UTF-8"), "en"),
        (("C",), "en"),
        ((), "en"),
        (("zh",), "zh"),
    ],
)
def test_the_first_set_locale_decides(values: tuple[str | None, ...], lang: Lang) -> None:
    assert language_of_locale(*values) == lang


def test_what_the_system_says_of_a_failure_is_said_in_the_language_of_the_person() -> None:
    reason = os.strerror(errno.EACCES)
    assert "/a：没有权限。" in text("zh", "not_writable", path="/a", reason=reason)
    assert reason in text("en", "not_writable", path="/a", reason=reason)
    assert "其他" in text("zh", "not_writable", path="/a", reason="其他")


def test_reasons_of_the_system_are_chinese_and_different() -> None:
    said = list(system_zh.REASONS.values())
    assert len(set(said)) == len(said)
    assert not [words for words in said if words.isascii()]
