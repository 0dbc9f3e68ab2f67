"""kb.versions.plumbing: commits to single files; killed at any step, branch, index and files agree again."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.versions.git import Git
from kb.versions.plumbing import NewCommit, Repository
from tests.helpers import git, has_git, run_in_child, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
NOW = 1_790_000_000.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A knowledge root inside a repository, not at its top, with odd names."""
    top = tmp_path / "仓 库"
    top.mkdir()
    git(top, "init", "--quiet", "-b", "main")
    write(top, "docs/cards/a/one.yaml", "one\n")
    write(top, 'docs/cards/农机/二 "x".yaml', "two\n")
    write(top, "other.txt", "other\n")
    git(top, "add", ".")
    git(top, "commit", "--quiet", "-m", "first")
    return top / "docs"


def opened(root: Path) -> Repository:
    return Repository.open(root, Git.find(None))


def _commit(*files: tuple[str, str], message: str = "change", merges: tuple[str, ...] = ()) -> NewCommit:
    return NewCommit(message, "Almanac worker", {path: text.encode() for path, text in files}, merges)


def test_one_commit_a_change_and_nothing_else_moves(root: Path) -> None:
    write(root, "cards/a/person.yaml", "unfinished\n")
    write(root.parent, "other.txt", "edited\n")
    repository = opened(root)
    with repository.locked():
        first = _commit(("cards/a/one.yaml", "1\n"), message="policy(cards): 一")
        repository.commit([first, _commit(('cards/农机/二 "x".yaml', "2\n"))], NOW)
    assert git(root.parent, "log", "--format=%an %s").splitlines() == [
        "Almanac worker change", "Almanac worker policy(cards): 一", "Test first",
    ]  # fmt: skip
    assert (root / "cards/a/one.yaml").read_text() == "1\n"
    assert git(root.parent, "-c", "core.quotePath=false", "status", "--porcelain").splitlines() == [
        " M other.txt",
        "?? docs/cards/a/person.yaml",
    ]
    assert git(root.parent, "fsck", "--strict", "--no-dangling") == ""


def test_new_files_and_new_folders(root: Path) -> None:
    repository = opened(root)
    with repository.locked():
        repository.commit([_commit(("cards/新/x.yaml", "x\n"))], NOW)
    assert (root / "cards/新/x.yaml").read_text() == "x\n"
    assert git(root.parent, "status", "--porcelain") == ""


def test_what_a_person_edits_stays(root: Path) -> None:
    write(root, "cards/a/one.yaml", "by hand\n")
    repository = opened(root)
    assert repository.edited(repository.head().commit, ["cards/a/one.yaml", "cards/a/none.yaml"]) == {
        "cards/a/one.yaml"
    }
    with repository.locked():
        repository.commit([_commit(("cards/a/one.yaml", "1\n"))], NOW)
    assert (root / "cards/a/one.yaml").read_text() == "by hand\n"
    assert repository.content(repository.head().commit, "cards/a/one.yaml") == b"1\n"


def test_branches_are_made_without_touching_the_work_tree(root: Path) -> None:
    repository = opened(root)
    head = repository.head()
    tip = repository.record(head.commit, [_commit(("cards/a/one.yaml", "new\n"))], NOW, "refs/heads/proposal/x")
    assert repository.head() == head
    assert git(root.parent, "status", "--porcelain") == ""
    assert repository.references("refs/heads/proposal/") == [("refs/heads/proposal/x", tip)]
    assert repository.content(tip, "cards/a/one.yaml") == b"new\n"
    assert repository.content(tip, "cards/a/none.yaml") is None
    assert repository.merge_base(head.commit, tip) == head.commit
    assert repository.changed(head.commit, tip) == [("M", "docs/cards/a/one.yaml")]
    assert repository.below_root("docs/cards/a/one.yaml") == "cards/a/one.yaml"
    assert repository.below_root("other.txt") is None
    assert repository.message(tip) == "change"
    assert repository.authored(tip)[0] == "Almanac worker"
    with repository.locked():
        repository.commit([_commit(("cards/a/one.yaml", "new\n"), merges=(tip,))], NOW)
    repository.tag("rejected/x", tip, "no", "a <b>\n")
    repository.delete("refs/heads/proposal/x", tip)
    assert repository.references("refs/heads/proposal/") == []
    assert repository.tip("refs/tags/rejected/x") == tip
    assert len(git(root.parent, "log", "-1", "--format=%P").split()) == 2


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "-x", ""])
def test_paths_stay_inside(root: Path, path: str) -> None:
    repository = opened(root)
    with repository.locked(), pytest.raises(KnowledgeError):
        repository.commit([_commit((path, "x"))], NOW)


@pytest.mark.parametrize("reference", ["--upload-pack=x", "../x", "a..b", "HEAD@{1}"])
def test_references_stay_references(root: Path, reference: str) -> None:
    repository = opened(root)
    for call in (repository.tip, repository.message, lambda name: repository.delete(name, "HEAD")):
        with pytest.raises(AlmanacError):
            call(reference)


def test_names_and_messages_cannot_forge_a_header(root: Path) -> None:
    repository = opened(root)
    evil = "x <y>\ncommitter z"
    with repository.locked():
        repository.commit([NewCommit("m\n\nfrom refs/heads/x\nM 100644", evil, {"cards/a/one.yaml": b"data 3\n"})], NOW)
    assert repository.authored("HEAD")[0] == "x y committer z"
    assert repository.content("HEAD", "cards/a/one.yaml") == b"data 3\n"


def test_without_repository_branch_or_commit_it_is_said(root: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(AlmanacError, match="no Git repository"):
        opened(plain)
    with pytest.raises(AlmanacError, match="no git program"):
        Repository.open(root, None)
    git(plain, "init", "--quiet", "-b", "main")
    with pytest.raises(AlmanacError, match="no commit"):
        opened(plain).head()
    git(root.parent, "checkout", "--quiet", "--detach")
    with pytest.raises(AlmanacError, match="no branch"):
        opened(root).head()


def test_nothing_that_the_repository_carries_is_run(root: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    hooks = root.parent / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("reference-transaction", "post-commit", "pre-commit", "post-index-change"):
        write(hooks, name, f"#!/bin/sh\necho $0 >> '{mark}'\n").chmod(0o755)
    for direction in ("clean", "smudge"):
        git(root.parent, "config", f"filter.x.{direction}", f"echo {direction} >> '{mark}'; cat")
    write(root.parent, ".git/info/attributes", "*.yaml filter=x\n")
    repository = opened(root)
    with repository.locked():
        repository.commit([_commit(("cards/a/one.yaml", "1\n"))], NOW)
    assert not mark.exists()


def _kill_at(step: int) -> Callable[[], None]:
    """Makes the `step`-th write or git command of this process its last."""
    left = [step]

    def count() -> None:
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return count


@pytest.mark.slow
def test_killed_at_any_step_the_next_run_completes_it(root: Path) -> None:
    survived = False
    for step in range(40):
        text = f"{step}\n"

        def work(step: int = step, text: str = text) -> None:
            count = _kill_at(step)
            run, write_bytes = Git.run, fsio.write_bytes

            def counted_run(self: Git, *words: object, **more: object) -> str:
                count()
                return run(self, *words, **more)  # type: ignore[arg-type]

            def counted_write(path: Path, data: bytes, mode: int = 0o644) -> None:
                count()
                write_bytes(path, data, mode)

            Git.run = counted_run  # type: ignore[method-assign]
            fsio.write_bytes = counted_write
            repository = opened(root)
            with repository.locked():
                repository.commit([_commit(("cards/a/one.yaml", text), ("cards/a/new.yaml", text))], NOW)

        _, status = os.waitpid(run_in_child(work), 0)
        repository = opened(root)
        with repository.locked():
            pass
        committed = repository.content("HEAD", "cards/a/one.yaml")
        assert committed == (root / "cards/a/one.yaml").read_bytes()
        assert git(root.parent, "status", "--porcelain") == ""
        if status == 0:
            assert committed == text.encode()
            survived = True
            break
    assert survived
    assert git(root.parent, "fsck", "--strict", "--no-dangling") == ""


def test_a_branch_that_moved_meanwhile_is_not_moved_back(root: Path) -> None:
    repository = opened(root)
    with repository.locked():
        record = repository.record

        def slow(*words: object, **more: object) -> str:
            done = record(*words, **more)  # type: ignore[arg-type]
            git(root.parent, "commit", "--quiet", "--allow-empty", "-m", "by a person")
            return done

        repository.record = slow  # type: ignore[method-assign]
        with pytest.raises(AlmanacError, match="moved"):
            repository.commit([_commit(("cards/a/one.yaml", "1\n"))], NOW)
    assert git(root.parent, "log", "-1", "--format=%s") == "by a person\n"
    assert (root / "cards/a/one.yaml").read_text() == "one\n"
    assert git(root.parent, "status", "--porcelain") == ""


def test_what_the_history_says_is_found_as_a_whole_line(root: Path) -> None:
    repository = opened(root)
    with repository.locked():
        before = repository.head().commit
        made = _commit(("cards/a/one.yaml", "1\n"), message="policy(cards): count\n\nCounting: a.b")
        first = repository.commit([made], NOW)
        last = repository.commit([_commit(("cards/a/one.yaml", "2\n"))], NOW)
    assert repository.is_said(last, "Counting: a.b")
    assert repository.is_said(first, "Counting: a.b")
    assert not any(repository.is_said(last, line) for line in ("Counting: a", "Counting: axb", "ounting: a.b"))
    assert not repository.is_said(before, "Counting: a.b")
