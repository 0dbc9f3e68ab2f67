"""kb.cli.ingest: documents from the command line into the knowledge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from docx_writer import Docx, paragraph, run

from kb.errors import ExitCode
from kb.memory.store import MemoryStore
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
    tried = cli("ingest", str(tmp_path / "in"), "--knowledge", str(empty_tree), "--into", "other", "--dry-run")
    assert "1 would be written, 0 up to date, 0 kept, 1 not read" in tried.out
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


@pytest.mark.slow
def test_what_is_read_can_be_asked_of_memory(
    cli: CommandLine, tmp_path: Path, empty_tree: Path, own_home: Path
) -> None:
    source = _docx(tmp_path / "a.docx", "The weight of the XM-2000 is 55 kg.")
    words = ("ingest", str(source), "--knowledge", str(empty_tree))
    assert "memory:" in cli(*words).out
    asked = cli("memory", "search", "XM-2000 weight")
    assert "55 kg" in asked.out
    assert "imported/a_" in asked.out
    again = json.loads(cli(*words, "--json").out)
    assert again["documents"][0]["status"] == "unchanged"
    assert again["documents"][0]["memory"]["changed"] is False
    # the documents of the tree, asked for by themselves, are the same documents
    tree = json.loads(cli("memory", "ingest", "--tree", "--knowledge", str(empty_tree), "--json").out)
    assert [item["changed"] for item in tree["documents"]] == [False]


@pytest.mark.slow
def test_memory_goes_on_where_a_run_was_stopped(
    cli: CommandLine, tmp_path: Path, empty_tree: Path, own_home: Path
) -> None:
    words = ("ingest", str(_docx(tmp_path / "a.docx")), "--knowledge", str(empty_tree))
    assert cli(*words, "--no-memory").code == 0
    with MemoryStore(own_home / "almanac") as store:
        assert store.documents() == []
    assert cli(*words).code == 0
    with MemoryStore(own_home / "almanac") as store:
        assert [item.path for item in store.documents()] == [
            next(empty_tree.rglob("*.md")).relative_to(empty_tree).as_posix()
        ]


@pytest.mark.slow
def test_sources_of_one_name_are_kept_beside_each_other_and_said(
    cli: CommandLine, tmp_path: Path, empty_tree: Path
) -> None:
    assert cli("ingest", str(_docx(tmp_path / "x" / "a.docx")), "--knowledge", str(empty_tree)).code == 0
    second = _docx(tmp_path / "y" / "a.docx", "Preheat for 10 minutes.")
    done = cli("ingest", str(second), "--knowledge", str(empty_tree))
    assert "kept beside imported/a_" in done.out
    assert len(list(empty_tree.rglob("*.md"))) == 2


@pytest.mark.slow
def test_what_memory_refuses_is_told_and_the_document_stays(cli: CommandLine, tmp_path: Path, empty_tree: Path) -> None:
    for name in "xy":
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{name}.md").write_text(f"---\ntitle: {name}\nid: one\n---\n# {name}\n\nWeight: 5 kg\n")
    done = cli("ingest", str(tmp_path / "in"), "--knowledge", str(empty_tree))
    assert done.code == ExitCode.BAD_KNOWLEDGE
    assert "not in memory:" in done.out
    assert "In memory: 1, failed 1" in done.out
    assert len(list(empty_tree.rglob("*.md"))) == 2


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
