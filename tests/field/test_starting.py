"""The built executable where starting goes wrong. Skipped without dist/almanac (`make binary`); needs Linux.

Small and full file systems are tmpfs mounts in a mount namespace of the test's own, which goes with the process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.helpers import PROJECT, needs_mount

EXECUTABLE = PROJECT / "dist" / "almanac"
_QUESTION = "大豆播种深度"


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not EXECUTABLE.is_file(), reason="dist/almanac is absent: make binary"),
]


def _run(home: Path, temporary: Path, *words: str, mount: str = "") -> subprocess.CompletedProcess[str]:
    """Run the executable with nothing in its environment but HOME and TMPDIR.

    `mount` is a shell command before it; what is then half-written in the home is printed behind a line «left:».
    """
    command = ["env", "-i", f"HOME={home}", f"TMPDIR={temporary}", str(EXECUTABLE), *words]
    if mount:
        look = f'find "{home}" -name ".almanac-tmp-*"'
        command = ["unshare", "--mount", "sh", "-c", f'{mount} || exit 99; "$@"; c=$?; echo left:; {look}; exit $c',
                   "sh", *command]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home with a name that people give."""
    place = tmp_path / "我的 农场 🚜"
    place.mkdir()
    return place


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """A folder for temporary files."""
    place = tmp_path / "t"
    place.mkdir()
    return place


def test_killed_twenty_times_nothing_piles_up(home: Path, temporary: Path) -> None:
    """At other moments of a start each time; one ordinary start afterwards clears what they left."""
    environment = {"HOME": str(home), "TMPDIR": str(temporary)}
    for number in range(20):
        started = subprocess.Popen(
            [str(EXECUTABLE), "ask", _QUESTION], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        time.sleep(0.05 * number)  # a moment of the start, not a wait for something
        os.kill(started.pid, signal.SIGKILL)
        started.wait()
    for left in home.rglob(".almanac-tmp-*"):
        os.utime(left, (0, 0))  # what another start just makes is not taken away from it
    done = _run(home, temporary, "ask", _QUESTION)
    assert done.returncode == 0, done.stderr
    assert "3-5" in done.stdout
    assert list(temporary.iterdir()) == []
    assert list(home.rglob(".almanac-tmp-*")) == []


@needs_mount
@pytest.mark.parametrize("options", ["noexec,size=900m", "size=20m", "ro,size=1m"])
def test_a_temporary_folder_that_is_not_fit(home: Path, temporary: Path, options: str) -> None:
    """It is not needed."""
    done = _run(home, temporary, "ask", _QUESTION, mount=f"mount -t tmpfs -o {options} tmpfs {temporary}")
    assert done.returncode == 0, done.stderr
    assert "3-5" in done.stdout


@needs_mount
def test_a_disk_some_megabytes_short_is_said_and_left_as_it_was(home: Path, temporary: Path) -> None:
    assert _run(home, temporary, "ask", _QUESTION).returncode == 0
    parts = [path for name in ("runtime", "native", "kb") for path in home.rglob(f"{name}/*/**/*")]
    needed = sum(path.lstat().st_size for path in parts if path.is_file())
    mount = f'mount -t tmpfs -o size={needed - 3_000_000} tmpfs "{home}"'
    done = _run(home, temporary, "ask", _QUESTION, mount=mount)
    assert done.returncode == 5, done.stderr
    assert "MB" in done.stderr
    assert str(home) in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.endswith("left:\n")


@needs_mount
def test_a_home_that_is_read_only_answers_from_a_temporary_one(home: Path, temporary: Path) -> None:
    done = _run(home, temporary, "ask", _QUESTION, mount=f'mount -t tmpfs -o ro,size=1m tmpfs "{home}"')
    assert done.returncode == 0, done.stderr
    assert "3-5" in done.stdout
