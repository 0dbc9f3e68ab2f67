"""kb.answer.conflicts: documents that say other values of the same, and which of them answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.answer.answer import Answer
from kb.answer.answerer import Answerer, Policy
from kb.answer.asked import Asked
from kb.answer.conflicts import conflicts
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


def test_rows_of_other_names_are_no_conflict(made: Retriever, empty_tree: Path) -> None:
    rows = "| Crate | Peaches keep |\n|---|---|\n| P1 | {} days |\n| P2 | 9 days |\n| P3 | {} days |"
    answer = _asked(made, empty_tree, "How long do peaches keep in crate P2?", rows.format(4, 5), rows.format(6, 7))
    assert "9 days" in answer.text and answer.conflicts == ()


def test_an_expired_document_takes_no_part(made: Retriever, empty_tree: Path) -> None:
    said = "番茄晚疫病每公顷追施氯化钾{}公斤。"
    write(empty_tree, "a.md", document("钾肥", said.format(50), date_updated=OLD))
    write(empty_tree, "b.md", document("钾肥", said.format(90), date_updated=NEW, valid_to="2026-01-02"))
    answer = Answerer(made, clock=lambda: DAY).ask("番茄晚疫病每公顷追施多少氯化钾")
    assert "50" in answer.text
    assert answer.conflicts == ()


def test_nothing_ranked_is_no_conflict() -> None:
    assert conflicts(Asked.of("多少公斤", {}), [], 0.0) == []


def test_an_older_document_answers_where_a_newer_one_only_comes_near(empty_tree: Path, tmp_path: Path) -> None:
    """The newer one says another value too, but of other words."""
    write(empty_tree, "a.md", document("茄子", "茄子灰霉病发生时苯甲每亩用药30克。", date_updated="2024-01-01"))
    newer = "茄子发生时苯甲用药90克。\n"
    write(empty_tree, "b.md", document("茄子", newer, date_updated="2026-01-01"))
    made = Retriever(empty_tree, tmp_path / "i")
    asking = Answerer(made, policy=Policy(refuse_below=0.0, conflict_above=0.0), clock=lambda: DAY)
    assert "30" in asking.ask("茄子灰霉病发生时苯甲每亩用药多少克").text
    made.close()


def test_the_newest_answers_where_only_the_numbers_differ(tmp_path: Path) -> None:
    """However much better the rest of the older document fits."""
    tree = tmp_path / "docs"
    around = "How deep seed of beet lies decides when beet comes up.\n\n"
    for name, title, date, depth in (
        ("a", "How deep beet is sown", "2026-01-01", "2-3"),
        ("b", "Notes", "2026-06-01", "4-5"),
    ):
        text = document(title, f"{around if name == 'a' else ''}Sow beet {depth} cm deep.", date_updated=date)
        write(tree, f"farm/crop/beet/{name}_2026_v1.md", text)
    made = Retriever(tree, tmp_path / "index")
    made.update()
    answer = Answerer(made, policy=Policy(refuse_below=0.0), clock=lambda: DAY).ask("How deep is beet sown?")
    assert [item.date_updated for item in answer.conflicts] == ["2026-06-01", "2026-01-01"]
    scores = {item.date_updated: item.score for item in answer.conflicts}
    assert scores["2026-06-01"] < 0.5 * scores["2026-01-01"], "the older document fits much better here"
    assert answer.text == "Sow beet 4-5 cm deep."
