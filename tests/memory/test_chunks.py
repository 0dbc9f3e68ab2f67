"""kb.memory.chunks: pieces of at most so many tokens, with their headings and pages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb.memory.block import Block, Kind
from kb.memory.chunks import chunks, keywords


def _count(text: str) -> int:
    """A tokenizer of one token a character."""
    return len(text)


def _document() -> list[Block]:
    rows = "".join(f"\n| E-{number:02d} | do thing {number} |" for number in range(60))
    return [
        Block(Kind.HEADING, "3.2 安装环境", 1, level=1), Block(Kind.HEADING, "3.2.1 温度要求", 1, level=2),
        Block(Kind.PARAGRAPH, "离心泵在低温环境下须预热三十分钟。" * 10, 1),
        Block(Kind.PARAGRAPH, "离心泵应当防冻。", 2),
        Block(Kind.HEADING, "Codes", 3, level=2), Block(Kind.TABLE, f"| Code | What |\n| --- | --- |{rows}", 3),
    ]  # fmt: skip


def test_headings_stand_in_front_and_pages_beside() -> None:
    first, *_, last = chunks(_document(), _count)
    assert first.text.startswith("3.2 安装环境 / 3.2.1 温度要求\n\n离心泵")
    assert (first.pages, last.pages) == ((1, 2), (3, 3))
    assert "<!--" not in first.text
    assert first.summary == "离心泵在低温环境下须预热三十分钟。"
    assert "离心泵" in first.keywords


def test_no_chunk_is_too_long_and_no_row_is_lost() -> None:
    found = chunks(_document(), _count, 300)
    assert all(_count(chunk.text) <= 300 for chunk in found)
    tables = [chunk.text for chunk in found if "E-" in chunk.text]
    assert len(tables) > 3
    assert all("| Code | What |\n| --- | --- |\n" in text for text in tables)
    assert sum(text.count("| E-") for text in tables) == 60


def test_a_table_that_fits_stays_whole() -> None:
    assert sum("E-" in chunk.text for chunk in chunks(_document(), _count, 5000)) == 1


@given(st.lists(st.text("水泵ab。. \n", min_size=1, max_size=400), min_size=1, max_size=6), st.integers(40, 400))
def test_any_text_is_cut_to_size_and_kept(texts: list[str], limit: int) -> None:
    blocks = [Block(Kind.PARAGRAPH, text.strip()) for text in texts if text.strip()]
    found = chunks(blocks, _count, limit)
    assert all(_count(chunk.text) <= limit for chunk in found)
    wanted = "".join("".join(block.text.split()) for block in blocks)
    assert "".join("".join(chunk.text.split()) for chunk in found) == wanted


def test_keywords_are_what_is_repeated() -> None:
    assert "预热时间" in keywords("预热时间为三十分钟，预热时间不足时不得启动。")
    assert keywords("CP-50 pump, CP-50 valve")[0] == "CP-50"
    assert keywords("") == ()
