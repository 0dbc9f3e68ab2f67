"""kb.cli.kiosk: the PIN from a terminal and from standard input; what the maintenance screen can do."""

from __future__ import annotations

import io
import json
import os
import signal
from pathlib import Path

import pexpect
import pytest

from kb import paths
from kb.cli import kiosk
from kb.cli.parser import parse
from kb.config import Config
from kb.kiosk.pin import Pin, Verdict
from tests.conftest import CommandLine
from tests.helpers import Program, git, has_git


def test_the_pin_is_read_from_standard_input(cli: CommandLine, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("83561\n"))
    done = cli("kiosk", "pin")
    assert done.code == 0 and "83561" not in done.out + done.err
    assert Pin(own_home / "almanac").check("83561").verdict is Verdict.RIGHT
    monkeypatch.setattr("sys.stdin", io.StringIO("1234\n"))
    done = cli("kiosk", "pin")
    assert done.code == 2 and "anybody" in done.err
    assert cli("kiosk", "pin", "--remove").code == 0
    assert "No PIN was set" in cli("kiosk", "pin", "--remove").out


def test_the_settings_are_told(cli: CommandLine, own_home: Path) -> None:
    home = own_home / "almanac"
    assert (
        "not kept" not in cli("kiosk", "status").out and "Nothing that is asked is kept" in cli("kiosk", "status").out
    )
    (home / "kiosk.toml").write_text("idle = 60\nkeep_gaps = true\n")
    told = json.loads(cli("kiosk", "status", "--json").out)
    assert (told["idle"], told["keep_gaps"], told["enabled"], told["pin"]) == (60, True, False, False)
    (home / "kiosk.toml").write_text("idle = 1\n")
    done = cli("kiosk", "status")
    assert done.code == 2 and done.clean


def test_without_an_action_the_usage_is_shown(cli: CommandLine) -> None:
    assert cli("kiosk").code == 2
    assert cli("--idle", "60").code == 2


def _typing(program: Program, *arguments: str) -> pexpect.spawn:
    command = program.command("kiosk", "pin", "--lang", "en", *arguments)
    return pexpect.spawn(command[0], command[1:], env=program.environment(), encoding="utf-8", timeout=30)


def test_the_pin_is_typed_twice_without_echo(program: Program) -> None:
    child = _typing(program)
    child.expect("New PIN")
    child.sendline("83561")
    child.expect("Once more")
    child.sendline("83561")
    child.expect("The PIN is set")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
    assert Pin(program.home / "almanac").check("83561").verdict is Verdict.RIGHT


def test_two_different_pins_change_nothing_and_nothing_is_echoed(program: Program) -> None:
    child = _typing(program)
    child.logfile_read = io.StringIO()
    child.expect("New PIN")
    child.sendline("83561")
    child.expect("Once more")
    child.sendline("83562")
    child.expect("not the same")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 2 and "8356" not in child.logfile_read.getvalue()
    assert not Pin(program.home / "almanac").is_set


def test_an_interrupted_question_gives_the_terminal_back(program: Program) -> None:
    child = _typing(program)
    child.expect("New PIN")
    assert child.waitnoecho(timeout=10)
    os.kill(child.pid, signal.SIGINT)
    child.expect(pexpect.EOF)
    assert child.wait() == 130


@pytest.mark.slow
@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_each_work_of_maintenance_is_a_process_that_speaks(
    tree: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "41")
    monkeypatch.setenv("LINES", "17")
    git(tree, "init", "--quiet", "-b", "main")
    git(tree, "add", "-A")
    git(tree, "commit", "--quiet", "-m", "docs(x): all")
    home = own_home / "almanac"
    config = Config(home=home, knowledge=tree, lang="en", self_command=paths.self_command(),
                    environment={**os.environ, "TERM": "linux"})  # fmt: skip
    works = kiosk.maintenance(parse(["--knowledge", str(tree)], "en"), config)
    assert works.back_up is not None and works.examine is not None
    saved = works.back_up("en")
    assert saved.good and "Saved and checked" in saved.lines[0]
    assert list((home / "backups").glob("*.bundle"))
    assert "已保存" in works.back_up("zh").lines[0]
    examined = works.examine("en")
    assert any("Knowledge version" in line for line in examined.lines)
    assert any("TERM=linux, 41x17" in line for line in examined.lines), "the terminal of who reads it"
    broken = kiosk.maintenance(parse(["--knowledge", str(tree / "none")], "en"), config)
    assert broken.back_up is not None
    said = broken.back_up("en")
    assert not said.good and "none" in " ".join(said.lines)


def test_a_program_that_is_gone_is_said(own_home: Path) -> None:
    from kb.errors import AlmanacError

    config = Config(home=own_home, knowledge=own_home, lang="en", self_command=(str(own_home / "gone"),))
    works = kiosk.maintenance(parse([], "en"), config)
    assert works.examine is not None
    with pytest.raises(AlmanacError) as raised:
        works.examine("en")
    assert raised.value.key == "kiosk_work_failed"
