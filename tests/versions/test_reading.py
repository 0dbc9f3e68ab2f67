"""kb.versions.reading: commits as a reader wants them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions.git import Git
from kb.versions.reading import CommitReader
from kb.versions.source import Source
from tests.helpers import git, write
from tests.supply.card_helpers import CARD, PATH, repository

pytestmark = pytest.mark.slow


@pytest.fixture
def reader(tmp_path: Path) -> CommitReader:
    root = repository(tmp_path / "知识", **{"pump-e07-reset": CARD})
    found = Git.find(None)
    assert found is not None
    return CommitReader(Source.find(root, found))


def test_a_root_commit_and_a_rename(reader: CommitReader, tmp_path: Path) -> None:
    root = tmp_path / "知识"
    first = reader.read("HEAD", 100_000)
    assert ("A", PATH) in first.files
    assert first.message == "knowledge"
    git(root, "mv", PATH, "cards/machinery/新名.yaml")
    git(root, "commit", "--quiet", "-m", "Rename\n\nwith a body")
    second = reader.read("HEAD", 100_000)
    assert second.files == (("R", "cards/machinery/新名.yaml"),)
    assert second.message == "Rename\n\nwith a body"
    assert reader.read(second.commit, 100_000) == second


def test_a_long_difference_is_cut_and_says_so(reader: CommitReader, tmp_path: Path) -> None:
    write(tmp_path / "知识", "long.md", "行\n" * 5000)
    git(tmp_path / "知识", "add", ".")
    git(tmp_path / "知识", "commit", "--quiet", "-m", "long")
    found = reader.read("HEAD", 500)
    assert (len(found.diff), found.cut) == (500, True)


@pytest.mark.parametrize("name", ["--output=/tmp/almanac-y", "HEAD..HEAD", "HEAD:x", "none", "", "../x", "@{u}"])
def test_what_is_no_revision_is_refused(reader: CommitReader, name: str) -> None:
    with pytest.raises(AlmanacError):
        reader.read(name, 100)
    assert not Path("/tmp/almanac-y").exists()


def test_without_a_repository(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError):
        CommitReader(Source.find(tmp_path, Git("git")))
