"""kb.cli.version_routes: rollback, promote, retire, route."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.helpers import document, git, write


@pytest.fixture
def two(cli: CommandLine, repository: Path, own_home: Path) -> Path:
    """Two releases, the second live; their folder."""
    for number in (1, 2):
        write(repository, "store/n.md", document("N", f"{number} kg"))
        cli("snapshot", "--include-changes", "--knowledge", str(repository))
        assert cli("publish").code == 0
    return own_home / "almanac/releases"


def _current(cli: CommandLine, *words: str) -> str | None:
    found = json.loads(cli("route", "show", "--json", *words).out)["route"]["current"]
    return found and str(found).rpartition("-")[0]


def test_rollback_and_forth(cli: CommandLine, two: Path) -> None:
    done = cli("rollback", "--why", "wrong \x1b[31mdose", "--by", "agronomy-desk")
    assert done.code == 0
    assert "prod  everybody  kb-1.0.0-" in done.out
    assert _current(cli) == "kb-1.0.0"
    log = cli("route", "log").out
    assert "rollback" in log
    assert "agronomy-desk  wrong" in log
    assert "\x1b" not in log
    assert cli("rollback", "--to", "1.1.0", "--json").code == 0
    assert _current(cli) == "kb-1.1.0"
    assert cli("rollback", "--to", "kb-7.0.0").code == 2
    assert cli("rollback", "--env", "test").code == 2
    assert [line["action"] for line in json.loads(cli("route", "log", "--json").out)["switches"]] == [
        "rollback", "rollback", "publish", "publish",
    ]  # fmt: skip


def test_a_damaged_release_is_made_again_before_going_back_to_it(cli: CommandLine, two: Path) -> None:
    first = next(two.glob("kb-1.0.0-*/"))
    (first / "docs/store/n.md").write_text("damaged")
    assert cli("rollback").code == 0
    assert "1 kg" in (first / "docs/store/n.md").read_text()


def test_a_tag_that_means_something_else_now_is_not_gone_back_to(cli: CommandLine, two: Path, repository: Path) -> None:
    (next(two.glob("kb-1.0.0-*/")) / "docs/store/n.md").write_text("damaged")
    git(repository, "tag", "--force", "kb-1.0.0", "kb-1.1.0^{commit}")
    done = cli("rollback")
    assert done.code == 4
    assert "kb-1.0.0" in done.err
    assert _current(cli) == "kb-1.1.0"


def test_promote_through_the_environments(cli: CommandLine, two: Path) -> None:
    assert cli("promote").code == 2
    assert cli("promote", "--env", "dev").code == 2
    assert cli("publish", "1.0.0", "--env", "dev").code == 0
    assert cli("promote", "--env", "dev").code == 0
    assert _current(cli, "--env", "test") == "kb-1.0.0"
    assert cli("promote", "--env", "dev", "--to", "prod").code == 0
    assert _current(cli) == "kb-1.0.0"
    assert cli("promote", "--env", "prod", "--to", "test").code == 2
    cli("publish", "1.1.0", "--weight", "10")
    assert "kb-1.1.0" in cli("promote").out
    assert _current(cli) == "kb-1.1.0"


def test_retire_what_nobody_needs(cli: CommandLine, two: Path) -> None:
    assert "nothing to free" in cli("retire", "--unused").out
    done = cli("retire", "1.0.0")
    assert done.code == 2
    assert "route list" in done.err
    cli("route", "set", "1.1.0", "--agent", "support")
    cli("snapshot", "--bump", "patch")
    cli("publish")
    assert "kb-1.0.0-" in cli("retire", "--unused").out
    assert [path.name.rpartition("-")[0] for path in sorted(two.iterdir()) if path.is_dir()] == ["kb-1.1.0", "kb-1.1.1"]
    states = {row["tag"]: row["state"] for row in json.loads(cli("route", "list", "--json").out)["snapshots"]}
    assert states == {"kb-1.0.0": "retired", "kb-1.1.0": "active", "kb-1.1.1": "active"}
    assert cli("rollback", "--to", "1.0.0").code == 0
    assert _current(cli) == "kb-1.0.0"


def test_routes_are_shown_set_and_dropped(cli: CommandLine, two: Path) -> None:
    assert cli("route", "set", "--agent", "支持").code == 2
    assert cli("route", "set", "1.0.0", "--agent", "支持").code == 0
    shown = cli("route", "list").out
    assert "prod  支持  kb-1.0.0-" in shown
    assert "kb-1.1.0-" in shown
    assert "User 7 is answered from kb-1.0.0." in cli("route", "show", "--agent", "支持", "--user", "7").out
    assert _current(cli, "--agent", "other") == "kb-1.1.0"
    assert cli("route", "drop", "--agent", "支持").code == 0
    assert _current(cli, "--agent", "支持") == "kb-1.1.0"
    assert cli("route", "drop").code == 0
    assert _current(cli) is None
    assert "程序自带的文档" in cli("route", "list", "--lang", "zh").out


def test_without_any_version(cli: CommandLine, repository: Path) -> None:
    assert cli("route", "list").out.startswith("No release is routed")
    assert cli("rollback").code == 2
    assert cli("route", "log").out == ""
    assert cli("publish", "--knowledge", str(repository)).code == 4
    shutil.rmtree(repository)
    assert cli("snapshot", "--knowledge", str(repository)).code == 4
