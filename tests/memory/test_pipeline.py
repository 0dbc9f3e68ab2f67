"""kb.memory.pipeline: documents read in a child process, also bad ones."""

from __future__ import annotations

import hashlib
import sys
import threading
from pathlib import Path

import pytest
from docx_writer import Docx, paragraph, run
from pdf_writer import PdfPage, write_pdf

from kb.errors import AlmanacError, KnowledgeError
from kb.memory.block import Kind
from kb.memory.pipeline import DocPipeline, file_digest
from kb.memory.reading.limits import Limits

pytestmark = pytest.mark.slow

# A program in the place of ours: it does `read` for the document, with what a test breaks before.
_CHILD = """
import sys
sys.path[:0] = [{path!r}]
from kb.memory.reading import child, pdf
{broken}
sys.exit(child.main())
"""


def _pages(tmp_path: Path, count: int) -> Path:
    made = []
    for number in range(1, count + 1):
        page = PdfPage()
        page.text(72, 300, f"Sheet {chr(64 + number)} says something of its own.", 10)
        made.append(page)
    path = tmp_path / "中 文.pdf"
    path.write_bytes(write_pdf(made))
    return path


def _pipeline(tmp_path: Path, broken: str, **limits: int) -> DocPipeline:
    program = tmp_path / "child.py"
    program.write_text(_CHILD.format(path=str(Path.cwd()), broken=broken))
    return DocPipeline(Limits(**limits), home=tmp_path / "home", command=[sys.executable, str(program)])


def test_blocks_carry_the_digest_of_their_file_and_nothing_is_left_behind(tmp_path: Path) -> None:
    path = _pages(tmp_path, 2)
    seen: list[tuple[str, int, int]] = []
    pipeline = DocPipeline(home=tmp_path / "home", report=lambda *said: seen.append(said))
    blocks = pipeline.extract_blocks(path)
    assert [block.page for block in blocks] == [1, 2]
    assert {block.source for block in blocks} == {hashlib.sha256(path.read_bytes()).hexdigest()}
    assert ("reading", 2, 2) in seen
    assert list((tmp_path / "home" / "reading").iterdir()) == []
    assert "Sheet A says" in pipeline.to_markdown(blocks)


def test_a_page_that_loops_is_skipped_and_said(tmp_path: Path) -> None:
    broken = """
real = pdf.read_one
def loop(file, number, recogniser):
    while number == 2: pass
    return real(file, number, recogniser)
pdf.read_one = loop
"""
    blocks = _pipeline(tmp_path, broken, stalled_seconds=4).extract_blocks(_pages(tmp_path, 3))
    assert [(block.page, block.kind) for block in blocks] == [
        (1, Kind.PARAGRAPH),
        (2, Kind.COMMENT),
        (3, Kind.PARAGRAPH),
    ]


def test_a_page_that_kills_the_reader_is_skipped(tmp_path: Path) -> None:
    broken = """
import os, signal
real = pdf.read_one
def die(file, number, recogniser):
    if number == 1: os.kill(os.getpid(), signal.SIGSEGV)
    return real(file, number, recogniser)
pdf.read_one = die
"""
    blocks = _pipeline(tmp_path, broken).extract_blocks(_pages(tmp_path, 2))
    assert [block.note for block in blocks] == ["unreadable", ""]


def test_a_document_that_needs_too_much_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(Docx(body=[paragraph(run("x"))]).data())
    broken = "child.read_docx = lambda *rest: [bytes(3_000_000_000)]"
    with pytest.raises(KnowledgeError) as caught:
        _pipeline(tmp_path, broken, memory_mb=1500).extract_blocks(path)
    assert caught.value.key == "reading_too_large"


def test_one_that_never_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(Docx(body=[paragraph(run("x"))]).data())
    broken = "import time\nchild.read_docx = lambda *rest: time.sleep(60)"
    with pytest.raises(KnowledgeError) as caught:
        _pipeline(tmp_path, broken, stalled_seconds=1).extract_blocks(path)
    assert caught.value.key == "reading_too_slow"


def test_a_fault_in_the_reader_is_a_message(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(Docx(body=[paragraph(run("x"))]).data())
    with pytest.raises(KnowledgeError) as caught:
        _pipeline(tmp_path, "child.read_docx = lambda *rest: 1 / 0").extract_blocks(path)
    assert caught.value.key == "reading_failed"
    assert "ZeroDivisionError" in str(caught.value)


def test_errors_of_the_child_arrive_with_their_words(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7 nothing")
    with pytest.raises(KnowledgeError) as caught:
        DocPipeline(home=tmp_path / "home").extract_blocks(path)
    assert caught.value.key == "reading_damaged"
    assert "a.pdf" in str(caught.value)


def test_a_person_interrupts(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(AlmanacError) as caught:
        DocPipeline(home=tmp_path / "home", stop=stop).extract_blocks(_pages(tmp_path, 1))
    assert caught.value.key == "interrupted"


def test_without_the_program_it_reads_by_itself(tmp_path: Path) -> None:
    pipeline = DocPipeline(home=tmp_path / "home", command=[sys.executable, str(tmp_path / "gone.py")])
    assert len(pipeline.extract_blocks(_pages(tmp_path, 2))) == 2


def test_the_digest_of_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError):
        file_digest(tmp_path / "nothing")
