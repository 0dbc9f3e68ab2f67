"""kb.cli.selftest: every part is used once; one that fails is named and the rest goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.cli import selftest
from tests.conftest import CommandLine


@pytest.fixture(autouse=True)
def no_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screens have tests of their own (tests/tui) and run in the executable's smoke test."""
    monkeypatch.setattr(selftest, "drive_interface", lambda config, question: "left out")


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
