"""kb.search.index: several processes, and ones that are killed: the old index or the new one, never half."""

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
from kb.search import building, merging, updating
from kb.search.index import Index
from kb.search.snapshot import Snapshot
from tests.helpers import document, run_in_child, wait_for, write
from tests.search.index_helpers import NO_NAMES, holders, opened


def _edition(root: Path, number: int) -> None:
    for place in range(8):
        write(root, f"k{place}.md", document(f"Doc {place}", f"common edition{number} " + "padding " * 50))


def _counts(index: Index, number: int) -> tuple[int, int]:
    """Documents of this edition and of the one before, from one state of the index."""
    return len(holders(index, f"edition{number}")), len(holders(index, f"edition{number - 1}"))


@pytest.mark.slow
@pytest.mark.parametrize("small", [False, True], ids=["as it is", "many segments, joined"])
def test_kill_in_the_middle_of_an_update_leaves_old_or_new(
    empty_tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: bool
) -> None:
    folder = tmp_path / "index"
    if small:
        monkeypatch.setattr(building, "_OCCURRENCES_PER_SEGMENT", 60)
        monkeypatch.setattr(merging, "_SMALL", 1)
        monkeypatch.setattr(merging, "_LARGEST", 8)
    _edition(empty_tree, 0)
    opened(empty_tree, folder).close()
    dice = random.Random(7)
    finished = killed = 0
    for number in range(1, 31):
        _edition(empty_tree, number)
        child = run_in_child(lambda: opened(empty_tree, folder).close())
        time.sleep(dice.uniform(0.0, 0.04))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        killed += os.WIFSIGNALED(status)
        index = Index.open(empty_tree, folder)
        new, old = _counts(index, number)
        assert (new, old) in ((8, 0), (0, 8)), f"round {number}: half an update"
        assert len(holders(index, "common")) == 8
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
        children = [run_in_child(lambda: opened(empty_tree, folder).close()) for _ in range(3)]
        for child in children:
            _, status = os.waitpid(child, 0)
            assert os.waitstatus_to_exitcode(status) == 0
        index = Index.open(empty_tree, folder)
        assert index.update(NO_NAMES).changed == 0
        assert _counts(index, number) == (8, 0)
        index.close()


def test_a_waiting_process_goes_on_when_the_other_is_done(documents: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index = opened(documents, folder)
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
    assert holders(index, "fresh") == ["d1.md"]
    index.close()


def test_an_update_holds_the_lock_between_processes(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite alone would give up after its busy timeout; the lock waits as long as the other needs."""
    index = opened(documents, tmp_path / "index")
    free: list[bool] = []
    apply = updating._apply

    def watched(*arguments: object, **named: object) -> None:
        with fsio.locked(tmp_path / "index" / "lock", wait=False) as mine:
            free.append(mine)
        apply(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(updating, "_apply", watched)
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
    index = opened(documents, folder)

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
