"""Try the executable as strangers' machines would run it. Prints a line per case; exit code 1 when one fails.

Every case has an empty environment (env -i) but for what it sets, no git on PATH, its own empty HOME, and, where
the system allows network namespaces, no network.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import smoke_mcp

TIMEOUT_S = 240
_ZH, _EN = "大豆R5期追施多少钾肥", "How deep should soybeans be planted?"


class Bench:
    """A scratch folder with a copy of the executable, and how cases run it."""

    def __init__(self, executable: Path, folder: Path) -> None:
        self.executable = executable
        self.folder = folder
        self.cut = _network_cut()

    def run(self, *words: str, home: str = "home", cwd: Path | None = None, program: Path | None = None,
            **environment: str) -> subprocess.CompletedProcess[str]:  # fmt: skip
        """Run the program in an empty environment; standard streams are pipes."""
        place = self.folder / home
        place.mkdir(exist_ok=True)
        settings = {"HOME": str(place), "PATH": "/nonexistent", **environment}
        command = [*self.cut, "env", "-i", *(f"{k}={v}" for k, v in settings.items())]
        return subprocess.run(
            [*command, str(program or self.executable), *words],
            cwd=cwd or self.folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
        )  # fmt: skip


def _network_cut() -> list[str]:
    for flags in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        if shutil.which("unshare") and subprocess.run([*flags, "true"], capture_output=True).returncode == 0:
            return [*flags, "--"]
    print("note: no network namespace on this machine; the network is not cut")
    return []


def expect(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """AssertionError unless the exit code and all `words` in the output are as wanted, with no traceback."""
    output = done.stdout + done.stderr
    assert "Traceback" not in output, output[-2000:]
    assert done.returncode == code, f"exit code {done.returncode}, not {code}: {output[-1500:]}"
    for word in words:
        assert word in output, f"«{word}» is missing: {output[-1500:]}"


def self_test(bench: Bench) -> None:
    """Everything inside the file, screens included."""
    done = bench.run("self-test")
    print(done.stdout, end="")
    expect(done, 0)


def answers(bench: Bench) -> None:
    """A Chinese question, an English one, and one without an answer."""
    expect(bench.run("ask", _ZH), 0, "45-60", "growth_stage_2024_v2.md")
    done = bench.run("ask", "--json", _EN)
    expect(done, 0)
    answer = json.loads(done.stdout)
    assert answer["evidence"] and not answer["refused"], done.stdout
    assert answer["knowledge_version"]["commit"], "no knowledge version"
    expect(bench.run("ask", "zebra pancake trombone"), 3)


def second_launch_writes_nothing(bench: Bench) -> None:
    """A second start leaves models, knowledge and native programs as they are."""
    before = _files(bench.folder / "home")
    expect(bench.run("search", "水泵"), 0)
    changed = {name for name, state in _files(bench.folder / "home").items() if before.get(name) != state}
    heavy = [name for name in changed if "/kb/" in name or "/native/" in name]
    assert not [name for name in heavy if not name.endswith(("index.db", "lock"))], heavy


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(p): (p.stat().st_size, p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()}


def read_only_folder(bench: Bench) -> None:
    """Started from a folder that cannot be written, with a home that cannot either."""
    locked = bench.folder / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    expect(bench.run("ask", _ZH, cwd=locked), 0, "45-60")


def chinese_path(bench: Bench) -> None:
    """The program and its home in a path with spaces, Chinese and an emoji, and through a link."""
    place = bench.folder / "农技 站 🌾"
    place.mkdir()
    program = place / "almanac 副本"
    os.link(bench.executable, program) if _same_disk(bench) else shutil.copy2(bench.executable, program)
    (place / "almanac-data").mkdir()
    expect(bench.run("ask", _ZH, program=program, cwd=Path("/")), 0, "45-60")
    assert any((place / "almanac-data").iterdir()), "almanac-data beside the program was not used"
    link = bench.folder / "link"
    link.symlink_to(program)
    expect(bench.run("--version", program=link), 0, "almanac")


def _same_disk(bench: Bench) -> bool:
    return bench.executable.stat().st_dev == bench.folder.stat().st_dev


def twice_at_once(bench: Bench) -> None:
    """Two copies that start together on a new home both answer."""
    place = bench.folder / "pair"
    place.mkdir()
    command = [*bench.cut, "env", "-i", f"HOME={place}", str(bench.executable), "ask", _ZH]
    pair = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in "ab"]
    for child in pair:
        output, _ = child.communicate(timeout=TIMEOUT_S)
        assert child.returncode == 0 and "45-60" in output, output[-1500:]
    leftovers = list(place.rglob(".almanac-tmp-*"))
    assert not leftovers, leftovers


def killed(bench: Bench) -> None:
    """Killed at any moment of a start, twenty times: the next one works, and nothing half-made is left anywhere."""
    place, temporary = bench.folder / "killed", bench.folder / "killed-tmp"
    place.mkdir()
    temporary.mkdir()
    for number in range(20):
        child = subprocess.Popen(
            ["env", "-i", f"HOME={place}", f"TMPDIR={temporary}", str(bench.executable), "ask", _ZH],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        time.sleep(0.1 * (number + 1))
        child.kill()
        child.wait()
        deadline = time.monotonic() + 5  # a child that tries a library ends by itself
        while (left_over := _members(child.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left_over, f"a process outlived its parent: {left_over}"
    expect(bench.run("ask", _ZH, home="killed", TMPDIR=str(temporary)), 0, "45-60")
    assert not list(temporary.iterdir()), list(temporary.iterdir())
    assert not (left := list(place.rglob(".almanac-tmp-*"))), left


def _members(group: int) -> list[str]:
    """Command lines of what still runs in the process group `group`."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, _, process_group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
                if int(process_group) == group and state != "Z":
                    found.append((folder / "cmdline").read_text().replace("\0", " "))
            except OSError:
                continue
    return found


def bad_temporary_folder(bench: Bench) -> None:
    """/tmp mounted noexec and nearly full does not matter; a home that may not run programs is left for another."""
    if os.getuid() != 0 or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        print("note: no mount namespaces on this machine; this case is left out")
        return
    home, small = bench.folder / "bad-home", bench.folder / "small"
    home.mkdir()
    small.mkdir()
    script = (
        'mount -t tmpfs -o noexec,size=100k none /tmp2; mount -t tmpfs -o noexec none "$2/noexec"; '
        'env -i HOME="$2" TMPDIR=/tmp2 "$1" ask "$3"; env -i HOME="$2" ALMANAC_HOME="$2/noexec" "$1" ask "$3"'
    ).replace("/tmp2", str(small))
    (home / "noexec").mkdir()
    command = ["unshare", "--mount", "sh", "-ec", script, "sh", str(bench.executable), str(home), _ZH]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    expect(done, 0)
    assert done.stdout.count("45-60") >= 2, done.stdout + done.stderr


def damaged(bench: Bench) -> None:
    """One changed byte in a model: named, refused, and quotes still work."""
    program = bench.folder / "damaged"
    shutil.copy2(bench.executable, program)
    with program.open("r+b") as file:
        file.seek(100_000_000)
        byte = file.read(1)
        file.seek(100_000_000)
        file.write(bytes([byte[0] ^ 0xFF]))
    expect(bench.run("ask", _ZH, program=program, home="damaged-home"), 0, "45-60")
    # Only an answer that a model words needs the model.
    expect(bench.run("ask", "--way", "select", _ZH, program=program, home="damaged-home"), 0, "45-60", "damaged")


def wrong_use(bench: Bench) -> None:
    """A wrong flag, no terminal, a missing folder: a sentence and the documented exit code."""
    expect(bench.run("ask", "--wrong"), 2)
    expect(bench.run(), 2)
    expect(bench.run("--knowledge", "/nonexistent", "ask", "x"), 4, "/nonexistent")


def mcp_servers(bench: Bench) -> None:
    """Each MCP server answers the SDK's own client, over a process in an empty environment."""
    place = bench.folder / "served"
    place.mkdir()
    for domain, (options, calls) in smoke_mcp.prepared(place).items():
        settings = (f"HOME={place}", "PATH=/nonexistent", "LANG=C.UTF-8")
        command = [*bench.cut, "env", "-i", *settings, str(bench.executable), "mcp", domain, *options]
        tools = smoke_mcp.talk(command, calls)
        print(f"      mcp {domain}: {', '.join(tools)}", flush=True)


CASES: tuple[Callable[[Bench], None], ...] = (
    self_test, answers, second_launch_writes_nothing, read_only_folder, chinese_path, twice_at_once, killed,
    bad_temporary_folder, damaged, wrong_use, mcp_servers,
)  # fmt: skip


def main() -> int:
    """Run all cases on the executable named on the command line."""
    executable = Path(sys.argv[1] if len(sys.argv) > 1 else "dist/almanac").resolve()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="almanac-smoke-") as folder:
        bench = Bench(executable, Path(folder))
        for case in CASES:
            started = time.monotonic()
            try:
                case(bench)
                print(f"ok    {case.__name__}  {time.monotonic() - started:.1f} s", flush=True)
            except (AssertionError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"FAIL  {case.__name__}: {error}", flush=True)
        (Path(folder) / "locked").chmod(0o755)
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
