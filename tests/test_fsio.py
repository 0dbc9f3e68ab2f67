"""kb.fsio: files are written whole or not at all, and nothing is left behind. (Folders: test_fsio_folders.py.)"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from kb import fsio
from kb.errors import AlmanacError
from tests.helpers import run_in_child, wait_for


def _names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def _full(*_: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class _FullFile:
    """A file on a disk that is full: takes some bytes, then refuses."""

    def __init__(self, handle: int, mode: str) -> None:
        self.file = open(handle, mode)  # noqa: SIM115

    def __enter__(self) -> _FullFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def write(self, data: bytes) -> int:
        self.file.write(data[: len(data) // 2])
        self.file.flush()
        _full()


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "new" / "a.txt"
    fsio.write_text(target, "one\n大豆")
    fsio.write_text(target, "two")
    assert target.read_bytes() == b"two"
    assert _names(target.parent) == ["a.txt"]


def test_a_stick_whose_driver_knows_no_modes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def chmod(self: Path, mode: int) -> NoReturn:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(Path, "chmod", chmod)
    fsio.write_text(tmp_path / "a", "x")
    assert (_names(tmp_path), (tmp_path / "a").read_text()) == (["a"], "x")


@pytest.mark.parametrize("place", ["write", "fsync", "replace"])
def test_disk_full_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    target = tmp_path / "a.txt"
    fsio.write_text(target, "old")
    if place == "write":
        monkeypatch.setattr("kb.fsio.os.fdopen", _FullFile)
    else:
        monkeypatch.setattr(f"kb.fsio.os.{place}", _full)
    with pytest.raises(AlmanacError) as caught:
        fsio.write_text(target, "new " * 100_000)
    monkeypatch.undo()
    assert caught.value.key == "disk_full"
    assert "MB free" in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert target.read_text() == "old"
    assert _names(tmp_path) == ["a.txt"]


def test_an_exception_in_the_block_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    fsio.write_text(target, "old")
    with pytest.raises(ZeroDivisionError), fsio.replacing(target) as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert target.read_text() == "old"
    assert _names(tmp_path) == ["a.txt"]


def _steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The syncs and renames of what is done from now on, in order."""
    steps: list[str] = []
    sync = os.fsync

    def fsync(handle: int) -> None:
        steps.append("sync folder" if Path(f"/proc/self/fd/{handle}").is_dir() else "sync file")
        sync(handle)

    def noted(step: str, real: Callable[..., None]) -> Callable[..., None]:
        def done(*arguments: object, **options: object) -> None:
            steps.append(step)
            real(*arguments, **options)

        return done

    monkeypatch.setattr("kb.fsio.os.fsync", fsync)
    for name in ("replace", "rename", "unlink"):
        monkeypatch.setattr(f"kb.fsio.os.{name}", noted(name, getattr(os, name)))
    return steps


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc")
@pytest.mark.parametrize(
    ("change", "steps"),
    [
        (lambda folder: fsio.write_text(folder / "b", "text"), ["sync file", "replace", "sync folder"]),
        (lambda folder: fsio.write_at(folder / "a", 4, b"more"), ["sync file"]),
        (lambda folder: fsio.move_over(folder / "a", folder / "b"), ["replace", "sync folder"]),
        (lambda folder: fsio.move(folder / "a", folder / "b"), ["rename", "sync folder"]),
        (lambda folder: fsio.move(folder / "a", folder / "inner" / "b"), ["rename", "sync folder", "sync folder"]),
        (lambda folder: fsio.remove_file(folder / "a"), ["unlink", "sync folder"]),
        (lambda folder: fsio.remove_folder(folder / "inner"), ["rename", "sync folder"]),
    ],
)
def test_bytes_and_names_are_synced_before_they_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], steps: list[str]
) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "a").write_text("text")
    done = _steps(monkeypatch)
    change(tmp_path)
    monkeypatch.undo()
    assert done[: len(steps)] == steps
    assert "replace" not in done[len(steps) :] and "rename" not in done[len(steps) :]


@pytest.mark.parametrize(
    ("number", "key"),
    [
        (errno.EROFS, "not_writable"),
        (errno.EACCES, "not_writable"),
        (errno.EDQUOT, "disk_full"),
        (errno.EIO, "write_failed"),
    ],
)
def test_the_reason_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, key: str) -> None:
    def refuse(*_: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("kb.fsio.os.replace", refuse)
    with pytest.raises(AlmanacError) as caught:
        fsio.write_text(tmp_path / "a.txt", "x")
    assert caught.value.key == key
    assert str(tmp_path) in str(caught.value)


def test_bytes_are_written_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "grows"
    fsio.write_at(target, 0, b"abcdef")
    fsio.write_at(target, 2, b"XY")
    assert target.read_bytes() == b"abXYef"
    monkeypatch.setattr("kb.fsio.os.write", _full)
    with pytest.raises(AlmanacError) as caught:
        fsio.write_at(target, 6, b"more")
    assert caught.value.key == "disk_full"


def test_a_short_write_is_carried_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr("kb.fsio.os.write", lambda handle, data: real(handle, bytes(data)[:3]))
    fsio.write_at(tmp_path / "a", 0, b"0123456789")
    assert (tmp_path / "a").read_bytes() == b"0123456789"


@pytest.mark.slow
def test_kill_at_any_moment_leaves_old_or_new(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    fsio.write_text(target, "0" * 50_000)

    def rewrite_for_ever() -> None:
        digit = 0
        while True:
            digit = (digit + 1) % 10
            fsio.write_text(target, str(digit) * 50_000)

    for _ in range(25):
        child = run_in_child(rewrite_for_ever)
        before = target.stat().st_ino
        wait_for(lambda inode=before: target.stat().st_ino != inode, "the child writes")  # type: ignore[misc]
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        text = target.read_text()
        assert len(text) == 50_000
        assert len(set(text)) == 1


def test_a_file_can_be_made_executable(tmp_path: Path) -> None:
    fsio.write_text(tmp_path / "run", "#!/bin/sh\n")
    fsio.make_executable(tmp_path / "run")
    assert os.access(tmp_path / "run", os.X_OK)
    with pytest.raises(AlmanacError):
        fsio.make_executable(tmp_path / "none")


def test_a_file_that_another_program_writes_gets_its_name_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "a.bundle"
    with fsio.beside(target, ".x") as temporary:
        temporary.write_text("whole")
        assert temporary.suffix == ".x" and not target.exists()
    assert target.read_text() == "whole"
    with pytest.raises(KeyError), fsio.beside(target) as temporary:
        temporary.write_text("half")
        raise KeyError
    with pytest.raises(AlmanacError), fsio.beside(tmp_path / "never written"):
        pass
    assert _names(tmp_path) == ["a.bundle"]
    assert target.read_text() == "whole"


def test_a_name_is_never_taken_from_something_else(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").write_text("b")
    with pytest.raises(AlmanacError):
        fsio.move(tmp_path / "a", tmp_path / "b")
    (tmp_path / "c").symlink_to("nowhere")
    with pytest.raises(AlmanacError):
        fsio.move(tmp_path / "b", tmp_path / "c")
    fsio.move(tmp_path / "a", tmp_path / "d")
    fsio.sync_tree(tmp_path)
    fsio.remove_file(tmp_path / "b")
    fsio.remove_file(tmp_path / "b")
    assert _names(tmp_path) == ["c", "d"]


def test_a_file_takes_the_place_of_another(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("1")
    second.write_text("2")
    fsio.move_over(first, second)
    assert _names(tmp_path) == ["b"] and second.read_text() == "1"
    with pytest.raises(AlmanacError) as caught:
        fsio.move_over(first, second)
    assert caught.value.key == "write_failed"


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_gets_a_second_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool) -> None:
    def no_links(*_: object) -> NoReturn:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    path, target = tmp_path / "a", tmp_path / "b"
    path.write_text("new")
    path.chmod(0o755)
    target.write_text("old")
    fsio.second_name(path, target)
    assert _names(tmp_path) == ["a", "b"]
    assert target.read_text() == "new" and target.stat().st_mode & 0o777 == 0o755
    assert target.samefile(path) is has_links
    fsio.write_text(path, "newer")
    assert target.read_text() == "new"


def test_a_file_gets_the_rights_that_it_is_to_have(tmp_path: Path) -> None:
    with fsio.replacing(tmp_path / "a", 0o750) as file:
        file.write(b"#!/bin/sh")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o750


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_private_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    fsio.write_text(tmp_path / "secret", "大豆", 0o600)
    assert (tmp_path / "secret").read_text("utf-8") == "大豆"
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
