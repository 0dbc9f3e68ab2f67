"""kb.search.index: as fresh as the tree, whole after anything, never half."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kb import fsio
from kb.errors import AlmanacError
from kb.search.index import Index
from kb.search.snapshot import Snapshot
from kb.tree.taxonomy import Taxonomy
from tests.helpers import document, run_in_child, wait_for, write

NO_NAMES = Taxonomy()


def _holders(index: Index, term: str) -> list[str]:
    """The documents whose text holds `term`, from the index alone."""
    snapshot = Snapshot(index)
    return sorted(snapshot.paths[snapshot.document_of[place]] for place in snapshot.sections_with(term).tolist())


def _opened(root: Path, folder: Path) -> Index:
    index = Index.open(root, folder)
    index.update(NO_NAMES)
    return index


@pytest.fixture
def documents(empty_tree: Path) -> Path:
    for number in range(6):
        write(empty_tree, f"d{number}.md", document(f"Doc {number}", f"common word{number} oldedition"))
    return empty_tree


def test_only_what_changed_is_read(documents: Path, tmp_path: Path) -> None:
    index = _opened(documents, tmp_path / "index")
    assert index.update(NO_NAMES).changed == 0
    write(documents, "d1.md", document("Doc 1", "common fresh"))
    (documents / "d2.md").unlink()
    write(documents, "d9.md", document("Doc 9", "common fresh"))
    report = index.update(NO_NAMES)
    assert (report.changed, report.removed, report.total) == (2, 1, 6)
    assert _holders(index, "fresh") == ["d1.md", "d9.md"]
    assert _holders(index, "word1") == _holders(index, "word2") == []
    index.close()


def test_the_index_is_found_again(documents: Path, tmp_path: Path) -> None:
    _opened(documents, tmp_path / "index").close()
    index = Index.open(documents, tmp_path / "index")
    assert index.update(NO_NAMES).changed == 0
    assert _holders(index, "word3") == ["d3.md"]
    index.close()


def test_many_small_updates_are_merged_and_stay_right(documents: Path, tmp_path: Path) -> None:
    index = _opened(documents, tmp_path / "index")
    for number in range(30):
        write(documents, f"d{number % 6}.md", document("Doc", f"common edition{number}"))
        index.refresh([f"d{number % 6}.md"], NO_NAMES)
    assert index.connection.execute("SELECT count(*) FROM segments").fetchone()[0] <= 9
    assert len(_holders(index, "common")) == 6
    assert _holders(index, "edition29") == ["d5.md"]
    assert _holders(index, "edition23") == []
    index.close()


@pytest.mark.parametrize("helped", [True, False])
def test_many_documents_are_read_by_two(
    empty_tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helped: bool
) -> None:
    """With a helper that works, and with one that dies: the index is the same."""
    monkeypatch.setattr("kb.search.index._WORTH_HELP", 4)
    monkeypatch.setattr("kb.search.helper.os.cpu_count", lambda: 2)
    mine = os.getpid()
    if not helped:
        monkeypatch.setattr("kb.search.helper.marshal.dumps", lambda value: os.kill(os.getpid(), signal.SIGKILL))
    for number in range(9):
        write(empty_tree, f"d{number}.md", document(f"Doc {number}", f"common word{number}"))
    write(empty_tree, "bad.md", bytes(range(128, 256)) * 4)
    index = _opened(empty_tree, tmp_path / "index")
    assert os.getpid() == mine
    assert len(_holders(index, "common")) == 9
    assert all(_holders(index, f"word{number}") == [f"d{number}.md"] for number in range(9))
    assert [problem.path for problem in index.problems()] == ["bad.md"]
    assert index.update(NO_NAMES).changed == 0
    index.close()


def test_a_library_is_not_measured_by_its_first_note(empty_tree: Path, tmp_path: Path) -> None:
    """The weights are those of an index that was built at once."""
    write(empty_tree, "note.md", "Hi.")
    grown = _opened(empty_tree, tmp_path / "grown")
    for number in range(5):
        write(empty_tree, f"d{number}.md", document(f"Doc {number}", "pump seal filter " * (5 + 9 * number)))
    grown.update(NO_NAMES)
    at_once = _opened(empty_tree, tmp_path / "once")

    def weights(index: Index) -> list[float]:
        snapshot = Snapshot(index)
        places = snapshot.sections_with("pump")
        order = [snapshot.paths[snapshot.document_of[place]] for place in places.tolist()]
        found = snapshot.term("pump").at(places).tolist()
        return [weight for _, weight in sorted(zip(order, found, strict=True))]

    assert weights(grown) == pytest.approx(weights(at_once), abs=0.01)
    assert len(set(weights(grown))) > 3
    grown.close()
    at_once.close()


def test_a_file_that_became_a_link_is_not_followed(documents: Path, tmp_path: Path) -> None:
    index = _opened(documents, tmp_path / "index")
    outside = write(tmp_path, "secret.md", document("Secret", "outside words"))
    (documents / "d1.md").unlink()
    (documents / "d1.md").symlink_to(outside)
    index.refresh(["d1.md"], NO_NAMES)
    assert _holders(index, "outside") == []
    assert _holders(index, "word1") == []
    index.close()


def test_a_read_only_index_of_another_version_is_said(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "index"
    _opened(documents, folder).close()
    connection = sqlite3.connect(folder / "index.db")
    connection.execute("UPDATE meta SET value='0' WHERE key='fingerprint'")
    connection.commit()
    connection.close()
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)
    with pytest.raises(AlmanacError) as caught:
        Index.open(documents, folder)
    assert caught.value.key == "index_unwritable"


def test_a_touched_file_is_not_news(documents: Path, tmp_path: Path) -> None:
    index = _opened(documents, tmp_path / "index")
    os.utime(documents / "d1.md", (1, 1))
    index.update(NO_NAMES)
    assert index.connection.execute("SELECT count(*) FROM segments").fetchone()[0] == 1
    assert _holders(index, "word1") == ["d1.md"]
    assert index.update(NO_NAMES).changed == 0
    index.close()


def test_a_document_that_cannot_be_read_does_not_stop_the_others(documents: Path, tmp_path: Path) -> None:
    write(documents, "bad.md", bytes(range(128, 256)) * 4)
    index = Index.open(documents, tmp_path / "index")
    index.update(NO_NAMES)
    assert [problem.path for problem in index.problems()] == ["bad.md"]
    assert len(_holders(index, "common")) == 6
    index.close()


def test_a_document_that_cannot_be_read_is_not_news_for_ever(documents: Path, tmp_path: Path) -> None:
    write(documents, "bad.md", bytes(range(128, 256)) * 4)
    index = _opened(documents, tmp_path / "index")
    generation = index.generation
    index.update(NO_NAMES)
    assert index.generation == generation
    index.close()


def test_a_problem_is_known_until_it_is_mended(documents: Path, tmp_path: Path) -> None:
    write(documents, "bad.md", bytes(range(128, 256)) * 4)
    write(documents, "date.md", document("Date", "x", valid_to="soon"))
    index = _opened(documents, tmp_path / "index")
    write(documents, "d1.md", document("Doc 1", "changed"))
    index.update(NO_NAMES)
    index.refresh(["d2.md"], NO_NAMES)
    assert sorted(problem.path for problem in index.problems()) == ["bad.md", "date.md"]
    write(documents, "date.md", document("Date", "x", valid_to="2030-01-01"))
    (documents / "bad.md").unlink()
    index.update(NO_NAMES)
    assert index.problems() == []
    index.close()


def test_a_document_that_becomes_unreadable_no_longer_answers(documents: Path, tmp_path: Path) -> None:
    index = _opened(documents, tmp_path / "index")
    write(documents, "d1.md", bytes(range(128, 256)) * 4)
    index.update(NO_NAMES)
    assert _holders(index, "word1") == []
    index.close()


@pytest.mark.parametrize("kind", ["junk", "empty", "half", "page", "fingerprint"])
def test_a_damaged_database_is_rebuilt(documents: Path, tmp_path: Path, kind: str) -> None:
    for number in range(60):
        write(documents, f"more/m{number}.md", document(f"More {number}", "filler text " * 20))
    folder = tmp_path / "index"
    _opened(documents, folder).close()
    path = folder / "index.db"
    data = path.read_bytes()
    assert len(data) > 5 * 4096
    if kind == "fingerprint":
        connection = sqlite3.connect(path)
        connection.execute("UPDATE meta SET value='0' WHERE key='fingerprint'")
        connection.commit()
        connection.close()
    else:
        page = 4096
        damaged = {
            "junk": b"junk" * 1000,
            "empty": b"",
            "half": data[: len(data) // 2 // page * page],
            "page": data[: 2 * page] + b"\xaa" * (len(data) - 2 * page),
        }
        path.write_bytes(damaged[kind])
    index = _opened(documents, folder)
    assert len(_holders(index, "common")) == 6
    index.close()


@pytest.mark.parametrize("damage", ["cut", "empty", "gone", "foreign"])
def test_a_damaged_segment_is_rebuilt(documents: Path, tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "index"
    _opened(documents, folder).close()
    (segment,) = folder.glob("*.seg")
    data = segment.read_bytes()
    if damage == "gone":
        segment.unlink()
    else:
        segment.write_bytes({"cut": data[:-40], "empty": b"", "foreign": b"x" * 200}[damage])
    index = _opened(documents, folder)
    assert len(_holders(index, "common")) == 6
    index.close()


def test_a_read_only_folder_is_used_as_it_is(documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "index"
    _opened(documents, folder).close()
    before = {entry.name: entry.read_bytes() for entry in folder.iterdir()}
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)
    write(documents, "d1.md", document("Doc 1", "changed"))
    index = _opened(documents, folder)
    assert len(_holders(index, "common")) == 6
    assert not index.refresh(["d1.md"], NO_NAMES)
    index.close()
    assert {entry.name: entry.read_bytes() for entry in folder.iterdir()} == before


def test_no_index_and_no_place_for_one_is_said(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)
    with pytest.raises(AlmanacError) as caught:
        Index.open(documents, tmp_path / "index")
    assert caught.value.key == "index_unwritable"


def test_a_full_disk_leaves_the_old_index(documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = _opened(documents, tmp_path / "index")
    generation = index.generation
    write(documents, "d1.md", document("Doc 1", "common fresh"))

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kb.fsio.os.fsync", full)
    with pytest.raises(AlmanacError) as caught:
        index.update(NO_NAMES)
    assert caught.value.key == "disk_full"
    monkeypatch.undo()
    assert index.generation == generation
    assert _holders(index, "word1") == ["d1.md"]
    assert [entry.name for entry in (tmp_path / "index").iterdir() if "tmp" in entry.name] == []
    index.update(NO_NAMES)
    assert _holders(index, "fresh") == ["d1.md"]
    index.close()


def test_segments_that_no_commit_names_are_swept(documents: Path, tmp_path: Path) -> None:
    index = _opened(documents, tmp_path / "index")
    orphan = write(tmp_path / "index", "dead.seg", b"x")
    fresh = write(tmp_path / "index", "fresh.seg", b"x")
    os.utime(orphan, (time.time() - 600,) * 2)
    write(documents, "d1.md", document("Doc 1", "changed"))
    index.update(NO_NAMES)
    assert not orphan.exists()
    assert fresh.exists()
    index.close()


def test_a_document_of_a_megabyte_is_indexed(empty_tree: Path, tmp_path: Path) -> None:
    paragraph = "Filler sentence about nothing in particular. " * 12
    body = "\n\n".join(f"{paragraph}needle{n}" if n % 1000 == 0 else paragraph for n in range(2500))
    write(empty_tree, "big.md", document("Big", body))
    index = Index.open(empty_tree, tmp_path / "index")
    index.update(NO_NAMES)
    assert _holders(index, "needle2000") == ["big.md"]
    index.close()


def _edition(root: Path, number: int) -> None:
    for place in range(8):
        write(root, f"k{place}.md", document(f"Doc {place}", f"common edition{number} " + "padding " * 50))


def _counts(index: Index, number: int) -> tuple[int, int]:
    """Documents of this edition and of the one before, from one state of the index."""
    return len(_holders(index, f"edition{number}")), len(_holders(index, f"edition{number - 1}"))


@pytest.mark.slow
def test_kill_in_the_middle_of_an_update_leaves_old_or_new(empty_tree: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    _edition(empty_tree, 0)
    _opened(empty_tree, folder).close()
    dice = random.Random(7)
    finished = killed = 0
    for number in range(1, 31):
        _edition(empty_tree, number)
        child = run_in_child(lambda: _opened(empty_tree, folder).close())
        time.sleep(dice.uniform(0.0, 0.04))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        killed += os.WIFSIGNALED(status)
        index = Index.open(empty_tree, folder)
        new, old = _counts(index, number)
        assert (new, old) in ((8, 0), (0, 8)), f"round {number}: half an update"
        assert len(_holders(index, "common")) == 8
        finished += new == 8
        index.update(NO_NAMES)
        assert _counts(index, number) == (8, 0)
        index.close()
    assert killed > 8
    assert finished < 30


@pytest.mark.slow
def test_two_processes_update_at_once(empty_tree: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    for number in range(6):
        _edition(empty_tree, number)
        children = [run_in_child(lambda: _opened(empty_tree, folder).close()) for _ in range(3)]
        for child in children:
            _, status = os.waitpid(child, 0)
            assert os.waitstatus_to_exitcode(status) == 0
        index = Index.open(empty_tree, folder)
        assert index.update(NO_NAMES).changed == 0
        assert _counts(index, number) == (8, 0)
        index.close()


def test_a_waiting_process_goes_on_when_the_other_is_done(documents: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index = _opened(documents, folder)
    write(documents, "d1.md", document("Doc 1", "common fresh"))
    done: list[bool] = []

    def update() -> None:
        other = Index.open(documents, folder)
        other.update(NO_NAMES)
        other.close()
        done.append(True)

    with fsio.locked(folder / "lock"):
        thread = threading.Thread(target=update)
        thread.start()
        assert not done
    wait_for(lambda: bool(done), "the second update is done")
    thread.join()
    assert _holders(index, "fresh") == ["d1.md"]
    index.close()


def test_an_update_holds_the_lock_between_processes(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite alone would give up after its busy timeout; the lock waits as long as the other needs."""
    index = _opened(documents, tmp_path / "index")
    free: list[bool] = []
    apply = index._apply

    def watched(*arguments: object, **named: object) -> None:
        with fsio.locked(tmp_path / "index" / "lock", wait=False) as mine:
            free.append(mine)
        apply(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(index, "_apply", watched)
    write(documents, "d1.md", document("Doc 1", "common fresh"))
    index.update(NO_NAMES)
    write(documents, "d1.md", document("Doc 1", "common fresher still"))
    index.refresh(["d1.md"], NO_NAMES)
    assert free == [False, False]
    index.close()


class _Meddling:
    """A connection between whose statements another process commits."""

    def __init__(self, connection: sqlite3.Connection, meddle: Callable[[], None]) -> None:
        self.connection = connection
        self.meddle = meddle
        self.done = False

    def execute(self, statement: str, *parameters: object) -> sqlite3.Cursor:
        if "FROM segments" in statement and not self.done:
            self.done = True
            self.meddle()
        return self.connection.execute(statement, *parameters)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> object:
        return getattr(self.connection, name)


def test_a_snapshot_is_one_state_of_the_index(documents: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index = _opened(documents, folder)

    def other_process() -> None:
        for number in range(6):
            write(documents, f"d{number}.md", document(f"Doc {number}", f"fresh{number}"))
        try:
            other = Index.open(documents, folder)
            other.connection.execute("PRAGMA busy_timeout=0")
            other.update(NO_NAMES)
            other.close()
        except sqlite3.OperationalError:
            pass  # the reader's transaction kept it out: as good

    index.connection = _Meddling(index.connection, other_process)  # type: ignore[assignment]
    snapshot = Snapshot(index)
    for number in range(6):
        for term in (f"word{number}", f"fresh{number}"):
            places = snapshot.sections_with(term).tolist()
            assert {snapshot.paths[snapshot.document_of[place]] for place in places} <= {f"d{number}.md"}
    assert int(snapshot.alive.sum()) == 6
    assert (snapshot.document_of < len(snapshot.ids)).all()
