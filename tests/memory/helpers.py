"""Documents and memories that the tests of kb.memory share."""

from __future__ import annotations

from pathlib import Path

from kb.memory.extract.document import ReadDocument, from_markdown
from kb.memory.extract.reading import extract
from kb.memory.schema import Extraction
from kb.memory.store import Ingested, MemoryStore
from kb.tree.document import parse

MANUAL = """---
title: XM-2000 型热风机使用说明书
version: 1.0
date_updated: 2024-03-01
---
# XM-2000 型热风机使用说明书

## 技术参数

| 项目 | 数值 | 单位 | 备注 |
|---|---|---|---|
| 额定功率 | 5.5 | kW | |
| 重量 | 35 | kg | 不包括包装 |

制造商：山东华丰机械有限公司

## 启动

低于 -10 ℃ 时，本设备需预热 30 分钟。

严禁带电操作。

## 历史

2024年1月15日，山东华丰机械有限公司发布 XM-2000。
"""


def read(text: str, path: str = "a.md", doc_id: str | None = None) -> tuple[ReadDocument, Extraction]:
    """A Markdown document and what is read out of it."""
    document = from_markdown(parse(path, text), doc_id)
    return document, extract(document)


def take(store: MemoryStore, text: str, path: str = "a.md", doc_id: str | None = None) -> Ingested:
    """Read a document into memory."""
    return store.take(*read(text, path, doc_id))


def memory(home: Path, **documents: str) -> MemoryStore:
    """A memory of documents, named by keyword: `pump="..."` is pump.md."""
    store = MemoryStore(home)
    for name, text in documents.items():
        take(store, text, f"{name}.md")
    return store
