"""kb.mcp.requirements: requirements and what proposals and commits change."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.config import Config
from kb.errors import AlmanacError
from kb.mcp import requirements
from kb.mcp.tool import Toolbox
from tests.helpers import commit_all, git, write
from tests.mcp.calling import call, check_tools, fits
from tests.supply.card_helpers import CARD, PATH, repository

pytestmark = pytest.mark.slow


@pytest.fixture
def toolbox(tmp_path: Path, config: Config) -> Iterator[Toolbox]:
    root = repository(tmp_path / "知识", **{"pump-e07-reset": CARD})
    write(
        root, "requirements/PUMP-12.md", "---\ntitle: 泵房改造\nstate: RELEASED\nrepo: ALM-PC200\n---\n\n加装真空表。\n"
    )
    write(root, "requirements/PAY-3.yaml", "title: 支付重试\nstatus: OPEN\ntext: 先查单\n")
    write(root, "requirements/BAD.yaml", "title: [\n")
    commit_all(root, "requirements")
    git(root, "checkout", "--quiet", "-b", "proposal/strainer")
    write(root, PATH, CARD.replace("清理滤网", "先清理滤网"))
    git(root, "commit", "--quiet", "-am", "Say what comes first")
    git(root, "checkout", "--quiet", "main")
    there = dataclasses.replace(config, knowledge=root, environment={"PATH": "/usr/bin:/bin"})
    made = requirements.open_tools(argparse.Namespace(), there)
    yield made
    made.close()


def test_the_tools(toolbox: Toolbox) -> None:
    check_tools(toolbox, ("get_requirement", "get_mr_detail"))


def test_requirements_in_both_forms(toolbox: Toolbox) -> None:
    found = call(toolbox, "get_requirement", id="PUMP-12")
    assert (found["title"], found["state"], found["text"]) == ("泵房改造", "RELEASED", "加装真空表。")
    assert found["fields"]["repo"] == "ALM-PC200"
    found = call(toolbox, "get_requirement", id="PAY-3")
    assert (found["title"], found["state"], found["text"]) == ("支付重试", "OPEN", "先查单")
    for name, key in (("none", "mcp_no_requirement"), ("BAD", "broken_yaml")):
        with pytest.raises(AlmanacError) as raised:
            call(toolbox, "get_requirement", id=name)
        assert raised.value.key == key
        assert str(raised.value)


@pytest.mark.parametrize("wrong", ["../x", "/etc/passwd", "--output=/x", "a/b", "", "a\nb", "x" * 101, ".."])
def test_ids_that_are_none_do_not_fit(toolbox: Toolbox, wrong: str) -> None:
    assert not fits(toolbox, "get_requirement", id=wrong)


@pytest.mark.parametrize("name", ["strainer", "proposal/strainer"])
def test_a_proposal_that_waits(toolbox: Toolbox, name: str) -> None:
    found = call(toolbox, "get_mr_detail", reference=name)
    assert found["open"] is True
    assert found["files"] == [{"status": "M", "path": PATH}]
    assert "先清理滤网" in found["diff"]
    assert found["message"] == "Say what comes first"


def test_a_commit_and_what_is_none(toolbox: Toolbox) -> None:
    assert call(toolbox, "get_mr_detail", reference="HEAD")["open"] is False
    for name in ("no-such-thing", "proposal/none", "0000000"):
        with pytest.raises(AlmanacError) as raised:
            call(toolbox, "get_mr_detail", reference=name)
        assert raised.value.key == "version_unknown_name"
    assert not fits(toolbox, "get_mr_detail", reference="--output=/x")
