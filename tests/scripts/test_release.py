"""What a release is made of."""

from __future__ import annotations

import json
from pathlib import Path

import build_binary
import pytest
import release
import reproduce
import sbom

from tests.helpers import tar_of


def _program(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir()
    (folder / "native.tar").write_bytes(tar_of(files))
    launcher = folder / "launcher"
    launcher.write_bytes(b"ELF")
    build_binary.assemble(launcher, {"native": folder / "native.tar"}, 0, folder / "almanac")
    return folder / "almanac"


def test_the_bill_of_materials_is_read_from_the_executable(tmp_path: Path) -> None:
    written = json.dumps(sbom.document([], "c" * 40)).encode()
    program = _program(tmp_path / "a", {f"licences/{sbom.FILE_NAME}": written})
    assert release.materials_of(program) == written
    assert release.commit_of(written) == "c" * 40


def test_an_executable_without_one_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no bill of materials"):
        release.materials_of(_program(tmp_path / "a", {"git/bin/git": b"g"}))


def test_the_notes_are_the_section_of_the_version() -> None:
    changelog = "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.0.0\n\n- first\n\n## 0.9.0\n\n- old\n"
    assert release.release_notes(changelog, "1.0.0") == "# Almanac 1.0.0\n\n- first\n"
    assert release.release_notes(changelog, "1.1.0") == "# Almanac 1.1.0\n\n- new\n"
    with pytest.raises(ValueError, match="no section"):
        release.release_notes("# Changelog\n", "1.0.0")


def test_files_that_differ_between_two_builds_are_named(tmp_path: Path) -> None:
    one = _program(tmp_path / "a", {"same": b"1", "other": b"1"})
    two = _program(tmp_path / "b", {"same": b"1", "other": b"2"})
    assert reproduce.differences(one, one) == []
    assert reproduce.differences(one, two)[1:] == ["  other"]


def test_a_part_that_grew_is_over_its_budget() -> None:
    sizes = {part: int(limit * 1e6) for part, limit in build_binary.BUDGET_MB.items()}
    assert build_binary.over_budget(sizes, own_models=False) == []
    sizes["native"] += 1_000_000
    sizes["answer"] *= 2
    assert [line.split()[0] for line in build_binary.over_budget(sizes, own_models=False)] == ["answer", "native"]
    assert [line.split()[0] for line in build_binary.over_budget(sizes, own_models=True)] == ["native"]
