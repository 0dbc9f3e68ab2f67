"""kb.memory.reading.docx: a document as blocks."""

from __future__ import annotations

import base64
import io
import zipfile
from pathlib import Path

from docx_writer import Cell, Docx, comment, deleted, footnote, paragraph, run, table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.memory.block import Kind
from kb.memory.reading.docx import read_docx
from kb.memory.reading.limits import Limits
from tests.memory.reading.helpers import docx_blocks, texts_of

_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_headings_below_a_title_are_deeper(tmp_path: Path) -> None:
    blocks = docx_blocks(
        tmp_path, paragraph(run("Manual"), "T"), paragraph(run("Scope"), "H1"), paragraph(run("Use"), "H2")
    )
    assert [(block.level, block.text) for block in blocks] == [(1, "Manual"), (2, "Scope"), (3, "Use")]


def test_lists_have_the_numbers_that_word_draws(tmp_path: Path) -> None:
    numbers = [(1, 0), (1, 1), (1, 2), (1, 0), (2, 0)]
    blocks = docx_blocks(tmp_path, *[paragraph(run("x"), "", number) for number in numbers])
    assert [(block.text, block.level) for block in blocks] == [
        ("1. x", 0), ("1.1 x", 1), ("(a) x", 2), ("2. x", 0), ("x", 0),
    ]  # fmt: skip


def test_articles_of_a_contract(tmp_path: Path) -> None:
    blocks = docx_blocks(tmp_path, paragraph(run("合同标的"), "H1", (3, 0)), paragraph(run("交货"), "H1", (3, 0)))
    assert [block.text for block in blocks] == ["第一条 合同标的", "第二条 交货"]


def test_merged_cells_and_a_table_in_a_cell(tmp_path: Path) -> None:
    inner = table([[Cell("pH"), Cell("6.5")]])
    blocks = docx_blocks(
        tmp_path,
        table([[Cell("S", high="restart"), Cell("Dose", wide=2)], [Cell(high="continue"), Cell("a"), Cell("b")],
               [Cell("spring"), Cell("1|2"), Cell(inner=inner)]]),
    )  # fmt: skip
    assert blocks[0].text.split("\n") == [
        "| S | Dose a | Dose b |", "| --- | --- | --- |", "| spring | 1\\|2 | pH \\| 6.5 |",
    ]  # fmt: skip


def test_a_deleted_row_and_paragraph_are_only_comments(tmp_path: Path) -> None:
    blocks = docx_blocks(tmp_path, paragraph(deleted("void", "desk", "2026-02-02")), paragraph(run("valid")))
    assert [(block.kind, block.text, block.note) for block in blocks] == [
        (Kind.COMMENT, "void", "deleted by desk, 2026-02-02"), (Kind.PARAGRAPH, "valid", ""),
    ]  # fmt: skip


def test_notes_and_comments_follow_their_paragraph(tmp_path: Path) -> None:
    document = Docx(footnotes={3: "Seen on a prototype."}, comments={1: ("desk", "2026-03-04", "Check this.")})
    blocks = docx_blocks(tmp_path, paragraph(run("flow") + footnote(3) + comment(1)), document=document)
    assert [(block.kind, block.text, block.note) for block in blocks] == [
        (Kind.PARAGRAPH, "flow[^1]", ""),
        (Kind.COMMENT, "Check this.", "comment by desk, 2026-03-04"),
        (Kind.FOOTNOTE, "[^1]: Seen on a prototype.", ""),
    ]


def test_headings_that_are_only_bold(tmp_path: Path) -> None:
    blocks = docx_blocks(
        tmp_path,
        paragraph(run("设备合同", "<w:b/>")),
        paragraph(run("一、总则", "<w:b/>")),
        paragraph(run("甲方供货。")),
    )
    assert [(block.kind, block.level) for block in blocks] == [
        (Kind.HEADING, 1),
        (Kind.HEADING, 1),
        (Kind.PARAGRAPH, 0),
    ]


def test_bold_words_are_no_headings_where_there_are_styles(tmp_path: Path) -> None:
    blocks = docx_blocks(tmp_path, paragraph(run("Scope"), "H1"), paragraph(run("Note", "<w:b/>")))
    assert blocks[1].kind == Kind.PARAGRAPH
    assert blocks[1].note == ""


def test_a_table_of_ten_thousand_rows(tmp_path: Path) -> None:
    rows = [[Cell(f"E-{number}"), Cell(f"do {number}")] for number in range(10_000)]
    (block,) = docx_blocks(tmp_path, table(rows))
    assert block.text.count("\n") == 10_000
    assert block.text.endswith("| E-9999 | do 9999 |")


def test_tables_nested_too_deep_end(tmp_path: Path) -> None:
    inner = ""
    for _ in range(60):
        inner = table([[Cell("x", inner=inner), Cell("y")]])
    assert docx_blocks(tmp_path, inner)[0].kind == Kind.TABLE


def test_a_picture_of_the_file_is_saved_and_one_from_outside_is_not(tmp_path: Path) -> None:
    drawing = (
        '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        '<wp:docPr id="1" descr="a pump"/><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'r:embed="{}"/></wp:inline></w:drawing></w:r>'
    )
    data = Docx(body=[paragraph(drawing.format("p1")), paragraph(drawing.format("p2"))]).data()
    source = zipfile.ZipFile(io.BytesIO(data))
    path = tmp_path / "pictures.docx"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
    with zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "word/_rels/document.xml.rels":
                more = f'<Relationship Id="p1" Type="{kind}" Target="media/i.png"/>'
                more += f'<Relationship Id="p2" Type="{kind}" Target="http://example.org/i.png" TargetMode="External"/>'
                part = part.replace(b"</Relationships>", f"{more}</Relationships>".encode())
            target.writestr(name, part)
        target.writestr("word/media/i.png", _PIXEL * 4)
    saved: list[bytes] = []

    def save(data: bytes, suffix: str) -> str:
        saved.append(data)
        return f"images/i{suffix}"

    assert texts_of(read_docx(path, Limits(), save), Kind.IMAGE) == ["![a pump](images/i.png)"]
    assert saved == [_PIXEL * 4]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 5000), st.integers(0, 255))
def test_a_damaged_file_is_read_or_refused(tmp_path: Path, place: int, value: int) -> None:
    data = bytearray(Docx(body=[paragraph(run("flow"), "H1"), table([[Cell("a"), Cell("b")]])]).data())
    data[place % len(data)] = value
    path = tmp_path / "damaged.docx"
    path.write_bytes(bytes(data))
    try:
        read_docx(path, Limits(), lambda data, suffix: "")
    except KnowledgeError as error:
        assert error.key.startswith("reading_")
