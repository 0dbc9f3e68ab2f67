"""kb.memory.reading.child: one document into a folder, page by page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from docx_writer import Docx, paragraph, run
from pdf_writer import PdfPage, write_pdf

from kb.errors import KnowledgeError
from kb.memory.reading import pdf
from kb.memory.reading.child import BATCH, RESULT, read_into, skip
from kb.memory.reading.limits import Limits


def _pdf(tmp_path: Path, pages: int) -> Path:
    made = []
    for number in range(1, pages + 1):
        page = PdfPage()
        page.text(72, 300, f"Page {chr(64 + number % 26)}{number} says something of its own.", 10)
        made.append(page)
    path = tmp_path / "long.pdf"
    path.write_bytes(write_pdf(made))
    return path


def _result(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / RESULT).read_text("utf-8"))
    return found


@pytest.mark.slow
def test_it_ends_with_the_program_that_asked(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom kb.memory.reading import child\n"
        "def busy(*_): print('{}', flush=True); time.sleep(600)\n"
        "child.read_into = busy\nsys.exit(child.main())"
    )
    started = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert started.stdin is not None and started.stdout is not None
    with started.stdout:
        started.stdin.write(json.dumps({"path": "x", "folder": str(tmp_path), "limits": {}}).encode() + b"\n")
        started.stdin.flush()
        assert started.stdout.readline() == b"{}\n"
        started.stdin.close()
        assert started.wait(60) == 1


def _quiet(said: dict[str, Any]) -> None:
    """Hear nothing."""


def test_progress_is_reported_and_the_result_written(tmp_path: Path) -> None:
    said: list[dict[str, Any]] = []
    read_into(_pdf(tmp_path, 3), tmp_path / "w", Limits(), said.append)
    assert {"done": 3, "total": 3} in said
    assert _result(tmp_path / "w")["pages"] == 3
    assert _result(tmp_path / "w")["kind"] == "pdf"


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _pdf(tmp_path, BATCH + 5)
    read: list[int] = []
    real = pdf.read_one

    def counted(file: Any, number: int, recogniser: Any) -> Any:
        read.append(number)
        if len(read) == BATCH + 3:
            raise KeyboardInterrupt
        return real(file, number, recogniser)

    monkeypatch.setattr(pdf, "read_one", counted)
    with pytest.raises(KeyboardInterrupt):
        read_into(path, tmp_path / "w", Limits(), _quiet)
    read_into(path, tmp_path / "w", Limits(), _quiet)
    assert read[BATCH + 3 :] == list(range(BATCH + 1, BATCH + 6))
    texts = [block["text"] for block in _result(tmp_path / "w")["blocks"]]
    assert len(texts) == BATCH + 5


def test_pages_on_which_a_child_was_lost_are_said(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    skip(tmp_path / "w", [2])
    skip(tmp_path / "w", [3])
    read_into(_pdf(tmp_path, 4), tmp_path / "w", Limits(), _quiet)
    blocks = _result(tmp_path / "w")["blocks"]
    assert [(block["page"], block["note"]) for block in blocks] == [
        (1, ""),
        (2, "unreadable"),
        (3, "unreadable"),
        (4, ""),
    ]


def test_a_batch_that_was_cut_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "pages-00001.json").write_text('[{"number": 1,')
    read_into(_pdf(tmp_path, 2), tmp_path / "w", Limits(), _quiet)
    assert len(_result(tmp_path / "w")["blocks"]) == 2


def test_every_kind(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(Docx(body=[paragraph(run("x"))]).data())
    (tmp_path / "b").write_text("<html><p>x</p></html>")
    (tmp_path / "c").write_text("# x\n\n- y\n- z\n")
    (tmp_path / "d").write_text("x")
    for name, kind in (("a", "docx"), ("b", "html"), ("c", "markdown"), ("d", "text")):
        read_into(tmp_path / name, tmp_path / f"w{name}", Limits(), _quiet)
        assert _result(tmp_path / f"w{name}")["kind"] == kind


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * 3_000_000)
    with pytest.raises(KnowledgeError) as caught:
        read_into(tmp_path / "a.txt", tmp_path / "w", Limits(file_mb=1), _quiet)
    assert caught.value.key == "file_too_large"


def test_a_pdf_whose_pages_lead_in_a_circle_is_damaged(tmp_path: Path) -> None:
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 2/Kids[2 0 R 2 0 R]>>"]
    body = b"".join(b"%d 0 obj\n%b\nendobj\n" % (number, each) for number, each in enumerate(objects, start=1))
    path = tmp_path / "circle.pdf"
    path.write_bytes(b"%PDF-1.4\n" + body + b"trailer\n<</Root 1 0 R/Size 3>>\n%%EOF\n")
    with pytest.raises(KnowledgeError) as caught:
        read_into(path, tmp_path / "w", Limits(), _quiet)
    assert caught.value.key == "reading_damaged"
