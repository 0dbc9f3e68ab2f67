"""kb.versions.impact: saved questions, and the answers that change."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError, KnowledgeError
from kb.versions.impact import Said, ask_all, compare, find_questions, load_questions
from tests.helpers import write

A = Said("7天", False, "a.md › A")


def test_questions_are_found_in_the_knowledge_or_by_name(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError) as caught:
        find_questions(tmp_path, None)
    assert caught.value.exit_code == 2
    second = write(tmp_path, "questions.jsonl", '{"question": "a"}\n')
    assert find_questions(tmp_path, None) == second
    first = write(tmp_path, "questions.yaml", "questions: [a]\n")
    assert find_questions(tmp_path, None) == first
    with pytest.raises(AlmanacError):
        find_questions(tmp_path, tmp_path / "none.yaml")


def test_both_kinds_of_files(tmp_path: Path) -> None:
    yaml = write(
        tmp_path, "q.yaml", "questions:\n- 退货几天\n- question: 'How deep: 3?'\n  note: x\n- 退货几天\n- ' '\n"
    )
    assert load_questions(yaml) == ["退货几天", "How deep: 3?"]
    lines = write(tmp_path, "q.jsonl", '{"question": "退货几天", "gold": []}\n\n"plain"\n')
    assert load_questions(lines) == ["退货几天", "plain"]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("q.jsonl", '{"question": "a"}\n{"other": 1}\n', 2), ("q.jsonl", "{\n", 1), ("q.jsonl", "[" * 99_999, 1),
        ("q.yaml", "questions: a\n", 1), ("q.yaml", "a: [\n", 2), ("q.yaml", "questions:\n- [a]\n", 1),
        ("q.yaml", "- a\n", 1), ("q.yaml", "questions:\n- {note: x}\n", 1),
    ],
)  # fmt: skip
def test_what_is_no_question_is_said_with_its_line(tmp_path: Path, name: str, text: str, line: int) -> None:
    with pytest.raises(KnowledgeError) as caught:
        load_questions(write(tmp_path, name, text))
    assert caught.value.key == "impact_bad_question"
    assert caught.value.params["line"] == line


def test_an_empty_file_has_no_questions(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as caught:
        load_questions(write(tmp_path, "q.yaml", "questions: []\n"))
    assert caught.value.key == "impact_no_questions"


def test_answers_that_change_lost_ones_first() -> None:
    old = {"same": A, "number": A, "place": A, "lost": A, "none": Said("", True, ""), "won": Said("", True, "")}
    new = {
        **old, "number": Said("3天", False, A.citation), "place": Said(A.text, False, "b.md"),
        "lost": Said("", True, ""), "won": A,
    }  # fmt: skip
    said = ask_all(old, new.__getitem__)
    found = compare(old, said)
    assert [change.question for change in found] == ["lost", "number", "won", "place"]
    assert found[1].what == ("text",)
    assert found[3].what == ("citation",)
