"""kb.search.chunks: what gets a vector."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb.search.chunks import LIMIT, chunks
from kb.search.normalise import rendered
from kb.search.sections import Section, sections, weight


def _all(text: str, title: str = "Pump") -> list[list[str]]:
    return [chunks(title, section) for section in sections(text, 1, title)]


def test_a_short_section_is_one_chunk_with_its_headings() -> None:
    assert _all("# Pump\n\n## Seal\n\nReplace it.") == [["Pump › Seal\nReplace it."]]


def test_a_section_without_text_has_one_too() -> None:
    assert chunks("Pump", Section(("Pump",), 1, 1, ())) == ["Pump\n"]


def test_a_long_paragraph_on_one_line_becomes_chunks_of_whole_sentences() -> None:
    sentences = [f"第{number}条说明水泵的保养方法和注意事项。" for number in range(100)]
    found = [text for made in _all("# 水泵\n\n" + "".join(sentences), "水泵") for text in made[1:]]
    assert len(found) > 8
    assert "".join(text.partition("\n")[2] for text in found) == "".join(sentences)
    assert all(weight(text) <= LIMIT + 10 for text in found)


def test_rows_keep_their_header() -> None:
    rows = "\n".join(
        f"| 病害{number} | 药剂{number}号 | {number}克 | 一段较长的说明文字，写在最后一列里 |" for number in range(30)
    )
    (found,) = _all(f"# 表\n\n| 病害 | 药剂 | 用量 | 说明 |\n|---|---|---|---|\n{rows}", "表")
    assert len(found) > 4
    assert all(text.startswith("表\n| 病害 | 药剂 | 用量 | 说明 |\n") for text in found)
    assert all(sum(f"| 病害{number} |" in text for text in found[1:]) == 1 for number in range(30))


@given(st.text("ab。.\n# 大1", max_size=400))
def test_every_section_has_a_chunk_and_no_word_is_lost(text: str) -> None:
    for section in sections(text):
        made = chunks("", section)
        assert made
        pieces = made[1:] or made
        words = "".join(char for char in rendered(section.text) if char not in "|-" and not char.isspace())
        together = "".join(char for piece in pieces for char in piece.partition("\n")[2])
        assert words == "".join(char for char in together if char not in "|-" and not char.isspace())
