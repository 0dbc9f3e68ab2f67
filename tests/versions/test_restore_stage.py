"""kb.versions.restore_stage: the copy is complete and clean before anything else happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.config import no_progress
from kb.errors import KnowledgeError
from kb.versions.backup_contents import Contents, Kind, write_people
from kb.versions.backup_steps import Steps
from kb.versions.restore_stage import Plan, Stage
from tests.helpers import git, write
from tests.versions.conftest import BEAN, Base, files


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path / "new" / "base.restoring", tmp_path / "new" / "people.restoring")


def _fill(stage: Stage, base: Base, bundle: Path) -> tuple[Plan, Contents | None]:
    return stage.fill(base.git, bundle, stage.knowledge.with_name("base"), set(), Steps("restore", no_progress), None)


def test_files_history_and_databases(base: Base, stage: Stage) -> None:
    made = base.backup()
    plan, contents = _fill(stage, base, made.file)
    assert contents == made.contents
    assert (plan.databases, plan.notes, plan.sha256) == (("ledger.db", "memory.db"), (), made.sha256)
    assert files(stage.knowledge) == files(base.root)
    assert git(stage.knowledge, "status", "--porcelain") == ""
    assert git(stage.knowledge, "for-each-ref") == git(base.root, "for-each-ref")
    assert git(stage.knowledge, "symbolic-ref", "HEAD") == "refs/heads/main\n"
    assert git(stage.knowledge, "config", "--list", "--local").splitlines() == [
        "core.repositoryformatversion=0", "core.filemode=true", "core.bare=false",
    ]  # fmt: skip
    assert not (stage.knowledge / ".git" / "hooks").exists()
    assert sorted(path.name for path in stage.people.iterdir()) == ["ledger.db", "memory.db"]


def test_peoples_data_does_not_stay_in_the_repositorys_objects(base: Base, stage: Stage) -> None:
    _fill(stage, base, base.backup().file)
    objects = git(stage.knowledge, "cat-file", "--batch-all-objects", "--batch-check").splitlines()
    assert len(objects) == len(git(base.root, "rev-list", "--objects", "--all").splitlines())
    git(stage.knowledge, "fsck", "--full", "--strict")


def test_uncommitted_work_is_uncommitted_again(base: Base, stage: Stage) -> None:
    write(base.root, "a.md", "changed")
    write(base.root, "新.md", "new")
    (base.root / BEAN).unlink()
    _fill(stage, base, base.backup().file)
    assert files(stage.knowledge) == files(base.root)
    assert git(stage.knowledge, "status", "--porcelain", "-z") == git(base.root, "status", "--porcelain", "-z")


def test_a_folder_without_history_has_none_again(base: Base, stage: Stage, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(base.root), "plain")
    root = tmp_path / "plain"
    (root / ".git").rename(tmp_path / "gone")
    made = type(base)(base.git, root, base.home, base.backups).backup()
    _fill(stage, base, made.file)
    assert files(stage.knowledge) == files(root)
    assert not (stage.knowledge / ".git").exists()


def test_a_bundle_made_by_git_alone(base: Base, stage: Stage, tmp_path: Path) -> None:
    bundle = tmp_path / "git.bundle"
    git(base.root, "bundle", "create", str(bundle), "--all", "HEAD")
    plan, contents = _fill(stage, base, bundle)
    assert contents is None
    assert plan.notes == (("restore_no_people", ""),)
    assert files(stage.knowledge) == files(base.root)


def test_head_alone_gets_a_branch_and_says_what_is_missing(base: Base, stage: Stage, tmp_path: Path) -> None:
    bundle = tmp_path / "head.bundle"
    git(base.root, "bundle", "create", str(bundle), "HEAD")
    plan, _ = _fill(stage, base, bundle)
    keys = [key for key, _ in plan.notes]
    assert keys == ["restore_no_tags", "restore_head_only", "restore_no_people"]
    assert files(stage.knowledge) == files(base.root)
    assert git(stage.knowledge, "symbolic-ref", "HEAD") == "refs/heads/main\n"


def test_branches_without_head(base: Base, stage: Stage, tmp_path: Path) -> None:
    bundle = tmp_path / "branches.bundle"
    git(base.root, "bundle", "create", str(bundle), "draft", "kb-1.0.0")
    plan, _ = _fill(stage, base, bundle)
    assert ("restore_no_head", "draft") in plan.notes
    assert git(stage.knowledge, "status", "--porcelain", "--branch") == "## draft\n"
    assert list(files(stage.knowledge)) == [BEAN]


def test_of_branches_at_one_commit_the_current_one_is_kept(base: Base, stage: Stage) -> None:
    git(base.root, "branch", "-f", "draft", "main")
    git(base.root, "checkout", "--quiet", "draft")
    _fill(stage, base, base.backup().file)
    assert git(stage.knowledge, "symbolic-ref", "HEAD") == "refs/heads/draft\n"


def test_tags_alone_get_a_branch_at_the_newest(base: Base, stage: Stage, tmp_path: Path) -> None:
    git(base.root, "tag", "-a", "kb-7.9.0", "-m", "older", "HEAD~1")
    git(base.root, "tag", "-a", "kb-7.10.0", "-m", "newest")
    bundle = tmp_path / "tags.bundle"
    git(base.root, "bundle", "create", str(bundle), "kb-7.9.0", "kb-7.10.0")
    plan, _ = _fill(stage, base, bundle)
    assert plan.notes == (("restore_tags_only", "kb-7.10.0"), ("restore_no_people", ""))
    assert files(stage.knowledge) == files(base.root)
    assert git(stage.knowledge, "branch", "--show-current") == "main\n"


def test_a_tag_of_no_commit_is_nothing_to_restore(base: Base, stage: Stage, tmp_path: Path) -> None:
    git(base.root, "tag", "kb-1.0.0-notes", git(base.root, "rev-parse", "HEAD^{tree}").strip())
    bundle = tmp_path / "tree.bundle"
    git(base.root, "bundle", "create", str(bundle), "kb-1.0.0-notes")
    with pytest.raises(KnowledgeError) as caught:
        _fill(stage, base, bundle)
    assert caught.value.key == "bundle_empty" and caught.value.params["path"] == str(bundle)


def test_a_detached_head_comes_back(base: Base, stage: Stage) -> None:
    git(base.root, "checkout", "--quiet", "HEAD~1")
    _fill(stage, base, base.backup().file)
    assert git(stage.knowledge, "rev-parse", "HEAD") == git(base.root, "rev-parse", "HEAD")
    assert git(stage.knowledge, "rev-parse", "--abbrev-ref", "HEAD") == "HEAD\n"


def test_a_repository_around_the_knowledge_is_not_put_over_a_folder(base: Base, stage: Stage, tmp_path: Path) -> None:
    base.commit("docs/x.md", "x", "docs(x): add")
    made = type(base)(base.git, base.root / "docs", base.home, base.backups).backup()
    stage.knowledge.with_name("base").mkdir(parents=True)
    with pytest.raises(KnowledgeError) as caught:
        _fill(stage, base, made.file)
    assert caught.value.key == "restore_inner"


def test_a_branch_that_is_not_there_does_not_become_an_empty_base(base: Base, stage: Stage, tmp_path: Path) -> None:
    contents = Contents("", Kind.REPOSITORY, head="refs/heads/none", documents=2)
    write_people(base.git, base.root, contents, tmp_path)
    bundle = tmp_path / "odd.bundle"
    git(base.root, "bundle", "create", str(bundle), "--all")
    with pytest.raises(KnowledgeError) as caught:
        _fill(stage, base, bundle)
    assert caught.value.key == "bundle_empty"


def test_a_link_out_of_the_tree_is_refused(base: Base, stage: Stage, tmp_path: Path) -> None:
    (base.root / "out").symlink_to("../../etc")
    base.commit("b.md", "x", "docs(b): link out")
    bundle = tmp_path / "git.bundle"
    git(base.root, "bundle", "create", str(bundle), "--all", "HEAD")
    with pytest.raises(KnowledgeError):
        _fill(stage, base, bundle)
    assert not (stage.knowledge / "b.md").exists()
