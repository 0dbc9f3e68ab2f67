"""kb.search.lookup: the acceptance table of `lookup_knowledge` and what lies around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.search.lookup import MAX_CONTENT, lookup
from tests.helpers import DATA, PROJECT, document, write

NOT_FOUND = {"found": False, "content": "", "source": ""}
ERRORS, TIMEOUT = "interfaces/payment-gateway/_errors.md", "troubleshooting/gateway-timeout.md"


def test_tc_001_a_known_error_code(tree: Path) -> None:
    found = lookup(tree, "ERR_TIMEOUT")
    assert found["found"] is True
    assert found["source"] == ERRORS
    assert "ERR_TIMEOUT：网关在30秒内没有应答" in found["content"]


def test_tc_002_a_known_word(tree: Path) -> None:
    found = lookup(tree, "支付网关超时")
    assert found["source"] == TIMEOUT
    assert "查看网关日志" in found["content"]


def test_tc_003_what_is_not_there(tree: Path) -> None:
    assert lookup(tree, "未知错误码XYZ") == NOT_FOUND


def test_tc_003_in_the_shipped_knowledge() -> None:
    assert lookup(PROJECT / "docs", "未知错误码XYZ") == NOT_FOUND


def test_tc_004_never_more_than_2000_characters(tree: Path) -> None:
    body = "很长的文档。" * 2000
    write(tree, ERRORS, document("支付网关错误码定义", body + "\n\n## ERR_TIMEOUT\n\n网关没有应答。"))
    found = lookup(tree, "ERR_TIMEOUT")
    assert found["found"]
    assert 0 < len(found["content"]) <= MAX_CONTENT == 2000
    assert "网关没有应答" in found["content"]


@pytest.mark.parametrize(
    "query",
    [
        "err_timeout",
        "Err_Timeout",
        "ＥＲＲ＿ＴＩＭＥＯＵＴ",
        "what is ERR_TIMEOUT?",
        "报ERR_TIMEOUT怎么办",
        '"ERR_TIMEOUT"',
    ],
)
def test_case_width_and_company_do_not_matter(tree: Path, query: str) -> None:
    assert lookup(tree, query)["source"] == ERRORS


@pytest.mark.parametrize(
    "query", ["", " ", "?", '"', "%", "the", "ERR_TIMEOUTS", "ERR", "zebra pancake trombone", "\0", "x" * 5000]
)
def test_what_fits_nothing_is_not_found(tree: Path, query: str) -> None:
    assert lookup(tree, query) == NOT_FOUND


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("猪", True),
        ("猪 发热", True),
        ("母猪", False),
        ("c++", True),
        ("C++ guide", True),
        ("насос", True),
        ("НАСОС сломан", True),
        ("größe", True),
        ("ph值", True),
    ],
)
def test_a_word_equal_to_a_keyword_fits_in_any_script_and_length(tree: Path, query: str, found: bool) -> None:
    write(tree, "_index.yaml", f"files:\n  - {{file: {ERRORS}, summary: s, keywords: [猪, C++, Насос, Größe, pH值]}}\n")
    assert lookup(tree, query)["found"] is found


def test_front_matter_is_not_content(tree: Path) -> None:
    assert "keywords:" not in lookup(tree, "ERR_TIMEOUT")["content"]


def test_an_entry_whose_file_is_gone_or_outside_is_passed_over(tree: Path, tmp_path: Path) -> None:
    write(tmp_path, "secret.md", "secret")
    (tree / ERRORS).unlink()
    write(
        tree,
        "_index.yaml",
        "files:\n"
        + "".join(
            f"  - file: {path}\n    summary: s\n    keywords: [ERR_TIMEOUT]\n"
            for path in ("../secret.md", "/etc/passwd", ERRORS, TIMEOUT)
        ),
    )
    assert lookup(tree, "ERR_TIMEOUT")["source"] == TIMEOUT


def test_a_tree_without_index_finds_nothing(empty_tree: Path) -> None:
    assert lookup(empty_tree, "ERR_TIMEOUT") == NOT_FOUND


def test_a_missing_tree_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as caught:
        lookup(tmp_path / "none", "x")
    assert "none" in str(caught.value)


@given(st.text(max_size=80))
def test_no_query_falls_over(query: str) -> None:
    found = lookup(DATA / "tree", query)
    assert set(found) == {"found", "content", "source"}
    assert bool(found["source"]) is found["found"]


def test_every_keyword_of_the_shipped_index_finds_something() -> None:
    from kb.tree.indexfile import read_index

    for entry in read_index(PROJECT / "docs"):
        assert (PROJECT / "docs" / entry.file).is_file(), entry.file
        found = lookup(PROJECT / "docs", entry.keywords[0])
        assert found["found"], entry
