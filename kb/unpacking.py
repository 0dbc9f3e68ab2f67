"""A part of the executable, unpacked once into a folder: complete or not at all, again where a cleaner took of it."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import tarfile
import time
from dataclasses import dataclass
from pathlib import Path

from kb import fsio
from kb.config import ProgressReport
from kb.errors import AlmanacError

_LOCK = ".lock"
# In an unpacked folder: the size of each file by its name.
_SIZES = "sizes.json"


@dataclass(frozen=True, slots=True)
class Archive:
    """A tar archive in `executable`: `offset` and `size` in bytes. What is below the folder `growing` may change."""

    executable: Path
    offset: int
    size: int
    sha256: str
    growing: str


def unpacked(archive: Archive, target: Path, report: ProgressReport) -> Path:
    """`target`, with what `archive` holds.

    Earlier editions beside it go, but for the newest: it may be running still, or be started again. AlmanacError when
    the archive is damaged or the disk has no room.
    """
    if _is_whole(target, archive.growing):
        return target
    parent = target.parent
    fsio.need_space(parent, archive.size)
    with fsio.locked(parent / _LOCK):
        if not _is_whole(target, archive.growing):  # another copy was faster
            fsio.sweep_temporaries(parent, 0, time.time() + 1)  # of killed ones: nobody else is here
            report("unpack", 0, 1)
            _unpack(archive, target)
            report("unpack", 1, 1)
            _forget_older(target)
    return target


def _unpack(archive: Archive, target: Path) -> None:
    content = _content(archive)
    with fsio.new_folder(target, replace=True) as folder:
        try:
            with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as members:
                _extract(members, folder)
                sizes = {member.name: member.size for member in members.getmembers() if member.isfile()}
        except tarfile.TarError as error:
            raise AlmanacError("executable_damaged", path=str(archive.executable), reason=str(error)) from error
        fsio.write_text(folder / _SIZES, json.dumps(sizes))


def _content(archive: Archive) -> bytes:
    """The archive's bytes (some 30 MB), held in memory so that those that were checked are those that are unpacked: a
    stick in trouble may read otherwise the next time."""
    try:
        with archive.executable.open("rb") as file:
            file.seek(archive.offset)
            content = file.read(archive.size)
    except OSError as error:
        reason = error.strerror or str(error)
        raise AlmanacError("executable_damaged", path=str(archive.executable), reason=reason) from error
    if hashlib.sha256(content).hexdigest() != archive.sha256:
        raise AlmanacError("executable_damaged", path=str(archive.executable), reason="checksum")
    return content


def _is_whole(folder: Path, growing: str) -> bool:
    """Whether everything that was unpacked lies there in its size."""
    try:
        sizes = json.loads((folder / _SIZES).read_text("utf-8"))
        return all(
            (folder / name).stat().st_size == size for name, size in sizes.items() if not name.startswith(f"{growing}/")
        )
    except (OSError, ValueError, AttributeError):
        return False


def _extract(members: tarfile.TarFile, folder: Path) -> None:
    """Unpack into `folder`; TarError for a member that would lie elsewhere or is no file or folder."""
    if hasattr(tarfile, "data_filter"):
        members.extractall(folder, filter="data")
        return
    # Python before 3.11.4 (Debian 12 has 3.11.2) has no filters.
    root = folder.resolve()
    for member in members.getmembers():
        if not (member.isfile() or member.isdir()) or not (root / member.name).resolve().is_relative_to(root):
            raise tarfile.ReadError(member.name)
    members.extractall(folder)


def _forget_older(current: Path) -> None:
    with contextlib.suppress(OSError):
        others = [path for path in current.parent.iterdir() if path != current and len(path.name) == len(current.name)]
        for old in sorted(others, key=lambda path: path.stat().st_mtime)[:-1]:
            fsio.remove_folder(old)
