"""kb.versions.hooks: installed, removed, and doing their work in people's own git."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions import hooks, repository
from kb.versions.git import Git
from kb.versions.hooks import State
from kb.versions.source import Source
from tests.helpers import git, has_git, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
GOOD = "---\ntitle: 大豆\nversion: 1.0\ndate_updated: 2024-01-01\n---\n# 大豆\n"


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """A repository in a folder whose name sh would trip over."""
    return repository.create(tmp_path.resolve() / "it's 知识 $HOME", Git.find(None))


def test_install_and_remove(source: Source) -> None:
    assert set(hooks.states(source).values()) == {State.ABSENT}
    hooks.install(source, ["/opt/almanac"], "gone")
    assert set(hooks.states(source).values()) == {State.OURS}
    for name in hooks.NAMES:
        assert os.access(source.git_folder() / "hooks" / name, os.X_OK)
    hooks.install(source, ["/opt/other place/almanac"], "gone")
    assert "other place" in (source.git_folder() / "hooks" / "pre-commit").read_text()
    assert sorted(hooks.remove(source)) == sorted(hooks.NAMES)
    assert hooks.remove(source) == []
    assert set(hooks.states(source).values()) == {State.ABSENT}


def test_hooks_of_somebody_else_are_kept_and_put_back(source: Source) -> None:
    path = source.git_folder() / "hooks" / "pre-commit"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\nmine\n")
    with pytest.raises(AlmanacError) as caught:
        hooks.install(source, ["/opt/almanac"], "gone")
    assert caught.value.key == "hooks_foreign"
    assert path.read_text() == "#!/bin/sh\nmine\n"
    hooks.install(source, ["/opt/almanac"], "gone", replace=True)
    assert hooks.states(source)["pre-commit"] is State.OURS
    hooks.install(source, ["/opt/almanac"], "gone", replace=True)
    hooks.remove(source)
    assert path.read_text() == "#!/bin/sh\nmine\n"
    assert os.access(path, os.X_OK)


def test_a_repository_cannot_choose_where_they_are_written(source: Source, tmp_path: Path) -> None:
    git(source.root, "config", "core.hooksPath", str(tmp_path / "elsewhere"))
    with pytest.raises(AlmanacError) as caught:
        hooks.install(source, ["/opt/almanac"], "gone")
    assert caught.value.key == "hooks_outside"
    assert not (tmp_path / "elsewhere").exists()
    git(source.root, "config", "core.hooksPath", ".githooks")
    hooks.install(source, ["/opt/almanac"], "gone")
    assert (source.root / ".githooks" / "commit-msg").is_file()


@pytest.mark.parametrize("word", ["plain", "with space", "it's", "$(touch x)", "`x`", 'a"b', "中文"])
def test_a_word_stays_one_word_in_sh(word: str) -> None:
    done = subprocess.run(["sh", "-c", f"printf %s {hooks.quoted(word)}"], capture_output=True, check=True)
    assert done.stdout.decode() == word


def _commit(source: Source, program_home: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", *arguments],
        cwd=source.root,
        capture_output=True,
        env={
            "PATH": os.environ["PATH"], "HOME": str(program_home), "ALMANAC_HOME": str(program_home / "almanac"),
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "PYTHONDONTWRITEBYTECODE": "1",
        },
        check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_peoples_own_git_is_held_to_the_contract(source: Source, program_source: Path, own_home: Path) -> None:
    hooks.install(source, [sys.executable, str(program_source)], "gone")
    write(source.root, "a/大豆_2024.md", "no front matter")
    git(source.root, "add", "-A")
    refused = _commit(source, own_home, "-m", "docs(大豆): 新增")
    assert refused.returncode != 0
    assert "front-matter-missing" in (refused.stdout + refused.stderr).decode()
    # What is staged counts, not what lies on disk.
    write(source.root, "a/大豆_2024.md", GOOD)
    assert _commit(source, own_home, "-m", "docs(大豆): 新增").returncode != 0
    (source.root / "a/大豆_2024.md").rename(source.root / "a/soybean_2024.md")
    git(source.root, "add", "-A")
    wrong = _commit(source, own_home, "-m", "update")
    assert wrong.returncode != 0
    assert "type(scope): text" in (wrong.stdout + wrong.stderr).decode()
    done = _commit(source, own_home, "-m", "docs(大豆): 新增")
    assert done.returncode == 0, done.stderr.decode()
    # An index of its own: only the named file is committed, the broken one beside it is not looked at.
    write(source.root, "a/soybean_2024.md", GOOD + "more\n")
    write(source.root, "a/broken_2024.md", "broken")
    git(source.root, "add", "a/broken_2024.md")
    only = _commit(source, own_home, "-m", "docs(大豆): 补充", "--only", "a/soybean_2024.md")
    assert only.returncode == 0, only.stderr.decode()


@pytest.mark.slow
def test_nothing_is_pushed(source: Source, program_source: Path, own_home: Path, tmp_path: Path) -> None:
    write(source.root, "a/soybean_2024.md", GOOD)
    git(source.root, "add", "-A")
    git(source.root, "commit", "--quiet", "-m", "docs(a): b")
    git(tmp_path, "init", "--quiet", "--bare", "other.git")
    hooks.install(source, [sys.executable, str(program_source)], "gone")
    with pytest.raises(subprocess.CalledProcessError) as caught:
        git(source.root, "push", str(tmp_path / "other.git"), "main")
    assert b"pushing is not allowed" in caught.value.stderr
    assert git(tmp_path / "other.git", "branch") == ""


def test_a_program_that_is_gone_is_named(source: Source) -> None:
    hooks.install(source, ["/nowhere/almanac"], "The program is gone. $(touch /tmp/almanac-made-this)")
    write(source.root, "x.md", "x")
    git(source.root, "add", "-A")
    with pytest.raises(subprocess.CalledProcessError) as caught:
        git(source.root, "commit", "-m", "docs(a): b")
    assert b"The program is gone. $(touch" in caught.value.stderr
    assert not Path("/tmp/almanac-made-this").exists()
