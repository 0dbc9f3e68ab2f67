"""kb.fsio: written whole or not at all, and nothing left behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
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


def test_bytes_and_folder_are_synced_before_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    sync, replace = os.fsync, os.replace

    def fsync(handle: int) -> None:
        steps.append("sync folder" if Path(f"/proc/self/fd/{handle}").is_dir() else "sync file")
        sync(handle)

    def rename(source: str, target: Path) -> None:
        steps.append("rename")
        replace(source, target)

    monkeypatch.setattr("kb.fsio.os.fsync", fsync)
    monkeypatch.setattr("kb.fsio.os.replace", rename)
    fsio.write_text(tmp_path / "a.txt", "text")
    assert steps == ["sync file", "rename", "sync folder"]


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


def test_a_folder_appears_complete(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "kb"
    with fsio.new_folder(target) as folder:
        (folder / "sub").mkdir()
        (folder / "sub" / "a").write_text("x")
        assert not target.exists()
    assert (target / "sub" / "a").read_text() == "x"
    assert _names(target.parent) == ["kb"]


def test_a_folder_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError) as caught, fsio.new_folder(tmp_path / "kb") as folder:
        (folder / "a").write_text("half")
        _full()
    assert caught.value.key == "disk_full"
    assert _names(tmp_path) == []


@pytest.mark.parametrize("made", [fsio.new_folder, fsio.scratch])
def test_a_place_that_takes_no_folder_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Callable[[Path], AbstractContextManager[Path]]
) -> None:
    def refuse(**_: object) -> str:
        raise PermissionError(errno.EACCES, "denied")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(AlmanacError) as caught, made(tmp_path / "kb"):
        pytest.fail("the block is not entered")
    assert caught.value.key == "not_writable"


def test_the_copy_of_another_process_stays(tmp_path: Path) -> None:
    target = tmp_path / "kb"
    with fsio.new_folder(target) as folder:
        (folder / "a").write_text("ours")
        target.mkdir()
        (target / "a").write_text("theirs")
    assert (target / "a").read_text() == "theirs"
    assert _names(tmp_path) == ["kb"]


def test_what_a_killed_process_left_is_swept_when_old(tmp_path: Path) -> None:
    leftover = tmp_path / ".almanac-tmp-abc"
    leftover.write_text("half")
    folder = tmp_path / ".almanac-tmp-folder"
    folder.mkdir()
    (folder / "x").write_text("half")
    kept = tmp_path / "a.txt"
    kept.write_text("whole")
    now = leftover.stat().st_mtime
    assert fsio.sweep_temporaries(tmp_path, 3600, now) == 0
    assert fsio.sweep_temporaries(tmp_path, 3600, now + 7200) == 2
    assert _names(tmp_path) == ["a.txt"]
    assert fsio.sweep_temporaries(tmp_path / "none", 1, now) == 0


def test_a_lock_is_held_between_processes_and_goes_with_them(tmp_path: Path) -> None:
    lock, marker = tmp_path / "lock", tmp_path / "held"
    code = (
        "import sys,time; from pathlib import Path; from kb import fsio\n"
        "with fsio.locked(Path(sys.argv[1])):\n Path(sys.argv[2]).touch(); time.sleep(60)"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(lock), str(marker)], cwd=Path(__file__).parent.parent)
    try:
        wait_for(marker.exists, "the child holds the lock")
        with fsio.locked(lock, wait=False) as mine:
            assert not mine
        child.send_signal(signal.SIGKILL)
        child.wait(10)
        with fsio.locked(lock, wait=False) as mine:
            assert mine
    finally:
        child.kill()
        child.wait(10)


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


def test_writability_is_tried_not_asked(tmp_path: Path) -> None:
    assert fsio.is_writable(tmp_path / "made")
    assert _names(tmp_path / "made") == []
    file = tmp_path / "file"
    file.write_text("")
    assert not fsio.is_writable(file)
    assert not fsio.is_writable(Path("/proc/almanac"))
    with pytest.raises(AlmanacError):
        fsio.make_folder(file / "below")


def test_space_is_asked_for_before_a_large_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsio.need_space(tmp_path / "not" / "yet", 1000)
    monkeypatch.setattr(fsio, "free_mb", lambda folder: 97)
    with pytest.raises(AlmanacError) as caught:
        fsio.need_space(tmp_path, 100_000_000)
    assert caught.value.key == "no_space"
    assert "101 MB are needed, 97 MB are free" in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_folder_vanishes_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    fsio.place(folder / "docs" / "a.md", b"text", 1_000_000_000 * 10**9)
    assert (folder / "docs" / "a.md").stat().st_mtime == 1_000_000_000
    fsio.place_copy(folder / "docs" / "a.md", folder / "more" / "b.md")
    assert (folder / "more" / "b.md").read_bytes() == b"text"
    assert (folder / "more" / "b.md").stat().st_mtime == 1_000_000_000
    fsio.remove_folder(folder)
    assert _names(tmp_path) == []
    fsio.remove_folder(folder)
    fsio.remove_file(tmp_path / "none")
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(AlmanacError):
        fsio.place(file / "a", b"")
    with pytest.raises(AlmanacError):
        fsio.place_copy(file, file / "a")
    fsio.remove_file(file)
    assert _names(tmp_path) == []


def test_a_folder_gives_way_to_a_new_one_only_when_that_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "release"
    for text in ("one", "two"):
        with fsio.new_folder(target, replace=True) as folder:
            (folder / "a").write_text(text)
            assert not target.exists() or (target / "a").read_text() == "one"
    assert (target / "a").read_text() == "two"
    with pytest.raises(RuntimeError), fsio.new_folder(target, replace=True):
        raise RuntimeError
    assert (target / "a").read_text() == "two"
    assert _names(tmp_path) == ["release"]


def test_a_shared_lock_is_held_by_many_and_seen_by_the_exclusive_one(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with fsio.shared(lock), fsio.shared(lock), fsio.locked(lock, wait=False) as alone:
        assert not alone
    with fsio.locked(lock, wait=False) as alone:
        assert alone


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


def test_a_scratch_folder_goes_with_write_protected_files(tmp_path: Path) -> None:
    with fsio.scratch(tmp_path / "s") as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "object").write_text("x")
        (folder / "inner" / "object").chmod(0o444)
        (folder / "inner").chmod(0o555)
        assert fsio.sweep_temporaries(tmp_path / "s", 1000, 0) == 0
    assert _names(tmp_path / "s") == []
    fsio.remove_tree(tmp_path / "none")
    (tmp_path / "link").symlink_to(tmp_path / "s")
    fsio.remove_tree(tmp_path / "link")
    assert _names(tmp_path) == ["s"]


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


def test_whether_a_program_can_be_run_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fsio.can_run(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
    (tmp_path / "file").touch()
    assert not fsio.can_run(tmp_path / "file")
    with monkeypatch.context() as fat:
        fat.setattr(Path, "chmod", lambda self, mode: None)  # FAT: no error, no change
        assert not fsio.can_run(tmp_path)
    flags = os.statvfs(tmp_path)

    class NoExec:
        f_flag = flags.f_flag | os.ST_NOEXEC

    monkeypatch.setattr(os, "statvfs", lambda folder: NoExec)
    assert not fsio.can_run(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_private_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    fsio.write_text(tmp_path / "secret", "大豆", 0o600)
    assert (tmp_path / "secret").read_text("utf-8") == "大豆"
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
