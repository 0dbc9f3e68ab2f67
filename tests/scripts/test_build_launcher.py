"""The launcher: compiled here, with a small program in the place of the Python runtime."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import build_binary
import build_launcher
import pytest

from tests.helpers import wait_for

pytestmark = pytest.mark.slow

# Stands for the runtime: prints its words, or waits until it is ended.
_PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **words) {
    for (int i = 0; i < count; i++) printf("%s\n", words[i]);
    fflush(stdout);
    if (count > 1 && strcmp(words[1], "wait") == 0) pause();
    return 7;
}
"""
_SIZE = 24_000_000


@pytest.fixture(scope="module")
def launcher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_launcher.compile_launcher(tmp_path_factory.mktemp("launcher"))


@pytest.fixture(scope="module")
def runtime_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    (folder / "program.c").write_text(_PROGRAM)
    subprocess.run(["cc", "-o", folder / "almanac", folder / "program.c"], check=True)
    return folder / "almanac"


Make = Callable[..., Path]


@pytest.fixture
def make(launcher: Path, runtime_program: Path, tmp_path: Path) -> Make:
    """Builds an executable; `edition` makes runtimes differ."""

    def build(name: str = "almanac", edition: bytes = b"1", size: int = 1000) -> Path:
        folder = tmp_path / f"runtime-of-{name}"
        (folder / "_internal" / "名 字").mkdir(parents=True)
        shutil.copy2(runtime_program, folder / "almanac")
        (folder / "_internal" / "名 字" / "data").write_bytes(edition * size)
        (folder / "_internal" / "empty").touch()
        (folder / "_internal" / "link").symlink_to("empty")
        part = tmp_path / f"{name}.runtime"
        index_size = build_launcher.pack_runtime(folder, part)
        output = tmp_path / "bin" / name
        model = tmp_path / "m.gguf"
        model.write_bytes(b"GGUF")
        build_binary.assemble(launcher, {"answer": model, "runtime": part}, index_size, output)
        shutil.rmtree(folder)
        return output

    return build


def _run(program: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *words],
        env={"LC_ALL": "C.UTF-8", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def _runtimes(home: Path) -> list[Path]:
    return sorted(home.glob("runtime/[0-9a-f]*"))


def _left(home: Path) -> list[Path]:
    return list(home.rglob(".almanac-tmp-*"))


def _state(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(p): (p.lstat().st_mtime_ns, p.lstat().st_ino) for p in folder.rglob("*")}


def test_the_first_start_unpacks_and_the_second_writes_nothing(make: Make, tmp_path: Path) -> None:
    program, home = make(), tmp_path / "home"
    done = _run(program, "ask", "什么", ALMANAC_HOME=str(home))
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (7, [str(program), "ask", "什么"], "")
    (runtime,) = _runtimes(home)
    assert (runtime / "_internal" / "名 字" / "data").read_bytes() == b"1" * 1000
    assert (runtime / "_internal" / "link").readlink() == Path("empty")
    assert (runtime / "almanac").stat().st_mode & 0o777 == 0o755
    before = _state(home)
    assert _run(program, ALMANAC_HOME=str(home)).returncode == 7
    assert _state(home) == before
    assert _left(home) == []


@pytest.mark.parametrize(
    ("words", "environment", "place"),
    [
        (["--home", "{tmp}/named"], {"ALMANAC_HOME": "{tmp}/env"}, "named"),
        (["--home={tmp}/named"], {}, "named"),
        (["--home", "~/named"], {"HOME": "{tmp}"}, "named"),
        ([], {"ALMANAC_HOME": "{tmp}/env", "HOME": "{tmp}/user"}, "env"),
        ([], {"XDG_DATA_HOME": "{tmp}/data", "HOME": "{tmp}/user"}, "data/almanac"),
        ([], {"HOME": "{tmp}/user"}, "user/.local/share/almanac"),
    ],
)
def test_the_runtime_lies_in_the_home_folder(
    make: Make, tmp_path: Path, words: list[str], environment: dict[str, str], place: str
) -> None:
    filled = {name: value.format(tmp=tmp_path) for name, value in environment.items()}
    assert _run(make(), *(word.format(tmp=tmp_path) for word in words), **filled).returncode == 7
    assert len(_runtimes(tmp_path / place)) == 1


def test_a_folder_beside_the_program_is_the_home(make: Make, tmp_path: Path) -> None:
    program = make("阿尔 🌾")
    (program.parent / "almanac-data").mkdir()
    link = tmp_path / "link"
    link.symlink_to(program)
    done = _run(link, HOME=str(tmp_path / "user"))
    assert done.stdout.splitlines() == [str(program)]
    assert len(_runtimes(program.parent / "almanac-data")) == 1
    assert not (tmp_path / "user").exists()


@pytest.mark.parametrize("harm", ["removed", "cut", "folder"])
def test_a_runtime_that_lost_a_file_is_unpacked_again(make: Make, tmp_path: Path, harm: str) -> None:
    program, home = make(), tmp_path / "home"
    _run(program, ALMANAC_HOME=str(home))
    (runtime,) = _runtimes(home)
    data = runtime / "_internal" / "名 字" / "data"
    if harm == "cut":
        data.write_bytes(b"1")
    else:
        data.unlink()
    if harm == "folder":
        data.mkdir()
    assert _run(program, ALMANAC_HOME=str(home)).returncode == 7
    assert data.read_bytes() == b"1" * 1000


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_ended_while_it_unpacks(make: Make, tmp_path: Path, number: signal.Signals) -> None:
    program, home = make(size=_SIZE), tmp_path / "home"
    child = subprocess.Popen([program], env={"ALMANAC_HOME": str(home)}, stdout=subprocess.DEVNULL)
    wait_for(lambda: bool(_left(home)) or child.poll() is not None, "unpacking begins")
    child.send_signal(number)
    ended = child.wait(30)
    assert ended in (-number, 7)  # 7: it was faster than the signal
    if number != signal.SIGKILL:
        assert _left(home) == []
    assert len(_runtimes(home)) == (ended == 7)
    assert _run(program, ALMANAC_HOME=str(home)).returncode == 7
    assert _left(home) == []


def test_many_copies_at_once(make: Make, tmp_path: Path) -> None:
    program, home = make(size=_SIZE), tmp_path / "home"
    environment = {"ALMANAC_HOME": str(home)}
    copies = [subprocess.Popen([program], env=environment, stdout=subprocess.PIPE) for _ in range(5)]
    assert [copy.communicate(timeout=60) and copy.returncode for copy in copies] == [7] * 5
    assert len(_runtimes(home)) == 1
    assert _left(home) == []


@pytest.mark.parametrize(("language", "word"), [("en_GB.UTF-8", "damaged"), ("zh_CN.UTF-8", "已损坏")])
def test_a_changed_byte_in_the_runtime_is_said(make: Make, tmp_path: Path, language: str, word: str) -> None:
    program, home = make(), tmp_path / "home"
    data = bytearray(program.read_bytes())
    data[data.rindex(b"1" * 900)] ^= 1
    program.write_bytes(data)
    done = _run(program, ALMANAC_HOME=str(home), LC_ALL=language)
    assert done.returncode == 5
    assert word in done.stderr
    assert str(program) in done.stderr
    assert _runtimes(home) == _left(home) == []


@pytest.mark.parametrize("kept", [-9000, -1, -5000])
def test_a_cut_file_is_said(make: Make, tmp_path: Path, kept: int) -> None:
    program = make()
    program.write_bytes(program.read_bytes()[:kept])
    done = _run(program, "--lang", "zh", ALMANAC_HOME=str(tmp_path / "home"))
    assert (done.returncode, done.stdout) == (5, "")
    assert "已损坏" in done.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="qemu-user is not installed")
@pytest.mark.parametrize(("processor", "code"), [("core2duo", 5), ("Nehalem", 7)])
def test_a_processor_that_is_too_old_is_said(make: Make, tmp_path: Path, processor: str, code: int) -> None:
    done = subprocess.run(
        ["qemu-x86_64", "-cpu", processor, make(), "--home", tmp_path / "h", "--lang", "en"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert ("too old" in done.stderr) == (code == 5)


def test_names_that_lead_out_are_refused(make: Make, tmp_path: Path) -> None:
    program, home = make(), tmp_path / "home"
    data = program.read_bytes()
    assert data.count(b" _internal/empty\n") == 1
    program.write_bytes(data.replace(b" _internal/empty\n", b" ../../../../empty\n"[:17].rjust(17)))
    assert _run(program, ALMANAC_HOME=str(home)).returncode == 5
    assert not list(tmp_path.rglob("empty"))


def test_control_characters_of_a_path_are_not_sent_to_the_terminal(make: Make, tmp_path: Path) -> None:
    program = make("a\x1b]52;c;x\x07\u009bb")
    program.write_bytes(program.read_bytes()[:-1])
    done = _run(program, ALMANAC_HOME=str(tmp_path / "home"))
    assert "a?]52;c;x??b" in done.stderr


def test_runtimes_that_nobody_uses_are_removed_when_another_comes(make: Make, tmp_path: Path) -> None:
    home = tmp_path / "home"
    environment = {"ALMANAC_HOME": str(home)}
    editions = [make(f"almanac{number}", b"%d" % number) for number in range(5)]
    running = subprocess.Popen([editions[0], "wait"], env=environment, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    running.stdout.readline()
    (used,) = _runtimes(home)
    for age, edition in enumerate(editions[1:]):
        _run(edition, **environment)
        newest = next(path for path in _runtimes(home) if path.stat().st_mtime > 1000 and path != used)
        os.utime(newest, (100 + age, 100 + age))
    assert used in _runtimes(home)
    assert len(_runtimes(home)) == 3  # the one in use, the one just unpacked, the newest other
    running.terminate()
    running.communicate()


def test_what_the_caller_ignores_stays_ignored(make: Make, tmp_path: Path) -> None:
    command = ["sh", "-c", 'trap "" INT; exec "$0" wait', str(make())]
    child = subprocess.Popen(command, env={"ALMANAC_HOME": str(tmp_path / "home")}, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    child.stdout.readline()
    child.send_signal(signal.SIGINT)
    child.send_signal(signal.SIGTERM)
    assert child.wait(30) == -signal.SIGTERM
    child.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP])
def test_no_key_ends_a_kiosk_that_starts(make: Make, tmp_path: Path, number: signal.Signals) -> None:
    command = [str(make(size=_SIZE)), "wait", "--kiosk"]
    child = subprocess.Popen(command, env={"ALMANAC_HOME": str(tmp_path / "home")}, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    wait_for((tmp_path / "home" / "runtime").is_dir, "unpacking begins")
    child.send_signal(number)
    assert child.stdout.readline(), "it was unpacked and started"
    child.send_signal(number)
    child.send_signal(signal.SIGTERM)
    assert child.wait(30) == -signal.SIGTERM
    child.stdout.close()


# -- places that cannot be used: each in a mount namespace of its own ------------------------------------------------


def _inside(script: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script where it may mount; skips where that is not allowed."""
    command = ["unshare", "--mount", "--map-root-user"] if os.getuid() else ["unshare", "--mount"]
    if not shutil.which("unshare") or subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no mount namespaces here")
    return subprocess.run(
        [*command, "sh", "-ec", script, "sh", *words], env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


_NOWHERE = "for place in /tmp2 /var/tmp /dev/shm; do [ ! -d $place ] || mount -t tmpfs -o ro none $place; done; "


def test_a_full_disk_is_said_with_its_folder_and_nothing_is_left(make: Make, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    script = (
        'mount -t tmpfs -o size=9m none "$2"; code=0; ALMANAC_HOME="$2" "$1" || code=$?; ls -A "$2"/runtime; exit $code'
    )
    done = _inside(script, make(size=_SIZE), home)
    assert done.returncode == 5
    assert f"Not enough space in {home}/runtime: 32 MB are needed, " in done.stderr
    assert done.stdout.split() == [".lock"] or done.stdout.split() == []


def test_a_disk_that_fills_up_is_said_and_nothing_is_left(make: Make, tmp_path: Path) -> None:
    """The space was there when it was looked at (compressed or shared disks): the write fails."""
    home = tmp_path / "home"
    home.mkdir()
    script = 'mount -t tmpfs -o nr_inodes=6 none "$2"; code=0; ALMANAC_HOME="$2" "$1" || code=$?; '
    script += 'ls -A "$2"/runtime; exit $code'
    done = _inside(script, make(), home)
    assert done.returncode == 5
    assert "Not enough space" in done.stderr
    assert done.stdout.split() in ([".lock"], [])


def test_where_programs_may_not_run_another_place_is_taken(make: Make, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    script = 'mount -t tmpfs -o noexec none "$2"; ALMANAC_HOME="$2/a" HOME="$3" "$1"; '
    done = _inside(script, make(), home, tmp_path / "user")
    assert done.returncode == 7
    assert len(_runtimes(tmp_path / "user" / ".local" / "share" / "almanac")) == 1


def test_where_programs_may_not_run_anywhere_the_first_place_is_named(make: Make, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    script = _NOWHERE + 'mount -t tmpfs -o noexec none "$2"; ALMANAC_HOME="$2/a" HOME="$2/b" TMPDIR="$2" "$1"'
    done = _inside(script, make(), home)
    assert done.returncode == 5
    assert f"Programs cannot be run from {home}/a/runtime" in done.stderr


def test_a_read_only_home_and_no_other_place_is_said(make: Make, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    script = _NOWHERE + 'mount -t tmpfs -o ro none "$2"; HOME="$2" TMPDIR="$2" "$1"'
    done = _inside(script, make(), home)
    assert done.returncode == 5
    assert f"Cannot write {home}/.local/share/almanac: Read-only file system" in done.stderr


def test_a_read_only_home_that_was_prepared_is_enough(make: Make, tmp_path: Path) -> None:
    program, home = make(), tmp_path / "home"
    _run(program, ALMANAC_HOME=str(home))
    script = (
        _NOWHERE + 'mount --bind "$2" "$2"; mount -o remount,bind,ro "$2"; ALMANAC_HOME="$2" TMPDIR=/nonexistent "$1"'
    )
    assert _inside(script, program, home).returncode == 7


def test_a_folder_of_somebody_else_in_a_shared_place_is_not_used(make: Make, tmp_path: Path) -> None:
    shared, trap = tmp_path / "shared", tmp_path / "trap"
    shared.mkdir()
    trap.mkdir()
    (shared / f"almanac-{os.getuid()}").symlink_to(trap)
    script = _NOWHERE + 'TMPDIR="$2" "$1"'
    done = _inside(script, make(), shared)
    assert done.returncode == 5
    assert list(trap.iterdir()) == []


# -- packing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a\nb", "a..b"])
def test_names_that_the_index_cannot_hold_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / name).touch()
    with pytest.raises(ValueError, match="name"):
        build_launcher.pack_runtime(tmp_path / "r", tmp_path / "part")


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        folder = tmp_path / name
        folder.mkdir()
        for file in sorted(("x", "y"), reverse=name == "b"):
            (folder / file).write_text(file)
        time.sleep(0.01)
        build_launcher.pack_runtime(folder, tmp_path / f"{name}.part")
    assert (tmp_path / "a.part").read_bytes() == (tmp_path / "b.part").read_bytes()
