"""kb.answer.evaluation: question files, what counts as right, and shares."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kb.answer.answer import Answer, Evidence, Nearest, Way
from kb.answer.answerer import Answerer
from kb.answer.evaluation import Question, below, evaluate, judge, overlap, read_questions, summary
from kb.errors import AlmanacError, ExitCode

EVIDENCE = Evidence(
    "crop/a.md",
    "大豆",
    ("播种",),
    (3, 3),
    "播种深度3-5厘米。",
    "",
    "播种深度3-5厘米。",
    "paragraph",
    "1",
    "",
    "",
    "",
    (),
    0.9,
)
ANSWER = Answer("i", "q", "大豆播种多深", "播种深度3-5厘米。", False, 0.9, Way.QUOTE, (EVIDENCE,))
ASKED = Question("1", "大豆播种多深", ("crop/a.md",), ("3-5厘米",))


def test_a_lone_path_or_span_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    line = {"question": "a?", "gold": "docs/x.md", "answers": "1\u2028kg"}
    file.write_text("\ufeff" + json.dumps(line, ensure_ascii=False) + "\r\n", "utf-8")
    assert read_questions(file) == [Question("1", "a?", ("docs/x.md",), ("1\u2028kg",))]
    file.write_text(json.dumps({**line, "gold": {"path": "x.md"}}), "utf-8")
    with pytest.raises(AlmanacError) as caught:
        read_questions(file)
    assert caught.value.params["line"] == 1


def test_questions_are_read_from_a_file_or_its_folder(tmp_path: Path) -> None:
    lines = [
        {"id": 7, "question": "a?", "gold": ["docs/x.md"], "answers": ["1", "2"]},
        {"question": "b?", "answer": "3"},
        {"question": "c?", "gold": None},
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n\n", "utf-8")
    for place in (tmp_path, tmp_path / "questions.jsonl"):
        found = read_questions(place)
        assert [item.id for item in found] == ["7", "2", "3"]
        assert (found[0].answers, found[1].answers, found[2].gold) == (("1", "2"), ("3",), ())
    assert below(found, Path("/somewhere/docs"))[0].gold == ("x.md",)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("{", "bad_question_file"),
        ("[]", "bad_question_file"),
        ('{"question": 3}', "bad_question_file"),
        ("", "no_questions"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path: Path, line: str, key: str) -> None:
    file = tmp_path / "题.jsonl"
    file.write_text(line, "utf-8")
    with pytest.raises(AlmanacError) as caught:
        read_questions(file)
    assert (caught.value.key, caught.value.exit_code) == (key, ExitCode.USAGE)
    assert str(file) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError) as caught:
        read_questions(tmp_path / "none.jsonl")
    assert caught.value.key == "unreadable"


def test_a_right_answer() -> None:
    found = judge(ASKED, ANSWER)
    assert (found.document, found.evidence, found.holds, found.right, found.unsupported) == (1, 1, True, True, False)
    assert 0 < found.f1 < 1


def test_an_answer_from_another_document_has_no_right_evidence() -> None:
    found = judge(replace(ASKED, gold=("crop/b.md",)), ANSWER)
    assert (found.document, found.evidence) == (0, 0)


def test_what_the_evidence_lacks_is_unsupported() -> None:
    assert judge(ASKED, replace(ANSWER, text="播种深度30-50厘米。")).unsupported
    assert judge(ASKED, replace(ANSWER, text="播种深度3-5厘米。每亩施药5克。")).unsupported
    assert judge(ASKED, replace(ANSWER, text="播种深度 … 每亩施药5克。")).unsupported
    assert not judge(ASKED, replace(ANSWER, text="播种深度 … 播种深度3-5厘米。")).unsupported


def test_refusals() -> None:
    refused = replace(
        ANSWER, refused=True, text="", evidence=(), way=Way.REFUSED, nearest=(Nearest("crop/a.md", "", 0.1),)
    )
    assert not judge(ASKED, refused).right
    assert judge(ASKED, refused).document == 1
    assert judge(Question("2", "月球"), refused).right
    assert not judge(Question("2", "月球"), ANSWER).right


def test_shares() -> None:
    outcomes = [
        judge(ASKED, ANSWER),
        judge(ASKED, replace(ANSWER, text="别的。")),
        judge(Question("2", "月球"), ANSWER),
        judge(Question("3", "月球"), replace(ANSWER, refused=True, text="", evidence=())),
    ]
    found = summary(outcomes)
    assert (found.answerable, found.other) == (2, 2)
    assert (found.holds, found.refused_wrongly, found.refused_rightly) == (0.5, 0.0, 0.5)
    assert found.unsupported == 0.25
    assert summary([]).holds == 0.0


@pytest.mark.parametrize(
    ("text", "span", "share"),
    [("3-5 cm", "3-5 cm", 1.0), ("", "x", 0.0), ("深度", "深", 2 / 3), ("sow deep", "deep", 2 / 3), ("x", "", 0.0)],
)
def test_overlap_is_f1(text: str, span: str, share: float) -> None:
    assert overlap(text, span) == pytest.approx(share)


def test_questions_are_asked_until_stopped(answerer: Answerer) -> None:
    questions = [Question(str(number), "大豆播种深度是多少", ("x.md",), ("3-5厘米",)) for number in range(4)]
    heard: list[int] = []
    found = evaluate(questions, answerer, lambda done, total: heard.append(done), lambda: len(heard) == 2)
    assert [item.holds for item in found] == [True, True]
