"""kb.cli.check: the verb, its exit codes, the state beside the documents."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from kb import db
from kb.cli import check as module
from kb.cli.check import databases, run_checks
from kb.errors import AlmanacError
from kb.tree.contract.findings import Check, Finding
from tests.conftest import CommandLine
from tests.helpers import PROJECT, raw_controls, write

HEAD = "---\ntitle: x\nversion: 1.0\ndate_updated: 2024-01-01\n"


def test_a_clean_tree_is_0(cli: CommandLine) -> None:
    done = cli("check", "--knowledge", str(PROJECT / "docs"))
    assert done.code == 0
    assert "0 errors, 0 warnings" in done.out


def test_errors_are_4_with_file_line_rule_and_repair(cli: CommandLine, empty_tree: Path) -> None:
    write(empty_tree, "a_2024.md", HEAD + "keywords: [甲、乙]\n---\n![x](images/none_2024.png)\n")
    done = cli("check", "--knowledge", str(empty_tree))
    assert done.code == 4
    assert "a_2024.md:5: error:" in done.out
    assert "[keyword-characters] (--fix repairs this)" in done.out
    assert "a_2024.md:7: error: the image images/none_2024.png does not exist [image-missing]" in done.out
    fixed = cli("check", "--fix", "--knowledge", str(empty_tree))
    assert fixed.code == 4
    assert "repaired: a_2024.md" in fixed.out
    assert "repairs this" not in fixed.out
    assert "大豆" not in cli("check", "--lang", "zh", "--knowledge", str(empty_tree)).out


def test_warnings_alone_are_0(cli: CommandLine, empty_tree: Path) -> None:
    write(empty_tree, "a.md", HEAD + "---\n")
    done = cli("check", "--knowledge", str(empty_tree))
    assert (done.code, "warning" in done.out) == (0, True)


def test_json(cli: CommandLine, empty_tree: Path) -> None:
    write(empty_tree, "a_2024.md", "no front matter \x1b[31m")
    done = cli("check", "--all", "--json", "--knowledge", str(empty_tree))
    found = json.loads(done.out)
    assert done.code == 4
    assert found["trees"][0]["errors"] == 1
    assert found["trees"][0]["findings"][0]["rule"] == "front-matter-missing"
    assert {"tree", "databases"} <= found["state"].keys()


def test_names_from_outside_cannot_command_the_terminal(cli: CommandLine, empty_tree: Path) -> None:
    write(empty_tree, "a\x1b[31m_2024.md", HEAD + "\x9b31m: x\n---\n![x](\x1b]0;x.png)")
    done = cli("check", "--knowledge", str(empty_tree))
    assert done.code == 4
    assert not raw_controls(done.out + done.err)


def test_no_such_file_is_4_and_a_wrong_flag_2(cli: CommandLine, empty_tree: Path) -> None:
    assert cli("check", "none.md", "--knowledge", str(empty_tree)).code == 4
    assert cli("check", "--wrong", "--knowledge", str(empty_tree)).code == 2
    assert cli("check", "--knowledge", str(empty_tree)).code == 0


def test_all_names_a_damaged_database(cli: CommandLine, empty_tree: Path, own_home: Path) -> None:
    home = own_home / "almanac"
    db.open_people(home, db.PeopleData.LEDGER).execute("CREATE TABLE t(x)").connection.close()
    assert list(databases(home)) == []
    path = db.people_path(home, db.PeopleData.LEDGER)
    path.write_bytes(path.read_bytes()[:100] + b"damage" * 400)
    done = cli("check", "--all", "--knowledge", str(empty_tree))
    assert done.code == 4
    assert "ledger.db" in done.out
    assert "[database-damaged]" in done.out


def test_all_reads_taxonomy_and_index(cli: CommandLine, tree: Path) -> None:
    assert "Tree: ok" in cli("check", "--all", "--knowledge", str(tree)).out
    (tree / "taxonomy.yaml").write_text("a: [", "utf-8")
    done = cli("check", "--all", "--knowledge", str(tree))
    assert (done.code, "taxonomy.yaml" in done.out) == (4, True)


def test_a_stale_index_entry_is_a_warning(cli: CommandLine, empty_tree: Path) -> None:
    write(empty_tree, "_index.yaml", "files:\n  - file: gone.md\n    summary: x\n    keywords: []\n")
    done = cli("check", "--all", "--knowledge", str(empty_tree))
    assert (done.code, "gone.md" in done.out) == (0, True)


def test_a_check_that_fails_is_a_finding() -> None:
    def fails() -> Iterable[Finding]:
        raise AlmanacError("git_missing")

    found = run_checks([Check("a", fails), Check("b", list)])
    assert [finding.rule for finding in found["a"]] == ["check-failed"]
    assert found["b"] == []


def test_other_rooms_plug_in(cli: CommandLine, empty_tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Check("repository", lambda: [Finding("x", 0, "check-failed", params={"detail": "broken"})])
    monkeypatch.setattr(module, "_PROVIDERS", (lambda config, root: [broken],))
    done = cli("check", "--all", "--knowledge", str(empty_tree))
    assert (done.code, "broken" in done.out) == (4, True)
