"""kb.cli.repository: the knowledge repository from the command line, on a machine without git in sight."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from kb import paths
from tests.conftest import CommandLine
from tests.helpers import PROJECT, git, has_git, raw_controls, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
GOOD = "---\ntitle: 大豆\nversion: 1.0\ndate_updated: 2024-01-01\n---\n# 大豆\n播种深度3厘米\n"
PATH = "agriculture/crop/soybean/sowing_2024_v1.md"


@pytest.fixture
def root(tmp_path: Path, cli: CommandLine) -> Path:
    """A knowledge repository made by the program."""
    root = tmp_path / "知识 库"
    write(root, PATH, GOOD)
    write(root, "taxonomy.yaml", "soybean: {zh: [大豆]}\n")
    assert cli("kb", "init", str(root)).code == 0
    return root


def test_init_commits_what_is_there_on_main_with_a_draft_branch(root: Path, cli: CommandLine) -> None:
    assert git(root, "branch", "--format=%(refname:short)").split() == ["draft", "main"]
    assert git(root, "status", "--porcelain") == ""
    assert "installed" in cli("kb", "hooks", "status", "--knowledge", str(root)).out
    assert cli("kb", "init", str(root)).code == 2


def test_init_can_begin_with_what_came_with_the_program(
    tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "find_assets", lambda home, report=None: paths.Assets(knowledge=PROJECT / "docs"))
    root = tmp_path / "我的 知识"
    root.mkdir()
    assert cli("kb", "init", str(root), "--sample").code == 0
    shipped = [path for path in sorted((PROJECT / "docs").rglob("*")) if path.is_file() and path.name[0] != "."]
    assert shipped
    for path in shipped:
        assert (root / path.relative_to(PROJECT / "docs")).read_bytes() == path.read_bytes()
    assert git(root, "status", "--porcelain") == ""
    done = cli("snapshot", "--knowledge", str(root))
    assert (done.code, done.out[:9]) == (0, "kb-1.0.0:")


def test_a_sample_never_comes_over_what_is_there(
    tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No documents came" in cli("kb", "init", str(tmp_path / "new"), "--sample").err
    assert not (tmp_path / "new").exists()
    monkeypatch.setattr(paths, "find_assets", lambda home, report=None: paths.Assets(knowledge=PROJECT / "docs"))
    write(tmp_path / "k", "a.md", GOOD)
    write(tmp_path, "file", "x")
    for name in ("k", "file"):
        done = cli("kb", "init", str(tmp_path / name), "--sample")
        assert (done.code, "not empty" in done.err) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "k"]
    assert [path.name for path in (tmp_path / "k").iterdir()] == ["a.md"]


def test_init_keeps_a_folder_with_faults(tmp_path: Path, cli: CommandLine) -> None:
    root = tmp_path / "k"
    write(root, "bad_2024.md", "no front matter")
    done = cli("kb", "init", str(root), "--no-hooks")
    assert (done.code, "front-matter-missing" in done.out) == (4, True)
    assert (root / "bad_2024.md").is_file()
    assert "bad_2024.md" not in git(root, "ls-tree", "-r", "--name-only", "HEAD")
    assert git(root, "branch", "--format=%(refname:short)").split() == ["draft", "main"]


def test_change_look_commit(root: Path, cli: CommandLine) -> None:
    place = ("--knowledge", str(root))
    assert "Everything is committed" in cli("kb", "status", *place).out
    write(root, PATH, GOOD.replace("3厘米", "5厘米"))
    assert f"changed: {PATH}" in cli("kb", "status", *place).out
    assert "+播种深度5厘米" in cli("kb", "diff", *place).out
    assert cli("kb", "commit", "-m", "update", *place).code == 2
    done = cli("kb", "commit", "-m", "docs(大豆): 播种深度改为 5 厘米", "--author", "agronomy-desk", *place)
    assert (done.code, done.out.splitlines()[-1][:9]) == (0, "Committed")
    assert "agronomy-desk" in cli("kb", "log", *place).out
    assert "播种深度3厘米" in cli("kb", "show", "HEAD~1", PATH, *place).out
    assert "-播种深度3厘米" in cli("kb", "show", "HEAD", *place).out
    assert "No difference" in cli("kb", "diff", "HEAD", *place).out
    assert cli("kb", "commit", "-m", "docs(a): b", *place).code == 2


def test_a_text_that_changes_under_the_same_version_is_said(root: Path, cli: CommandLine) -> None:
    place = ("--knowledge", str(root))
    write(root, PATH, GOOD.replace("3厘米", "5厘米"))
    done = cli("kb", "commit", "-m", "docs(大豆): x", *place)
    assert done.code == 0 and "[version-same]" in done.out and "stays 1.0" in done.out
    write(root, PATH, GOOD.replace("3厘米", "6厘米").replace("version: 1.0", "version: 1.1"))
    assert "version-same" not in cli("kb", "commit", "-m", "docs(大豆): x", *place).out
    write(root, PATH, GOOD.replace("3厘米", "6厘米").replace("version: 1.0", "version: 1.1\nowner: desk"))
    assert "version-same" not in cli("kb", "commit", "-m", "docs(大豆): x", *place).out, "only the text counts"
    draft = GOOD.replace("3厘米", "7厘米").replace("version: 1.0", "version: 1.1\nstatus: draft")
    write(root, PATH, draft)
    assert "version-same" not in cli("kb", "commit", "-m", "docs(大豆): x", *place).out


def test_what_is_named_is_committed_and_nothing_else(root: Path, cli: CommandLine) -> None:
    place = ("--knowledge", str(root))
    write(root, PATH, GOOD.replace("3厘米", "5厘米"))
    write(root, "questions.yaml", "questions: []\n")
    done = cli("kb", "commit", "nothing_here.md", "-m", "docs(大豆): x", *place)
    assert done.code == 4 and "nothing_here.md" in done.err
    assert cli("kb", "commit", PATH.rsplit("/", 1)[0], "-m", "docs(大豆): x", *place).code == 0
    assert git(root, "status", "--porcelain").split() == ["??", "questions.yaml"]
    (root / PATH).unlink()
    assert cli("kb", "commit", PATH, "-m", "docs(大豆): gone", *place).code == 0
    assert cli("kb", "commit", ".", "-m", "docs(a): rest", *place).code == 0
    assert git(root, "status", "--porcelain") == ""


def test_what_breaks_the_contract_is_refused(root: Path, cli: CommandLine) -> None:
    write(root, PATH, GOOD.replace("version: 1.0", "keywords: [甲、乙]"))
    done = cli("kb", "commit", PATH, "-m", "docs(大豆): x", "--knowledge", str(root))
    assert done.code == 4
    assert "keyword-characters" in done.out
    assert len(git(root, "log", "--format=%H").split()) == 1


def test_changes_since(root: Path, cli: CommandLine) -> None:
    place = ("--knowledge", str(root))
    assert PATH in cli("kb", "changes", "--since", "昨天", "大豆", *place).out
    assert "Nothing changed" in cli("kb", "changes", "--since", "last week", "香菇", *place).out
    told = json.loads(cli("kb", "changes", "--since", "2020-01-01", "--json", *place).out)
    assert [item["path"] for item in told["documents"]] == [PATH]
    assert cli("kb", "changes", "--since", "whenever", *place).code == 2


def test_branches(root: Path, cli: CommandLine) -> None:
    place = ("--knowledge", str(root))
    assert cli("kb", "branch", *place).out == "  draft\n* main\n"
    assert cli("kb", "branch", "release/2027", "--switch", *place).code == 0
    assert "* release/2027" in cli("kb", "branch", *place).out
    assert cli("kb", "branch", "feature", *place).code == 2
    assert cli("kb", "branch", "draft", *place).code == 2


@pytest.mark.parametrize(
    "words",
    [
        ["show", "--output=/tmp/almanac-made-this"], ["show", "--", "--output=/tmp/almanac-made-this"],
        ["show", "HEAD", "../x"], ["show", "HEAD", "/etc/passwd"], ["show", "HEAD:x"], ["diff", "HEAD..main"],
        ["diff", "--path", "../x"], ["diff", "--", "-p"], ["log", "../x"], ["branch", "../x"],
        ["commit", "../x", "-m", "docs(a): b"],
    ],
)  # fmt: skip
def test_what_could_reach_git_as_an_option_or_leave_the_tree(root: Path, cli: CommandLine, words: list[str]) -> None:
    done = (
        cli("kb", *words, "--knowledge", str(root))
        if "--" not in words
        else cli("kb", "--knowledge", str(root), *words)
    )
    assert done.code in (2, 4, 5)
    assert done.clean
    assert not Path("/tmp/almanac-made-this").exists()


def test_hooks(root: Path, cli: CommandLine) -> None:
    place = ("--knowledge", str(root))
    assert "Removed" in cli("kb", "hooks", "remove", *place).out
    assert "No hook" in cli("kb", "hooks", "remove", *place).out
    assert cli("kb", "hooks", "install", *place).out.count("installed") == 3


def test_what_the_hooks_call(root: Path, cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = ("--knowledge", str(root))
    message = write(tmp_path, "message", "docs（大豆）：x\n")
    done = cli("kb", "check-message", str(message), *place)
    assert (done.code, "docs(大豆): x" in done.err) == (2, True)
    message.write_text("docs(大豆): x\n", "utf-8")
    assert cli("kb", "check-message", str(message), *place).code == 0
    assert cli("kb", "check-message", str(tmp_path / "none"), *place).code == 5
    assert cli("kb", "check-push", *place).code == 2
    write(root, PATH, "broken")
    git(root, "add", "-A")
    listing = git(root, "ls-files", "-s", "-z").encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(listing)))
    done = cli("kb", "check-staged", *place)
    assert (done.code, "front-matter-missing" in done.out) == (4, True)


def test_without_a_repository_there_is_a_reason(empty_tree: Path, cli: CommandLine) -> None:
    for words in (["status"], ["log"], ["diff"], ["branch"], ["hooks", "status"], ["commit", "-m", "docs(a): b"]):
        done = cli("kb", *words, "--knowledge", str(empty_tree))
        assert (done.code in (4, 5), done.clean, done.out) == (True, True, "")


def test_names_from_outside_cannot_command_the_terminal(root: Path, cli: CommandLine) -> None:
    place = ("--knowledge", str(root))
    write(root, "a\x1b[31m_2024.md", GOOD + "\x1b]52;c;x\x07\n")
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "--no-verify", "-m", "docs(a): \x1b[31m")
    for words in (["status"], ["log"], ["show", "HEAD"], ["diff", "HEAD~1"], ["changes", "--since", "昨天"]):
        done = cli("kb", *words, *place)
        assert done.code == 0
        assert not raw_controls(done.out + done.err)
