"""Put a release together in dist/release: executables, bill of materials, checksums, release notes.

The executables are those in dist/ (`make binary`, scripts/build_arm64.sh); each is named by version and machine.
Nothing is uploaded. Exit code 1 when an executable was not built from the commit checked out, or the tree is not clean.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import common  # noqa: E402
import sbom  # noqa: E402

from kb import __version__  # noqa: E402
from kb.paths import packed_files  # noqa: E402

_MACHINES = {"almanac": "linux-x86_64", "almanac-aarch64": "linux-aarch64"}


def main() -> int:
    """Gather dist/release."""
    commit = _git("rev-parse", "HEAD")
    if _git("status", "--porcelain", "--untracked-files=no"):
        print("the work tree has changes that are not committed: a release is made of a commit", file=sys.stderr)
        return 1
    target = PROJECT / "dist" / "release"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name, machine in _MACHINES.items():
        program = PROJECT / "dist" / name
        if not program.is_file():
            print(f"{machine}: dist/{name} is not there, left out")
            continue
        materials = materials_of(program)
        if (built := commit_of(materials)) != commit:
            print(f"dist/{name} was built from {built[:10]}, not from {commit[:10]}: build it again", file=sys.stderr)
            return 1
        label = f"almanac-{__version__}-{machine}"
        shutil.copy2(program, target / label)
        (target / f"{label}.{sbom.FILE_NAME}").write_bytes(materials)
    notes = release_notes((PROJECT / "CHANGELOG.md").read_text("utf-8"), __version__)
    (target / "RELEASE_NOTES.md").write_text(notes, "utf-8")
    files = sorted(path for path in target.iterdir() if path.name != "SHA256SUMS")
    sums = "".join(f"{common.sha256_file(path)}  {path.name}\n" for path in files)
    (target / "SHA256SUMS").write_text(sums, "utf-8")
    print(sums, end="")
    print(f"release {__version__} of {commit[:10]} in {target}")
    return 0


def materials_of(program: Path) -> bytes:
    """The bill of materials inside an executable; ValueError when there is none."""
    for name, data in packed_files(program, "native"):
        if name == f"licences/{sbom.FILE_NAME}":
            return data
    raise ValueError(f"{program}: no bill of materials inside")


def commit_of(materials: bytes) -> str:
    """The commit that a bill of materials names."""
    properties = json.loads(materials)["metadata"]["component"]["properties"]
    return str(next(entry["value"] for entry in properties if entry["name"] == "commit"))


def release_notes(changelog: str, version: str) -> str:
    """The changelog's section of `version`, else the one of what is not released yet.

    Raises ValueError when there is neither.
    """
    for title in (version, "Unreleased"):
        _, found, rest = changelog.partition(f"\n## {title}\n")
        if found:
            return f"# Almanac {version}\n\n{rest.partition(chr(10) + '## ')[0].strip()}\n"
    raise ValueError("CHANGELOG.md has no section for this version")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(PROJECT), *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
