"""Build the executable twice from fresh clones in folders of other names, and say whether the files are the same.

Libraries and models come from the cache by digest; the vectors of the documents are made anew each time.
Where the files differ, the parts and the files in them that differ are named. Exit code 1 then.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import common  # noqa: E402

from kb.paths import Part, read_parts  # noqa: E402

_SHARED = ("downloads", "llama", "models", "wheels")


def main() -> int:
    """Build, compare, print."""
    (PROJECT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="reproduce-", dir=PROJECT / "build") as name:
        first, second = (build(Path(name) / place) for place in ("one", "two/of another name"))
        lines = differences(first, second)
        for line in lines:
            print(line)
        if not lines:
            print(f"the same file twice: {common.sha256_file(first)}")
        return 1 if lines else 0


def build(folder: Path) -> Path:
    """Clone the project into `folder`, build with a cache that holds no vectors; returns the executable."""
    common.run(["git", "clone", "--quiet", str(PROJECT), str(folder)])
    (folder / ".venv").symlink_to(PROJECT / ".venv")
    cache = folder / "build" / "cache"
    cache.mkdir(parents=True)
    for shared in _SHARED:
        (cache / shared).symlink_to(common.cache_root(None) / shared)
    print(f"building in {folder}", flush=True)
    command = [sys.executable, str(folder / "scripts" / "build_binary.py"), "--cache", str(cache)]
    subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder / "dist" / "almanac"


def differences(first: Path, second: Path) -> list[str]:
    """What differs between two executables, a line each; empty when they are the same bytes."""
    if common.sha256_file(first) == common.sha256_file(second):
        return []
    lines: list[str] = []
    for part, other in zip(read_parts(first), read_parts(second), strict=True):
        if part.sha256 != other.sha256:
            lines.append(f"{part.kind}: {part.sha256[:16]} {other.sha256[:16]}")
            lines.extend(f"  {name}" for name in _different_members(first, part, second, other))
    return lines or ["only the launcher or the directory block differs"]


def _different_members(first: Path, part: Part, second: Path, other: Part) -> list[str]:
    members = []
    for path, place in ((first, part), (second, other)):
        with path.open("rb") as file:
            file.seek(place.offset)
            try:
                with tarfile.open(fileobj=file, mode="r:") as archive:
                    members.append({entry.name: (entry.mtime, _bytes(archive, entry)) for entry in archive})
            except tarfile.TarError:
                return ["(not an archive)"]
    return sorted(name for name in {*members[0], *members[1]} if members[0].get(name) != members[1].get(name))


def _bytes(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(entry) if entry.isfile() else None
    return file.read() if file is not None else b""


if __name__ == "__main__":
    sys.exit(main())
