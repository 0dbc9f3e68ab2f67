"""kb.versions.committing: what Almanac commits is checked as in people's own git."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions import committing, repository
from kb.versions.committing import check_staged, commit, listed
from kb.versions.git import Git
from kb.versions.snapshot import Author
from kb.versions.source import Source
from tests.helpers import DAY, git, has_git, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
GOOD = "---\ntitle: 大豆\nversion: 1.0\ndate_updated: 2024-01-01\n{}---\n# 大豆\n"
PATH = "作物_2024.md"
NOBODY = Author("", "")


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """A repository with a document that keeps the contract."""
    made = repository.create(tmp_path.resolve() / "knowledge", Git.find(None))
    write(made.root, "a/soybean_2024.md", GOOD.format(""))
    done, report = commit(made, "docs(大豆): 开始", NOBODY, ["a/soybean_2024.md", ".gitignore"], DAY)
    assert done and not report.broken
    return made


def test_a_good_change_is_committed_with_its_author(source: Source) -> None:
    write(source.root, "a/soybean_2024.md", GOOD.format("keywords: [x]\n"))
    done, _ = commit(source, "docs(大豆): 加关键词\n\n细节", Author("agronomy-desk", ""), ["a/soybean_2024.md"], DAY)
    shown = git(source.root, "log", "-1", "--format=%H|%an|%s|%b").strip()
    assert shown == f"{done}|agronomy-desk|docs(大豆): 加关键词|细节"
    assert repository.status(source).changes == (repository.Changed("A", ".gitattributes", False),)


def test_a_deleted_document_is_committed(source: Source) -> None:
    (source.root / "a/soybean_2024.md").unlink()
    assert commit(source, "docs(大豆): 删除", NOBODY, ["a/soybean_2024.md"], DAY)[0]
    assert "soybean" not in git(source.root, "ls-tree", "-r", "HEAD")


def test_what_breaks_the_contract_is_not_committed(source: Source) -> None:
    before = git(source.root, "rev-parse", "HEAD")
    write(source.root, "a/bad_2024.md", "no front matter ![x](images/none_2024.png)")
    done, report = commit(source, "docs(x): y", NOBODY, ["a/bad_2024.md"], DAY)
    assert done == ""
    assert [finding.rule for finding in report.findings] == ["front-matter-missing", "image-missing"]
    assert git(source.root, "rev-parse", "HEAD") == before


@pytest.mark.parametrize("message", ["x", "docs(x):y", "", "--amend"])
def test_a_message_without_the_form_changes_nothing(source: Source, message: str) -> None:
    write(source.root, "a/new_2024.md", GOOD.format(""))
    with pytest.raises(AlmanacError) as caught:
        commit(source, message, NOBODY, ["a/new_2024.md"], DAY)
    assert caught.value.key.startswith("message_")
    assert git(source.root, "diff", "--cached", "--name-only") == ""


def test_nothing_to_commit(source: Source) -> None:
    with pytest.raises(AlmanacError) as caught:
        commit(source, "docs(x): y", NOBODY, [], DAY)
    assert caught.value.key == "nothing_to_commit"


def test_what_is_staged_while_the_check_runs_is_not_committed(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    write(source.root, "a/good_2024.md", GOOD.format(""))
    write(source.root, "a/bad_2024.md", "broken")
    before = git(source.root, "rev-parse", "HEAD")

    def meanwhile(*arguments: object) -> object:
        report = check_staged(*arguments)  # type: ignore[arg-type]
        git(source.root, "add", "a/bad_2024.md")
        return report

    monkeypatch.setattr(committing, "check_staged", meanwhile)
    with pytest.raises(AlmanacError) as caught:
        commit(source, "docs(a): good", NOBODY, ["a/good_2024.md"], DAY)
    assert caught.value.key == "staged_meanwhile"
    assert git(source.root, "rev-parse", "HEAD") == before


def test_what_is_staged_counts_not_what_lies_on_disk(source: Source) -> None:
    write(source.root, "a/soybean_2024.md", "broken")
    repository.stage(source, ["a/soybean_2024.md"])
    write(source.root, "a/soybean_2024.md", GOOD.format(""))
    assert check_staged(source, source.staged(), DAY).broken
    write(source.root, "a/soybean_2024.md", "broken again")
    git(source.root, "reset", "--quiet")
    assert not check_staged(source, source.staged(), DAY).broken


def test_images_that_are_not_staged_are_missing(source: Source) -> None:
    write(source.root, "a/pic_2024.md", GOOD.format("") + "![x](images/p_2024.png) [y](soybean_2024.md)")
    write(source.root, "a/images/p_2024.png", "x")
    repository.stage(source, ["a/pic_2024.md"])
    report = check_staged(source, source.staged(), DAY)
    assert [finding.rule for finding in report.findings] == ["image-missing"]
    repository.stage(source, ["a/images/p_2024.png"])
    assert not check_staged(source, source.staged(), DAY).findings


def test_an_id_must_be_the_only_one_of_the_tree(source: Source) -> None:
    write(source.root, "a/one_2024.md", GOOD.format("id: x\n"))
    assert commit(source, "docs(a): one", NOBODY, ["a/one_2024.md"], DAY)[0]
    write(source.root, "a/two_2024.md", GOOD.format("id: x\n"))
    done, report = commit(source, "docs(a): two", NOBODY, ["a/two_2024.md"], DAY)
    assert (done, [finding.rule for finding in report.findings]) == ("", ["id-twice"])


def test_what_a_hook_passes_on_is_read_like_the_index(source: Source) -> None:
    write(source.root, f"a/{PATH}", GOOD.format(""))
    write(source.root, ".hidden/x.md", "x")
    repository.stage(source, [f"a/{PATH}", ".hidden/x.md"])
    listing = git(source.root, "ls-files", "-s", "-z").encode()
    assert [(one.path, one.blob) for one in listed(source, listing)] == [
        (one.path, one.blob) for one in source.staged()
    ]
    assert listed(source, b"garbage\0\xff\tx\0100644 a\tb\0") == []


def test_documents_in_a_folder_of_a_repository(tmp_path: Path) -> None:
    """The knowledge is docs/ of a project: what lies beside it is not checked."""
    git(tmp_path, "init", "--quiet", "-b", "main")
    write(tmp_path, "docs/a/x_2024.md", GOOD.format(""))
    write(tmp_path, "notes.md", "no front matter")
    git(tmp_path, "add", "-A")
    source = Source.find(tmp_path.resolve() / "docs", Git.find(None))
    assert [one.path for one in listed(source, git(tmp_path, "ls-files", "-s", "-z").encode())] == ["a/x_2024.md"]
    done, report = commit(source, "docs(a): x", NOBODY, None, DAY)
    assert done
    assert report.documents == 1
