"""The command line as a process: places, locales, pipes, signals. Never a traceback."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers import NO_TRACE, Program, document, run_python, wait_for, write

ASK = ("ask", "大豆播种深度是多少", "--on", "2026-06-01")
DOCUMENT = "machinery/pump/fault_codes_2025_v1.md"


def test_exit_codes(program: Program, tree: Path, tmp_path: Path) -> None:
    knowledge = ("--knowledge", str(tree))
    (tmp_path / "file").write_text("x")
    runs: dict[int, list[tuple[str, ...]]] = {
        0: [("--version",), (*ASK, *knowledge)],
        2: [("--wrong",), ("ask", *knowledge)],
        3: [("ask", "zebra pancake trombone", *knowledge)],
        4: [("ask", "x", "--knowledge", str(tmp_path / "none")), ("ask", "x", "--knowledge", str(tmp_path / "file"))],
        5: [("ask", "x", *knowledge, "--home", "/proc/none")],
    }
    for code, commands in runs.items():
        for arguments in commands:
            done = program(*arguments)
            assert (done.code, done.clean) == (code, True), (arguments, done)


@pytest.mark.parametrize("verb", ["ask", "search", "index", "doctor", "lookup", "history", "show"])
def test_a_wrong_place_is_said_in_a_sentence(program: Program, tmp_path: Path, verb: str) -> None:
    words = ("x",) if verb in ("ask", "search", "lookup", "show") else ()
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "none", tmp_path / "file"):
        done = program(verb, *words, "--knowledge", str(place))
        assert done.code == 4, done
        assert str(place) in done.err
        assert done.clean


def test_an_empty_folder_is_not_taken_for_silence_of_the_documents(program: Program, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = program("ask", "x y", "--knowledge", str(tmp_path / "empty"))
    assert done.clean
    assert done.code == 4
    assert "holds no Markdown" in done.err


def test_an_unreadable_folder_is_said(program: Program, tmp_path: Path) -> None:
    """As root every folder is readable, so there the program runs as nobody."""
    locked = tmp_path / "locked"
    locked.mkdir()
    write(locked, "a.md", "x")
    locked.chmod(0)
    code = (
        "import os, sys, tarfile\nimport agent_main, kb.cli.ask, kb.cli.parser, kb.crash, kb.paths, platformdirs.unix\n"
        "if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "sys.exit(agent_main.main(['ask', 'x', '--knowledge', sys.argv[1], '--home', sys.argv[2]]))"
    )
    home = tmp_path / "h"
    home.mkdir()
    home.chmod(0o777)
    for folder in (tmp_path, *tmp_path.parents, program.main.parent, *program.main.parents):
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055)
    try:
        done = run_python(code, str(locked), str(home), path=program.main.parent)
    finally:
        locked.chmod(0o755)
    assert done.code == 4, done
    assert "Permission denied" in done.err
    assert str(locked) in done.err
    assert done.clean


@pytest.mark.parametrize("name", ["知识 库 😀", 'it\'s (a) "dir" & $HOME;', "#%3f?[x]*"])
def test_a_path_of_any_name(program: Program, tree: Path, tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    shutil.move(tree, place)
    home = tmp_path / f"家 {name}"
    done = program(*ASK, "--knowledge", str(place), "--home", str(home))
    assert (done.code, done.err) == (0, "")
    assert "3-5厘米" in done.out
    assert program(*ASK, "--knowledge", str(place), "--home", str(home)).code == 0


def test_the_program_itself_may_lie_anywhere(program: Program, tree: Path, tmp_path: Path) -> None:
    place = tmp_path / "程序 😀"
    shutil.copytree(program.main.parent, place)
    link = tmp_path / "link.py"
    link.symlink_to(place / "agent_main.py")
    for main in (place / "agent_main.py", link):
        done = Program(main, program.home)(*ASK, "--knowledge", str(tree), cwd=Path("/"))
        assert (done.code, done.err) == (0, "")


def test_relative_places_and_other_folders(program: Program, tree: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tree)
    for cwd, place in ((tree.parent, tree.name), (tree, "."), (Path("/"), str(link))):
        done = program(*ASK, "--knowledge", place, cwd=cwd)
        assert (done.code, done.err) == (0, ""), place
    assert "growth_stage_2024_v2.md" in done.out


def test_an_empty_environment(program: Program, tree: Path) -> None:
    done = subprocess.run(
        program.command(*ASK, "--knowledge", str(tree), "--home", str(program.home / "h")),
        env={}, capture_output=True, timeout=60, check=False, cwd="/",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "3-5厘米" in done.stdout.decode()


@pytest.mark.parametrize(
    ("environment", "encoding"),
    [
        ({"PYTHONIOENCODING": "gbk", "LANG": "zh_CN.GBK"}, "gbk"),
        ({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, "utf-8"),
        ({"LC_ALL": "POSIX"}, "utf-8"),
        ({"PYTHONIOENCODING": "latin-1"}, "latin-1"),
    ],
)
def test_locales(program: Program, tree: Path, environment: dict[str, str], encoding: str) -> None:
    write(tree, "store/emoji.md", document("Wombat 😀", "The wombat box weighs 5 kg 😀 – ‘so’ ☃ 大豆."))
    for arguments in (
        ("ask", "How much does the wombat box weigh?"),
        ("show", "none 😀.md"),
        ("--help",),
    ):
        done = program(*arguments, "--knowledge", str(tree), env=environment, encoding=encoding)
        assert done.code == (4 if arguments[0] == "show" else 0), done
        assert done.clean
    if encoding == "gbk":
        assert "文档" in program("--help", env=environment, encoding="gbk").out


def test_bytes_that_are_no_text_on_the_command_line(program: Program, tree: Path) -> None:
    junk = os.fsdecode(b"\xff\xfe\x80")
    for arguments in (
        ("ask", "大豆播种深度" + junk),
        ("search", junk),
        ("lookup", junk),
        ("show", junk),
        ("ask", "--json", "大豆播种深度" + junk),
    ):
        done = program(*arguments, "--knowledge", str(tree))
        assert done.code in (0, 2, 3, 4), done
        assert done.clean


def test_a_reader_that_has_gone_is_no_error(program: Program, tree: Path) -> None:
    for arguments in (
        ("show", DOCUMENT),
        (*ASK, "--json"),
        ("completion", "bash"),
        ("--help",),
    ):
        read, writing = os.pipe()
        os.close(read)
        done = subprocess.Popen(
            program.command(*arguments, "--knowledge", str(tree)), stdout=writing, stderr=subprocess.PIPE,
            env=program.environment(),
        )  # fmt: skip
        os.close(writing)
        _, errors = done.communicate(timeout=60)
        assert errors == b"", arguments
        assert done.returncode in (0, 141), arguments


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_head_takes_one_line(program: Program, tree: Path) -> None:
    write(tree, "long.md", "line of text\n" * 200_000)
    command = (
        f'"{sys.executable}" "{program.main}" show long.md --knowledge "{tree}" | head -1; echo "${{PIPESTATUS[0]}}"'
    )
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, env=program.environment(), check=True
    )
    assert done.stdout.split("\n")[0] == "line of text"
    assert done.stdout.split("\n")[1] in ("0", "141")
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_behind_standard_output_is_said(program: Program, tree: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            program.command("show", DOCUMENT, "--knowledge", str(tree)),
            stdout=full, stderr=subprocess.PIPE, env=program.environment(), timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 5
    assert "no space left" in done.stderr.decode()


@pytest.mark.parametrize(("redirections", "code"), [(">&-", 0), ("2>&-", 0), (">&- 2>&- <&-", 0), ("--wrong 2>&-", 2)])
def test_closed_streams_change_no_exit_code(program: Program, tree: Path, redirections: str, code: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirections}', "sh", *program.command("show", DOCUMENT, "--knowledge", str(tree))],
        capture_output=True, env=program.environment(), timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert not any(mark in done.stderr.decode() for mark in NO_TRACE)


def test_ctrl_c_while_documents_are_read(program: Program, tmp_path: Path) -> None:
    root = tmp_path / "many"
    for place in range(250):
        write(root, f"d{place}.md", document(f"Doc {place}", "filler text of some length. " * 300))
    running = program.start("ask", "filler text", "--knowledge", str(root))
    home = program.home / "almanac"
    try:
        wait_for(lambda: any(home.rglob("index.db")), "indexing has begun")
        running.send_signal(signal.SIGINT)
        out, errors = running.communicate(timeout=30)
    finally:
        running.kill()
    assert running.returncode == 130, errors
    assert errors.decode() == "Stopped.\n"
    assert out == b""
    again = program("ask", "filler text", "--knowledge", str(root))
    assert again.code == 0


def _mapped(process: subprocess.Popen[bytes], *names: str) -> Callable[[], bool]:
    """Whether the process has mapped a file whose name holds one of `names`."""

    def mapped() -> bool:
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{process.pid}/maps").read_text()
            return any(name in text for name in names)
        return True

    return mapped


def test_ctrl_c_while_starting(program: Program, tree: Path) -> None:
    """Whatever is being imported: a clean line or nothing, 130, no traceback."""
    for _ in range(2):
        running = program.start(*ASK, "--knowledge", str(tree))
        try:
            wait_for(_mapped(running, "_json", "_struct"), "imports have begun")
            running.send_signal(signal.SIGINT)
            _, errors = running.communicate(timeout=30)
        finally:
            running.kill()
        assert running.returncode in (130, -signal.SIGINT, 0), errors
        assert not any(mark in errors.decode() for mark in NO_TRACE), errors.decode()


def test_ctrl_c_while_the_model_writes(real_program: Program, tree: Path) -> None:
    for pause in (0.0, 0.3):
        running = real_program.start(*ASK, "--way", "select", "--knowledge", str(tree))
        try:
            wait_for(_mapped(running, "gemma"), "the model is loaded", 60)
            with pytest.raises(subprocess.TimeoutExpired):
                running.wait(pause)
            running.send_signal(signal.SIGINT)
            _, errors = running.communicate(timeout=30)
        finally:
            running.kill()
        assert not any(mark in errors.decode() for mark in NO_TRACE), errors.decode()
        assert running.returncode == 130, errors
        assert errors.decode() == "Stopped.\n"


def test_two_at_once(program: Program, tree: Path) -> None:
    running = [program.start(*ASK, "--json", "--knowledge", str(tree)) for _ in range(3)]
    for process in running:
        out, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, b"")
        assert "3-5厘米" in json.loads(out)["text"]


def test_kill_leaves_no_growing_pile(program: Program, tree: Path) -> None:
    for number in range(5):
        write(tree, f"n{number}.md", document("N", "x " * 3000))
        running = program.start("index", "--knowledge", str(tree))
        wait_for(lambda: any((program.home / "almanac").rglob("lock")), "it has begun")
        running.kill()
        running.communicate(timeout=30)
    assert program(*ASK, "--knowledge", str(tree)).code == 0
    left = [path for path in (program.home / "almanac").rglob("*") if path.is_file()]
    assert len(left) < 20


def test_a_version_is_said_at_once_without_a_home(program: Program) -> None:
    done = program("--version", env={"ALMANAC_HOME": "/proc/none", "HOME": "/proc/none"})
    assert (done.code, done.out, done.err) == (0, "almanac 0.1.0\n", "")
