"""kb.versions.git: nothing that a repository or a person brings runs a program or reaches an option."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import AlmanacError
from kb.versions.git import Git, checked_reference
from tests.helpers import git, has_git, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")


@pytest.fixture
def program() -> Git:
    found = Git.find(None)
    assert found is not None
    return found


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "--quiet", "-b", "main")
    write(root, "a.md", "one\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "first")
    return root


@pytest.mark.parametrize("name", ["HEAD", "main", "kb-1.4.0", "v1.2", "a/b", "0" * 40, "大豆-1", "feature_x"])
def test_names_of_versions_pass(name: str) -> None:
    assert checked_reference(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "--output=/x",
        "-p",
        "../x",
        "a..b",
        "HEAD@{1}",
        "HEAD:a.md",
        "",
        " ",
        "a b",
        "HEAD\n",
        "\n",
        "a\0b",
        "x" * 201,
        ":/fix",
        "^HEAD",
        "a;b",
        "$(x)",
    ],
)
def test_everything_else_is_refused(name: str) -> None:
    with pytest.raises(AlmanacError) as caught:
        checked_reference(name)
    assert caught.value.key == "bad_reference"


@given(st.text(max_size=30))
def test_what_passes_is_no_option_and_one_word(name: str) -> None:
    try:
        checked_reference(name)
    except AlmanacError:
        return
    assert not name.startswith("-")
    assert ".." not in name
    assert not any(char.isspace() or char in ":^~\0" for char in name)


def test_the_environment_is_clean(program: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_SSH_COMMAND", "LD_LIBRARY_PATH", "LD_PRELOAD", "GIT_EXTERNAL_DIFF"):
        monkeypatch.setenv(name, "/evil")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    found = program.environment(tmp_path)
    assert found["TMPDIR"] == str(tmp_path)
    assert "/evil" not in found.values()
    assert found["GIT_CONFIG_VALUE_0"] == str(tmp_path)
    assert Git("g", tmp_path).environment(None)["LD_LIBRARY_PATH"] == str(tmp_path / "lib")


def test_a_foreign_repositorys_programs_do_not_run(program: Git, repository: Path, tmp_path: Path) -> None:
    marker = tmp_path / "it ran"
    script = write(tmp_path, "evil.sh", f"#!/bin/sh\ntouch '{marker}'\n")
    script.chmod(0o755)
    for hook in (
        "pre-commit",
        "post-checkout",
        "post-index-change",
        "reference-transaction",
        "post-commit",
        "fsmonitor-watchman",
    ):
        target = repository / ".git/hooks" / hook
        target.parent.mkdir(exist_ok=True)
        target.write_text(script.read_text())
        target.chmod(0o755)
    for name in (
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "diff.external",
        "gpg.program",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.x.textconv",
        "diff.x.command",
        "core.sshCommand",
        "credential.helper",
        "alias.log",
        "core.askPass",
        "interactive.diffFilter",
        "pager.log",
        "pager.show",
        "pager.status",
    ):
        git(repository, "config", name, f"!{script}" if name == "alias.log" else str(script))
    git(repository, "config", "log.showSignature", "true")
    git(repository, "config", "core.hooksPath", str(repository / ".git/hooks"))
    write(repository, ".gitattributes", "*.md filter=x diff=x\n")
    write(repository, "a.md", "two\n")
    subprocess.run(["touch", "-d", "2020-01-01", str(repository / "a.md")], check=True)
    program.read(repository, "log", "-3", "--name-status", "-M")
    program.read(repository, "log", "-1", "-p")
    program.read(repository, "cat-file", "blob", "HEAD:a.md")
    program.run(repository, "rev-parse", "HEAD")
    assert not marker.exists()


def test_failure_says_which_command_and_why(program: Git, repository: Path) -> None:
    with pytest.raises(AlmanacError) as caught:
        program.run(repository, "show", "nothing-here")
    assert "git show failed" in str(caught.value)
    with pytest.raises(AlmanacError):
        Git("/no/such/git").run(repository, "log")


def test_a_repository_of_another_user_is_read(program: Git, repository: Path) -> None:
    """As on a FAT stick: the folder is trusted by name, all others are not."""
    if os.getuid() == 0:
        for path in (repository, *repository.rglob("*")):
            os.chown(path, 12345, 12345)
    assert program.run(repository, "log", "--format=%s").strip() == "first"


def test_our_own_git_comes_first(tmp_path: Path) -> None:
    own = write(tmp_path, "bin/git", "#!/bin/sh\necho git version 9.9\n")
    own.chmod(0o755)
    found = Git.find(tmp_path)
    assert found == Git(str(own), tmp_path)
    assert found.version() == "9.9"
    assert Git.find(tmp_path / "none", path=str(tmp_path / "empty")) is None


def test_many_blobs_by_one_process(program: Git, repository: Path) -> None:
    write(repository, "b.md", b"\x00\xff\r\n")
    git(repository, "add", ".")
    names = [git(repository, "rev-parse", f":{name}").strip() for name in ("a.md", "b.md", "a.md")]
    assert list(program.blobs(repository, names)) == [b"one\n", b"\x00\xff\r\n", b"one\n"]
    assert program.read_bytes(repository, "cat-file", "blob", names[1]) == b"\x00\xff\r\n"
    with pytest.raises(AlmanacError):
        list(program.blobs(repository, [names[0], "0" * 40]))
    first = next(iter(program.blobs(repository, names)))
    assert first == b"one\n"


def test_filters_of_a_repository_are_named_to_be_left_out(program: Git, repository: Path) -> None:
    assert program.without_filters(repository) == ()
    git(repository, "config", "filter.a b.clean", "touch ran")
    git(repository, "config", "filter.lfs.process", "touch ran")
    words = program.without_filters(repository)
    assert "filter.a b.clean=" in words
    assert "filter.lfs.process=" in words
    assert "filter.lfs.required=false" in words
