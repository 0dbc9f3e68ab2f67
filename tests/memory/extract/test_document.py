"""kb.memory.extract.document: passages with their places; the document's own date."""

from __future__ import annotations

import datetime

from kb.memory.extract.document import from_markdown
from kb.memory.schema import Authority
from kb.tree.document import parse

TEXT = """---
title: 采购合同
status: draft
valid_to: 2030-01-01
---
# 采购合同

签订日期：2024年3月1日

## 价格

- 总价 100 元
  - 含税
- 运费另计

| 项目 | 数值 |
|---|---|
| 重量 | 5 |
"""


def test_passages_stand_where_they_say() -> None:
    document = from_markdown(parse("a/b.md", TEXT))
    for passage in document.passages:
        assert TEXT[passage.start : passage.start + len(passage.raw)] == passage.raw
    assert [passage.kind for passage in document.passages] == ["paragraph", "item", "item", "item", "table"]
    assert document.passages[1].trail == ("采购合同", "价格")
    place = document.source((TEXT.index("总价"), TEXT.index("总价") + 2))
    assert (place.lines, place.quote, place.page) == ((12, 12), "总价", 0)


def test_what_it_says_of_itself() -> None:
    document = from_markdown(parse("a/b.md", TEXT))
    assert document.doc_id == "a/b.md"
    assert document.stated_on == datetime.date(2024, 3, 1)
    assert document.valid_to == datetime.date(2030, 1, 1)
    assert document.authority == Authority.DRAFT
    assert from_markdown(parse("a.md", "---\ntitle: x\nid: K-1\n---\ntext\n")).doc_id == "K-1"


def test_an_empty_document() -> None:
    document = from_markdown(parse("a.md", ""))
    assert document.passages == ()
    assert document.segments() == ()


def test_page_marks_give_pages_and_are_no_text() -> None:
    text = "# T\n\n<!-- page 2 -->\n\n重量 5 kg\n\n<!-- page 4-5 -->\n\n功率 5 kW\n"
    document = from_markdown(parse("a.md", text))
    assert [passage.raw for passage in document.passages] == ["重量 5 kg", "功率 5 kW"]
    assert [document.source((passage.start, passage.start + 2)).page for passage in document.passages] == [2, 4]
