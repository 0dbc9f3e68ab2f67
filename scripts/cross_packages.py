"""Lay the locked Python packages of another processor into a folder, without running anything of that processor.

pip takes ready-made wheels for the platform that it is told, with the hashes of requirements/run.lock and, for what
PyInstaller needs, of requirements/dev.lock. llama-cpp-python's bindings are Python alone: the wheel that
scripts/bootstrap.py keeps is unpacked. Result: `<cache>/<arch>/site/<digest>`, printed on standard output.

    .venv/bin/python scripts/cross_packages.py --arch aarch64
"""

from __future__ import annotations

import argparse
import re
import sys
import zipfile
from pathlib import Path

import bootstrap
import common

PYTHON = (3, 11)  # of Debian 12, which the executable is made in
NEWEST_GLIBC = 36  # 2.36: Debian 12 again; a wheel for a newer one would not load there
# What PyInstaller 6 consists of; the rest of dev.lock is for tests.
BUILD_PACKAGES = ("altgraph", "packaging", "pyinstaller", "pyinstaller-hooks-contrib", "setuptools")
_NAME = re.compile(r"^(?P<name>[a-z0-9._-]+)==", re.MULTILINE)


def entries(lock: str) -> dict[str, str]:
    """The entries of a lock file's text by package name; a package with several versions has one entry with all."""
    starts = [match.start() for match in _NAME.finditer(lock)]
    found: dict[str, str] = {}
    for start, end in zip(starts, [*starts[1:], len(lock)], strict=True):
        entry = lock[start:end]
        name = entry.partition("==")[0]
        found[name] = found.get(name, "") + entry
    return found


def wanted(run_lock: str, dev_lock: str) -> str:
    """Text of a requirements file: all of `run_lock` and PyInstaller. ScriptError when dev.lock lacks a part of it."""
    run, dev = entries(run_lock), entries(dev_lock)
    missing = [name for name in BUILD_PACKAGES if name not in dev]
    if missing:
        raise common.ScriptError(f"requirements/dev.lock has no {', '.join(missing)}")
    return "".join({**run, **{name: dev[name] for name in BUILD_PACKAGES}}.values())


def platforms(arch: str) -> list[str]:
    """pip's names of the platforms whose wheels run there, newest first."""
    return [*(f"manylinux_2_{minor}_{arch}" for minor in range(NEWEST_GLIBC, 16, -1)), f"manylinux2014_{arch}"]


def lay(root: Path, project: Path, arch: str, progress: common.Progress) -> Path:
    """The folder with the packages for `arch` below the cache `root`, made first if it is not there.

    ScriptError when this Python is not the target's version (pip judges the lock's conditions by the one it runs in),
    or when pip cannot get a wheel that the lock allows.
    """
    if sys.version_info[:2] != PYTHON:
        raise common.ScriptError(f"packages for another processor have to be chosen by Python {PYTHON[0]}.{PYTHON[1]}")
    locks = [bootstrap.lock_file(project, level).read_text(encoding="utf-8") for level in ("run", "dev")]
    text = wanted(*locks)
    digest = common.sha256_json([arch, text, common.LLAMA_SDIST_SHA256, NEWEST_GLIBC])[:24]
    final = root / arch / "site" / digest
    with common.locked(final.parent / f"{digest}.lock", lambda: progress.update("waiting for another run")):
        if final.is_dir():
            return final
        total = len(entries(text))
        seen = 0

        def on_line(line: str) -> None:
            nonlocal seen
            seen += line.startswith("Collecting ")
            progress.update(f"{total} packages for {arch}", min(seen / total, 1.0))

        pip = common.pip_command(root)
        bindings = bootstrap.bindings_wheel(root, pip, progress)
        with common.staged_folder(final) as staging, common.scratch_folder(final) as work:
            requirements = work / "requirements.txt"
            requirements.write_text(text, encoding="utf-8")
            command = [*pip, "install", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
            command += ["--no-compile", "--implementation", "cp", "--python-version", f"{PYTHON[0]}.{PYTHON[1]}"]
            command += [word for name in platforms(arch) for word in ("--platform", name)]
            command += ["--require-hashes", "--requirement", str(requirements), "--target", str(staging)]
            common.run(command, on_line=on_line)
            with zipfile.ZipFile(bindings) as archive:
                archive.extractall(staging)
    progress.done(f"packages for {arch}: {final}")
    return final


def main() -> None:
    """Command line: lay the packages, then print their folder."""
    parser = argparse.ArgumentParser(description="Python packages for another processor.")
    parser.add_argument("--arch", default="aarch64")
    parser.add_argument("--cache", type=Path, help="cache folder instead of ~/.cache/almanac")
    parser.add_argument("--quiet", action="store_true", help="print nothing but the result")
    options = parser.parse_args()
    progress = common.Progress(quiet=options.quiet)
    print(lay(common.cache_root(options.cache), bootstrap.PROJECT, options.arch, progress))


if __name__ == "__main__":
    common.guarded_main(main)
