"""Disks that are full or take no large file: backups and bases that were good stay good, nothing half-written stays.

The full disk is a real one: a tmpfs of a few hundred kilobytes, mounted where only the child sees it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions import chain, restore
from tests.helpers import PROJECT, Done, needs_mount
from tests.versions.conftest import Base, files
from tests.versions.conftest import base as base

pytestmark = pytest.mark.slow


def _on_small_disk(place: Path, kilobytes: int, *arguments: str) -> Done:
    """Run the program with what lies in `place` copied to a disk of that size mounted over it, and copied back."""
    place.mkdir(exist_ok=True)
    script = (
        'set -e; kept="$1.kept"; cp -a "$1" "$kept"; mount -t tmpfs -o size="$2"k tmpfs "$1"; cp -a "$kept/." "$1/"; '
        'place="$1"; shift 2; code=0; "$@" || code=$?; rm -rf "$kept"; cp -a "$place" "$kept"; exit $code'
    )
    program = [sys.executable, str(PROJECT / "agent_main.py"), *arguments]
    command = ["unshare", "--mount", "sh", "-c", script, "sh", str(place), str(kilobytes), *program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LANG": "C.UTF-8"})
    shutil.rmtree(place)
    place.with_name(place.name + ".kept").rename(place)
    return Done(done.returncode, done.stdout, done.stderr)


def _grow(base: Base) -> None:
    """Make the next backup larger than what is left of the disk."""
    base.root.joinpath("big.bin").write_bytes(os.urandom(400_000))


@needs_mount
def test_a_full_stick_keeps_the_backups_it_has(base: Base) -> None:
    good = base.backup()
    _grow(base)
    done = _on_small_disk(
        base.backups, 300, "backup", str(base.backups), "--knowledge", str(base.root), "--home", str(base.home)
    )
    assert done.code == 5 and done.clean, done
    assert "full" in done.err or "space" in done.err, done.err
    verdict = chain.verify(base.backups)
    assert verdict.good and [backup.path for backup in verdict.backups] == [good.file]
    assert {path.name for path in base.backups.iterdir()} == {
        good.file.name, f"{good.file.name}.sha256", chain.NAME, ".almanac-backup.lock",
    }  # fmt: skip


@needs_mount
def test_a_full_home_fails_the_backup_and_leaves_nothing(base: Base) -> None:
    _grow(base)
    done = _on_small_disk(
        base.home, 200, "backup", str(base.backups), "--knowledge", str(base.root), "--home", str(base.home)
    )
    assert done.code == 5 and done.clean, done
    assert chain.backups(base.backups) == []
    assert [path.name for path in (base.home / "scratch").iterdir()] == [".almanac-backup.lock"]
    assert base.backup().contents.rows == 3


@needs_mount
def test_a_full_disk_leaves_the_base_that_was_to_be_replaced(base: Base, tmp_path: Path) -> None:
    _grow(base)
    made = base.backup()
    disk = tmp_path / "disk"
    root = disk / "kb"
    shutil.copytree(base.root, root)
    (root / "big.bin").unlink()
    before = files(root)
    done = _on_small_disk(
        disk, 900, "restore", str(made.file), "--yes", "--knowledge", str(root), "--home", str(base.home)
    )
    assert done.code == 5 and done.clean, done
    assert files(root) == before
    assert [path.name for path in disk.iterdir()] == ["kb"]
    assert not restore.unfinished(base.home) and not (base.home / "people.restoring").exists()


def test_a_file_system_that_takes_no_large_file_is_named(base: Base) -> None:
    """As FAT at 4 GB; here the limit is the process's own, at 100 kB."""
    _grow(base)
    code = (
        "import resource, sys; sys.path.insert(0, sys.argv[1]); import agent_main, signal;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000));"
        "sys.exit(agent_main.main(sys.argv[2:]))"
    )
    command = [sys.executable, "-c", code, str(PROJECT), "backup", str(base.backups), "--knowledge", str(base.root)]
    done = subprocess.run([*command, "--home", str(base.home)], capture_output=True, text=True, check=False)
    assert done.returncode == 5
    assert chain.backups(base.backups) == []
    assert not [path for path in base.backups.iterdir() if path.name.startswith(".almanac-tmp")]


def test_a_folder_that_cannot_be_written(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write anywhere, so the refusal is the file system's: a folder below a file."""
    base.backups.parent.joinpath("file").write_text("x")
    with pytest.raises(AlmanacError):
        Base(base.git, base.root, base.home, base.backups.parent / "file" / "below").backup()
