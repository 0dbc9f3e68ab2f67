"""kb.fsio: folders appear and vanish whole, locks go with their processes, leftovers are swept."""

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
from tests.helpers import wait_for


def _names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


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
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert caught.value.key == "disk_full"
    assert _names(tmp_path) == []


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


@pytest.mark.parametrize("begin", [fsio.new_folder, fsio.scratch])
def test_a_folder_that_cannot_be_begun_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: Callable[[Path], AbstractContextManager[Path]]
) -> None:
    def full(**_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with pytest.raises(AlmanacError) as caught, begin(tmp_path / "release"):
        pass
    assert caught.value.key == "disk_full"
