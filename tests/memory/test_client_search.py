"""kb.memory.client_search: entities that a question names, and the order of what fits it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.memory import client_search
from kb.memory.client import MemoryClient
from tests.memory.helpers import MANUAL, memory

OTHER = MANUAL.replace("XM-2000", "XM-3000").replace("5.5", "7.5").replace("30 分钟", "45 分钟")


def test_names_in_a_question(tmp_path: Path) -> None:
    store = memory(tmp_path, a=MANUAL, b=OTHER)

    def names(question: str) -> list[str]:
        return sorted({name for _, _, name in client_search.named(store.connection, question)})

    assert names("xm-2000 和 XM-3000 哪个重") == ["XM-2000", "XM-3000"]
    assert names("山东华丰机械公司在哪") == []
    assert names("XM-20001") == []
    assert names("本设备") == []  # only its own document may say so


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("XM-2000 的额定功率是多少？", "5.5"),
        ("XM-3000 多重", "35"),
        ("XM-2000 冬天要预热多久", "30 分钟"),
        ("XM-3000 预热时间", "45 分钟"),
        ("谁生产 XM-2000", "山东华丰机械有限公司"),
        ("XM-2000 什么时候发布的", "2024年1月15日，山东华丰机械有限公司发布 XM-2000。"),
    ],
)
def test_the_best_record_answers(tmp_path: Path, question: str, value: str) -> None:
    client = MemoryClient(memory(tmp_path, a=MANUAL, b=OTHER))
    assert client.search_memory(question)[0].value == value


@pytest.mark.parametrize("question", ["", " ", '"', "'; DROP", "(a+)+$", "的", "a" * 4000, "\0"])
def test_any_question_is_answered_without_an_error(tmp_path: Path, question: str) -> None:
    client = MemoryClient(memory(tmp_path, a=MANUAL))
    assert isinstance(client.search_memory(question), list)


def test_of_values_of_one_sentence_the_first_answers_first(tmp_path: Path) -> None:
    text = "# PX-10 pump\n\nStart the PX-10 at 2 bar, 5 bar or 9 bar.\n\nStart the PX-10 within 30 s, 40 s or 50 s.\n"
    with memory(tmp_path, pump=text) as store:
        found = [record.value for record in MemoryClient(store).search_memory("PX-10 start pressure")]
        assert [value for value in found if "bar" in value] == ["2 bar", "5 bar", "9 bar"]
