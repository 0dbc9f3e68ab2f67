"""kb.memory.align: the same thing in several documents; what a person decides holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.memory import review
from kb.memory.client import MemoryClient
from kb.memory.store import MemoryStore
from tests.memory.helpers import memory, take

FULL = "# A\n\n制造商：山东华丰机械有限公司\n\n山东华丰机械有限公司的注册资本为 500 万元。\n"
SHORT = "# B\n\n供应商：山东华丰机械公司\n\n山东华丰机械公司的电话为 123 号。\n"
STOCK = "# C\n\n供应商：山东华丰机械股份有限公司\n"


def _names(store: MemoryStore, name: str) -> set[str]:
    view = MemoryClient(store).get_entity(name)
    return {item.name for item in view.names} if view else set()


def test_a_merge_is_explained_and_can_be_undone_for_good(tmp_path: Path) -> None:
    store = memory(tmp_path, a=FULL, b=SHORT)
    assert _names(store, "山东华丰机械有限公司") == {"山东华丰机械有限公司", "山东华丰机械公司"}
    merge = store.merges(across=False)[0]
    assert (merge.reason, merge.score) == ("memory_merge_core", 0.9)
    assert merge.parts["core"] == 1.0
    assert store.undo_merge(merge.id, "agronomy-desk").undone_at
    assert _names(store, "山东华丰机械有限公司") == {"山东华丰机械有限公司"}
    assert _names(store, "山东华丰机械公司") == {"山东华丰机械公司"}
    with pytest.raises(AlmanacError):
        store.undo_merge(merge.id)
    take(store, SHORT + "\n新的一行。\n", "b.md")
    assert _names(store, "山东华丰机械公司") == {"山东华丰机械公司"}


def test_near_names_are_asked_about_once_and_the_answer_holds(tmp_path: Path) -> None:
    store = memory(tmp_path, a=FULL, c=STOCK)
    asked = review.reviews(store)
    assert [(item.kind, item.body["left"], item.body["right"]) for item in asked] == [
        ("merge", "山东华丰机械有限公司", "山东华丰机械股份有限公司")
    ]
    review.accept(store, asked[0].id, "agronomy-desk")
    both = {"山东华丰机械有限公司", "山东华丰机械股份有限公司"}
    assert _names(store, "山东华丰机械股份有限公司") == both
    take(store, STOCK + "\n补充。\n", "c.md")
    assert _names(store, "山东华丰机械股份有限公司") == both
    assert review.reviews(store) == []


def test_a_refusal_holds_too(tmp_path: Path) -> None:
    store = memory(tmp_path, a=FULL, c=STOCK)
    review.reject(store, review.reviews(store)[0].id, "agronomy-desk")
    take(store, STOCK + "\n补充。\n", "c.md")
    assert review.reviews(store) == []
    assert _names(store, "山东华丰机械股份有限公司") == {"山东华丰机械股份有限公司"}


def test_local_names_never_join_documents(tmp_path: Path) -> None:
    text = "# 合同 {0}\n\n合同编号：HT-{0}\n\n甲方：{1}\n\n甲方应付款 {0} 元。\n"
    store = memory(tmp_path, a=text.format("1001", "绿源农业有限公司"), b=text.format("2002", "大丰粮食有限公司"))
    assert _names(store, "绿源农业有限公司") == {"绿源农业有限公司", "甲方"}
    assert len([1 for name, _, _ in MemoryClient(store).entities() if "有限公司" in name]) == 2
