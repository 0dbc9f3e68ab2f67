"""kb.answer.conflicts: documents that say other values of the same, and which of them answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.answer.answer import Answer
from kb.answer.answerer import Answerer, Policy
from kb.answer.conflicts import conflicts
from kb.answer.signals import Asked
from kb.search.retriever import Retriever
from tests.helpers import DAY, document, write

OLD, NEW = "2024-01-01", "2026-01-01"


@pytest.fixture
def made(empty_tree: Path, tmp_path: Path) -> Iterator[Retriever]:
    retriever = Retriever(empty_tree, tmp_path / "i")
    yield retriever
    retriever.close()


def _asked(made: Retriever, tree: Path, question: str, old: str, new: str) -> Answer:
    """The answer where one document says `old` and a later one `new`."""
    title = "Peaches" if question.isascii() else "番茄晚疫病"
    write(tree, "a.md", document(title, old, date_updated=OLD))
    write(tree, "b.md", document(title, new, date_updated=NEW))
    return Answerer(made, policy=Policy(refuse_below=0.0), clock=lambda: DAY).ask(question)


@pytest.mark.parametrize(
    ("question", "said", "old", "new"),
    [
        ("番茄晚疫病每公顷追施多少氯化钾", "番茄晚疫病期间每公顷追施氯化钾{}公斤。", "45-60", "70-80"),
        # Both name the same strength of the same agent: the dilution is what differs.
        ("番茄晚疫病用药多少倍液", "番茄晚疫病用72%霜脲·锰锌可湿性粉剂{}倍液喷雾。", "600", "800"),
        ("番茄晚疫病什么时候开始打药", "番茄晚疫病在{}开始打药预防。", "5月上旬", "6月中旬"),
        ("When are peaches pruned?", "Peaches are pruned in {} before the buds swell.", "February", "March"),
        ("How long must peaches be cooled?", "| Fruit | Cooling (h) |\n|---|---|\n| Peaches | {} |", "12", "18"),
    ],
)
def test_another_value_is_a_conflict_and_the_newest_answers(
    made: Retriever, empty_tree: Path, question: str, said: str, old: str, new: str
) -> None:
    answer = _asked(made, empty_tree, question, said.format(old), said.format(new))
    assert [item.path for item in answer.conflicts] == ["b.md", "a.md"]
    assert new in answer.text
    assert answer.evidence[0].path == "b.md"


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("番茄晚疫病用药多少倍液", "番茄晚疫病用霜脲·锰锌600倍液喷雾。", "番茄晚疫病用霜脲·锰锌600倍液喷雾。"),
        # The days differ, but only the dilution is asked for.
        ("番茄晚疫病每亩用药多少克", "番茄晚疫病每亩用药60克，10天一次。", "番茄晚疫病每亩用药60克，7天一次。"),
        ("番茄晚疫病怎么防治", "番茄晚疫病防治用霜脲·锰锌600倍液。", "番茄晚疫病防治用霜脲·锰锌800倍液。"),
    ],
)
def test_the_same_value_is_none(made: Retriever, empty_tree: Path, question: str, old: str, new: str) -> None:
    answer = _asked(made, empty_tree, question, old, new)
    assert not answer.refused
    assert answer.conflicts == ()


def test_an_expired_document_takes_no_part(made: Retriever, empty_tree: Path) -> None:
    said = "番茄晚疫病每公顷追施氯化钾{}公斤。"
    write(empty_tree, "a.md", document("钾肥", said.format(50), date_updated=OLD))
    write(empty_tree, "b.md", document("钾肥", said.format(90), date_updated=NEW, valid_to="2026-01-02"))
    answer = Answerer(made, clock=lambda: DAY).ask("番茄晚疫病每公顷追施多少氯化钾")
    assert "50" in answer.text
    assert answer.conflicts == ()


def test_nothing_ranked_is_no_conflict() -> None:
    assert conflicts(Asked.of("多少公斤", {}), [], 0.0) == []
