"""kb.memory.ingest: documents into a tree, twice, changed, edited."""

from __future__ import annotations

import contextlib
import datetime
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from docx_writer import Cell, Docx, paragraph, run, table
from pdf_writer import PdfPage, write_pdf

from kb.errors import AlmanacError, KnowledgeError
from kb.memory.ingest import Ingest, Plan, folder_in, sources
from kb.memory.pipeline import DocPipeline, Reading
from kb.tree.document import load
from tests.helpers import run_in_child

DAY = datetime.date(2026, 6, 1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty knowledge tree."""
    (tmp_path / "tree").mkdir()
    return tmp_path / "tree"


def _ingest(tmp_path: Path, root: Path) -> Ingest:
    # Without a program the document is read in this process: these tests are about what is written.
    pipeline = DocPipeline(home=tmp_path / "home", command=["python", str(tmp_path / "gone.py")])
    return Ingest(pipeline, root, DAY)


def _docx(tmp_path: Path, text: str = "预热 30 分钟。", name: str = "CP-50 说明书.docx") -> Path:
    document = Docx(body=[paragraph(run("离心泵说明书"), "T"), paragraph(run(text)), table([[Cell("a"), Cell("b")]])])
    path = tmp_path / name
    path.write_bytes(document.data())
    os.utime(path, (1_767_322_800, 1_767_322_800))  # 2026-01-02
    return path


def test_a_document_keeps_the_contract(tmp_path: Path, root: Path) -> None:
    plan = Plan("machinery/pump", type="manual", valid_to=datetime.date(2027, 1, 31))
    outcome = _ingest(tmp_path, root).take(_docx(tmp_path), plan)
    assert (outcome.path, outcome.status) == ("machinery/pump/cp-50_说明书_2026_v1.md", "written")
    facts = load(root, outcome.path).facts
    assert facts.problems == ()
    assert (facts.title, facts.version, facts.type) == ("离心泵说明书", "1.0", "manual")
    assert facts.valid_to == datetime.date(2027, 1, 31)
    assert facts.metadata["source"] == "CP-50 说明书.docx"
    assert facts.metadata["source_digest"] == outcome.digest
    assert "预热 30 分钟。" in (root / outcome.path).read_text("utf-8")
    assert outcome.tables == 1


def test_the_same_source_is_not_written_twice(tmp_path: Path, root: Path) -> None:
    ingest = _ingest(tmp_path, root)
    first = ingest.take(_docx(tmp_path), Plan())
    before = (root / first.path).stat().st_mtime_ns
    again = ingest.take(_docx(tmp_path, name="the same.docx"), Plan())
    assert (again.path, again.status) == (first.path, "unchanged")
    assert (root / first.path).stat().st_mtime_ns == before


def test_a_changed_source_replaces_its_document_and_keeps_a_persons_fields(tmp_path: Path, root: Path) -> None:
    ingest = _ingest(tmp_path, root)
    path = root / ingest.take(_docx(tmp_path), Plan()).path
    path.write_text(path.read_text("utf-8").replace("version: '1.0'", "version: '1.0'\nowner: agronomy-desk"), "utf-8")
    outcome = ingest.take(_docx(tmp_path, "预热 20 分钟。"), Plan())
    assert outcome.status == "replaced"
    text = path.read_text("utf-8")
    assert "预热 20 分钟。" in text
    assert "预热 30" not in text
    assert "owner: agronomy-desk" in text


def test_what_a_person_changed_is_kept(tmp_path: Path, root: Path) -> None:
    ingest = _ingest(tmp_path, root)
    path = root / ingest.take(_docx(tmp_path), Plan()).path
    path.write_text(path.read_text("utf-8") + "\n补充：冬季加倍。\n", "utf-8")
    edited = path.read_bytes()
    assert ingest.take(_docx(tmp_path, "预热 20 分钟。"), Plan()).status == "kept"
    assert path.read_bytes() == edited


def test_a_persons_own_document_of_that_name_is_left_alone(tmp_path: Path, root: Path) -> None:
    own = root / "imported" / "cp-50_说明书_2026_v1.md"
    own.parent.mkdir()
    own.write_text("# mine\n", "utf-8")
    outcome = _ingest(tmp_path, root).take(_docx(tmp_path), Plan())
    assert outcome.path == f"imported/cp-50_说明书_{outcome.digest[:8]}_2026_v1.md"
    assert own.read_text("utf-8") == "# mine\n"


def test_a_field_that_is_asked_for_anew_is_written(tmp_path: Path, root: Path) -> None:
    ingest = _ingest(tmp_path, root)
    ingest.take(_docx(tmp_path), Plan())
    outcome = ingest.take(_docx(tmp_path), Plan(title="新标题"))
    assert outcome.status == "replaced"
    assert load(root, outcome.path).facts.title == "新标题"


def test_a_changed_source_finds_its_document_under_a_longer_name(tmp_path: Path, root: Path) -> None:
    own = root / "imported" / "cp-50_说明书_2026_v1.md"
    own.parent.mkdir()
    own.write_text("# mine\n", "utf-8")
    first = _ingest(tmp_path, root).take(_docx(tmp_path), Plan())
    again = _ingest(tmp_path, root).take(_docx(tmp_path, "预热 20 分钟。"), Plan())
    assert (again.path, again.status) == (first.path, "replaced")


def test_two_sources_of_one_name_in_one_run_are_two_documents(tmp_path: Path, root: Path) -> None:
    ingest = _ingest(tmp_path, root)
    (tmp_path / "other").mkdir()
    first = ingest.take(_docx(tmp_path), Plan())
    second = ingest.take(_docx(tmp_path / "other", "预热 20 分钟。"), Plan())
    assert first.path != second.path
    assert "预热 30 分钟。" in (root / first.path).read_text("utf-8")


def test_what_another_run_wrote_meanwhile_is_not_written_again(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, ingest, other = _docx(tmp_path), _ingest(tmp_path, root), _ingest(tmp_path, root)
    ingest.take(_docx(tmp_path, "预热 5 分钟。", "first.docx"), Plan())
    reading = ingest._pipeline.reading

    @contextlib.contextmanager
    def later(path: Path, digest: str) -> Iterator[Reading]:
        assert other.take(source, Plan()).status == "written"
        with reading(path, digest) as read:
            yield read

    monkeypatch.setattr(ingest._pipeline, "reading", later)
    outcome = ingest.take(source, Plan())
    assert outcome.status == "unchanged"
    assert len(list(root.rglob("*.md"))) == 2


def test_a_source_of_the_same_name_from_another_folder_is_another_document(tmp_path: Path, root: Path) -> None:
    (tmp_path / "other").mkdir()
    first = _ingest(tmp_path, root).take(_docx(tmp_path), Plan())
    other = _docx(tmp_path / "other", "预热 20 分钟。")
    second = _ingest(tmp_path, root).take(other, Plan())
    assert (second.status, second.beside) == ("written", first.path)
    assert "预热 30 分钟。" in (root / first.path).read_text("utf-8")
    # each of them is found again by the folder of its source
    changed = _ingest(tmp_path, root).take(_docx(tmp_path / "other", "预热 10 分钟。"), Plan())
    assert (changed.status, changed.path, changed.beside) == ("replaced", second.path, "")
    assert _ingest(tmp_path, root).take(_docx(tmp_path), Plan()).status == "unchanged"


def test_a_source_that_moved_replaces_its_document_when_a_person_says_so(tmp_path: Path, root: Path) -> None:
    (tmp_path / "other").mkdir()
    first = _ingest(tmp_path, root).take(_docx(tmp_path), Plan())
    moved = _docx(tmp_path / "other", "预热 20 分钟。")
    outcome = _ingest(tmp_path, root).take(moved, Plan(replace=True))
    assert (outcome.status, outcome.path) == ("replaced", first.path)
    assert _ingest(tmp_path, root).take(moved, Plan()).status == "unchanged"


def test_a_document_does_not_tell_where_its_source_lay(tmp_path: Path, root: Path) -> None:
    path = root / _ingest(tmp_path, root).take(_docx(tmp_path), Plan()).path
    assert tmp_path.name not in path.read_text("utf-8")


def test_a_document_without_anything_to_read_is_refused(tmp_path: Path, root: Path) -> None:
    (tmp_path / "blank.pdf").write_bytes(write_pdf([PdfPage()]))
    with pytest.raises(KnowledgeError) as caught:
        _ingest(tmp_path, root).take(tmp_path / "blank.pdf", Plan())
    assert caught.value.key == "reading_empty"
    assert list(root.iterdir()) == []


def test_a_numbered_heading_is_no_title(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "part.docx"
    path.write_bytes(Docx(body=[paragraph(run("5.1 Results"), "H1"), paragraph(run("Flow is 3."))]).data())
    outcome = _ingest(tmp_path, root).take(path, Plan())
    assert load(root, outcome.path).facts.title == "part"


def test_the_edition_that_a_name_has_is_kept(tmp_path: Path, root: Path) -> None:
    outcome = _ingest(tmp_path, root).take(_docx(tmp_path, name="Manual_2019_v3.docx"), Plan())
    assert outcome.path == "imported/manual_2019_v3.md"


def test_a_dry_run_writes_nothing(tmp_path: Path, root: Path) -> None:
    assert _ingest(tmp_path, root).take(_docx(tmp_path), Plan(dry_run=True)).status == "would"
    assert list(root.iterdir()) == []


def test_markdown_stays_as_it_was_written(tmp_path: Path, root: Path) -> None:
    source = tmp_path / "note.md"
    source.write_text("---\ntitle: 说明\nowner: desk\n---\n# 说明\n\n**重点** [链接](a.md)\n", "utf-8")
    outcome = _ingest(tmp_path, root).take(source, Plan())
    assert "**重点** [链接](a.md)" in (root / outcome.path).read_text("utf-8")
    assert load(root, outcome.path).facts.owner == "desk"


@pytest.mark.parametrize("into", ["../x", "/etc", "a/../b", "", ".hidden", "C:x"])
def test_folders_that_lead_outside(into: str) -> None:
    with pytest.raises(AlmanacError):
        folder_in(into)


def test_folders_are_three_deep_at_most(tmp_path: Path, root: Path) -> None:
    with pytest.raises(AlmanacError):
        folder_in("a/b/c/d")
    outcome = _ingest(tmp_path, root).take(_docx(tmp_path), Plan("a/b"), "c/d/e")
    assert outcome.path.startswith("a/b/c/cp-50")


def test_a_link_out_of_the_tree_is_not_written_through(tmp_path: Path, root: Path) -> None:
    (tmp_path / "outside").mkdir()
    (root / "imported").symlink_to(tmp_path / "outside")
    with pytest.raises(KnowledgeError):
        _ingest(tmp_path, root).take(_docx(tmp_path), Plan())
    assert list((tmp_path / "outside").iterdir()) == []


def test_sources_of_a_folder(tmp_path: Path) -> None:
    for name in ("b/two.pdf", "one.docx", ".git/x.pdf", "~$one.docx"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text("x")
    assert [(path.name, below) for path, below in sources(tmp_path / "in")] == [("two.pdf", "b"), ("one.docx", "")]


@pytest.mark.slow
def test_killed_at_any_write_it_leaves_whole_documents(tmp_path: Path, root: Path) -> None:
    """Ends the process at each of its writes in turn: the tree holds no half document, and the next run is right."""
    source = _docx(tmp_path)
    for at in range(1, 8):

        def work(at: int = at) -> None:
            calls = 0
            real = os.fsync

            def counted(handle: int) -> None:
                nonlocal calls
                calls += 1
                if calls == at:
                    os.kill(os.getpid(), 9)
                real(handle)

            os.fsync = counted  # type: ignore[assignment]
            _ingest(tmp_path, root).take(source, Plan())

        os.waitpid(run_in_child(work), 0)
        for path in root.rglob("*.md"):
            assert load(root, path.relative_to(root).as_posix()).facts.problems == ()
            assert "预热 30 分钟。" in path.read_text("utf-8")
    assert _ingest(tmp_path, root).take(source, Plan()).status in ("written", "unchanged")
