"""Files on a medium from outside: which media there are, what lies on them, and reading it with suspicion.

Only plain files directly in a folder are seen, never what a link points to; names written in a file are compared, never
opened. A medium may be pulled at any moment, so every read may fail.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError

FOLDER = "almanac"
"""The folder on a medium that is looked into as well."""
DIGEST_SUFFIX = ".sha256"
DIGEST_LIST = "SHA256SUMS"
_MOUNTS = Path("/proc/self/mounts")
_PARENTS = ("/media/", "/run/media/", "/mnt/", "/Volumes/")
_MOST_FILES = 1000
_MOST_DIGESTS = 1 << 20
_CHUNK = 1 << 20
_ESCAPED = re.compile(r"\\([0-7]{3})")
_LINE = re.compile(r"([0-9a-fA-F]{64})(?: [ *](.*))?")


Report = Callable[[int, int], None]
"""Called with the bytes that are done and their number."""


@dataclass(frozen=True, slots=True)
class Digests:
    """Of a file's bytes: SHA-256 (64 hexadecimal digits), BLAKE2b-512 (64 bytes), and how many there are."""

    sha256: str
    blake2b: bytes
    size: int


def places() -> list[Path]:
    """The removable media that are mounted now, and the folder for updates on each of them."""
    if sys.platform == "darwin":
        try:
            return sorted(path for path in Path("/Volumes").iterdir() if path.is_mount() and path.stat().st_dev > 0)
        except OSError:
            return []
    try:
        return mounted(_MOUNTS.read_text("utf-8", "surrogateescape"))
    except OSError:
        return []


def mounted(table: str) -> list[Path]:
    """The mount points in a table as /proc/self/mounts that lie where systems put removable media."""
    found: list[Path] = []
    for line in table.splitlines():
        fields = line.split(" ")
        if len(fields) > 2:
            name = _ESCAPED.sub(lambda match: chr(int(match[1], 8)), fields[1])
            if name.startswith(_PARENTS) and fields[0].startswith("/dev/"):
                found.append(Path(name))
    return sorted(set(found))


def files(place: Path) -> list[Path]:
    """The plain files in `place` and in its folder for updates, in order.

    AlmanacError when `place` cannot be read or holds too many.
    """
    found: list[Path] = []
    for folder in (place, place / FOLDER):
        try:
            if folder != place and not stat.S_ISDIR(folder.lstat().st_mode):
                continue
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_file(follow_symlinks=False) and not entry.name.startswith("."):
                        found.append(Path(entry.path))
                    if len(found) > _MOST_FILES:
                        raise AlmanacError("update_too_many", path=folder, most=_MOST_FILES)
        except OSError as error:
            if folder == place:
                raise lost(place, error) from error
    return sorted(found)


def lost(path: Path, error: OSError) -> AlmanacError:
    """The message for a medium that cannot be read, or not any more."""
    return AlmanacError("update_medium", path=path, reason=error.strerror or str(error))


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """A plain file, opened without following a link or waiting for a pipe. KnowledgeError for anything else."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except OSError as error:
        if path.is_symlink():
            raise KnowledgeError("update_not_plain", path=path) from error
        raise lost(path, error) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise KnowledgeError("update_not_plain", path=path)
    with os.fdopen(handle, "rb") as file:
        yield file


def small(path: Path, most: int) -> str | None:
    """The text of a small file beside another; None when it is not there. KnowledgeError when it is too large."""
    if not os.path.lexists(path):
        return None
    with opened(path) as file:
        try:
            data = file.read(most + 1)
        except OSError as error:
            raise lost(path, error) from error
    if len(data) > most:
        raise KnowledgeError("update_side_file", path=path)
    return data.decode("utf-8", "surrogateescape")


def read(
    path: Path,
    take: Callable[[bytes], object] = lambda piece: None,
    report: Report = lambda done, size: None,
    stop: threading.Event | None = None,
) -> Digests:
    """Read a file to its end, each piece handed to `take`; `report` gets bytes done and their number.

    AlmanacError when the medium is gone or holds fewer bytes than it said; KeyboardInterrupt when `stop` was set.
    """
    sha256, blake2b, done = hashlib.sha256(), hashlib.blake2b(), 0
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        while True:
            try:
                piece = file.read(_CHUNK)
            except OSError as error:
                raise lost(path, error) from error
            if not piece:
                break
            sha256.update(piece)
            blake2b.update(piece)
            done += len(piece)
            take(piece)
            report(done, size)
            if stop is not None and stop.is_set():
                raise KeyboardInterrupt
    if done != size:
        raise AlmanacError("update_medium", path=path, reason=f"{done} / {size}")
    return Digests(sha256.hexdigest(), blake2b.digest(), size)


def copy(
    path: Path,
    target: Path,
    check: Callable[[Digests], object],
    report: Report = lambda done, size: None,
    stop: threading.Event | None = None,
    mode: int = 0o644,
) -> Digests:
    """Copy a file from the medium to `target`, which appears only when `check` raised nothing."""
    with opened(path) as file:
        fsio.need_space(target.parent, os.fstat(file.fileno()).st_size)
    with fsio.replacing(target, mode) as out:
        digests = read(path, out.write, report, stop)
        check(digests)
    return digests


def noted_digests(path: Path) -> set[str]:
    """What the files beside `path` (`<name>.sha256`, `SHA256SUMS`) say its SHA-256 is: one, none, or at odds.

    KnowledgeError when its own digest file holds none for it.
    """
    found: set[str] = set()
    own = path.with_name(path.name + DIGEST_SUFFIX)
    for side in (own, path.with_name(DIGEST_LIST)):
        text = small(side, _MOST_DIGESTS)
        if text is None:
            continue
        lines = [match for line in text.splitlines() if (match := _LINE.fullmatch(line.rstrip("\r")))]
        names = {path.name} if side != own else {path.name, None}
        listed = {match[1].lower() for match in lines if match[2] in names}
        if side == own and not listed:
            raise KnowledgeError("update_side_file", path=side)
        found |= listed
    return found
