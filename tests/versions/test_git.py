"""kb.versions.git: nothing that a repository or a person brings runs a program or reaches an option."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import AlmanacError, ExitCode
from kb.versions.git import Git, checked_reference, enclosing, repository_folder
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
    assert caught.value.exit_code == ExitCode.USAGE


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


class Trap:
    """A script that leaves a mark when anything runs it."""

    def __init__(self, folder: Path) -> None:
        self.marker = folder / "it ran"
        self.script = write(folder, "evil.sh", f'#!/bin/sh\necho "$0 $*" >> "{self.marker}"\ncat\n')
        self.script.chmod(0o755)

    def set_in(self, repository: Path) -> None:
        """Name the script wherever a repository's settings can name a program."""
        hooks = repository / ".git" / "hooks"
        hooks.mkdir(exist_ok=True)
        for hook in (
            "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout", "post-merge",
            "post-index-change", "reference-transaction", "pre-auto-gc", "post-rewrite", "fsmonitor-watchman",
        ):  # fmt: skip
            (hooks / hook).write_text(self.script.read_text())
            (hooks / hook).chmod(0o755)
        included = write(repository, ".git/more", f'[filter "y = z"]\n\tclean = {self.script}\n\trequired = true\n')
        for name, value in {
            **dict.fromkeys((
                "core.fsmonitor", "core.pager", "core.editor", "sequence.editor", "core.askPass", "core.sshCommand",
                "core.gitProxy", "core.alternateRefsCommand", "diff.external", "gpg.program", "gpg.ssh.program",
                "filter.x.clean", "filter.x.smudge", "filter.x.process", "filter.a=b.clean", "filter.a=b.smudge",
                "diff.x.textconv", "diff.x.command", "diff.tool", "difftool.x.cmd", "merge.x.driver",
                "trailer.x.command",
                "interactive.diffFilter", "credential.helper", "pager.log", "pager.show", "pager.status", "pager.diff",
                "uploadpack.packObjectsHook", "gc.recentObjectsHook", "remote.origin.uploadpack",
            ), str(self.script)),
            **dict.fromkeys((f"alias.{verb}" for verb in ("log", "status", "commit", "add")), f"!{self.script}"),
            "commit.gpgSign": "true", "tag.gpgSign": "true", "log.showSignature": "true",
            "filter.x.required": "true", "filter.a=b.required": "true",
            "core.hooksPath": str(hooks), "include.path": str(included), "submodule.recurse": "true",
            "diff.ignoreSubmodules": "none", "core.attributesFile": str(repository / ".git" / "attributes"),
        }.items():  # fmt: skip
            git(repository, "config", name, value)
        lines = '*.md filter=x diff=x merge=x\n*.txt filter=a=b diff=x\n"*.y" filter="y = z"\n'
        for place in (".gitattributes", ".git/info/attributes", ".git/attributes"):
            write(repository, place, lines)


@pytest.fixture
def trap(repository: Path, tmp_path: Path) -> Trap:
    """`repository` with every trap set, and changes that would spring them."""
    git(repository, "branch", "other")
    write(repository, "b.txt", "text\n")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "second")
    made = Trap(tmp_path)
    made.set_in(repository)
    for name in ("a.md", "b.txt", "new.md"):
        write(repository, name, "changed\n")
    return made


COMMANDS = (
    ("status", "--porcelain", "-z"), ("add", "--all"), ("diff", "HEAD"), ("diff", "--cached"), ("log", "-p"),
    ("show", "HEAD"), ("commit", "--quiet", "-m", "docs(x): change"), ("tag", "-m", "x", "kb-9"),
    ("checkout", "--force", "--quiet", "other"),
    ("merge", "--quiet", "--no-edit", "main"), ("checkout", "--quiet", "main", "--", "."), ("stash",),
    ("mv", "a.md", "moved.md"), ("reset", "--quiet", "--hard"), ("read-tree", "-u", "--reset", "HEAD"),
    ("gc", "--quiet"), ("fsck",), ("repack", "-a", "-d", "-q"), ("archive", "HEAD"),
    ("blame", "a.md"), ("grep", "changed"), ("ls-files", "-z", "--modified"),
)  # fmt: skip


def test_whatever_is_done_in_a_hostile_repository_nothing_of_it_runs(
    program: Git, repository: Path, trap: Trap
) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@b")
    for command in COMMANDS:
        if command[0] in ("merge", "stash", "grep", "mv"):
            with contextlib.suppress(AlmanacError):
                program.run(repository, *identity, *command)
        else:
            program.run(repository, *identity, *command)
        assert not trap.marker.exists(), f"git {command[0]} ran {trap.marker.read_text()}"
        write(repository, "a.md", f"after {command[0]}\n")


def test_reading_a_hostile_repository_runs_nothing(program: Git, repository: Path, trap: Trap) -> None:
    for command in (
        ("log", "-p", "-3"), ("log", "--name-status", "-z", "-M"), ("show", "HEAD"), ("diff", "HEAD~1", "HEAD"),
        ("cat-file", "blob", "HEAD:a.md"), ("for-each-ref",), ("ls-tree", "-r", "-z", "HEAD"),
        ("blame", "HEAD", "--", "a.md"), ("diff-tree", "-p", "HEAD~1", "HEAD"),
        ("rev-list", "--objects", "--all"),
    ):  # fmt: skip
        program.read(repository, *command)
        assert not trap.marker.exists(), f"git {command[0]} ran {trap.marker.read_text()}"


def test_the_traps_would_spring(repository: Path, trap: Trap) -> None:
    """That the traps are real: git as everybody runs it falls into them."""
    with contextlib.suppress(subprocess.CalledProcessError):
        git(repository, "add", "--all")
    assert trap.marker.exists()


def test_a_work_tree_elsewhere_is_not_touched(program: Git, repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write(other, "private.md", "private\n")
    git(repository, "config", "core.worktree", str(other))
    write(repository, "a.md", "changed\n")
    program.run(repository, "add", "--all")
    assert program.run(repository, "diff", "--cached", "--name-only") == "a.md\n"
    program.run(repository, "reset", "--quiet", "--hard")
    assert [path.name for path in other.iterdir()] == ["private.md"]
    assert (repository / "a.md").read_text() == "one\n"


def test_a_file_that_names_another_repository_shows_nothing_of_it(
    program: Git, repository: Path, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    for content in (
        f"gitdir: {repository}/.git",
        f"gitdir: {repository}/.git\n",
        "gitdir: ../repository/.git",
        "",
        "x",
    ):
        write(stick, ".git", content)
        for use in (program.read, program.run):
            with pytest.raises(AlmanacError) as caught:
                use(stick, "log")
            assert caught.value.key == "repository_elsewhere"


def test_a_linked_work_tree_is_read_and_written(program: Git, repository: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(repository, "worktree", "add", "--quiet", "-b", "draft", str(linked))
    assert program.read(linked, "log", "--format=%s") == "first\n"
    write(linked, "b.md", "x\n")
    program.run(linked, "add", "b.md")
    program.run(linked, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "second")
    assert program.read(repository, "log", "--format=%s", "draft") == "second\nfirst\n"


def test_replaced_objects_do_not_change_what_is_shown(program: Git, repository: Path) -> None:
    old = git(repository, "rev-parse", "HEAD:a.md").strip()
    new = program.run(repository, "hash-object", "-w", "--stdin", stdin=b"another dose\n").strip()
    git(repository, "replace", old, new)
    assert git(repository, "cat-file", "blob", "HEAD:a.md") == "another dose\n"
    assert program.read(repository, "cat-file", "blob", "HEAD:a.md") == "one\n"


def test_long_work_tells_how_far_it_is_and_can_be_stopped(program: Git, repository: Path, tmp_path: Path) -> None:
    seen: list[float] = []
    program.watched(repository, "fsck", "--progress", report=seen.append)
    assert seen and all(0 <= part <= 1 for part in seen)
    stop = threading.Event()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        program.watched(repository, "fsck", "--progress", report=seen.append, stop=stop)
    with pytest.raises(KeyboardInterrupt):
        program.run(repository, "fsck", stop=stop)
    with pytest.raises(AlmanacError) as caught:
        program.watched(repository, "clone", "--", "/nonexistent", str(tmp_path / "x"), report=seen.append)
    assert "nonexistent" in str(caught.value)
    with pytest.raises(AlmanacError):
        Git("/no/such/git").watched(repository, "fsck", report=seen.append)


def test_work_that_says_nothing_is_stopped_too(tmp_path: Path) -> None:
    waiting = write(tmp_path, "git", "#!/bin/sh\nexec sleep 60\n")
    waiting.chmod(0o755)
    for use in (
        lambda stop: Git(str(waiting)).run(tmp_path, "gc", stop=stop),
        lambda stop: Git(str(waiting)).watched(tmp_path, "gc", report=lambda _: None, stop=stop),
    ):
        stop = threading.Event()
        timer = threading.Timer(0.2, stop.set)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            use(stop)
    with pytest.raises(AlmanacError):
        Git(str(waiting)).run(tmp_path, "gc", timeout=0.1)


def test_an_object_goes_into_a_file(program: Git, repository: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    with target.open("wb") as file:
        program.stream(repository, file, "cat-file", "blob", "HEAD:a.md")
    assert target.read_text() == "one\n"
    with target.open("wb") as file, pytest.raises(AlmanacError):
        program.stream(repository, file, "cat-file", "blob", "HEAD:none.md")


def test_the_repository_around_a_folder(repository: Path, tmp_path: Path) -> None:
    (repository / "docs" / "a").mkdir(parents=True)
    assert enclosing(repository) == (repository, "")
    assert enclosing(repository / "docs" / "a") == (repository, "docs/a/")
    assert repository_folder(repository) == repository / ".git"
    assert repository_folder(tmp_path) == tmp_path
