"""deploy/backup: what systemd, cron and Windows are told is well formed, and the command line understands it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from kb.cli.parser import parse
from tests.helpers import PROJECT

FOLDER = PROJECT / "deploy" / "backup"


def _commands() -> dict[str, str]:
    """What each file runs, after the program's name."""
    lines = (FOLDER / "almanac-backup.service").read_text("utf-8").splitlines()
    service = next(line for line in lines if line.startswith("ExecStart="))
    cron = (FOLDER / "almanac.cron").read_text("utf-8").splitlines()[-1]
    task = ET.parse(FOLDER / "almanac-backup.xml").find(".//{*}Arguments")
    assert task is not None and task.text
    return {
        "service": service.partition("almanac ")[2],
        "cron": cron.partition("/almanac ")[2].partition(" 2>&1")[0],
        "task": task.text,
    }


def test_the_command_line_understands_them() -> None:
    for name, command in _commands().items():
        found = parse(shlex.split(command), "en")
        assert (found.verb, found.keep, found.gc) == ("backup", 14, True), name


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not on this machine")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for path in FOLDER.glob("almanac-backup.*"):
        text = path.read_text("utf-8").replace("/usr/local/bin/almanac", "/bin/true").replace("User=almanac\n", "")
        (tmp_path / path.name).write_text(text, "utf-8")
    units = [str(tmp_path / f"almanac-backup.{kind}") for kind in ("service", "timer")]
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    if "Failed to" in done.stderr and "bus" in done.stderr:
        pytest.skip("systemd-analyze does not work here")
    assert (done.returncode, done.stderr) == (0, "")
