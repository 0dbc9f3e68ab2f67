"""kb.cli.ingest: documents from the command line into the knowledge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from docx_writer import Docx, paragraph, run

from kb.errors import ExitCode
from tests.conftest import CommandLine
from tests.helpers import raw_controls


def _docx(path: Path, text: str = "Preheat for 30 minutes.") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(Docx(body=[paragraph(run("Pump manual"), "T"), paragraph(run(text))]).data())
    return path


@pytest.mark.slow
def test_a_folder_with_good_and_bad_documents(cli: CommandLine, tmp_path: Path, empty_tree: Path) -> None:
    _docx(tmp_path / "in" / "水泵.docx")
    (tmp_path / "in" / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")
    done = cli("ingest", str(tmp_path / "in"), "--knowledge", str(empty_tree), "--into", "machinery")
    assert done.code == ExitCode.BAD_KNOWLEDGE
    assert "machinery/水泵_" in done.out
    assert "bad.pdf: left out." in done.out
    assert "1 written, 0 up to date, 0 kept, 1 not read" in done.out
    again = cli("ingest", str(tmp_path / "in" / "水泵.docx"), "--knowledge", str(empty_tree), "--into", "machinery")
    assert again.code == 0
    assert "up to date" in again.out


@pytest.mark.slow
def test_as_json(cli: CommandLine, tmp_path: Path, empty_tree: Path) -> None:
    done = cli("ingest", str(_docx(tmp_path / "a.docx")), "--knowledge", str(empty_tree), "--dry-run", "--json")
    found = json.loads(done.out)
    assert found["documents"][0]["status"] == "would"
    assert found["documents"][0]["blocks"] == 2
    assert list(empty_tree.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nothing.pdf"], ExitCode.USAGE),
        (["{in}", "--into", "../x"], ExitCode.USAGE),
        (["{in}", "--into", "a/b/c/d"], ExitCode.USAGE),
        (["{in}", "--valid-to", "2026-02-30"], ExitCode.USAGE),
        (["{in}", "--title", "x"], ExitCode.USAGE),
        (["{empty}"], ExitCode.BAD_KNOWLEDGE),
    ],
)
def test_what_does_not_fit(cli: CommandLine, tmp_path: Path, empty_tree: Path, arguments: list[str], code: int) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_text("text")
    (tmp_path / "empty").mkdir()
    words = [word.format(**{"in": tmp_path / "in", "empty": tmp_path / "empty"}) for word in arguments]
    done = cli("ingest", *words, "--knowledge", str(empty_tree))
    assert done.code == code
    assert done.clean
    assert list(empty_tree.iterdir()) == []


def test_the_knowledge_that_came_with_the_program_is_not_written(cli: CommandLine, tmp_path: Path) -> None:
    shipped = tmp_path / "home" / "kb" / "abc" / "docs"
    shipped.mkdir(parents=True)
    (tmp_path / "a.txt").write_text("text")
    done = cli("ingest", str(tmp_path / "a.txt"), "--knowledge", str(shipped), "--home", str(tmp_path / "home"))
    assert done.code == ExitCode.USAGE
    assert "--knowledge" in done.err


def test_names_cannot_write_to_the_terminal(cli: CommandLine, tmp_path: Path, empty_tree: Path) -> None:
    bad = tmp_path / "a\x1b]52;c;x\x07.pdf"
    bad.write_bytes(b"")
    done = cli("ingest", str(bad), "--knowledge", str(empty_tree))
    assert done.code == ExitCode.BAD_KNOWLEDGE
    assert not raw_controls(done.out + done.err)
