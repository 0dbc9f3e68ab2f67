"""kb.cli.version_words: differences, plans and mismatches as a person and a program read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.cli.output import Output
from kb.cli.version_words import (
    difference_json,
    document_line,
    show_built,
    show_difference,
    show_impact,
    show_mismatch,
)
from kb.config import Config
from kb.versions.diff import Difference, DocumentChange, FieldChange, FileChange
from kb.versions.impact import ChangedAnswer, Said
from kb.versions.manifest import Mismatch
from kb.versions.releases import BuiltIndex
from kb.versions.sentences import NumberChange, Sentence, SentenceChange

_CHANGE = SentenceChange(Sentence("7天 \x1b[31m", 3), Sentence("3天 [/]", 4))
_DOCUMENT = DocumentChange(
    "moved", "b.md", "a.md", "T", "1.0", "1.1", (), (FieldChange("owner", "", "desk\x07"),), (_CHANGE,),
    (NumberChange("7天", "", "天", _CHANGE),),
)  # fmt: skip


@pytest.fixture
def output() -> Output:
    return Output(Config(home=Path("/h"), knowledge=Path("/k"), lang="en"))


def test_a_difference(output: Output, capsys: pytest.CaptureFixture[str]) -> None:
    show_difference(Difference("kb-1.0.0", "kb-1.1.0", (_DOCUMENT,), (FileChange("added", "x.png"),)), output)
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\x07" not in said
    assert said.index("7天 → ∅   b.md:4") < said.index("> b.md  T  1.0 → 1.1") < said.index("+ x.png")
    assert "was a.md" in said
    assert "        4 - 7天" in said
    show_difference(Difference("a", "b"), output)
    assert capsys.readouterr().out == "a and b hold the same.\n"


def test_a_line_of_a_document_that_is_gone() -> None:
    assert document_line(DocumentChange("removed", "a.md", "a.md", "T", "1.0", "", ())) == "- a.md  T  1.0"


def test_what_building_took(output: Output, capsys: pytest.CaptureFixture[str]) -> None:
    show_built(BuiltIndex(9, 20, 3, True), output)
    show_built(BuiltIndex(9, 20, 0, False), output)
    show_built(None, output)
    first, second, third = capsys.readouterr().out.splitlines()
    assert "3 of 20 passages embedded anew" in first
    assert "no embedder" in second
    assert "before" in third


def test_answers_and_mismatches(output: Output, capsys: pytest.CaptureFixture[str]) -> None:
    show_impact([ChangedAnswer("q\x1b", Said("7天", False, "a.md"), Said("", True, ""), ("text",))], 5, output)
    show_mismatch("kb-1.0.0", Mismatch(("a",), ("b",), ("c",)), output)
    said = capsys.readouterr().out
    assert "1 of 5 answers change." in said
    assert "  - 7天  [a.md]\n  + The documents do not say.\n" in said
    assert said.endswith("  - a\n  + b\n  ~ c\n")


def test_the_schema_of_a_difference() -> None:
    found = json.loads(json.dumps(difference_json(Difference("a", "b", (_DOCUMENT,)))))
    assert found["schema"] == 1
    assert found["numbers"][0]["path"] == "b.md"
    assert found["documents"][0]["sentences"][0]["new"]["line"] == 4
