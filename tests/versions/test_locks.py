"""kb.versions.locks: lock files of the dead are cleared, those of the living respected."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions import locks
from kb.versions.locks import clear_stale, git_at_work, writing
from kb.versions.source import Source
from tests.helpers import git, wait_for, write


def test_lock_files_of_a_killed_git_are_cleared(source: Source) -> None:
    folder = source.git_folder()
    names = ["HEAD.lock", "index.lock", "packed-refs.lock", "refs/heads/main.lock", "refs/tags/kb-1.0.0.lock"]
    for name in names:
        os.utime(write(folder, name, ""), (1, 1))
    with writing(source):
        assert not any((folder / name).exists() for name in names)
    git(source.repository, "commit", "--quiet", "--allow-empty", "-m", "git works again")
    assert clear_stale(folder, source.repository) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_a_lock_file_is_left_while_git_is_at_work(source: Source) -> None:
    folder = source.git_folder()
    assert git_at_work(source.repository, folder) is False
    child = subprocess.Popen(
        ["git", "-C", str(source.repository), "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        wait_for(lambda: git_at_work(source.repository, folder) is True, "git is seen")
        write(folder, "index.lock", "")
        with pytest.raises(AlmanacError) as caught, writing(source):
            pass
        assert caught.value.key == "versions_locked"
        assert (folder / "index.lock").exists()
        # what git holds while it tidies up in the background stops nobody, and is not taken away from it
        (folder / "index.lock").unlink()
        write(folder, "gc.pid.lock", "")
        write(folder, "gc.log.lock", "")
        with writing(source):
            assert (folder / "gc.log.lock").exists()
    finally:
        child.communicate(b"")
    with writing(source):
        assert not (folder / "gc.log.lock").exists()


def test_where_processes_cannot_be_seen_only_an_old_lock_is_cleared(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "git_at_work", lambda repository, folder: None)
    path = write(source.git_folder(), "index.lock", "")
    monkeypatch.setattr(locks, "_YOUNG_S", 0.0)
    with pytest.raises(AlmanacError), writing(source):
        pass
    os.utime(path, (1, 1))
    with writing(source):
        assert not path.exists()


def test_our_own_lock_is_not_taken_for_a_stale_one(source: Source) -> None:
    with writing(source):
        pass
    assert (source.git_folder() / locks.OWN_LOCK).exists()
    assert clear_stale(source.git_folder(), Path(source.repository)) == []


def test_a_young_lock_of_another_program_is_waited_for(source: Source) -> None:
    """Somebody else removes it in a moment; it was not cleared under their hands."""
    path = write(source.git_folder(), "index.lock", "theirs")
    seen: list[bool] = []

    def finish() -> None:
        seen.append(path.exists())
        path.unlink()

    other = threading.Timer(0.2, finish)
    other.start()
    with writing(source):
        other.join()
        assert seen == [True]
