"""kb.memory.reading.text: Markdown and plain text."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.memory.block import Block
from kb.memory.reading.text import read_markdown, read_plain


def _markdown(tmp_path: Path, text: str) -> list[tuple[str, str, int]]:
    (tmp_path / "a.md").write_text(text, "utf-8")
    return _triples(read_markdown(tmp_path / "a.md"))


def _plain(tmp_path: Path, text: str, encoding: str = "utf-8") -> list[tuple[str, str, int]]:
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))
    return _triples(read_plain(tmp_path / "a.txt"))


def _triples(blocks: list[Block]) -> list[tuple[str, str, int]]:
    return [(block.kind.value, block.text, block.level) for block in blocks]


def test_markdown(tmp_path: Path) -> None:
    text = """---
title: x
---
# Title

A *word* and [a link](http://x.org).

- one
  - deep
2. two

| a | b |
|---|---|
| **1** | 2\\|3 |

```
code
```

> said

[^1]: note

![p](images/p.png)

$$
a=b
$$
<!-- hidden -->
"""
    assert _markdown(tmp_path, text) == [
        ("heading", "Title", 1), ("paragraph", "A word and a link.", 0), ("item", "one", 0), ("item", "deep", 1),
        ("item", "2. two", 0), ("table", "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |", 0), ("code", "code", 0),
        ("quote", "said", 0), ("footnote", "[^1]: note", 0), ("image", "![p](images/p.png)", 0), ("formula", "a=b", 0),
    ]  # fmt: skip


def test_plain_text(tmp_path: Path) -> None:
    text = "第一章 启动\n\n水泵启动前应检查电源。\n\n1. 打开阀门\n2. 启动\n\nName\tValue\nflow\t12\n\nTitle\n=====\n"
    assert _plain(tmp_path, text, "gbk") == [
        ("heading", "第一章 启动", 1), ("paragraph", "水泵启动前应检查电源。", 0), ("item", "1. 打开阀门", 0),
        ("item", "2. 启动", 0), ("table", "| Name | Value |\n| --- | --- |\n| flow | 12 |", 0), ("heading", "Title", 1),
    ]  # fmt: skip


def test_hard_wrapped_lines_are_one_paragraph(tmp_path: Path) -> None:
    lines = [
        "The pump must be preheated for thirty minutes before it is",
        "started in winter, and the strainer has to be cleaned in",
    ]
    found = _plain(
        tmp_path, "\n".join([*lines, *lines, "spring.", "A new paragraph begins here, after a short line of it."])
    )
    assert [kind for kind, _, _ in found] == ["paragraph", "paragraph"]
    assert found[0][1].endswith("cleaned in spring.")


def test_lines_of_their_own_stay(tmp_path: Path) -> None:
    assert (
        len(
            _plain(
                tmp_path, "甲方：农艺站\n乙方：设备部\n这一行写得很长，足以说明整篇文本的行宽是多少，其余各行都短得多。"
            )
        )
        == 3
    )


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec="utf-8", blacklist_characters="\0"), max_size=300))
def test_any_text_is_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "any.txt").write_text("一些普通的文字，" * 30 + text, "utf-8")
    for found in (read_plain(tmp_path / "any.txt"), read_markdown(tmp_path / "any.txt")):
        assert found[0].text.startswith("一些普通的文字，")
