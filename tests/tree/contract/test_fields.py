"""kb.tree.contract.fields: the front matter of one document."""

from __future__ import annotations

import pytest

from kb.tree.contract.fields import check_fields
from kb.tree.contract.findings import Finding, Severity
from kb.tree.contract.fixing import edited
from kb.tree.contract.source import source_of
from tests.helpers import DAY

GOOD = "title: 大豆\nversion: 2024_v1\ndate_created: 2024-01-01\ndate_updated: 2024-05-01\n"


def _check(fields: str, path: str = "a/b/c/d_2024_v1.md") -> list[Finding]:
    return list(check_fields(source_of(path, f"---\n{fields}---\n# x\n"), DAY))


def _rules(fields: str, path: str = "a/b/c/d_2024_v1.md") -> list[tuple[int, str]]:
    return [(finding.line, finding.rule) for finding in _check(fields, path)]


def test_a_good_one() -> None:
    assert _rules(GOOD + "references:\n  - {id: A, type: standard, title: T}\nstatus: draft\n") == []


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ("title: x\nversion: 1\n", [(1, "field-missing")]),
        ("title: x\nversion:\ndate_updated: 2024-01-01\n", [(3, "field-missing")]),
        (GOOD + "valid_from: 2026-02-30\n", [(6, "date")]),
        (GOOD + "valid_from: 2025-02-01\nvalid_to: 2025-01-01\n", [(7, "date-order")]),
        (GOOD.replace("2024-05-01", "2023-05-01"), [(5, "date-order")]),
        (GOOD.replace("2024-05-01", "2199-05-01"), [(5, "date-future")]),
        (GOOD + "status: maybe\n", [(6, "status")]),
        (GOOD + "references: GB 1\n", [(6, "references-shape")]),
        (GOOD + "references:\n  - GB 1\n", [(6, "references-shape")]),
        (GOOD + "references:\n  - {id: A, title: T}\n", [(6, "reference-incomplete")]),
        (
            GOOD + "references:\n  - {id: A, type: x, title: T}\n  - {id: A, type: x, title: T}\n",
            [(6, "reference-twice")],
        ),
        (GOOD + "date_update: 2024-01-01\n", [(6, "field-misspelt")]),
        (GOOD + "cssclasses: x\n", [(6, "field-unknown")]),
        (GOOD + "tags: {a: b}\n", [(6, "field-not-list")]),
        (GOOD + "owner: [a]\n", [(6, "field-not-text")]),
        (GOOD.replace("2024_v1", "2025_v1"), [(3, "version-differs")]),
        (GOOD.replace("version: 2024_v1", "version: 1.2.0"), []),
        (GOOD + "keywords: [甲、乙]\n", [(6, "keyword-characters")]),
        ("title: a: b\n", [(2, "front-matter")]),
    ],
)
def test_each_rule(fields: str, found: list[tuple[int, str]]) -> None:
    assert _rules(fields) == found


def test_no_front_matter_at_all() -> None:
    assert [finding.rule for finding in check_fields(source_of("a.md", "# x\n"), DAY)] == ["front-matter-missing"]


@pytest.mark.parametrize(
    ("written", "repaired"),
    [
        ("valid_from: 2024/7/1", "valid_from: 2024-07-01"),
        ("valid_from: '2024.07.01' # x", "valid_from: '2024-07-01' # x"),
        ("valid_from: 2024年7月1日", "valid_from: 2024-07-01"),
        ("valid_from: 20240701", "valid_from: 2024-07-01"),
        ("status: Released", "status: released"),
        ("status: 草稿", "status: draft"),
        ("valid_from：2024-07-01", "valid_from: 2024-07-01"),
        ("status:released", "status: released"),
    ],
)
def test_safe_repairs(written: str, repaired: str) -> None:
    source = source_of("a.md", f"---\n{GOOD}{written}\n---\n")
    findings = list(check_fields(source, DAY))
    lines = edited(source.lines, [edit for finding in findings for edit in finding.edits])
    assert lines[5] == repaired
    assert lines[:5] == list(source.lines[:5])
    assert not list(check_fields(source_of("a.md", "\n".join(lines)), DAY))


@pytest.mark.parametrize(
    "written", ["valid_from: 07/01/2024", "valid_from: 2024-13-01", "status: final", "owner：x\ntitle: y"]
)
def test_what_could_mean_something_else_is_left_alone(written: str) -> None:
    findings = _check(GOOD + written + "\n")
    assert findings
    assert not any(finding.fixable for finding in findings)


def test_an_unknown_field_is_only_a_warning() -> None:
    assert [finding.severity for finding in _check(GOOD + "aliases: [x]\n")] == [Severity.WARNING]
