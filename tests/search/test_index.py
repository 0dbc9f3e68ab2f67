"""kb.search.index: as fresh as the tree; what changed is read, and nothing else."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from kb import device
from kb.search.index import Index
from kb.search.matching import Matches
from kb.search.snapshot import Snapshot
from tests.helpers import document, write
from tests.search.index_helpers import NO_NAMES, holders, opened


def test_only_what_changed_is_read(documents: Path, tmp_path: Path) -> None:
    index = opened(documents, tmp_path / "index")
    assert index.update(NO_NAMES).changed == 0
    write(documents, "d1.md", document("Doc 1", "common fresh"))
    (documents / "d2.md").unlink()
    write(documents, "d9.md", document("Doc 9", "common fresh"))
    report = index.update(NO_NAMES)
    assert (report.changed, report.removed, report.total) == (2, 1, 6)
    assert holders(index, "fresh") == ["d1.md", "d9.md"]
    assert holders(index, "word1") == holders(index, "word2") == []
    index.close()


def test_the_index_is_found_again(documents: Path, tmp_path: Path) -> None:
    opened(documents, tmp_path / "index").close()
    index = Index.open(documents, tmp_path / "index")
    assert index.update(NO_NAMES).changed == 0
    assert holders(index, "word3") == ["d3.md"]
    index.close()


def test_many_small_updates_are_merged_and_stay_right(documents: Path, tmp_path: Path) -> None:
    index = opened(documents, tmp_path / "index")
    for number in range(30):
        write(documents, f"d{number % 6}.md", document("Doc", f"common edition{number}"))
        index.refresh([f"d{number % 6}.md"], NO_NAMES)
    assert index.connection.execute("SELECT count(*) FROM segments").fetchone()[0] <= 9
    assert len(holders(index, "common")) == 6
    assert holders(index, "edition29") == ["d5.md"]
    assert holders(index, "edition23") == []
    index.close()


@pytest.mark.parametrize("helped", [True, False])
def test_many_documents_are_read_by_several(
    empty_tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helped: bool
) -> None:
    """With a helper that works, and with one that dies: the index is the same."""
    monkeypatch.setattr("kb.search.updating._WORTH_HELP", 3)
    monkeypatch.setattr(device, "look", lambda: device.Device(None, 3))
    mine = os.getpid()
    if not helped:
        monkeypatch.setattr("kb.search.updating._plainly", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    for number in range(9):
        write(empty_tree, f"d{number}.md", document(f"Doc {number}", f"common word{number}"))
    write(empty_tree, "bad.md", bytes(range(128, 256)) * 4)
    index = opened(empty_tree, tmp_path / "index")
    assert os.getpid() == mine
    assert len(holders(index, "common")) == 9
    assert all(holders(index, f"word{number}") == [f"d{number}.md"] for number in range(9))
    assert [problem.path for problem in index.problems()] == ["bad.md"]
    assert index.update(NO_NAMES).changed == 0
    index.close()


def test_a_library_is_not_measured_by_its_first_note(empty_tree: Path, tmp_path: Path) -> None:
    """The weights are those of an index that was built at once."""
    write(empty_tree, "note.md", "Hi.")
    grown = opened(empty_tree, tmp_path / "grown")
    for number in range(5):
        write(empty_tree, f"d{number}.md", document(f"Doc {number}", "pump seal filter " * (5 + 9 * number)))
    grown.update(NO_NAMES)
    at_once = opened(empty_tree, tmp_path / "once")

    def weights(index: Index) -> list[float]:
        snapshot = Snapshot(index)
        places = snapshot.sections_with("pump")
        order = [snapshot.paths[snapshot.document_of[place]] for place in places.tolist()]
        found = Matches(snapshot, [snapshot.term("pump")]).weights(places)[0].tolist()
        return [weight for _, weight in sorted(zip(order, found, strict=True))]

    assert weights(grown) == pytest.approx(weights(at_once), abs=0.01)
    assert len(set(weights(grown))) > 3
    grown.close()
    at_once.close()


def test_a_file_that_became_a_link_is_not_followed(documents: Path, tmp_path: Path) -> None:
    index = opened(documents, tmp_path / "index")
    outside = write(tmp_path, "secret.md", document("Secret", "outside words"))
    (documents / "d1.md").unlink()
    (documents / "d1.md").symlink_to(outside)
    index.refresh(["d1.md"], NO_NAMES)
    assert holders(index, "outside") == []
    assert holders(index, "word1") == []
    index.close()


def test_a_touched_file_is_not_news(documents: Path, tmp_path: Path) -> None:
    index = opened(documents, tmp_path / "index")
    os.utime(documents / "d1.md", (1, 1))
    index.update(NO_NAMES)
    assert index.connection.execute("SELECT count(*) FROM segments").fetchone()[0] == 1
    assert holders(index, "word1") == ["d1.md"]
    assert index.update(NO_NAMES).changed == 0
    index.close()


def test_a_document_that_cannot_be_read_does_not_stop_the_others(documents: Path, tmp_path: Path) -> None:
    write(documents, "bad.md", bytes(range(128, 256)) * 4)
    index = Index.open(documents, tmp_path / "index")
    index.update(NO_NAMES)
    assert [problem.path for problem in index.problems()] == ["bad.md"]
    assert len(holders(index, "common")) == 6
    index.close()


def test_a_document_that_cannot_be_read_is_not_news_for_ever(documents: Path, tmp_path: Path) -> None:
    write(documents, "bad.md", bytes(range(128, 256)) * 4)
    index = opened(documents, tmp_path / "index")
    generation = index.generation
    index.update(NO_NAMES)
    assert index.generation == generation
    index.close()


def test_a_problem_is_known_until_it_is_mended(documents: Path, tmp_path: Path) -> None:
    write(documents, "bad.md", bytes(range(128, 256)) * 4)
    write(documents, "date.md", document("Date", "x", valid_to="soon"))
    index = opened(documents, tmp_path / "index")
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
    index = opened(documents, tmp_path / "index")
    write(documents, "d1.md", bytes(range(128, 256)) * 4)
    index.update(NO_NAMES)
    assert holders(index, "word1") == []
    index.close()


def test_a_document_of_a_megabyte_is_indexed(empty_tree: Path, tmp_path: Path) -> None:
    paragraph = "Filler sentence about nothing in particular. " * 12
    body = "\n\n".join(f"{paragraph}needle{n}" if n % 1000 == 0 else paragraph for n in range(2500))
    write(empty_tree, "big.md", document("Big", body))
    index = Index.open(empty_tree, tmp_path / "index")
    index.update(NO_NAMES)
    assert holders(index, "needle2000") == ["big.md"]
    index.close()


def test_folders_in_the_place_of_its_files_give_way(documents: Path, tmp_path: Path) -> None:
    for name in ("index.db", "other.seg"):
        (tmp_path / "i" / name / "inside").mkdir(parents=True)
    index = opened(documents, tmp_path / "i")
    assert holders(index, "word3") == ["d3.md"]
    index.close()
