"""kb.cli.selftest: every part is used once; one that fails is named and the rest goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kb import paths
from kb.cli import selftest
from tests.conftest import CommandLine, Engine


@pytest.fixture(autouse=True)
def no_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screens have tests of their own (tests/tui) and run in the executable's smoke test."""
    monkeypatch.setattr(selftest, "drive_interface", lambda config, question, patience: f"left out, {patience}")


def test_missing_models_fail_by_name(cli: CommandLine, tree: Path) -> None:
    done = cli("self-test", "--knowledge", str(tree))
    assert done.code == 5
    lines = {line.split()[1]: line for line in done.out.split("\n") if line[:4].strip() in ("ok", "FAIL")}
    assert lines["models"].startswith("FAIL")
    for name in ("imports", "sqlite", "knowledge", "engine", "interface"):
        assert lines[name].startswith("ok"), lines[name]
    assert done.clean


def test_an_empty_tree_fails_by_name(cli: CommandLine, empty_tree: Path) -> None:
    done = cli("self-test", "--knowledge", str(empty_tree))
    assert "FAIL  knowledge" in done.out
    assert done.code == 5


def test_what_the_device_cannot_carry_is_no_fault(
    cli: CommandLine, tree: Path, engine: Engine, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small device passes: the models are checked, said to be unused, and the rest works."""
    assets = replace(engine.assets, knowledge=tree)
    monkeypatch.setattr(paths, "find_assets", lambda home, report=None: assets)
    done = cli("self-test", "--memory", "200", "--patience", "7", "--knowledge", str(tree))
    failed = [line.split()[1] for line in done.out.split("\n") if line.startswith("FAIL")]
    assert failed == ["git"], done.out  # this tree has no history
    assert done.out.count("(not used)") == 2
    assert "not used on this device" in done.out
    assert "left out, 7" in done.out
