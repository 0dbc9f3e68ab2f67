"""One writer at a time in a repository, and the lock files that a killed git leaves behind.

git refuses to work beside a `.lock` file and does not know whose it is. Ours is the only program that writes here while
it holds `almanac.lock`; so a lock file that no running git can own is removed, and one that may be owned is respected.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError
from kb.versions.source import Source

OWN_LOCK = "almanac.lock"
# Where processes cannot be looked at (no /proc), a lock file this old is taken for forgotten: git holds one for
# seconds, a person's editor for a commit message does not hold the index.
FORGOTTEN_S = 600.0
# Other programs than git write repositories too, and are done in less than this.
_YOUNG_S = 2.0
# git tidies up by itself behind large commits, for a minute and longer: these hold back nobody but the next tidying.
_TIDYING = ("gc.pid.lock", "gc.log.lock")


@contextlib.contextmanager
def writing(source: Source) -> Iterator[None]:
    """Hold the repository for writing; lock files of dead processes are cleared first.

    AlmanacError when another program seems to be at work in it.
    """
    folder = source.git_folder()
    with fsio.locked(folder / OWN_LOCK):
        clear_stale(folder, source.repository)
        yield


def clear_stale(folder: Path, repository: Path) -> list[str]:
    """Remove what killed git processes left locked in the git folder; returns the names of what was removed."""
    found = [path for path in _lock_files(folder) if path.name != OWN_LOCK]
    if not found:
        return []
    busy = git_at_work(repository, folder)
    if busy:
        found = [path for path in found if path.name not in _TIDYING]
    while any(path.exists() and 0 <= _age(path) < _YOUNG_S for path in found):
        time.sleep(0.05)
    for path in found:
        if not path.exists():
            continue
        if busy or (busy is None and _age(path) < FORGOTTEN_S):
            raise AlmanacError("versions_locked", path=path)
    for path in found:
        fsio.remove_file(path)
    return [path.relative_to(folder).as_posix() for path in found]


def _lock_files(folder: Path) -> list[Path]:
    """The lock files of index, HEAD, packed references, configuration and single references."""
    return sorted([*folder.glob("*.lock"), *(folder / "refs").rglob("*.lock")])


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return FORGOTTEN_S


def git_at_work(repository: Path, folder: Path) -> bool | None:
    """Whether a git process runs in the repository; None where the system does not say."""
    processes = Path("/proc")
    if not (processes / "self" / "cwd").exists():
        return None
    places = [place.resolve() for place in (repository, folder)]
    for process in processes.iterdir():
        if not process.name.isdigit():
            continue
        try:
            if not (process / "comm").read_text().startswith("git"):
                continue
            words = (process / "cmdline").read_bytes()
            if (process / "stat").read_text().rpartition(")")[2].split()[0] in ("Z", "X"):
                continue
            cwd = (process / "cwd").readlink()
        except OSError:
            continue  # it ended meanwhile, or belongs to somebody who is not let in here
        if any(cwd.is_relative_to(place) or os.fsencode(place) in words for place in places):
            return True
    return False
