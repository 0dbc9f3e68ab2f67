"""kb.tree.contract.fixing: byte for byte."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.tree.contract.findings import Edit, Finding
from kb.tree.contract.fixing import apply_edits, edited, recoded, repair


def test_edits_on_one_line_do_not_disturb_each_other() -> None:
    assert edited(["abcdef"], [Edit(1, 0, 1, "XX"), Edit(1, 3, 4, "")]) == ["XXbcef"]


def test_of_two_that_overlap_the_first_counts() -> None:
    assert edited(["abcdef"], [Edit(1, 0, 3, "X"), Edit(1, 2, 4, "Y")]) == ["Xdef"]


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_mark_stay(mark: bytes, end: str) -> None:
    data = mark + end.join(["---", "tags: 甲", "---", ""]).encode()
    made = apply_edits(data, [Edit(2, 6, 7, "乙\nnew")])
    assert made == mark + end.join(["---", "tags: 乙", "new", "---", ""]).encode()


@given(st.text(st.sampled_from("ab大\n\r"), max_size=30))
def test_an_edit_that_changes_nothing_changes_no_byte(text: str) -> None:
    assert apply_edits(text.encode(), [Edit(1, 0, 0, "")]) == text.encode()


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-32"])
def test_stored_as_utf_8_with_line_ends_kept(encoding: str) -> None:
    text = "大豆播种深度为三到五厘米，覆土要均匀，播后及时镇压。\r\n" * 3
    assert recoded(text.encode(encoding), "a.md") == text.encode()


def test_repairs_are_repeated_until_none_is_left() -> None:
    def check(data: bytes) -> list[Finding]:
        return [Finding("a", 1, "x", edits=(Edit(1, 0, 1, ""),))] if len(data) > 2 else []

    assert repair("a", b"abcdef", check) == b"ef"


def test_repairs_that_undo_each_other_end() -> None:
    def check(data: bytes) -> list[Finding]:
        return [Finding("a", 1, "x", edits=(Edit(1, 0, 1, "b" if data == b"a" else "a"),))]

    with pytest.raises(KnowledgeError):
        repair("a", b"a", check)
