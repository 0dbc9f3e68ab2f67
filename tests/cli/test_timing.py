"""kb.cli.timing: what a start spends its time on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.helpers import Program


@pytest.mark.slow
def test_the_phases_of_a_start_follow_each_other(real_program: Program) -> None:
    done = real_program("doctor", "--timing", "--json", timeout=180)
    phases = json.loads(done.out)["phases"]
    assert [phase["name"] for phase in phases][:4] == ["program", "configuration", "interface", "screen"]
    reached = [phase["reached"] for phase in phases[:4]]
    assert reached == sorted(reached)
    assert all(phase["reached"] > 0 for phase in phases)


def test_an_interface_that_does_not_start_is_said(
    cli: CommandLine, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.paths.self_command", lambda: ("/bin/false",))
    done = cli("doctor", "--timing", "--knowledge", str(tree))
    assert done.code == 5
    assert "does not start" in done.out
