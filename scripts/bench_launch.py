"""How fast dist/almanac starts, and what a start writes, beside the same program with ordinary PyInstaller data.

Both executables run on a pseudo-terminal until the input line is drawn. `--ordinary` names the second one; without
it, it is built here: PyInstaller's own one-file program with models and knowledge as its data, so that every start
unpacks them. Bytes written are `wchar` of /proc/<pid>/io, the sum over the process and its children.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from kb.paths import RUNTIME, read_parts  # noqa: E402

# What the ask screen shows when it can be typed into, in English; the first letter stands under the cursor.
_PROMPT = b"sk anything"
_TIMEOUT_S = 120


@dataclass(frozen=True, slots=True)
class Launch:
    """One start: seconds until the prompt, bytes written, resident memory in MB once it stood still."""

    seconds: float
    written: int
    memory: float


def launch(executable: Path, home: Path, name: Path | None = None) -> Launch:
    """Start on a pseudo-terminal (`name`: as argv[0]), wait for the prompt, read the counters, end it."""
    master, slave = pty.openpty()
    ioctl(slave, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {"HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/nonexistent"}
    started = time.perf_counter()
    child = subprocess.Popen(
        [str(name or executable)],
        executable=executable,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        start_new_session=True,
    )
    os.close(slave)
    try:
        _wait_for(master, _PROMPT)
        seconds = time.perf_counter() - started
        family = _family(child.pid)
        written = sum(_counter(pid, "io", "wchar") for pid in family)
        _drain(master, 6.0)
        memory = sum(_counter(pid, "status", "VmRSS") for pid in _family(child.pid)) / 1000
        return Launch(seconds, written, memory)
    finally:
        os.killpg(child.pid, signal.SIGTERM)
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        os.close(master)


def _wait_for(handle: int, wanted: bytes) -> None:
    seen = b""
    end = time.monotonic() + _TIMEOUT_S
    while wanted not in seen:
        if time.monotonic() > end:
            raise SystemExit(f"no prompt: {seen[-500:]!r}")
        if select.select([handle], [], [], 0.05)[0]:
            seen = seen[-4000:] + os.read(handle, 65536)


def _drain(handle: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([handle], [], [], 0.2)[0]:
            os.read(handle, 65536)


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(member for child in children for member in _family(int(child)))]


def _counter(pid: int, file: str, name: str) -> int:
    try:
        for line in Path(f"/proc/{pid}/{file}").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def build_ordinary(executable: Path, folder: Path) -> Path:
    """The comparison: every part as PyInstaller data."""
    data = folder / "data"
    data.mkdir()
    parts = [part for part in read_parts(executable) if part.kind != RUNTIME]
    with executable.open("rb") as file:
        for part in parts:
            file.seek(part.offset)
            (data / part.name).write_bytes(file.read(part.size))
    environment = {**os.environ, "ALMANAC_EXTRA_DATA": str(data)}
    subprocess.run(
        [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", "--distpath", str(folder),
         "--workpath", str(folder / "work"), str(PROJECT / "build.spec")],
        check=True, cwd=PROJECT, env=environment,
    )  # fmt: skip
    return folder / "almanac"


def main() -> None:
    """Print the table for BENCHMARKS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--executable", type=Path, default=PROJECT / "dist" / "almanac")
    parser.add_argument("--ordinary", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="almanac-bench-", dir=PROJECT / "build") as name:
        folder = Path(name)
        ordinary = options.ordinary or build_ordinary(options.executable, folder)
        print("| program | first launch s | second launch s (median, range) | written then MB | memory MB |")
        print("|---|---|---|---|---|")
        for label, program in (("Almanac", options.executable), ("PyInstaller's one-file, models as data", ordinary)):
            home = folder / f"home-{len(label)}"
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            # Both take models and knowledge from the same file, which the launcher names to its runtime as argv[0].
            name = options.executable.resolve()
            first = launch(program.resolve(), home, name)
            later = [launch(program.resolve(), home, name) for _ in range(options.repeat)]
            times = sorted(entry.seconds for entry in later)
            print(
                f"| {label} | {first.seconds:.2f} | {statistics.median(times):.2f} ({times[0]:.2f}-{times[-1]:.2f}) | "
                f"{statistics.median(entry.written for entry in later) / 1e6:.1f} | "
                f"{statistics.median(entry.memory for entry in later):.0f} |",
                flush=True,
            )
    print("\n| part | MB |\n|---|---|")
    for part in read_parts(options.executable):
        print(f"| {part.kind} ({part.name}) | {part.size / 1e6:.1f} |")
    print(f"| whole file | {options.executable.stat().st_size / 1e6:.1f} |")


if __name__ == "__main__":
    main()
