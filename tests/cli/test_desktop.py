"""kb.cli.desktop: entries that desktops read as they were meant, whatever the program's path."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from kb.cli.desktop import entry
from tests.conftest import CommandLine
from tests.helpers import wait_for

HARD = ["/a b/数据/al$HOME`id`\"%f%%\\n'almanac", "--home", "/x y", "*", "a\\b"]


def read(text: str) -> dict[str, str]:
    """The keys of an entry, with the escapes of strings undone as the specification has it."""
    parser = configparser.RawConfigParser(strict=True, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    escapes = {"\\\\": "\\", "\\n": "\n", "\\s": " ", "\\t": "\t", "\\r": "\r"}
    return {
        key: re.sub(r"\\[\\nstr]", lambda found: escapes[found[0]], value)
        for key, value in parser["Desktop Entry"].items()
    }


def arguments(line: str) -> list[str]:
    """The words of an Exec line: first quoting, then field codes."""
    words = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
    return [re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word in words]


def test_the_words_come_back_as_they_were() -> None:
    found = read(entry(HARD))
    assert arguments(found["Exec"]) == ["/bin/sh", "-c", 'exec "$0" "$@"', *HARD], "a % in the program's own path"
    assert found["TryExec"] == HARD[0]
    assert arguments(read(entry(["/a b/almanac", *HARD]))["Exec"]) == ["/a b/almanac", *HARD]
    assert found["Terminal"] == "false"
    assert found["GenericName[zh_CN]"]


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="package desktop-file-utils is not here")
def test_the_entry_keeps_to_the_specification(tmp_path: Path) -> None:
    path = tmp_path / "almanac.desktop"
    path.write_text(entry(["/a b/almanac%", "--home", "数据"]), "utf-8")
    done = subprocess.run(["desktop-file-validate", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gio") is None, reason="gio is not here (package libglib2.0-bin)")
@pytest.mark.parametrize("name", ['a b $HOME `id` 数据 "', "100% a=b"])
def test_a_desktop_starts_it_with_these_words(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    program = folder / "alm'anac"
    program.write_text('#!/bin/sh\nprintf "%s\\0" "$@" > "$0.part"; mv "$0.part" "$0.words"\n', "utf-8")
    program.chmod(0o755)
    path = tmp_path / "almanac.desktop"
    path.write_text(entry([str(program), *HARD]), "utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    subprocess.run(["gio", "launch", str(path)], capture_output=True, env=environment, check=True)
    words = folder / "alm'anac.words"
    wait_for(words.exists, "gio has started the program")
    assert words.read_bytes().decode().split("\0")[:-1] == HARD


def test_installed_and_removed(cli: CommandLine, own_home: Path, tmp_path: Path) -> None:
    (own_home / "Desktop").mkdir()
    before = sorted(own_home.rglob("*"))
    data = tmp_path / "a b"
    assert cli("desktop", "install", "--icon", "--home", str(data), "--lang", "zh").code == 0
    share = own_home / ".local/share"
    found = read((share / "applications/almanac.desktop").read_text("utf-8"))
    assert arguments(found["Exec"])[-4:] == ["--home", str(data), "--lang", "zh"]
    assert "<svg" in (share / "icons/hicolor/scalable/apps/almanac.svg").read_text("utf-8")
    icon = own_home / "Desktop/almanac.desktop"
    assert os.access(icon, os.X_OK)
    done = cli("desktop", "remove", "--home", str(data))
    assert (done.code, str(icon) in done.out) == (0, True)
    assert [path for path in sorted(own_home.rglob("*")) if path.is_file()] == [p for p in before if p.is_file()]
    assert cli("desktop", "remove", "--home", str(data)).out == ""


def test_wrong_usage_and_no_home(cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cli("desktop").code == 2
    assert cli("desktop", "install", "--nonsense").code == 2
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_DATA_HOME")
    done = cli("desktop", "install", "--home", str(tmp_path / "h"))
    assert (done.code, done.clean) == (5, True)
    assert "HOME" in done.err
