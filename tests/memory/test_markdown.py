"""kb.memory.markdown: blocks as a document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kb.memory.block import Block, Kind
from kb.memory.markdown import to_markdown
from kb.search.sections import sections


def test_every_kind() -> None:
    blocks = [
        Block(Kind.HEADING, "Pump", 1, level=1), Block(Kind.PARAGRAPH, "One.\nTwo.", 1), Block(Kind.ITEM, "a", 1),
        Block(Kind.ITEM, "b", 1, level=1), Block(Kind.ITEM, "2. c", 1), Block(Kind.CODE, "x ``` y", 2),
        Block(Kind.FORMULA, "a=b", 2), Block(Kind.QUOTE, "said", 2), Block(Kind.IMAGE, "![](images/p.png)", 2),
        Block(Kind.FOOTNOTE, "[^1]: note", 2), Block(Kind.CAPTION, "Table 1", 2),
    ]  # fmt: skip
    assert to_markdown(blocks, "en") == (
        "<!-- page 1 -->\n\n# Pump\n\nOne.  \nTwo.\n\n- a\n    - b\n2. c\n\n<!-- page 2 -->\n\n````\nx ``` y\n````\n\n"
        "$$\na=b\n$$\n\n> said\n\n![](images/p.png)\n\n[^1]: note\n\nTable 1\n"
    )


def test_a_table_over_pages_states_its_header_once() -> None:
    head = "| a | b |\n| --- | --- |\n"
    blocks = [
        Block(Kind.TABLE, head + "| 1 | 2 |", 3), Block(Kind.TABLE, head + "| 3 | 4 |", 4, note="continued"),
        Block(Kind.TABLE, head + "| 5 | 6 |", 5, note="continued"), Block(Kind.PARAGRAPH, "after", 5),
    ]  # fmt: skip
    assert to_markdown(blocks) == f"<!-- page 3-5 -->\n\n{head}| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n\nafter\n"


def test_deleted_text_is_not_written() -> None:
    blocks = [
        Block(Kind.COMMENT, "dose 40 kg", note="deleted by desk, 2026-01-02"),
        Block(Kind.PARAGRAPH, "dose 20 kg"),
    ]
    written = to_markdown(blocks, "en")
    assert "40" not in written
    assert "desk, 2026-01-02" in written


def test_comments_and_scans_are_said_in_the_language_of_the_document() -> None:
    blocks = [Block(Kind.PARAGRAPH, "水泵操作规程", 1), Block(Kind.COMMENT, "请复核", 1, note="comment by 农艺站")]
    assert "> 批注（农艺站）：请复核" in to_markdown(blocks)
    assert "Page 2 is a picture" in to_markdown([Block(Kind.COMMENT, "", 2, note="scan")], "en")


@pytest.mark.parametrize(
    "text",
    ["# no heading", "- no item", "1. no item", "> no quote", "| no | table", "---", "<b>bold</b>", "2*3*4 = 24",
     "a < b and c > d", "```", "+ no item", "====", "*Other", "**Multiple"],
)  # fmt: skip
def test_what_looks_like_markdown_stays_text(text: str) -> None:
    written = to_markdown([Block(Kind.PARAGRAPH, text)])
    tokens = MarkdownIt("commonmark").enable("table").parse(written)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert "".join(child.content for child in tokens[1].children or ()) == text


@given(st.lists(st.builds(Block, st.sampled_from(Kind), st.text("ab#|-1. \n*<", max_size=12), st.integers(0, 3))))
def test_any_blocks_give_a_document_that_search_can_cut(blocks: list[Block]) -> None:
    written = to_markdown(blocks, "en")
    assert not written or written.endswith("\n")
    sections(written, 1, "title")


def test_no_blocks() -> None:
    assert to_markdown([]) == ""
