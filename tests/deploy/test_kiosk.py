"""deploy/kiosk: units that systemd accepts, and an installer whose work can be undone from any moment of it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from kb.versions.update import medium
from tests.helpers import PROJECT

FOLDER = PROJECT / "deploy" / "kiosk"
VARIANTS = ("console", "cage", "kmscon")
# What systemd would run, where it lies on a kiosk; on this machine /bin/true stands for it.
_PLACES = ("/var/lib/almanac/program/almanac", "/usr/local/bin/almanac", "/usr/local/lib/almanac/", "/usr/bin/cage",
           "/usr/bin/kmscon", "/usr/bin/foot", "/sbin/agetty")  # fmt: skip

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here (package systemd)"
)
needs_shellcheck = pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not here")
needs_foot = pytest.mark.skipif(shutil.which("foot") is None, reason="foot is not here")

State = dict[str, tuple[str, int, bytes]]


def state(root: Path) -> State:
    """Every name below `root`: kind, mode, bytes or where a link leads."""
    found: State = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = ("link", 0, os.fsencode(path.readlink()))
        elif path.is_dir():
            found[name] = ("folder", path.stat().st_mode, b"")
        else:
            found[name] = ("file", path.stat().st_mode, path.read_bytes())
    return found


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A root with files that the installer replaces, of all kinds."""
    root = tmp_path / "根 root"
    (root / "etc/default").mkdir(parents=True)
    (root / "etc/systemd/system").mkdir(parents=True)
    (root / "usr/local/bin").mkdir(parents=True)
    (root / "etc/fstab").write_text("UUID=1 / ext4 defaults 0 1", "utf-8")  # no line end
    (root / "etc/default/almanac").write_text("ALMANAC_BACKUPS=/media/stick\n", "utf-8")
    (root / "etc/default/almanac").chmod(0o600)
    (root / "etc/systemd/system/getty@tty1.service").symlink_to("/lib/systemd/system/getty@.service")
    (root / "usr/local/bin/almanac").write_bytes(b"\x7fELF an older one")
    (root / "usr/local/bin/almanac").chmod(0o755)
    (tmp_path / "program").write_bytes(b"\x7fELF the program")
    return root


def run(
    machine: Path, *words: str, before: str = "", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run install.sh on the root `machine`; `before` comes first in the path."""
    return subprocess.run(
        ["sh", str(FOLDER / "install.sh"), *words, "--root", str(machine)],
        capture_output=True,
        text=True,
        env={"PATH": before + os.environ["PATH"], "LANG": "C.UTF-8", **(environment or {})},
        start_new_session=True,
        check=False,
    )


def everything(machine: Path) -> list[str]:
    """An installation that uses all there is."""
    program = str(machine.parent / "program")
    data = ["--data", "LABEL=ALMANAC-DATA", "--read-only"]
    return ["install", "--program", program, "--variant", "cage", "--lang", "zh", *data]


def test_installed_and_undone_byte_for_byte(machine: Path) -> None:
    before = state(machine)
    done = run(machine, *everything(machine))
    assert done.returncode == 0, done.stderr
    units = machine / "etc/systemd/system"
    assert (units / "getty@tty1.service").readlink() == Path("/dev/null")
    assert (units / "multi-user.target.wants/almanac-kiosk.service").is_symlink()
    assert (units / "almanac-backup.timer").is_file()
    assert (machine / "var/lib/almanac/program/almanac").read_bytes() == b"\x7fELF the program"
    assert "ALMANAC_LANG=zh\n" in (machine / "etc/default/almanac").read_text("utf-8")
    lines = (machine / "etc/fstab").read_text("utf-8").splitlines()
    assert lines[0] == "UUID=1 / ext4 defaults 0 1"
    assert lines[-1].startswith("LABEL=ALMANAC-DATA /var/lib/almanac ext4 ")
    assert run(machine, "uninstall").returncode == 0
    assert state(machine) == before
    assert "Nothing is installed" in run(machine, "uninstall").stdout


def test_again_changes_nothing_and_another_variant_replaces_the_first(machine: Path) -> None:
    before = state(machine)
    assert run(machine, *everything(machine)).returncode == 0
    installed = state(machine)
    assert run(machine, *everything(machine)).returncode == 0
    assert state(machine) == installed
    assert run(machine, "install").returncode == 0, "keeps program, language and variant"
    assert state(machine) == installed
    variant = machine / "etc/systemd/system/almanac-kiosk.service.d/variant.conf"
    assert run(machine, "install", "--variant", "kmscon").returncode == 0
    assert "kmscon" in variant.read_text("utf-8")
    assert not (machine / "etc/almanac/foot.ini").exists()
    assert run(machine, "install", "--variant", "console").returncode == 0
    assert not variant.exists()
    assert run(machine, "uninstall").returncode == 0
    assert state(machine) == before


def test_what_people_made_stays(machine: Path) -> None:
    run(machine, *everything(machine))
    people = machine / "var/lib/almanac/people"
    people.mkdir()
    (people / "ledger.db").write_bytes(b"rows")
    (machine / "etc/almanac/own").write_text("mine", "utf-8")
    assert run(machine, "uninstall").returncode == 0
    assert (people / "ledger.db").read_bytes() == b"rows"
    assert (machine / "etc/almanac/own").read_text("utf-8") == "mine"
    assert not (machine / "var/lib/almanac/program").exists()


def test_a_dry_run_only_tells(machine: Path) -> None:
    before = state(machine)
    done = run(machine, *everything(machine), "--dry-run")
    assert done.returncode == 0
    assert "/etc/systemd/system/almanac-kiosk.service" in done.stdout
    assert "/etc/fstab" in done.stdout
    assert state(machine) == before
    run(machine, *everything(machine))
    installed = state(machine)
    assert "/etc/fstab" in run(machine, "uninstall", "--dry-run").stdout
    assert state(machine) == installed


@pytest.mark.parametrize(
    "words",
    [["--nonsense"], ["--variant", "x11"], ["--variant"], ["--lang", "fr"], ["--read-only"],
     ["--program", "/nonexistent"], ["--data", "LABEL=a b"]],
)  # fmt: skip
def test_wrong_usage_is_2_and_changes_nothing(machine: Path, words: list[str]) -> None:
    before = state(machine)
    done = run(machine, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("install.sh: ")
    assert state(machine) == before


def test_it_speaks_both_languages(machine: Path) -> None:
    assert "安装" in run(machine, "--help", environment={"LANG": "zh_CN.UTF-8"}).stdout
    assert "安装" not in run(machine, "--help").stdout
    assert "不认识" in run(machine, "--nonsense", environment={"ALMANAC_LANG": "zh"}).stderr


def test_status_names_what_is_missing(machine: Path) -> None:
    assert run(machine, "status").returncode == 5
    run(machine, *everything(machine))
    (machine / "etc/systemd/system/almanac-kiosk.service").unlink()
    done = run(machine, "status")
    assert done.returncode == 5
    assert "gone: /etc/systemd/system/almanac-kiosk.service" in done.stdout
    assert "fonts-noto-cjk" in done.stdout


# -- killed in the middle ------------------------------------------------------------------------------------------

_STEPS = ("sync", "cp", "mv", "ln", "mkdir", "chmod", "rm", "rmdir")


class Killer:
    """Commands in front of the real ones that count, and at the number `at` end everything with SIGKILL."""

    def __init__(self, folder: Path, when: str) -> None:
        self.folder = folder
        self.count = folder / "count"
        (folder / "bin").mkdir(parents=True)
        for name in _STEPS:
            real = shutil.which(name)
            # A real sync waits for the disk of this machine, not of the one that is imitated.
            doing = ":" if name == "sync" else f'{real} "$@"'
            killing = f'[ "$n" = "{when}" ] && [ "$(cat {folder}/at)" = "$(wc -c < {self.count})" ] && kill -9 0'
            lines = (
                "#!/bin/sh", f"printf x >> '{self.count}'", "n=before", killing, f"{doing}; code=$?",
                "n=after", killing, "exit $code",
            )  # fmt: skip
            (folder / "bin" / name).write_text("\n".join(lines) + "\n", "utf-8")
            (folder / "bin" / name).chmod(0o755)

    def run(self, machine: Path, at: int, *words: str) -> int:
        """Run install.sh and kill it at step `at` (0: never); its exit code."""
        self.count.write_bytes(b"")
        (self.folder / "at").write_text(str(at), "utf-8")
        return run(machine, *words, before=f"{self.folder / 'bin'}:").returncode

    @property
    def steps(self) -> int:
        """How many there were in the last run."""
        return self.count.stat().st_size


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_anywhere_it_can_be_undone_or_finished(machine: Path, tmp_path: Path, when: str) -> None:
    killer = Killer(tmp_path / "killer", when)
    before = state(machine)
    assert killer.run(machine, 0, *everything(machine)) == 0
    whole, steps = state(machine), killer.steps
    assert killer.run(machine, 0, "uninstall") == 0
    undoing = killer.steps
    assert steps > 100 and undoing > 50
    for at in (1, 2, 3, 5, *range(steps // 7, steps, steps // 7)):
        assert killer.run(machine, at, *everything(machine)) == -signal.SIGKILL, at
        assert killer.run(machine, 0, "uninstall") == 0
        assert state(machine) == before, f"undone after step {at}"
    for at in (steps // 3, steps - 2):
        assert killer.run(machine, at, *everything(machine)) == -signal.SIGKILL
        assert killer.run(machine, 0, *everything(machine)) == 0
        finished = state(machine)
        assert {name: kept for name, kept in finished.items() if "almanac-kiosk/" not in name} == {
            name: kept for name, kept in whole.items() if "almanac-kiosk/" not in name
        }, "finished by the next run"
        assert killer.run(machine, undoing // 2, "uninstall") == -signal.SIGKILL
        assert killer.run(machine, 0, "uninstall") == 0
        assert state(machine) == before


def test_a_half_written_line_of_the_manifest_is_none(machine: Path) -> None:
    before = state(machine)
    run(machine, *everything(machine))
    with (machine / "etc/almanac-kiosk/manifest").open("a", encoding="utf-8") as file:
        file.write("new /etc/fst")
    (machine / "etc/fst").write_text("not ours", "utf-8")
    assert run(machine, "install").returncode == 0
    assert run(machine, "uninstall").returncode == 0
    (machine / "etc/fst").unlink()
    assert state(machine) == before


# -- what other programs read --------------------------------------------------------------------------------------


@needs_systemd
@pytest.mark.parametrize("variant", VARIANTS)
def test_systemd_accepts_the_units(machine: Path, tmp_path: Path, variant: str) -> None:
    run(machine, "install", "--program", str(machine.parent / "program"), "--variant", variant)
    units = tmp_path / "units"
    shutil.copytree(machine / "etc/systemd/system", units, symlinks=True)
    (units / "getty@tty1.service").unlink()
    ours = [*units.glob("almanac-*.*"), *units.glob("*.mount")]
    for path in [*ours, *units.glob("*.d/*.conf")]:
        if path.is_file():
            text = path.read_text("utf-8")
            for place in _PLACES:
                text = text.replace(f"{place}run-kiosk", "/bin/true").replace(f"{place}console-keys", "/bin/true")
                text = text.replace(place, "/bin/true")
            path.write_text(text, "utf-8")
    names = [str(path) for path in ours if path.is_file()]
    done = subprocess.run(
        ["systemd-analyze", "verify", *names],
        capture_output=True,
        text=True,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:"},
        check=False,
    )
    if "Failed to" in done.stderr and "bus" in done.stderr:
        pytest.skip("systemd-analyze does not work here")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_program_of_the_kiosk_cannot_write_outside_its_data() -> None:
    unit = (FOLDER / "units/almanac-kiosk.service").read_text("utf-8").splitlines()
    for line in (
        "Type=notify", "Restart=always", "WatchdogSec=30", "User=almanac", "NoNewPrivileges=yes",
        "ReadWritePaths=/var/lib/almanac", "CapabilityBoundingSet=", "PrivateNetwork=yes", "TTYPath=/dev/tty1",
        "StandardInput=tty", "TTYReset=yes", "TTYVHangup=yes", "TTYVTDisallocate=yes", "StartLimitIntervalSec=0",
        "ProtectSystem=strict",
    ):  # fmt: skip
        assert line in unit, line


def test_a_stick_is_mounted_read_only_where_updates_are_looked_for() -> None:
    mount = (FOLDER / "units/run-media-almanac.mount").read_text("utf-8").splitlines()
    place = next(line.partition("=")[2] for line in mount if line.startswith("Where="))
    assert f"{place.removeprefix('/').replace('/', '-')}.mount" == "run-media-almanac.mount"
    assert medium.mounted(f"/dev/sda1 {place} ext4 ro 0 0\n") == [Path(place)], "the maintenance screen finds it"
    assert "Options=ro,nosuid,nodev,noexec" in mount
    service = (FOLDER / "units/almanac-update.service").read_text("utf-8")
    assert f"update --from {place} --yes" in service and "\nUser=almanac\n" in service
    rule = (FOLDER / "system/99-almanac-update.rules").read_text("utf-8")
    for wanted in ("run-media-almanac.mount", "almanac-update.service"):
        assert wanted in rule and (FOLDER / "units" / wanted).is_file()


@needs_shellcheck
def test_the_scripts_are_sound() -> None:
    scripts = [str(FOLDER / "install.sh"), *map(str, (FOLDER / "bin").iterdir())]
    done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@needs_foot
def test_foot_knows_every_setting_and_binds_no_key(tmp_path: Path) -> None:
    command = ["foot", "--check-config", f"--config={FOLDER / 'variants/foot.ini'}"]
    done = subprocess.run(
        command, capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)}, check=False
    )
    assert done.returncode == 0, done.stderr
    assert " err: " not in done.stderr


def test_the_keys_of_the_console_lose_what_leaves_it() -> None:
    table = (
        "keycode  59 = F1 F13 Console_13\n\talt keycode  59 = Console_1\n\tcontrol alt keycode 111 = Boot\n"
        "keycode  70 = Scroll_Lock Show_Memory Show_Registers\n\talt keycode 103 = KeyboardSignal\n"
        "\talt keycode 105 = Decr_Console\nkeycode  28 = Return\nkeycode  99 = VoidSymbol Last_Console\n"
        'string F1 = "\\033[[A"\nkeycode  48 = +b\n'
    )
    done = subprocess.run(
        ["sh", str(FOLDER / "bin/console-keys"), "filter"], input=table, capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "keycode  59 = F1 F13 VoidSymbol\n\talt keycode  59 = VoidSymbol\n\tcontrol alt keycode 111 = VoidSymbol\n"
        "keycode  70 = VoidSymbol VoidSymbol VoidSymbol\n\talt keycode 103 = VoidSymbol\n"
        "\talt keycode 105 = VoidSymbol\nkeycode  28 = Return\nkeycode  99 = VoidSymbol VoidSymbol\n"
        'string F1 = "\\033[[A"\nkeycode  48 = +b\n'
    )


def test_a_real_console_keeps_none_of_them_and_the_table_can_be_loaded(tmp_path: Path) -> None:
    if shutil.which("dumpkeys") is None:
        pytest.skip("dumpkeys is not here (package kbd)")
    dumped = subprocess.run(["dumpkeys", "-f", "-C", "/dev/tty1"], capture_output=True, text=True, check=False)
    if dumped.returncode or not dumped.stdout.strip():
        pytest.skip("there is no console of the kernel here that could be read")
    command = ["sh", str(FOLDER / "bin/console-keys"), "filter"]
    left = subprocess.run(command, input=dumped.stdout, capture_output=True, text=True, check=True).stdout
    actions = ("Console_1", "Boot", "Decr_Console", "Last_Console", "Show_Memory", "Scroll_Lock", "KeyboardSignal")
    assert [action for action in actions if action in left] == []
    (tmp_path / "keys").write_text(left, "utf-8")
    parsed = subprocess.run(["loadkeys", "-p", str(tmp_path / "keys")], capture_output=True, text=True, check=False)
    assert parsed.returncode == 0, parsed.stderr
    assert left.count("\n") == dumped.stdout.count("\n")


@pytest.mark.skipif(shutil.which("findmnt") is None, reason="findmnt is not here (package util-linux)")
def test_the_line_for_the_data_partition_can_be_read(machine: Path) -> None:
    run(machine, *everything(machine))
    done = subprocess.run(
        ["findmnt", "--tab-file", str(machine / "etc/fstab"), "--noheadings", "--output", "SOURCE,TARGET,FSTYPE"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "LABEL=ALMANAC-DATA /var/lib/almanac ext4" in " ".join(done.stdout.split())
