"""deploy/portable: a folder on a stick starts, also where the stick can run nothing, and says why when it does not."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers import PROJECT

FOLDER = PROJECT / "deploy" / "portable"
PROGRAM = """#!/bin/sh
[ "$1" = --version ] && exec echo almanac
printf "%s\\n" "$0" "${ALMANAC_HOME:-none}" "$@" > "$RECORD"
"""


class Stick:
    """A stick with the starters and a program that writes down how it was started."""

    def __init__(self, folder: Path, user: Path, mode: int = 0o755, program: str = PROGRAM) -> None:
        self.folder, self.user = folder, user
        folder.mkdir(parents=True, exist_ok=True)
        user.mkdir(exist_ok=True)
        for path in FOLDER.iterdir():
            shutil.copy(path, folder)
        self.program = folder / "almanac"
        self.program.write_text(program, "utf-8")
        self.program.chmod(mode)
        self.record = user / "record"

    def start(self, *words: str, lang: str = "C.UTF-8", path: str | None = None) -> subprocess.CompletedProcess[str]:
        """Start it the way FAT allows: by handing the script to sh."""
        self.record.unlink(missing_ok=True)
        env = {"PATH": path or os.environ["PATH"], "HOME": str(self.user), "LANG": lang, "RECORD": str(self.record)}
        return subprocess.run(
            ["/bin/sh", str(self.folder / "start-almanac.sh"), *words],
            capture_output=True, text=True, env=env, check=False,
        )  # fmt: skip

    @property
    def copies(self) -> list[Path]:
        """What was copied to the computer."""
        return sorted((self.user / ".cache/almanac/portable").glob("*"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a stick appears."""
    return tmp_path / "a b 数据 100%"


def test_it_runs_from_the_stick_with_its_data_beside_it(place: Path, tmp_path: Path) -> None:
    stick = Stick(place, tmp_path / "user")
    done = stick.start("--theme", "a b")
    assert (done.returncode, done.stderr) == (0, "")
    said = stick.record.read_text("utf-8").splitlines()
    assert said == [str(stick.program), str(place / "almanac-data"), "--theme", "a b"]
    assert stick.copies == []


def test_where_nothing_can_be_run_it_is_copied_once(place: Path, tmp_path: Path) -> None:
    stick = Stick(place, tmp_path / "user", 0o644)
    done = stick.start(lang="zh_CN.UTF-8")
    assert done.returncode == 0
    assert "正在复制" in done.stderr
    (copy,) = stick.copies
    assert stick.record.read_text("utf-8").splitlines() == [str(copy), str(place / "almanac-data")]
    assert stick.start().stderr == "", "the copy is taken again"
    stick.program.write_text(PROGRAM + "# newer\n", "utf-8")
    stick.start()
    assert len(stick.copies) == 1 and stick.copies[0] != copy, "a newer program replaces the copy"


@pytest.mark.parametrize("left", ["", "#!/bin/sh\nexit 1\n"], ids=["empty", "half"])
def test_a_copy_that_a_power_cut_spoiled_is_made_again(place: Path, tmp_path: Path, left: str) -> None:
    stick = Stick(place, tmp_path / "user", 0o644)
    stick.start()
    (copy,) = stick.copies
    copy.write_text(left, "utf-8")
    assert stick.start().returncode == 0
    assert stick.record.read_text("utf-8").splitlines()[0] == str(copy)
    assert stick.copies == [copy]


def test_the_program_for_this_machine_comes_first(place: Path, tmp_path: Path) -> None:
    stick = Stick(place, tmp_path / "user")
    own = place / f"almanac-{os.uname().machine}"
    shutil.copy(stick.program, own)
    stick.start()
    assert stick.record.read_text("utf-8").splitlines()[0] == str(own)


def _without_dialogs(tmp_path: Path) -> str:
    """A search path with what the script needs and nothing that opens a window."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("dirname", "uname", "mkdir", "stat", "rm", "cp", "chmod", "mv"):
        (folder / name).symlink_to(shutil.which(name) or "")
    return str(folder)


@pytest.mark.parametrize("program", ["", None], ids=["for another machine", "missing"])
def test_what_is_wrong_is_said_and_kept_where_nobody_reads_it(place: Path, tmp_path: Path, program: str | None) -> None:
    stick = Stick(place, tmp_path / "user", program="#!/nonexistent/interpreter\n")
    if program is None:
        stick.program.unlink()
    done = stick.start(path=_without_dialogs(tmp_path))
    assert done.returncode == 5
    note = (place / "Almanac-README.txt").read_text("utf-8")
    assert done.stderr.splitlines()[-1] in note
    assert ("没有" if program is None else "本机") in note, "in both languages"


def test_a_computer_without_space_for_it_is_said(place: Path, tmp_path: Path) -> None:
    stick = Stick(place, tmp_path / "user", 0o644)
    (stick.user / ".cache").write_text("a file in the way", "utf-8")
    done = stick.start(path=_without_dialogs(tmp_path))
    assert done.returncode == 5
    assert "cannot be copied" in done.stderr


def test_the_entry_starts_the_script_beside_it(place: Path, tmp_path: Path) -> None:
    parser = configparser.RawConfigParser(delimiters=("=",))
    parser.read_string((FOLDER / "Start Almanac.desktop").read_text("utf-8"))
    line = parser["Desktop Entry"]["Exec"].replace("\\\\", "\\")
    script = line.partition('-c "')[2].rpartition('" almanac')[0].replace('\\"', '"').replace("\\$", "$")
    stick = Stick(place, tmp_path / "user")
    env = {"PATH": os.environ["PATH"], "HOME": str(stick.user), "RECORD": str(stick.record)}
    for named in (str(place / "Start Almanac.desktop"), f"file://{place}/Start Almanac.desktop"):
        stick.record.unlink(missing_ok=True)
        subprocess.run(["/bin/sh", "-c", script, "almanac", named], env=env, check=True)
        assert stick.record.read_text("utf-8").splitlines()[0] == str(stick.program)


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not here")
def test_the_script_is_sound() -> None:
    done = subprocess.run(["shellcheck", str(FOLDER / "start-almanac.sh")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
