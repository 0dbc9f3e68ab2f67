"""kb.cli.update: make an update, look at it, put it in place, take it back; every refusal with its exit code."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.helpers import DATA, Program, document, git, wait_for, write

RULE = "store/returns/rule_2025_v1.md"
ASK = ("ask", "签收后几天内可以退货", "--json")
KEYS = DATA / "update"


def _edition(cli: CommandLine, repository: Path, stick: Path, days: int) -> None:
    """A version of the knowledge on the stick, made on a machine of its author."""
    at_home = ("--knowledge", str(repository), "--home", str(repository.parent / "author"))
    write(repository, RULE, document("退货规则", f"签收后{days}天内可以退货。"))
    assert cli("snapshot", "--include-changes", *at_home).code == 0
    done = cli("update", "make", str(stick), *at_home)
    assert done.code == 0 and "minisign -S -m" in done.out


@pytest.fixture
def stick(cli: CommandLine, repository: Path, tmp_path: Path) -> Path:
    """A stick with version 1.0.0: 7 days, and a question of which that is the answer."""
    write(repository, "questions.yaml", "questions:\n  - 签收后几天内可以退货\n")
    folder = tmp_path / "U盘 更新"
    _edition(cli, repository, folder, 7)
    return folder


@pytest.fixture
def machine(tree: Path, tmp_path: Path, own_home: Path) -> Path:
    """Where the documents lie that answer before any update: knowledge of one's own without versions."""
    folder = tmp_path / "before"
    write(folder, RULE, document("退货规则", "签收后9天内可以退货。"))
    return folder


def _from(stick: Path, machine: Path, *words: str) -> tuple[str, ...]:
    return ("update", *words, "--from", str(stick), "--knowledge", str(machine), "--allow-unrelated")


def _text(cli: CommandLine) -> str:
    return str(json.loads(cli(*ASK).out)["text"])


def test_from_the_stick_to_an_answer_and_back(cli: CommandLine, repository: Path, stick: Path, machine: Path) -> None:
    done = cli(*_from(stick, machine, "--yes"))
    assert done.code == 0, done
    assert "9天 → 7天" in done.out and "kb-1.0.0 answers now" in done.out
    assert "not signed" in done.out
    assert "7天" in _text(cli)
    _edition(cli, repository, stick, 3)
    done = cli(*_from(stick, machine, "--yes", "--lang", "zh", "--by", "站长", "--why", "新规定"))
    assert "1 处数字改变" in done.out and "7天 → 3天" in done.out
    assert "3天" in _text(cli)
    log = cli("route", "log", "--json")
    assert "站长" in log.out and "新规定" in log.out
    undone = cli("update", "--undo", "--json", "--knowledge", str(machine))
    found = json.loads(undone.out)["undone"]
    assert (found["version"], found["previous"]) == ("kb-1.0.0", "kb-1.1.0")
    assert "7天" in _text(cli)
    again = cli("update", "--undo", "--knowledge", str(machine))
    assert again.code == 2 and "no update to take back" in again.err


def test_check_changes_nothing_and_is_json(cli: CommandLine, stick: Path, machine: Path, own_home: Path) -> None:
    done = cli(*_from(stick, machine, "check", "--json"))
    assert done.code == 0
    found = json.loads(done.out)
    assert found["newer"] is True and found["refused"] == []
    [offer] = found["offers"]
    assert (offer["kind"], offer["version"], offer["age"], offer["relation"]) == (
        "knowledge", "kb-1.0.0", "newer", "unrelated",
    )  # fmt: skip
    assert [(number["old"], number["new"]) for number in offer["difference"]["numbers"]] == [("9天", "7天")]
    assert sorted(path.name for path in (own_home / "almanac").iterdir()) == ["updates"]
    assert [path.name for path in (own_home / "almanac" / "updates").iterdir()] == ["lock"]


def test_a_copy_of_another_environment_is_told_that_it_stays_as_it_was(
    cli: CommandLine, stick: Path, machine: Path
) -> None:
    done = cli(*_from(stick, machine, "--yes"), "--in-env", "test")
    assert done.code == 0 and "environment prod; this copy answers from test" in done.out


def test_nothing_newer_is_no_failure(cli: CommandLine, stick: Path, machine: Path) -> None:
    assert cli(*_from(stick, machine, "--yes")).code == 0
    for words, code in (((), 0), (("check",), 3), (("--yes",), 0)):
        done = cli(*_from(stick, machine, *words))
        assert done.code == code and "newer than what is in place" in done.out
    assert json.loads(cli(*_from(stick, machine, "--yes", "--json")).out)["applied"] == []
    empty = machine.parent / "empty"
    empty.mkdir()
    done = cli(*_from(empty, machine))
    assert done.code == 0 and "no update there" in done.out


def test_nobody_is_there_to_agree(cli: CommandLine, stick: Path, machine: Path) -> None:
    for words in ((), ("--json",)):
        done = cli(*_from(stick, machine, *words))
        assert done.code == 2 and "--yes" in done.err
    assert "9天" in str(json.loads(cli(*ASK, "--knowledge", str(machine)).out)["text"])
    assert json.loads(cli("route", "list", "--json").out)["routes"] == []


def test_knowledge_of_ones_own_is_kept_unless_said(cli: CommandLine, stick: Path, machine: Path) -> None:
    done = cli("update", "--from", str(stick), "--knowledge", str(machine), "--yes")
    assert done.code == 4 and "--allow-unrelated" in done.out
    assert json.loads(cli("route", "list", "--json").out)["routes"] == []


def test_a_damaged_one_is_refused(cli: CommandLine, stick: Path, machine: Path) -> None:
    [bundle] = stick.glob("*.bundle")
    bundle.write_bytes(bundle.read_bytes()[:-9])
    for words in (("--yes",), ("check",)):
        done = cli(*_from(stick, machine, *words))
        assert done.code == 4 and "checksum differs" in done.out
    [refused] = json.loads(cli(*_from(stick, machine, "check", "--json")).out)["refused"]
    assert refused["reason"] == "update_digest"


def test_an_older_one_is_refused_unless_said(
    cli: CommandLine, repository: Path, stick: Path, machine: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    stick.rename(old)
    _edition(cli, repository, stick, 3)
    assert cli(*_from(stick, machine, "--yes")).code == 0
    done = cli(*_from(old, machine, "--yes"))
    assert done.code == 0 and "is not newer" in done.out and "3天" in _text(cli)
    done = cli(*_from(old, machine, "--yes", "--allow-older"))
    assert done.code == 0 and "7天" in _text(cli)


def test_one_that_answers_less_is_refused(cli: CommandLine, repository: Path, stick: Path, machine: Path) -> None:
    assert cli(*_from(stick, machine, "--yes")).code == 0
    write(repository, "questions.yaml", "questions:\n  - 签收后几天内可以退货\n  - 退货要几天\n")
    (repository / RULE).unlink()
    for path in repository.glob("store/returns/*"):
        path.unlink()
    at_home = ("--knowledge", str(repository), "--home", str(repository.parent / "author"))
    assert cli("snapshot", "--include-changes", *at_home).code == 0
    assert cli("update", "make", str(stick), *at_home).code == 0
    done = cli(*_from(stick, machine, "--yes"))
    assert done.code == 4 and "did not pass its trial" in done.err and "签收后几天内可以退货" in done.err
    assert "7天" in _text(cli)


def test_keys_are_kept_only_when_somebody_agrees(cli: CommandLine, stick: Path, machine: Path) -> None:
    assert "checksum alone" in cli("update", "keys").out
    done = cli("update", "trust", str(KEYS / "owner.pub"))
    assert done.code == 2 and "5E4E8DD0E56CACEE" in done.out
    assert json.loads(cli("update", "keys", "--json").out)["keys"] == []
    line = (KEYS / "owner.pub").read_text().splitlines()[1]
    assert cli("update", "trust", line, "--yes").code == 0
    assert json.loads(cli("update", "keys", "--json").out)["keys"] == [{"id": "5E4E8DD0E56CACEE", "key": line}]
    done = cli(*_from(stick, machine, "--yes"))
    assert done.code == 4 and "is not signed" in done.out
    done = cli("update", "distrust", "nobody")
    assert done.code == 2
    assert cli("update", "distrust", "5E4E8DD0E56CACEE").code == 0
    assert cli(*_from(stick, machine, "--yes")).code == 0


def test_a_file_that_is_no_key_is_named(cli: CommandLine, tmp_path: Path) -> None:
    for target in (KEYS / "message.txt", tmp_path / "gone"):
        done = cli("update", "trust", str(target), "--yes")
        assert done.code == 5 and str(target) in done.err


@pytest.mark.parametrize(
    "words",
    [("make",), ("trust",), ("distrust",), ("check", "x"), ("keys", "x"), ("check", "--undo"), ("--undo",)],
)  # fmt: skip
def test_words_that_mean_nothing_together(cli: CommandLine, words: tuple[str, ...], machine: Path) -> None:
    done = cli("update", *words, "--knowledge", str(machine))
    assert done.code == 2 and done.clean


@pytest.mark.parametrize("answer", ["yes\n", "no\n", "\n"])
def test_it_asks_on_a_terminal(cli: CommandLine, stick: Path, machine: Path, program: Program, answer: str) -> None:
    """The whole program on a pseudo-terminal: the question comes after what would change."""
    first, second = pty.openpty()
    child = subprocess.Popen(
        program.command(*_from(stick, machine)), stdin=second, stdout=second, stderr=second, env=program.environment(),
    )  # fmt: skip
    os.close(second)
    shown = b""

    def asked() -> bool:
        nonlocal shown
        shown += os.read(first, 4096)
        return b"Type yes" in shown

    wait_for(asked, "the question", 60)
    assert shown.index("9天 → 7天".encode()) < shown.index(b"Type yes")
    os.write(first, answer.encode())
    while True:
        try:
            piece = os.read(first, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(first)
    assert child.wait(60) == (0 if answer == "yes\n" else 3), shown.decode()
    assert (b"answers now" in shown) == (answer == "yes\n")


def test_a_backup_holds_the_version_that_an_update_brought(
    cli: CommandLine, stick: Path, machine: Path, tmp_path: Path
) -> None:
    git(machine, "init", "--quiet", "-b", "main")
    git(machine, "add", "-A")
    git(machine, "commit", "--quiet", "-m", "docs(x): all")
    assert cli(*_from(stick, machine, "--yes")).code == 0
    saved, home = tmp_path / "saved", tmp_path / "fresh"
    assert cli("backup", str(saved), "--knowledge", str(machine)).code == 0
    shutil.rmtree(stick)
    done = cli("restore", str(saved), "--yes", "--home", str(home))
    assert done.code == 0, done
    assert json.loads(cli(*ASK, "--home", str(home)).out)["knowledge_version"]["tag"] == "kb-1.0.0"
    assert "9天" in cli("show", RULE, "--knowledge", str(home / "knowledge")).out
