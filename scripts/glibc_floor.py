"""The lowest glibc that an Almanac executable needs, from the symbol versions of every program and library inside.

.venv/bin/python scripts/glibc_floor.py dist/almanac                  what each file needs, the highest last
.venv/bin/python scripts/glibc_floor.py dist/almanac --most           exit code 1 when it is above what is stated
.venv/bin/python scripts/glibc_floor.py dist/almanac --most 2.31      or above this
"""

from __future__ import annotations

import argparse
import re
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import common  # noqa: E402

from kb.errors import AlmanacError  # noqa: E402
from kb.paths import RUNTIME, Part, read_parts  # noqa: E402

# What the README states, and CI holds: Debian 12, Ubuntu 24.04, Fedora 37, and anything newer.
STATED = (2, 36)
ELF = b"\x7fELF"
_VERSION = re.compile(r"Name: GLIBC_(?P<version>\d+\.\d+)")
# Features of the loader that are named instead of numbered, and the glibc that brought them.
_FEATURES = {"GLIBC_ABI_DT_RELR": (2, 36), "GLIBC_ABI_GNU_TLS": (2, 42), "GLIBC_ABI_GNU2_TLS": (2, 42)}

Version = tuple[int, int]


def needed(listing: str) -> Version:
    """The highest glibc version in what `readelf --version-info` lists; (0, 0) when there is none."""
    found = [parse(match["version"]) for match in _VERSION.finditer(listing)]
    found += [version for name, version in _FEATURES.items() if f"Name: {name} " in listing]
    return max(found, default=(0, 0))


def parse(text: str) -> Version:
    """(2, 36) for `2.36`. ValueError for anything else."""
    major, minor = text.split(".")
    return int(major), int(minor)


def programs(executable: Path) -> Iterator[tuple[str, bytes]]:
    """Every ELF file in `executable`, its launcher first, as (where it lies, its bytes)."""
    parts = read_parts(executable)
    with executable.open("rb") as file:
        yield "launcher", file.read(min((part.offset for part in parts), default=-1))
        for part in parts:
            if part.kind == RUNTIME:
                yield from _runtime(file, part)
                continue
            file.seek(part.offset)
            try:
                with tarfile.open(fileobj=file, mode="r:") as archive:
                    yield from _members(archive, part.kind)
            except tarfile.ReadError:  # a model
                continue


def _members(archive: tarfile.TarFile, kind: str) -> Iterator[tuple[str, bytes]]:
    for member in archive:
        stream = archive.extractfile(member) if member.isfile() else None
        if stream is not None and (data := stream.read()).startswith(ELF):
            yield f"{kind}/{member.name}", data


def _runtime(file: IO[bytes], part: Part) -> Iterator[tuple[str, bytes]]:
    """The ELF files of the runtime part: an index (scripts/build_launcher.py), then the bytes of its files in order.

    The index ends where it and the sizes in it make up the whole part.
    """
    file.seek(part.offset)
    files: list[tuple[str, int]] = []
    taken = 0
    while taken < part.size:
        line = file.readline()
        taken += len(line)
        if line.startswith(b"f "):
            _, _, length, _, path = line.decode().rstrip("\n").split(" ", 4)
            files.append((path, int(length)))
            taken += int(length)
    for name, size in files:
        if (data := file.read(size)).startswith(ELF):
            yield f"{part.kind}/{name}", data


def survey(executable: Path) -> dict[str, Version]:
    """The lowest glibc of every program and library in `executable`, by name."""
    found: dict[str, Version] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "program"
        for name, data in programs(executable):
            copy.write_bytes(data)
            found[name] = needed(common.run(["readelf", "--version-info", "--wide", copy]))
    return found


def main() -> None:
    """Command line: print the survey; with --most hold it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executable", type=Path)
    parser.add_argument("--most", nargs="?", type=parse, const=STATED, help="fail when a newer one is needed")
    parser.add_argument("--quiet", action="store_true", help="print the result alone")
    options = parser.parse_args()
    common.need_tools(["readelf"])
    if not options.executable.is_file():
        raise common.ScriptError(f"{options.executable}: no such file")
    try:
        found = survey(options.executable)
    except AlmanacError as error:
        raise common.ScriptError(str(error)) from error
    for name, version in sorted(found.items(), key=lambda item: (item[1], item[0])):
        if not options.quiet:
            print(f"{_written(version):6} {name}")
    highest = max(found.values())
    print(f"{options.executable}: {len(found)} programs and libraries need glibc {_written(highest)}")
    if options.most and highest > options.most:
        newer = [name for name, version in found.items() if version > options.most]
        raise common.ScriptError(f"newer than glibc {_written(options.most)}: {', '.join(newer)}")


def _written(version: Version) -> str:
    return ".".join(map(str, version)) if any(version) else "-"


if __name__ == "__main__":
    common.guarded_main(main)
