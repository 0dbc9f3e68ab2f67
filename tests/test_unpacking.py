"""kb.unpacking: complete or not at all, again where something was taken, never outside its folder."""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
from pathlib import Path

import pytest

from kb import fsio
from kb.config import no_progress
from kb.errors import AlmanacError
from kb.unpacking import Archive, unpacked
from tests.helpers import tar_of

FILES = {"docs/a.md": b"# A", "index/index.db": b"db", "history.bundle": b"b"}
LEAD = b"\x7fELF launcher"


def _archive(path: Path, content: bytes) -> Archive:
    """In a file, behind something else."""
    path.write_bytes(LEAD + content)
    return Archive(path, len(LEAD), len(content), hashlib.sha256(content).hexdigest(), growing="index")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return _archive(tmp_path / "almanac", tar_of(FILES))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "kb" / "0123"


def test_it_is_unpacked_once(archive: Archive, target: Path) -> None:
    phases: list[str] = []
    for _ in range(2):
        assert unpacked(archive, target, lambda phase, done, total: phases.append(phase)) == target
    assert {name: (target / name).read_bytes() for name in FILES} == FILES
    assert phases == ["unpack", "unpack"]


@pytest.mark.parametrize("harm", ["gone", "cut", "emptied", "no list"])
def test_what_a_cleaner_took_is_unpacked_again(archive: Archive, target: Path, harm: str) -> None:
    unpacked(archive, target, no_progress)
    if harm == "gone":
        (target / "docs" / "a.md").unlink()
    elif harm == "cut":
        (target / "docs" / "a.md").write_bytes(b"#")
    elif harm == "emptied":  # a process that still runs makes its index anew
        shutil.rmtree(target / "docs")
        (target / "history.bundle").unlink()
    else:
        (target / "sizes.json").unlink()
    unpacked(archive, target, no_progress)
    assert {name: (target / name).read_bytes() for name in FILES} == FILES
    assert not list(target.parent.glob(".almanac-tmp-*"))


def test_what_grew_is_kept(archive: Archive, target: Path) -> None:
    index = unpacked(archive, target, no_progress) / "index" / "index.db"
    index.write_bytes(b"more of it")
    unpacked(archive, target, no_progress)
    assert index.read_bytes() == b"more of it"


def test_what_a_killed_start_left_goes_with_the_next(archive: Archive, target: Path) -> None:
    left = target.parent / ".almanac-tmp-x"
    (left / "docs").mkdir(parents=True)
    unpacked(archive, target, no_progress)
    assert not left.exists()


def test_of_earlier_editions_only_the_newest_is_kept(archive: Archive, tmp_path: Path) -> None:
    made: list[Path] = []
    for number in range(4):
        folder = unpacked(archive, tmp_path / "kb" / f"000{number}", no_progress)
        os.utime(folder, (1000 + number, 1000 + number))
        made.append(folder)
    assert sorted((tmp_path / "kb").glob("[!.]*")) == sorted(made[-2:])


@pytest.fixture(params=["filters", "no filters"])
def _either_python(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Python 3.11.4 and later unpacks, and as the 3.11.2 of Debian 12 does."""
    if request.param == "no filters":
        monkeypatch.delattr(tarfile, "data_filter", raising=False)


@pytest.mark.usefixtures("_either_python")
def test_every_python_unpacks(archive: Archive, target: Path) -> None:
    assert (unpacked(archive, target, no_progress) / "docs" / "a.md").read_bytes() == b"# A"


@pytest.mark.usefixtures("_either_python")
def test_an_archive_holds_no_links(tmp_path: Path, target: Path) -> None:
    link = tarfile.TarInfo("docs")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc"
    with pytest.raises(AlmanacError):
        unpacked(_archive(tmp_path / "almanac", link.tobuf() + tar_of({})), target, no_progress)


@pytest.mark.usefixtures("_either_python")
@pytest.mark.parametrize("name", ["../evil", "../../evil", "docs/../../evil"])
def test_an_archive_cannot_write_outside(tmp_path: Path, target: Path, name: str) -> None:
    with pytest.raises(AlmanacError) as caught:
        unpacked(_archive(tmp_path / "almanac", tar_of({name: b"x"})), target, no_progress)
    assert caught.value.key == "executable_damaged"
    assert not list(tmp_path.rglob("evil"))
    assert [path.name for path in target.parent.iterdir()] == [".lock"]


@pytest.mark.parametrize("harm", ["one byte", "zeros", "cut", "gone"])
def test_a_damaged_archive_leaves_nothing_that_a_good_copy_would_take_for_whole(
    archive: Archive, target: Path, harm: str
) -> None:
    good = archive.executable.read_bytes()
    place = good.index(FILES["docs/a.md"])
    if harm == "one byte":
        archive.executable.write_bytes(good[:place] + b"!" + good[place + 1 :])
    elif harm == "zeros":  # to tar an end without members
        archive.executable.write_bytes(good[: len(LEAD)] + bytes(archive.size))
    elif harm == "cut":
        archive.executable.write_bytes(good[: place + 1])
    else:
        archive.executable.unlink()
    with pytest.raises(AlmanacError) as caught:
        unpacked(archive, target, no_progress)
    assert caught.value.key == "executable_damaged"
    assert [path.name for path in target.parent.iterdir()] == [".lock"]
    archive.executable.write_bytes(good)
    assert (unpacked(archive, target, no_progress) / "docs" / "a.md").read_bytes() == FILES["docs/a.md"]


def test_too_little_space_is_said_before_anything_is_written(
    archive: Archive, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fsio, "free_mb", lambda folder: 0)
    with pytest.raises(AlmanacError) as caught:
        unpacked(archive, target, no_progress)
    assert caught.value.key == "no_space"
    assert not target.parent.exists() or not list(target.parent.iterdir())
