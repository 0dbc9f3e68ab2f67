"""kb.tree.contract.findings: what a finding says."""

from __future__ import annotations

import ast

import pytest

from kb.texts import CATALOGS
from kb.tree.contract.findings import Check, Edit, Finding
from tests.helpers import PROJECT


def test_a_finding_speaks_both_languages() -> None:
    finding = Finding("a.md", 3, "field-missing", params={"field": "title"})
    assert finding.message("en") == "the field title is missing or empty"
    assert "title" in finding.message("zh")
    assert not finding.fixable


def test_a_reason_is_a_text_of_its_own() -> None:
    finding = Finding("a.md", 3, "front-matter", params={"reason": "fm_duplicate", "detail": "title"})
    assert "title" in finding.message("en")
    assert "twice" in finding.message("en")


@pytest.mark.parametrize(
    "finding", [Finding("a", 1, "encoding", recode=True), Finding("a", 1, "x", edits=(Edit(1, 0, 0, "x"),))]
)
def test_what_can_be_repaired(finding: Finding) -> None:
    assert finding.fixable


def test_a_check_is_run_when_asked() -> None:
    assert [finding.rule for finding in Check("x", lambda: [Finding("a", 0, "check-failed")]).run()] == ["check-failed"]


def test_every_rule_that_the_code_names_has_a_text() -> None:
    named = set()
    for path in (PROJECT / "kb").rglob("*.py"):
        text = path.read_text("utf-8")
        if "kb.tree.contract.findings" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding" and len(node.args) > 2:
                rule = node.args[2]
                if isinstance(rule, ast.Constant):
                    named.add(f"rule_{str(rule.value).replace('-', '_')}")
    assert len(named) > 15
    assert sorted(named - CATALOGS["en"].keys()) == []
