"""Floors of retrieval and answers, by set: what may not get worse unseen. Figures are of the open halves."""

from __future__ import annotations

import datetime
from pathlib import Path

import bench_sets
import pytest

from kb.answer.answerer import Answerer
from kb.answer.checker import check
from kb.search.normalise import normalise
from kb.search.quantities import quantities
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bench_sets.folder() is None, reason="the public question sets are not beside the project"),
]

ANY_DAY = Filter(on=None, released_only=False)


def _open(name: str, folder: Path) -> tuple[Retriever, bench_sets.BenchSet]:
    entry = next(bench_sets.load((name,)))
    retriever = Retriever(entry.docs.resolve(), folder)
    retriever.update()
    return retriever, entry


@pytest.mark.parametrize(
    ("name", "first", "five"),
    [
        ("en-agri", 0.91, 0.975),
        ("zh-reading", 0.96, 0.99),
        ("zh-agri", 0.58, 0.775),
        ("en-reading", 0.85, 0.945),
        ("device-faq zh", 0.635, 0.79),
        ("device-faq en", 0.55, 0.785),
    ],
)
def test_the_right_document_comes_first(name: str, first: float, five: float, tmp_path: Path) -> None:
    """Words alone, without the embedder."""
    retriever, entry = _open(name, tmp_path)
    questions = entry.questions[:200]
    ranks: list[int] = []
    for question in questions:
        paths = list(dict.fromkeys(item.path for item in retriever.find(question.text, 15, ANY_DAY)))
        ranks.append(next((place for place, path in enumerate(paths) if path in question.gold), 99))
    assert sum(rank == 0 for rank in ranks) / len(ranks) >= first
    assert sum(rank < 5 for rank in ranks) / len(ranks) >= five


def test_the_first_evidence_holds_the_answer(tmp_path: Path) -> None:
    retriever, entry = _open("en-agri", tmp_path)
    answerer = Answerer(retriever, clock=lambda: datetime.date(2026, 1, 1))
    right = answered = 0
    for question in entry.questions:
        answer = answerer.ask(question.text, limits=ANY_DAY)
        if answer.refused:
            continue
        answered += 1
        text = normalise(answer.evidence[0].text)
        right += any(normalise(span) in text for span in question.answers)
    assert right / answered >= 0.74
    assert answered / len(entry.questions) >= 0.85


def test_every_quote_stands_where_it_is_cited(tmp_path: Path) -> None:
    retriever, entry = _open("en-agri", tmp_path)
    answerer = Answerer(retriever)
    for question in entry.questions[::5]:
        for item in answerer.ask(question.text, limits=ANY_DAY).evidence:
            lines = (entry.docs / item.path).read_text("utf-8").split("\n")
            cited = " ".join("\n".join(lines[item.lines[0] - 1 : item.lines[1]]).split())
            assert " ".join(item.text.split())[:200] in cited, (question.id, item.path, item.lines)


def test_no_number_that_the_evidence_lacks_gets_through(tmp_path: Path) -> None:
    """Every evidence sentence with one number raised by one is refused by the checker."""
    retriever, entry = _open("en-agri", tmp_path)
    tried = 0
    for question in entry.questions[::4]:
        for item in retriever.find(question.text, 2, ANY_DAY):
            text = item.section.text
            for quantity in quantities(text)[:2]:
                value = quantity.values[0]
                changed = f"{value + 1} {quantity.unit}".strip()
                if any(known.values[0] == value + 1 for known in quantities(text)):
                    continue
                tried += 1
                assert not check(changed, text, question.text).passed, (changed, text)
    assert tried > 50
