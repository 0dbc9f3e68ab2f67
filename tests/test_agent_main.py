"""agent_main: exit codes, messages, never a traceback; the configuration of a run."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

import agent_main
from kb import paths
from kb.errors import AlmanacError, ExitCode
from tests.conftest import CommandLine
from tests.helpers import raw_controls


def test_version_and_help_end_well(cli: CommandLine) -> None:
    done = cli("--version")
    assert (done.code, done.out) == (0, "almanac 0.1.0\n")
    assert "almanac ask" in cli("--help").out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--nonsense"],
        ["nonsense"],
        ["ask"],
        ["ask", "x", "--wrong"],
        ["search", "--top", "many", "x"],
        ["--threads", "0", "ask", "x"],
        ["--lang", "fr", "ask", "x"],
        ["completion", "cmd"],
        ["show"],
        ["ask", "x", "--on", "tomorrow"],
        ["ask", ""],
        ["ask", "?!"],
        ["history", "--output=/tmp/x"],
        ["search", "x", "--top", "0"],
        ["search", "x", "--top", "-3"],
    ],
)
def test_wrong_usage_is_2_and_says_how(cli: CommandLine, tree: Path, arguments: list[str]) -> None:
    done = cli(*arguments, "--knowledge", str(tree))
    assert done.code == ExitCode.USAGE
    assert done.out == ""
    assert done.err.strip()
    assert done.clean


def test_without_a_terminal_the_interface_says_how_to_ask(cli: CommandLine) -> None:
    done = cli()
    assert done.code == ExitCode.USAGE
    assert "almanac ask" in done.err


@pytest.mark.parametrize(
    ("environment", "arguments", "said"),
    [
        ({"LANG": "zh_CN.UTF-8"}, [], "界面需要终端"),
        ({"LANG": "zh_CN.UTF-8"}, ["--lang", "en"], "The interface needs"),
        ({"LANG": "zh_CN.UTF-8"}, ["--lang=en"], "The interface needs"),
        ({"ALMANAC_LANG": "zh", "LANG": "en_GB.UTF-8"}, [], "界面需要终端"),
        ({"LC_ALL": "zh_CN.GBK", "LANG": "en_GB.UTF-8"}, [], "界面需要终端"),
        ({"LANG": "C"}, [], "The interface needs"),
    ],
)
def test_the_language_of_messages(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], arguments: list[str], said: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert said in cli(*arguments).err


def _failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr("kb.cli.ask.run", fail)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (AlmanacError("disk_full", path="/x", free=3), 5, "/x has 3 MB free"),
        (AlmanacError("root_empty", ExitCode.BAD_KNOWLEDGE, path="/y"), 4, "/y holds no"),
        (KeyboardInterrupt(), 130, "Stopped."),
        (ZeroDivisionError("secret"), 1, "ZeroDivisionError"),
        (RecursionError(), 1, "RecursionError"),
        (MemoryError(), 1, "MemoryError"),
    ],
)
def test_every_error_becomes_a_sentence_and_a_code(
    cli: CommandLine, tree: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    _failing(monkeypatch, error)
    done = cli("ask", "x", "--knowledge", str(tree))
    assert done.code == code
    assert said in done.err
    assert done.clean


def test_an_inner_fault_is_reported_into_the_home_of_this_run(
    cli: CommandLine, tree: Path, monkeypatch: pytest.MonkeyPatch, own_home: Path, tmp_path: Path
) -> None:
    _failing(monkeypatch, ZeroDivisionError("x"))
    assert "report" in cli("ask", "x", "--knowledge", str(tree)).err
    assert list((own_home / "almanac" / "reports").iterdir())
    cli("ask", "x", "--knowledge", str(tree), "--home", str(tmp_path / "stick"))
    assert list((tmp_path / "stick" / "reports").iterdir())


def test_control_characters_do_not_reach_the_terminal(cli: CommandLine, tree: Path) -> None:
    done = cli("show", "\x1b]52;c;aGk=\x07\x9b31m.md", "--knowledge", str(tree))
    assert done.code == ExitCode.BAD_KNOWLEDGE
    assert not raw_controls(done.err)
    assert not raw_controls(cli("ask", "x", "--\x1b[31m").err)


def test_a_named_home_that_cannot_be_written_is_5(cli: CommandLine, tree: Path) -> None:
    done = cli("ask", "x", "--knowledge", str(tree), "--home", "/proc/almanac")
    assert done.code == ExitCode.ENVIRONMENT
    assert "/proc/almanac" in done.err


def test_what_a_killed_process_left_in_the_home_goes(cli: CommandLine, tree: Path, tmp_path: Path) -> None:
    left, being_made = (tmp_path / "h" / f".almanac-tmp-{name}" for name in ("left", "made"))
    left.parent.mkdir()
    left.touch()
    being_made.touch()
    os.utime(left, (0, 0))
    assert cli("search", "大豆", "--home", str(tmp_path / "h"), "--knowledge", str(tree)).code == 0
    assert not left.exists()
    assert being_made.exists()


def test_a_model_that_is_none_is_said(cli: CommandLine, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_text("no model")
    for option in ("--model", "--embedder"):
        done = cli("ask", "x", "--knowledge", str(tree), option, str(tmp_path / "m.gguf"))
        assert done.code == ExitCode.ENVIRONMENT
        assert "m.gguf is not a GGUF" in done.err


def test_configuration_is_absolute_and_complete(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_home: Path
) -> None:
    from kb.cli.parser import parse

    monkeypatch.setattr(
        paths, "find_assets", lambda home, report: paths.Assets(prebuilt_index=tmp_path, history_bundle=tmp_path)
    )
    monkeypatch.chdir(tree.parent)
    monkeypatch.setenv("TERM", "dumb")
    config = agent_main.configure(parse(["--knowledge", tree.name, "--no-model", "ask", "x"], "en"), "en")
    assert config.knowledge == tree
    assert config.home == own_home / "almanac"
    assert not config.use_model
    assert config.environment["TERM"] == "dumb"
    assert config.prebuilt_index is None, "an index of other documents"
    assert config.history_bundle is None
    own = agent_main.configure(parse(["ask", "x"], "en"), "en")
    assert own.prebuilt_index == tmp_path


def test_a_poor_terminal_encoding_is_no_error(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    raw = io.BytesIO()
    poor = io.TextIOWrapper(raw, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", poor)
    monkeypatch.setattr(paths, "find_assets", lambda home, report: paths.Assets())
    assert agent_main.main(["show", "machinery/pump/fault_codes_2025_v1.md", "--knowledge", str(tree)]) == 0
    poor.flush()
    assert "水泵" in raw.getvalue().decode()


def test_the_probe_is_not_for_people(cli: CommandLine, tmp_path: Path) -> None:
    for arguments in ([], [str(tmp_path)], [str(tmp_path), "none.so"]):
        done = cli("_probe", *arguments)
        assert done.code != 0
        assert done.clean


@pytest.mark.parametrize(("idle", "ended"), [(True, []), (False, [7])])
def test_the_interface_ends_hard_only_while_something_still_computes(
    tree: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch, idle: bool, ended: list[int]
) -> None:
    codes: list[int] = []
    monkeypatch.setattr("os._exit", codes.append)
    monkeypatch.setattr(paths, "find_assets", lambda home, report=None: paths.Assets())
    monkeypatch.setattr("tui.app.run_app", lambda runtime, theme=None, heartbeat=None, examine=None: 7)
    monkeypatch.setattr("kb.answer.runtime.Runtime.close", lambda self: idle)
    monkeypatch.setattr("sys.stdin", Terminal())
    shown = Terminal()
    monkeypatch.setattr("sys.stdout", shown)
    assert agent_main.main(["--knowledge", str(tree), "--home", str(own_home), "--lang", "en"]) == 7
    assert codes == ended
    assert str(own_home) in shown.getvalue()


class Terminal(io.StringIO):
    """Text in memory that says it is a terminal."""

    def isatty(self) -> bool:
        return True
