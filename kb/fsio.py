"""The only module that opens files for writing: everything is written whole, or not at all.

Order of steps (data loss otherwise): temporary file in the same folder, write, fsync, rename, fsync of the
folder. A reader sees the old file or the new one, also after `kill -9` or a power cut.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from kb.errors import AlmanacError

_TEMPORARY = ".almanac-tmp-"


def _explain(error: OSError, path: Path) -> AlmanacError:
    """The message for a failed write: full, read-only, or otherwise."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return AlmanacError("disk_full", path=str(path.parent), free=free_mb(path.parent))
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return AlmanacError("not_writable", path=str(path), reason=error.strerror)
    return AlmanacError("write_failed", path=str(path), reason=error.strerror or str(error))


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """AlmanacError in place of an OSError: why `path` could not be written."""
    try:
        yield
    except OSError as error:
        raise _explain(error, path) from error


def free_mb(folder: Path) -> int:
    """Free space in MB of the file system that holds `folder` (or its nearest existing parent)."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free // 1_000_000


def need_space(folder: Path, size: int) -> None:
    """Raise before a large write when `size` bytes do not fit, so that nothing half-written is left."""
    free = free_mb(folder)
    wanted = -(-size // 1_000_000) + 1
    if free < wanted:
        raise AlmanacError("no_space", path=str(folder), free=free, wanted=wanted)


def sync_folder(folder: Path) -> None:
    """Make a rename inside `folder` durable (POSIX; elsewhere the file system does it)."""
    if os.name == "posix":
        _sync(folder)


def make_folder(folder: Path) -> Path:
    """Create `folder` and its parents; AlmanacError when that is not possible."""
    with _explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def replacing(path: Path, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """Open a temporary file that takes the place of `path` when the block ends without an exception."""
    make_folder(path.parent)
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=_TEMPORARY, dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            with contextlib.suppress(OSError):  # some drivers of sticks know no modes
                Path(temporary).chmod(mode)
            os.fsync(file.fileno())
        Path(temporary).replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise _explain(error, path) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()


def write_bytes(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write `data` to `path`, atomically and durably."""
    with replacing(path, mode) as file:
        file.write(data)


def write_text(path: Path, data: str, mode: int = 0o644) -> None:
    """Write UTF-8 text with `\\n` line ends, atomically and durably."""
    write_bytes(path, data.encode("utf-8"), mode)


def write_at(path: Path, offset: int, data: bytes) -> None:
    """Write `data` at byte `offset` of a file that grows, and sync it.

    For append-only data files: the caller commits a record that names the bytes only after this returns, so
    whatever lies beyond the last named byte is garbage of an interrupted run and is overwritten.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            os.lseek(handle, offset, os.SEEK_SET)
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise _explain(error, path) from error


def place(path: Path, data: bytes, mtime_ns: int | None = None) -> None:
    """Write a file of a folder that is still being made (`new_folder` syncs all of it at its end), folders included."""
    try:
        try:
            path.write_bytes(data)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if mtime_ns is not None:
            os.utime(path, ns=(mtime_ns, mtime_ns))
    except OSError as error:
        raise _explain(error, path) from error


def place_copy(source: Path, target: Path) -> None:
    """As `place`, with the bytes and times of `source`."""
    with _explained(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def remove_file(path: Path) -> None:
    """Delete a file, durably; nothing if it is not there."""
    with _explained(path):
        path.unlink(missing_ok=True)
        sync_folder(path.parent)


def make_executable(path: Path) -> None:
    """Let everybody run a file that was written before."""
    with _explained(path):
        path.chmod(0o755)


def remove_folder(target: Path) -> None:
    """Take `target` away at once, then free its space: a crash in between leaves a temporary that is swept later."""
    temporary = target.parent / f"{_TEMPORARY}{target.name}"
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        target.rename(temporary)
        sync_folder(target.parent)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _explain(error, target) from error
    shutil.rmtree(temporary, ignore_errors=True)


@contextlib.contextmanager
def new_folder(target: Path, *, replace: bool = False) -> Iterator[Path]:
    """A temporary folder beside `target` that becomes `target` when the block ends without an exception.

    When another process placed `target` meanwhile, its copy stays and ours is dropped; with `replace`, what is there
    gives way only then, for no longer than a rename takes.
    """
    temporary = _temporary_folder(target.parent)
    try:
        yield temporary
        for folder, _, files in os.walk(temporary):
            for name in files:
                _sync(Path(folder, name))
            sync_folder(Path(folder))
        old = target.parent / f"{_TEMPORARY}{target.name}"
        if replace and target.is_dir():
            shutil.rmtree(old, ignore_errors=True)
            target.rename(old)
        try:
            temporary.rename(target)
        except OSError:
            if not target.is_dir():
                raise
        sync_folder(target.parent)
        if replace:
            shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise _explain(error, target) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextlib.contextmanager
def beside(target: Path, suffix: str = "") -> Iterator[Path]:
    """A temporary name beside `target` for a program that writes the file itself; it becomes `target` at the end."""
    make_folder(target.parent)
    temporary = target.parent / f"{_TEMPORARY}{os.getpid()}-{target.stem}{suffix}"
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise _explain(error, target) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


@contextlib.contextmanager
def scratch(parent: Path) -> Iterator[Path]:
    """A temporary folder in `parent` that is gone when the block ends; one of a killed process is swept later."""
    temporary = _temporary_folder(parent)
    try:
        yield temporary
    finally:
        remove_tree(temporary)


def _temporary_folder(parent: Path) -> Path:
    make_folder(parent)
    with _explained(parent):
        return Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=parent))


def remove_tree(folder: Path) -> None:
    """Delete `folder` and all in it, write-protected files (as git makes them) included; nothing if it is not there."""

    def unprotect(function: Callable[[str], object], name: str, _: object) -> None:
        with contextlib.suppress(OSError):
            Path(name).chmod(stat.S_IRWXU)
            function(name)

    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder, onerror=unprotect)


def move(source: Path, target: Path) -> None:
    """Give a file or folder another name on the same file system, durably; never over something that is there."""
    with _explained(target):
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        source.rename(target)
        for folder in {source.parent, target.parent}:
            sync_folder(folder)


def move_over(source: Path, target: Path) -> None:
    """Give a file the name `target` in the same folder, durably, in place of what has that name."""
    with _explained(target):
        source.replace(target)
        sync_folder(target.parent)


def second_name(path: Path, target: Path) -> None:
    """Let `target` be the file that `path` is, in place of what has that name: by a link, or by a copy where the file
    system has none (FAT)."""
    link = target.parent / f"{_TEMPORARY}{os.getpid()}-{target.name}"
    try:
        link.unlink(missing_ok=True)
        os.link(path, link)
    except OSError:
        with replacing(target, stat.S_IMODE(path.stat().st_mode)) as copied, path.open("rb") as file:
            shutil.copyfileobj(file, copied, 1 << 20)
        return
    move_over(link, target)


def sync_tree(folder: Path) -> None:
    """Make everything below `folder` durable, written by whatever program."""
    if hasattr(os, "sync"):
        os.sync()  # one call; ten thousand times fsync takes a minute on a memory card
        return
    for inner, _, files in os.walk(folder):
        for name in files:
            _sync(Path(inner, name))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep_temporaries(folder: Path, older_than_s: float, now: float) -> int:
    """Remove what a killed process left half-written in `folder`; returns how many were removed."""
    removed = 0
    if not folder.is_dir():
        return removed
    for entry in folder.iterdir():
        if not entry.name.startswith(_TEMPORARY):
            continue
        with contextlib.suppress(OSError):
            if now - entry.stat().st_mtime > older_than_s:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
                removed += 1
    return removed


@contextlib.contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """An exclusive lock between processes on the file `path`; yields False when `wait` is off and it is held.

    The lock goes with the process, so `kill -9` never leaves it behind.
    """
    handle = _lock_file(path)
    try:
        yield _take(handle, wait)
    finally:
        os.close(handle)


@contextlib.contextmanager
def shared(path: Path) -> Iterator[None]:
    """A lock that many processes hold at once, and that `locked` on the same file waits for (or sees as held)."""
    handle = _lock_file(path)
    try:
        _take(handle, True, exclusive=False)
        yield
    finally:
        os.close(handle)


def _lock_file(path: Path) -> int:
    make_folder(path.parent)
    with _explained(path):
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)


def _take(handle: int, wait: bool, *, exclusive: bool = True) -> bool:
    if sys.platform == "win32":
        import msvcrt

        if not exclusive:
            return True  # no shared locks there, and a folder with open files cannot be removed anyway
        try:
            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
        fcntl.flock(handle, kind | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def can_run(folder: Path) -> bool:
    """Whether a program that is put into `folder` can be run from there: not on FAT, nor where `noexec` is set."""
    if os.name != "posix":
        return True
    try:
        make_folder(folder)
        if os.statvfs(folder).f_flag & os.ST_NOEXEC:
            return False
        with tempfile.NamedTemporaryFile(prefix=_TEMPORARY, dir=folder) as probe:
            path = Path(probe.name)
            path.chmod(0o700)  # FAT says yes and leaves it as it was
            return os.access(path, os.X_OK)
    except (OSError, AlmanacError):
        return False


def is_writable(folder: Path) -> bool:
    """Whether a file can really be made in `folder` (permissions, read-only media and quotas included)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(prefix=_TEMPORARY, dir=folder) as probe:
            probe.write(b"x")
    except OSError:
        return False
    return True
