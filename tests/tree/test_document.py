"""kb.tree.document: facts from front matter and path, a body whatever the front matter is like."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.tree.document import language_of, load, parse, restore
from tests.helpers import DATA, document, write


def test_the_facts_of_a_whole_document(tree: Path) -> None:
    facts = load(tree, "agriculture/crop/soybean/growth_stage_2024_v2.md").facts
    assert (facts.title, facts.version, facts.lang) == ("大豆生育期管理规范", "2024_v2", "zh")
    assert facts.valid_from == datetime.date(2024, 7, 1)
    assert facts.keywords[0] == "R5期"
    assert facts.references[0].id == "GB_T_22871_2024"
    assert facts.domain == "agriculture"
    assert facts.status == "released"
    assert facts.problems == ()


@pytest.mark.parametrize("path", sorted(path.name for path in (DATA / "broken").iterdir()))
def test_broken_front_matter_does_not_hide_the_body(path: str) -> None:
    parsed = load(DATA / "broken", path)
    assert "walrus" in parsed.text
    assert len(parsed.facts.problems) == 1
    problem = parsed.facts.problems[0]
    assert problem.path == path
    assert problem.reason


def test_a_version_is_not_a_number(tree: Path) -> None:
    assert load(tree, "machinery/pump/fault_codes_2025_v1.md").facts.version == "1.10"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", "a b"),
        ("# Only a heading", "Only a heading"),
        ("# Closed ##\n", "Closed"),
        ("text without heading", "a b"),
        ("---\ntitle: '  '\n---\n# From heading", "From heading"),
    ],
)
def test_a_title_is_found_somewhere(text: str, title: str) -> None:
    facts = parse("x/a_b.md", text).facts
    assert facts.title == title
    assert facts.status == "released"


@pytest.mark.parametrize(
    ("start", "end", "valid"),
    [("", "", True), ("2026-06-01", "", True), ("2026-06-02", "", False), ("", "2026-06-01", True),
     ("", "2026-05-31", False)],
)  # fmt: skip
def test_validity_includes_both_days(start: str, end: str, valid: bool) -> None:
    facts = parse("a.md", document("A", "x", valid_from=start, valid_to=end)).facts
    assert facts.valid_on(datetime.date(2026, 6, 1)) is valid


@pytest.mark.parametrize("field", ["valid_from", "valid_to"])
def test_a_validity_that_nobody_can_read_never_counts_as_current(field: str) -> None:
    facts = parse("a.md", document("A", "x", **{field: "next spring"})).facts
    assert not facts.valid_on(datetime.date(2026, 6, 1))
    assert facts.problems[0].reason == "bad_date"
    assert "next spring" in facts.problems[0].detail


@pytest.mark.parametrize(
    "head",
    ["title: A\ntags:\n\t- x\nvalid_to: 2020-01-01", "title: A\ntitle: B\nvalid_to: 2020-01-01",
     "title：A\nvalid_to：2020-01-01", "title: A: B\n'valid_to': '2020-01-01' # over",
     "title: A\nvalid_to: 2020-01-01\nvalid_to: 2030-01-01", "title: A\nvalid_to: {year: 2030}",
     "title: A: B\nstatus: draft"],
)  # fmt: skip
def test_a_fault_in_the_front_matter_does_not_make_an_old_document_current(head: str) -> None:
    day = datetime.date(2026, 6, 1)
    facts = parse("a.md", f"---\n{head}\n---\n# A\n").facts
    assert facts.problems
    assert not facts.valid_on(day) or facts.status != "released"
    unclosed = parse("a.md", f"---\n{head}\n\n# A\n").facts
    assert not unclosed.valid_on(day) or unclosed.status != "released"


def test_a_date_that_is_none_has_its_line() -> None:
    parsed = parse("a.md", "---\ntitle: A\nversion: 1.10\nvalid_to: 2026-02-30\n---\n# A\n")
    assert [(problem.line, problem.detail) for problem in parsed.facts.problems] == [(4, "valid_to: 2026-02-30")]


def test_line_numbers_are_those_of_the_file() -> None:
    parsed = parse("a.md", "---\ntitle: A\n---\n# A\n\nhere\n")
    assert parsed.body_line == 4
    assert parsed.lines[parsed.lines.index("here")] == "here"
    assert parsed.lines.index("here") == 5


def test_a_file_that_cannot_be_read_is_named(empty_tree: Path) -> None:
    with pytest.raises(KnowledgeError) as caught:
        load(empty_tree, "none.md")
    assert "none.md" in str(caught.value)
    write(empty_tree, "bad.md", b"\xff\x00\xfe\x81\x00\x00" * 9)
    with pytest.raises(KnowledgeError) as caught:
        load(empty_tree, "bad.md")
    assert "bad.md" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "lang"),
    [("大豆播种", "zh"), ("Sow maize", "en"), ("大豆 soybean 播种深度", "zh"), ("The E-07 of the pump 泵", "en")],
)
def test_language(text: str, lang: str) -> None:
    assert language_of(text) == lang


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: Pump\nversion: 1.10\nvalid_to: 2030-01-01\ntags: [a, b]\n---\n# Pump\n\nText.\n",
        "---\ntitle: Pump\nvalid_to: soon\n---\nText.\n",
        "---\ntitle: [broken\n---\nText.\n",
        "---\ntitle: never closed\n",
        "# Only a heading",
        "",
    ],
)
def test_what_was_read_before_is_restored(text: str) -> None:
    parsed = parse("a/b.md", text)
    restored = restore("a/b.md", text, dict(parsed.facts.metadata), parsed.facts.problems, parsed.facts.lang)
    assert restored == parsed
