"""kb.cli.version_publish: plan, build, impact, switch; what is live answers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.helpers import document, write

RULE = "store/returns/rule_2025_v1.md"
ASK = ("ask", "签收后几天内可以退货", "--json")


@pytest.fixture
def two(cli: CommandLine, repository: Path) -> Path:
    """Two snapshots, 7 days and 3 days; the first is live."""
    for days in (7, 3):
        write(repository, RULE, document("退货规则", f"签收后{days}天内可以退货。", affected_agents="[agent-refund]"))
        assert cli("snapshot", "--include-changes", "--knowledge", str(repository)).code == 0
    assert cli("publish", "1.0.0").code == 0
    return repository


def _asked(cli: CommandLine, *words: str) -> tuple[str, str]:
    found = json.loads(cli(*ASK, *words).out)
    return found["text"], found["knowledge_version"]["tag"]


def test_what_is_live_answers_and_says_its_version(cli: CommandLine, two: Path) -> None:
    text, tag = _asked(cli)
    assert "7天" in text
    assert tag == "kb-1.0.0"
    done = cli("publish", "kb-1.1.0", "--why", "law")
    assert done.code == 0
    assert "7天 → 3天" in done.out
    assert "What agent-refund will see differently (1):" in done.out
    assert "kb-1.1.0 is live in prod (before: kb-1.0.0)" in done.out
    text, tag = _asked(cli)
    assert "3天" in text
    assert tag == "kb-1.1.0"
    version = json.loads(cli("search", "退货", "--json").out)["knowledge_version"]
    assert (version["tag"], len(version["manifest"]), len(version["commit"])) == ("kb-1.1.0", 64, 40)
    assert "rule_2025_v1" in cli("lookup", "退货").out or cli("show", RULE).code == 0
    assert "docs(kb-1.1.0)" in cli("history").out


def test_a_dry_run_changes_nothing(cli: CommandLine, two: Path, own_home: Path) -> None:
    found = json.loads(cli("publish", "--dry-run", "--json").out)
    assert (found["switched"], found["plan"]["tag"], found["plan"]["live"]) == (False, "kb-1.1.0", "kb-1.0.0")
    assert found["plan"]["built"] is False
    assert found["plan"]["agents"] == {"agent-refund": [RULE]}
    assert len([path for path in (own_home / "almanac/releases").iterdir() if path.is_dir()]) == 1
    assert _asked(cli)[1] == "kb-1.0.0"


def test_drafts_are_refused_or_left_out(cli: CommandLine, two: Path) -> None:
    write(two, "store/draft.md", document("退货草案", "签收后99天内可以退货。", status="draft"))
    cli("snapshot", "--include-changes")
    done = cli("publish")
    assert done.code == 4
    assert "store/draft.md (draft)" in done.err
    assert cli("publish", "--leave-out-drafts").code == 0
    assert "99" not in _asked(cli)[0]


def test_answers_that_change_stop_until_somebody_says_yes(cli: CommandLine, two: Path) -> None:
    assert cli("publish", "--impact").code == 2
    write(two, "questions.yaml", "questions:\n- 签收后几天内可以退货\n- 水泵 E-07 是什么故障\n- zebra pancake\n")
    done = cli("publish", "--impact")
    assert done.code == 4
    assert "1 of 3 answers change." in done.out
    assert "- 签收后7天内可以退货。" in done.out
    assert "+ 签收后3天内可以退货。" in done.out
    assert _asked(cli)[1] == "kb-1.0.0"
    found = json.loads(cli("publish", "--questions", str(two / "questions.yaml"), "--yes", "--json").out)
    assert found["switched"] is True
    assert [change["question"] for change in found["impact"]] == ["签收后几天内可以退货"]
    assert _asked(cli)[1] == "kb-1.1.0"


def test_a_share_of_the_users_and_a_moment(cli: CommandLine, two: Path) -> None:
    done = cli("publish", "--weight", "40")
    assert "kb-1.1.0 answers 40% of the users in prod" in done.out
    tags = {_asked(cli, "--as-user", f"u{number}")[1] for number in range(8)}
    assert tags == {"kb-1.0.0", "kb-1.1.0"}
    assert _asked(cli)[1] == "kb-1.0.0"
    assert cli("rollback").code == 0
    assert cli("publish", "--at", "2199-01-01T06:00+08:00").code == 0
    assert _asked(cli)[1] == "kb-1.0.0"
    assert cli("publish", "--at", "2001-01-01").code == 0
    assert _asked(cli)[1] == "kb-1.1.0"
    for wrong in ("tomorrow", "2026-13-01", "0001-01-01T00:00+23:00"):
        done = cli("publish", "--at", wrong)
        assert (done.code, done.clean) == (2, True), wrong


def test_an_agent_and_an_environment_of_their_own(cli: CommandLine, two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("publish", "kb-1.1.0", "--agent", "agent-refund")
    assert _asked(cli, "--as-agent", "agent-refund")[1] == "kb-1.1.0"
    assert _asked(cli)[1] == "kb-1.0.0"
    monkeypatch.setenv("ALMANAC_AGENT", "agent-refund")
    assert _asked(cli)[1] == "kb-1.1.0"
    monkeypatch.setenv("ALMANAC_ENV", "live")
    done = cli(*ASK)
    assert done.code == 2
    assert "ALMANAC_ENV is live" in done.err


def test_a_named_folder_is_asked_itself(cli: CommandLine, two: Path) -> None:
    text, tag = _asked(cli, "--knowledge", str(two))
    assert "3天" in text
    assert tag == "kb-1.1.0"


def test_a_lost_release_is_said_with_its_remedy(cli: CommandLine, two: Path, own_home: Path) -> None:
    shutil.rmtree(next((own_home / "almanac/releases").glob("kb-1.0.0-*/")))
    aside = two.rename(two.parent / "unplugged")
    done = cli(*ASK)
    assert (done.code, done.clean) == (4, True)
    assert "almanac publish kb-1.0.0" in done.err
    aside.rename(two)
    assert _asked(cli)[1] == "kb-1.0.0"
