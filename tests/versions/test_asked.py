"""kb.versions.asked: questions about changes of the knowledge, and what answers them."""

from __future__ import annotations

import datetime

import pytest

from kb.tree.document import Facts, parse
from kb.tree.taxonomy import Taxonomy, load_taxonomy
from kb.versions.asked import ChangesAsked, asked_changes, changed_documents, subjects
from kb.versions.history import Change
from kb.versions.periods import Period
from tests.helpers import PROJECT

# A Monday.
TODAY = datetime.date(2026, 11, 30)
LAST_WEEK = Period(datetime.date(2026, 11, 23), datetime.date(2026, 11, 29))
RECENT = Period(datetime.date(2026, 11, 1), TODAY)


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    """That of the knowledge which ships."""
    return load_taxonomy(PROJECT / "docs")


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("上周更新了哪些大豆知识", ChangesAsked(LAST_WEEK, ("soybean",))),
        ("上周更新了哪些知识？", ChangesAsked(LAST_WEEK)),
        ("what changed about irrigation since 2026-11-01", ChangesAsked(RECENT, ("irrigation",))),
        ("Which documents were updated last week?", ChangesAsked(LAST_WEEK)),
        ("最近更新了什么", ChangesAsked(RECENT)),
        (
            "昨天谁修改了稻瘟病规程",
            ChangesAsked(Period(datetime.date(2026, 11, 29), datetime.date(2026, 11, 29)), ("rice_blast",)),
        ),
        ("上周木耳知识更新了吗", ChangesAsked(LAST_WEEK, (), ("木耳",))),
        ("Any new potato guides last week?", ChangesAsked(LAST_WEEK, ("potato",))),
        ("有哪些新增的文档", ChangesAsked(RECENT)),
        ("which documents have changed", ChangesAsked(RECENT)),
        ("2026年11月1日以来农药方面改了什么", ChangesAsked(RECENT, ("pesticide",))),
    ],
)
def test_questions_about_changes(question: str, asked: ChangesAsked, taxonomy: Taxonomy) -> None:
    assert asked_changes(question, TODAY, taxonomy) == asked


@pytest.mark.parametrize(
    "question",
    [
        "上周喷了药，现在能收获吗",
        "大豆生育期有什么变化",
        "三天前打的药什么时候能收",
        "今年新增的禁用农药有哪些",
        "怎么更新控制器固件",
        "更换滤芯要多少天",
        "修改订单需要什么资料",
        "What should be changed on the tractor after 500 hours",
        "How many hours since the oil was changed last week?",
        "which maize hybrids are new this year?",
        "大豆R5期追施多少钾肥",
        "",
    ],
)
def test_questions_about_the_world(question: str, taxonomy: Taxonomy) -> None:
    assert asked_changes(question, TODAY, taxonomy) is None


def test_subjects(taxonomy: Taxonomy) -> None:
    assert subjects("关于大豆和水稻的", taxonomy) == (("soybean", "rice"), ())
    assert subjects("rice price list", taxonomy) == (("rice",), ("price",))


def _change(day: int, *files: tuple[str, str]) -> Change:
    return Change(f"{day:040d}", datetime.datetime(2026, 11, day, 12).astimezone(), "Test", f"docs(x): {day}", files)


SOYBEAN, RICE, GONE = (
    "agriculture/crop/soybean/a_2024_v1.md",
    "agriculture/crop/rice/b_2024_v1.md",
    "crop/soybean/c_2024.md",
)
CHANGES = (
    _change(28, ("M", SOYBEAN), ("M", "_index.yaml"), ("D", GONE)),
    _change(25, ("A", SOYBEAN), ("M", RICE)),
    _change(10, ("A", GONE), ("A", RICE)),
)


def _facts(path: str) -> Facts | None:
    return None if path == GONE else parse(path, f"---\ntitle: {path}\nkeywords: [追肥]\n---\n").facts


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (ChangesAsked(LAST_WEEK), [("A", SOYBEAN), ("D", GONE), ("M", RICE)]),
        (ChangesAsked(LAST_WEEK, ("soybean",)), [("A", SOYBEAN), ("D", GONE)]),
        (ChangesAsked(LAST_WEEK, ("soybean", "rice")), []),
        (ChangesAsked(LAST_WEEK, (), ("追肥",)), [("A", SOYBEAN), ("M", RICE)]),
        (ChangesAsked(LAST_WEEK, (), ("木耳",)), []),
        (ChangesAsked(RECENT, ("rice",)), [("A", RICE)]),
    ],
)
def test_what_answers(asked: ChangesAsked, found: list[tuple[str, str]]) -> None:
    documents = changed_documents(CHANGES, asked, _facts)
    assert [(item.letter, item.path) for item in documents] == found


def test_each_document_has_its_commits_newest_first() -> None:
    first = changed_documents(CHANGES, ChangesAsked(LAST_WEEK), _facts)[0]
    assert [change.date.day for change in first.changes] == [28, 25]
    assert first.facts is not None
