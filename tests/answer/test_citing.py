"""kb.answer.citing: evidence says where it stands, by the names that people use."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.asked import Asked
from kb.answer.citing import as_written, to_evidence
from kb.answer.evidence import rank
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from kb.search.tokens import question_terms
from kb.tree.document import Reference
from tests.helpers import DAY


def test_evidence_says_where_it_stands(retriever: Retriever, tree: Path) -> None:
    question = "R5期每公顷追施多少氯化钾"
    asked = Asked.of(question, retriever.term_weights(question_terms(question)))
    best = rank(asked, retriever.find(question, 12, Filter(on=DAY)))[0]
    found = to_evidence(best)
    lines = (tree / found.path).read_text().split("\n")
    assert found.text in "\n".join(lines[found.lines[0] - 1 : found.lines[1]])
    assert found.trail == ("R5 鼓粒期",)
    assert (found.version, found.valid_to) == ("2024_v2", "2030-06-30")
    assert found.references == ("GB/T 22871-2024 大豆生产技术规程",)


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        (Reference("GB_T_22871_2024", "standard", "大豆规程"), "GB/T 22871-2024 大豆规程"),
        (Reference("NY_525_2021", "standard", "有机肥料"), "NY 525-2021 有机肥料"),
        (Reference("GB_T_8321_10_2018", "standard", ""), "GB/T 8321.10-2018"),
        (Reference("X", "model", "GB/T 1-2024 T"), "X GB/T 1-2024 T"),
        (Reference("GB_T_1_2024", "standard", "GB/T 1-2024 T"), "GB/T 1-2024 T"),
    ],
)
def test_references_as_people_write_them(reference: Reference, name: str) -> None:
    assert as_written(reference) == name
