"""kb.cli.backup: what is said, in both forms, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb import db
from kb.errors import ExitCode
from tests.conftest import CommandLine
from tests.helpers import git, has_git, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")


@pytest.fixture
def base(tree: Path, own_home: Path) -> Path:
    """`tree` as a repository, with an uncommitted document and a database."""
    git(tree, "init", "--quiet", "-b", "main")
    git(tree, "add", "-A")
    git(tree, "commit", "--quiet", "-m", "docs(x): all")
    write(tree, "open.md", "not committed")
    connection = db.open_people(own_home / "almanac", db.PeopleData.LEDGER)
    connection.execute("CREATE TABLE t (a)")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.close()
    return tree


def test_a_person_reads_what_was_saved(cli: CommandLine, base: Path, own_home: Path) -> None:
    done = cli("backup", "--knowledge", str(base))
    assert (done.code, done.err) == (0, "")
    assert "11 documents" in done.out and "1 databases, 1 rows" in done.out and "1 files, saved too" in done.out
    made = list((own_home / "almanac" / "backups").glob("kb-*.bundle"))
    assert len(made) == 1 and str(made[0]) in done.out


def test_a_program_reads_json(cli: CommandLine, base: Path, tmp_path: Path) -> None:
    done = cli("backup", str(tmp_path / "U盘"), "--json", "--gc", "--knowledge", str(base), "--keep", "1")
    found = json.loads(done.out)
    assert found["schema"] == 1 and found["gc"]
    assert Path(found["file"]).stat().st_size == found["size"]
    assert found["contents"]["databases"][0]["rows"] == {"t": 1}
    verified = json.loads(cli("backup", str(tmp_path / "U盘"), "--verify", "--json").out)
    assert verified["good"] and verified["head"] == found["head"]
    assert [backup["state"] for backup in verified["backups"]] == ["good"]


def test_verify_tells_what_is_wrong(cli: CommandLine, base: Path, own_home: Path) -> None:
    none = cli("backup", "--verify")
    assert none.code == ExitCode.BAD_KNOWLEDGE and "almanac backup" in none.out
    cli("backup", "--knowledge", str(base))
    good = cli("backup", "--verify")
    assert good.code == 0 and "All 1 backups are good" in good.out
    made = next((own_home / "almanac" / "backups").glob("kb-*.bundle"))
    made.write_bytes(b"x" * made.stat().st_size)
    bad = cli("backup", "--verify", "--lang", "zh")
    assert bad.code == ExitCode.BAD_KNOWLEDGE and "损坏或被改动" in bad.out
    (made.parent / "chain.jsonl").write_text("rubbish\n")
    assert "broken at line 1" in cli("backup", "--verify").out


@pytest.mark.parametrize("arguments", [["--keep", "0"], ["--keep", "-1"], ["--days", "0"], ["--keep", "x"], ["a", "b"]])
def test_wrong_numbers_are_usage(cli: CommandLine, base: Path, arguments: list[str]) -> None:
    done = cli("backup", "--knowledge", str(base), *arguments)
    assert done.code == ExitCode.USAGE and done.clean and done.err


def test_where_nothing_can_be_written(cli: CommandLine, base: Path, tmp_path: Path) -> None:
    write(tmp_path, "a file", "x")
    done = cli("backup", str(tmp_path / "a file" / "below"), "--knowledge", str(base))
    assert done.code == ExitCode.ENVIRONMENT and done.clean and "a file" in done.err


def test_without_git_it_says_so(cli: CommandLine, base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    done = cli("backup", "--knowledge", str(base))
    assert done.code == ExitCode.ENVIRONMENT and "git" in done.err
