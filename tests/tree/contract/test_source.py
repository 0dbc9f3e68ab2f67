"""kb.tree.contract.source: where each field stands."""

from __future__ import annotations

import pytest

from kb.errors import KnowledgeError
from kb.tree.contract.source import read_source, source_of

TEXT = "---\ntitle: x\n# a remark\ntags:\n  - a\n  - b\nversion: 1.10\n---\n# Body\ntags: no field\n"


def test_fields_have_their_lines() -> None:
    source = source_of("a.md", TEXT)
    assert source.fields == {"title": (2, 2), "tags": (4, 6), "version": (7, 7)}
    assert source.body.startswith("# Body")
    assert (source.line_of("version"), source.line_of("absent")) == (7, 1)
    assert source.metadata == {"title": "x", "tags": ["a", "b"], "version": "1.10"}


def test_front_matter_that_ends_the_file() -> None:
    assert source_of("a.md", "---\ntitle: x\nversion: 1\n---").fields == {"title": (2, 2), "version": (3, 3)}


@pytest.mark.parametrize(("text", "line"), [("---\ntitle: a: b\n---\n", 2), ("---\ntitle: x\nno end\n", 1)])
def test_broken_front_matter_is_a_problem_not_an_error(text: str, line: int) -> None:
    source = source_of("a.md", text)
    assert source.metadata is None
    assert source.problem is not None
    assert source.problem.line == line


def test_without_front_matter() -> None:
    source = source_of("a.md", "# Only a heading\n")
    assert (source.metadata, source.problem, source.body_line) == (None, None, 1)


def test_other_encodings() -> None:
    assert read_source("a.md", "---\ntitle: 大豆\n---\n".encode("utf-16")).metadata == {"title": "大豆"}
    with pytest.raises(KnowledgeError):
        read_source("a.md", bytes(range(256)))
