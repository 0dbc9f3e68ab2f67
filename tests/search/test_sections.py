"""kb.search.sections: every line of the body once, in its place, and nothing cut that belongs together."""

from __future__ import annotations

import itertools
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.sections import HARD_LIMIT, Block, Section, sections, split_sentences
from tests.helpers import DATA

_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|$)")


def _texts(found: list[Section]) -> list[str]:
    return [block.text for section in found for block in section.blocks]


def _check_lines(text: str, found: list[Section]) -> None:
    """Every block's lines are the file's own, at the numbers that the block gives; blocks do not overlap."""
    lines = text.split("\n")
    for section in found:
        assert section.start <= section.end or not section.blocks
        for block in section.blocks:
            own = block.text.split("\n")
            for offset, line in enumerate(own):
                if line.strip():
                    assert line.strip() in lines[block.start - 1 + offset], (block, offset)
            last = max((offset for offset, line in enumerate(own) if line.strip()), default=0)
            assert block.end >= block.start + last, block
            assert not any(line.strip() for line in lines[block.start + last : block.end]), block


def _squeezed(text: str) -> str:
    return "".join(text.split())


def test_a_document_of_every_kind_of_block() -> None:
    text = (DATA / "healthy" / "structure.md").read_text()
    found = sections(text, 1, "")
    _check_lines(text, found)
    kinds = [block.kind for section in found for block in section.blocks]
    assert kinds == [
        "paragraph",
        "item",
        "item",
        "item",
        "paragraph",
        "item",
        "item",
        "item",
        "quote",
        "code",
        "formula",
        "table",
        "paragraph",
    ]
    code = next(block for section in found for block in section.blocks if block.kind == "code")
    assert "# not a heading" in code.text
    assert [section.trail for section in found] == [("Structure",), ("Structure", "Setext heading")]
    footnote = found[-1].blocks[-1]
    assert footnote.text == "[^1]: The footnote says 42 litres."
    assert text.split("\n")[footnote.start - 1] == footnote.text


def test_headings_make_a_trail() -> None:
    text = "# A\n\na\n\n### C\n\nc\n\n## B\n\nb\n\n# D\n\nd"
    assert [(section.trail, section.text) for section in sections(text)] == [
        (("A",), "a"),
        (("A", "C"), "c"),
        (("A", "B"), "b"),
        (("D",), "d"),
    ]


@pytest.mark.parametrize(("text", "count"), [("", 0), ("\n\n", 0), ("---\n", 0), ("# Only\n", 1), ("text", 1)])
def test_small_documents(text: str, count: int) -> None:
    assert len(sections(text)) == count
    # With a title, what has no body is still there to be found.
    assert len(sections(text, 1, "T")) == max(count, 1)


def test_every_bare_heading_can_be_found() -> None:
    """A heading without text is a section; one with headings below it stands in their trails."""
    found = sections("# Pump\n\n## Seals\n\n## Filters\n\ntext\n\n## Valves\n")
    assert [section.trail for section in found] == [("Pump", "Seals"), ("Pump", "Filters"), ("Pump", "Valves")]
    assert [section.trail for section in sections("# Pump\n")] == [("Pump",)]


def test_text_without_heading_has_the_title_as_trail() -> None:
    (section,) = sections("some text", 1, "Title")
    assert section.trail == ("Title",)


def test_the_body_may_start_anywhere() -> None:
    text = "---\ntitle: x\n---\n# A\n\nhere"
    (section,) = sections(text, 4)
    assert section.blocks[0].start == 6


def test_a_long_table_stays_whole() -> None:
    rows = "\n".join(f"| name {n} | {n} kg |" for n in range(60))
    text = f"# T\n\n| a | b |\n|---|---|\n{rows}\n"
    (section,) = sections(text)
    (block,) = section.blocks
    assert block.kind == "table"
    assert "| name 55 | 55 kg |" in block.text
    assert block.text.startswith("| a | b |")


def test_items_and_code_stay_whole() -> None:
    item = "- " + "long words of an item " * 200
    code = "```\n" + "code line\n" * 300 + "```"
    found = sections(f"# T\n\n{item}\n- second\n\n{code}\n")
    blocks = [block for section in found for block in section.blocks]
    assert blocks[0].text == item.rstrip()
    assert blocks[-1].text == code
    assert len(code) < HARD_LIMIT


def test_a_lead_in_stays_with_its_list() -> None:
    filler = "Sentence of the paragraph before. " * 60
    found = sections(f"# T\n\n{filler}\n\nDo this:\n\n- first\n- second")
    with_lead = next(section for section in found if "Do this:" in section.text)
    assert "- first" in with_lead.text


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    text = "大豆播种深度为三到五厘米。" * 200
    found = sections(f"# T\n\n{text}\n")
    assert len(found) > 2
    assert all(block.text.endswith("。") for section in found for block in section.blocks)
    assert "".join(_texts(found)) == text


def test_a_long_paragraph_over_many_lines_keeps_its_lines() -> None:
    text = "# T\n\n" + "\n".join(
        f"Line {n} of a paragraph without an end that is long enough to count" for n in range(80)
    )
    found = sections(text)
    assert len(found) > 1
    _check_lines(text, found)


def test_comments_are_no_blocks() -> None:
    """The mark of a page is not text: it is neither found nor a section's only content."""
    text = (
        "<!-- page 1 -->\n\n# T\n\none\n<!-- page 2-3 -->\ntwo\n\n- a\n<!-- last\n\n# no heading\n-->\n\n"
        "# U\n<!-- page 4 -->"
    )
    found = sections(text, 1, "Title")
    assert [(section.trail, section.text) for section in found] == [(("T",), "one\ntwo\n- a"), (("U",), "")]
    assert [(block.start, block.end) for block in found[0].blocks] == [(5, 5), (7, 7), (9, 9)]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- a --> dose 5 kg",
        "<!-- no end",
        "<!--\n" + "line\n" * 80 + "-->",
        "```\n<!-- code -->\n```",
        "a <!-- b -->",
    ],
)
def test_what_is_not_a_comment_alone_is_text(text: str) -> None:
    assert "\n".join(_texts(sections(text))) == text


_LINES = st.sampled_from(
    [
        "",
        "",
        "plain words",
        "大豆播种。结合灌水施入。",
        "First one. Second one.",
        "# Heading",
        "## Heading two",
        "- item",
        "  - inner item",
        "1. step",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "> quote",
        "```",
        "$$",
        "$x$",
        "    indented",
        "Title",
        "=====",
        "lead in:",
        "（1）步骤",
        "*emphasis*",
        "a | b",
        "[^1]: note",
        "~~~",
        "\\# no heading",
        "5. ",
        "-",
        "长句" * 200 + "。",
        "word " * 150 + ".",
        "text  ",
        "\ttab",
        "<!-- page 2 -->",
    ]
)


@given(st.lists(_LINES, max_size=25))
def test_every_body_line_comes_back_once_in_its_place(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = sections(text, 1, "Title")
    _check_lines(text, found)
    blocks = [block for section in found for block in section.blocks]
    assert all(first.end <= second.start for first, second in itertools.pairwise(blocks))
    joined = _squeezed("".join(block.text for block in blocks))
    free = _lines_of_no_block(lines, blocks)
    expected = _squeezed("".join(line for number, line in enumerate(lines, start=1) if number not in free))
    assert joined == expected


def _lines_of_no_block(lines: list[str], blocks: list[Block]) -> set[int]:
    """Lines that stand in no block must be headings, their underlines, rules, or comments."""
    covered = {number for block in blocks for number in range(block.start, block.end + 1)}
    free: set[int] = set()
    for number, line in enumerate(lines, start=1):
        if number in covered or not line.strip():
            continue
        if line.startswith("<!--"):
            free.add(number)
            continue
        following = next(
            (later for later in lines[number:] if re.match(r"^ {0,3}(=+|-+)[ \t]*$", later) or not later.strip()), ""
        )
        heading = _HEADING.match(line) or re.match(r"^ {0,3}(=+|-+)[ \t]*$", line) or following.strip("=- \t") == ""
        assert heading, f"line {number} {line!r} is lost"
        free.add(number)
    return free


@given(st.text(max_size=300))
def test_no_text_falls_over(text: str) -> None:
    text = text.replace("\r", "")
    _check_lines(text, sections(text, 1, "Title"))


@given(st.text("ab.。!?！ \nAB1\"'；”", max_size=120))
def test_sentences_joined_are_the_text(text: str) -> None:
    parts = split_sentences(text)
    assert "".join(part for part, _ in parts) == text
    assert sum(feeds for _, feeds in parts) == text.count("\n")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Use 3.5 kg. Then stop.", 2),
        ("e.g. small pumps are fine.", 1),
        ("一。二！三？", 3),
        ("“好。”他说。", 2),
        ("No. 5 is red.", 1),
        ("Use approx. 5 kg.", 1),
        ("Not longer than 8 m. It is red.", 2),
        ("Ask J. Smith.", 1),
        ("At max. 10 MPa.", 1),
        ("See Fig. 3 below.", 1),
    ],
)
def test_sentence_ends(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count


def test_megabytes_take_seconds_not_minutes() -> None:
    text = ("# H\n\n" + "Sentence of some length here. " * 20 + "\n\n") * 4000
    started = time.perf_counter()
    assert len(sections(text)) == 4000
    assert time.perf_counter() - started < 10
