"""kb.cli.restore: asks first, says what it did, and restored knowledge answers without being named."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest

from kb.errors import ExitCode
from tests.cli.test_backup import base as base  # a fixture
from tests.conftest import CommandLine
from tests.helpers import document, git, has_git, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")


@pytest.fixture
def saved(cli: CommandLine, base: Path, tmp_path: Path) -> Path:
    """A folder with one backup of `base`."""
    folder = tmp_path / "stick"
    assert cli("backup", str(folder), "--knowledge", str(base)).code == 0
    return folder


def test_on_a_fresh_machine_one_file_brings_everything_back(cli: CommandLine, saved: Path, tmp_path: Path) -> None:
    home = tmp_path / "fresh"
    done = cli("restore", str(saved), "--yes", "--home", str(home))
    assert (done.code, done.err) == (0, "")
    assert str(home / "knowledge") in done.out
    assert (home / "knowledge" / "open.md").read_text() == "not committed"
    shown = cli("show", "open.md", "--home", str(home))
    assert shown.code == 0 and "not committed" in shown.out


def test_it_asks_and_no_means_no(
    cli: CommandLine,
    saved: Path,
    base: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(base, "later.md", "x")
    nobody = cli("restore", str(saved), "--knowledge", str(base))
    assert nobody.code == ExitCode.USAGE and "--yes" in nobody.err

    class Person(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Person("no\n"))
    left = cli("restore", str(saved), "--knowledge", str(base))
    assert left.code == ExitCode.NO_ANSWER and "Left as it was" in left.out and "11 documents" in left.out
    assert (base / "later.md").exists()
    monkeypatch.setattr("sys.stdin", Person("yes\n"))
    done = cli("restore", str(saved), "--knowledge", str(base))
    assert done.code == 0 and ".damaged-" in done.out
    assert not (base / "later.md").exists()


def test_json_names_what_was_moved_aside(cli: CommandLine, saved: Path, base: Path) -> None:
    done = cli("restore", str(saved), "--yes", "--json", "--knowledge", str(base))
    found = json.loads(done.out)
    assert found["schema"] == 1 and found["target"] == str(base)
    aside = [path for path in found["aside"] if not path.endswith("-journal")]  # SQLite's, where it stays
    assert len(aside) == 2 and found["databases"] == ["ledger.db"]


def test_a_damaged_backup_is_4_and_an_older_good_one_is_taken(
    cli: CommandLine,
    saved: Path,
    base: Path,
    tmp_path: Path,
) -> None:
    cli("backup", str(saved), "--knowledge", str(base))
    newest = sorted(saved.glob("kb-*.bundle"))[-1]
    newest.write_bytes(newest.read_bytes()[:-5])
    bad = cli("restore", str(newest), "--yes", "--home", str(tmp_path / "new"))
    assert bad.code == ExitCode.BAD_KNOWLEDGE and bad.clean and "Nothing was changed" in bad.err
    good = cli("restore", str(saved), "--yes", "--home", str(tmp_path / "new"))
    assert good.code == 0 and "passed over" in good.out and newest.name in good.out


@pytest.mark.parametrize("name", ["none.bundle", "text.bundle", "empty", "--output=/x"])
def test_what_is_no_backup(cli: CommandLine, tmp_path: Path, name: str) -> None:
    write(tmp_path, "text.bundle", "hello")
    (tmp_path / "empty").mkdir()
    done = cli("restore", str(tmp_path / name) if name[0] != "-" else name, "--yes")
    assert done.code in (ExitCode.BAD_KNOWLEDGE, ExitCode.ENVIRONMENT, ExitCode.USAGE)
    assert done.err and done.clean


def test_knowledge_inside_a_larger_repository_needs_a_place(cli: CommandLine, tree: Path, tmp_path: Path) -> None:
    git(tree.parent, "init", "--quiet", "-b", "main")
    git(tree.parent, "add", tree.name)
    git(tree.parent, "commit", "--quiet", "-m", "docs(x): all")
    stick = str(tmp_path / "stick")
    assert cli("backup", stick, "--knowledge", str(tree)).code == 0
    refused = cli("restore", stick, "--yes")
    assert refused.code == ExitCode.BAD_KNOWLEDGE and "--into" in refused.err
    done = cli("restore", stick, "--yes", "--into", str(tmp_path / "whole"))
    assert done.code == 0 and f"--knowledge {tmp_path / 'whole' / tree.name}" in done.out


ASK = ("ask", "签收后几天内可以退货", "--json")


@pytest.fixture
def live(cli: CommandLine, repository: Path) -> Path:
    """A tree whose version 1.0.0 answers, and a document that is not committed."""
    write(repository, "store/returns/rule_2025_v1.md", document("退货规则", "签收后7天内可以退货。"))
    assert cli("snapshot", "--include-changes", "--knowledge", str(repository)).code == 0
    assert cli("publish", "1.0.0").code == 0
    write(repository, "open.md", "not committed")
    return repository


def _answer(cli: CommandLine, *words: str) -> tuple[str, str]:
    found = json.loads(cli(*ASK, *words).out)
    return found["text"], found["knowledge_version"]["tag"]


def test_what_was_published_answers_again_on_another_machine(cli: CommandLine, live: Path, tmp_path: Path) -> None:
    stick, home = tmp_path / "stick", tmp_path / "fresh"
    assert cli("backup", str(stick)).code == 0, "the tree of the releases, without being named"
    live.rename(tmp_path / "dead disk")
    done = cli("restore", str(stick), "--yes", "--home", str(home))
    assert done.code == 0 and "answers again" in done.out
    assert (home / "knowledge" / "open.md").read_text() == "not committed"
    assert _answer(cli, "--home", str(home)) == (_answer(cli)[0], "kb-1.0.0")
    # From here on the restored tree is the one that people keep.
    assert cli("kb", "status", "--home", str(home)).out.count("open.md") == 1
    assert cli("snapshot", "--include-changes", "--home", str(home)).code == 0
    assert cli("publish", "--home", str(home)).code == 0
    assert _answer(cli, "--home", str(home))[1] == "kb-1.1.0"


def test_a_release_that_is_gone_is_made_again_when_asked(cli: CommandLine, live: Path, own_home: Path) -> None:
    before = _answer(cli)
    shutil.rmtree(own_home / "almanac" / "releases")
    assert _answer(cli) == before


def test_it_goes_where_the_tree_was_kept(cli: CommandLine, live: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    assert cli("backup", str(stick)).code == 0
    (live / "open.md").write_text("spoilt")
    done = cli("restore", str(stick), "--yes")
    assert done.code == 0 and str(live) in done.out
    assert (live / "open.md").read_text() == "not committed"
    aside = next(live.parent.glob(f"{live.name}.damaged-*"))
    assert (aside / "open.md").read_text() == "spoilt"


def test_a_tree_that_is_gone_is_not_saved_as_another_one(cli: CommandLine, live: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    live.rename(tmp_path / "unplugged")
    done = cli("backup", str(stick))
    assert done.code == ExitCode.BAD_KNOWLEDGE and str(live) in done.err
    assert not list(stick.glob("*.bundle"))
