"""The parts without a screen: line breaking, formulas, words, pages, pace, lanes."""

from __future__ import annotations

import datetime
import threading
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.geometry import Size

from kb.errors import KnowledgeError
from kb.texts import tui_en, tui_zh
from kb.tree.document import parse
from tui import formula, pictures
from tui.background import Lane, spawn
from tui.flow import breaks
from tui.page import is_document_link, linked_path, outline, page_of, places
from tui.session import Pace, Phase, Session
from tui.widgets.table import column_widths
from tui.words import Words, fit, pad, shown, validity

MARKDOWN = """# T

para one
second line

- item *a*
- item b
  1. inner

> quote **x**

```
code [/]
```

| a | b |
|---|---|
| 1 | 2 |
| 3 | 4 |

![alt](images/a.png)

$$W=\\frac{D\\times M}{10^{6}}$$

---
"""


@given(st.text(alphabet="ab 12，。（）大豆公斤kg-", max_size=80), st.integers(4, 30))
def test_rows_fit_and_lose_nothing(text: str, width: int) -> None:
    rows = [text[start:end] for start, end in breaks(text, width)]
    assert all(cell_len(row) <= width for row in rows)
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")


def test_rows_do_not_begin_with_a_closing_mark_and_numbers_keep_their_units() -> None:
    text = "每公顷追施氯化钾 45-60 公斤，结合灌水施入。"
    for width in range(12, 40):
        rows = [text[start:end] for start, end in breaks(text, width)]
        assert not any(row.startswith(("，", "。")) for row in rows)
        assert not any(row.endswith("45-60") for row in rows)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (r"W=\frac{D\times M}{10^{6}\times G\times E}", "W=(D× M)/(10⁶× G× E)"),
        ("R_5", "R₅"),
        (r"\bar{T}", "T\u0304"),
        (r"a \leq 5\%", "a ≤5%"),
        (r"x_{max}", "xₘₐₓ"),
        (r"\unknown{1.10}", r"\unknown{1.10}"),
    ],
)
def test_formulas(source: str, wanted: str) -> None:
    assert formula.readable(source).replace(" ", "") == wanted.replace(" ", "")


def test_prices_are_not_formulas() -> None:
    assert formula.inline("costs $5 and $10") == "costs $5 and $10"
    assert formula.inline("期（$R_5$）") == "期（R₅）"


@given(st.text(max_size=60))
def test_shown_text_has_no_controls(text: str) -> None:
    assert not any((ord(char) < 32 and char != "\n") or 127 <= ord(char) < 160 for char in shown(text))


def test_fit_counts_cells() -> None:
    assert fit("大豆生育期", 7) == "大豆生…" and cell_len(pad("大豆", 9)) == 9 and fit("ab", 1) == "…"


def test_both_languages_have_the_same_texts() -> None:
    assert set(tui_en.TEXTS) == set(tui_zh.TEXTS)
    assert all(key.startswith("tui_") for key in tui_en.TEXTS)
    for words in (Words("en"), Words("zh")):
        assert words.problem(KnowledgeError("no_such_document", path="a\x1bb")).count("\x1b") == 0
        assert "KeyError" in words.problem(KeyError("x"))


def test_no_jargon_on_screen() -> None:
    everything = " ".join([*tui_en.TEXTS.values(), *tui_zh.TEXTS.values()]).lower()
    assert not any(word in everything for word in ("chunk", "embedding", "rag ", "向量", "嵌入"))


def test_validity_in_words() -> None:
    words, today = Words("en"), datetime.date(2026, 1, 1)
    assert validity(words, None, datetime.date(2025, 1, 1), today) == "EXPIRED 2025-01-01"
    assert validity(words, None, datetime.date.min, today).startswith("EXPIRED")
    assert validity(words, datetime.date(2027, 1, 1), None, today).startswith("NOT YET VALID")
    assert validity(words, None, datetime.date(2027, 1, 1), today) == "valid to 2027-01-01"
    assert validity(words, None, None, today) == ""


def test_pieces_know_their_lines() -> None:
    page = page_of(parse("a/b.md", "---\ntitle: X\n---\n" + MARKDOWN))
    kinds = [(piece.kind, piece.first, piece.last) for piece in page.pieces]
    assert kinds[0] == ("heading", 4, 4)
    assert ("text", 6, 7) in kinds and ("code", 15, 17) in kinds and ("table", 19, 22) in kinds
    assert ("picture", 24, 24) in kinds and ("formula", 26, 26) in kinds and kinds[-1][0] == "rule"
    table = next(piece for piece in page.pieces if piece.kind == "table")
    assert [row.line for row in table.rows] == [19, 21, 22]
    items = [piece for piece in page.pieces if piece.kind == "text" and piece.level]
    assert [(item.marker, item.indent) for item in items] == [("•", 0), ("•", 0), ("1.", 1)]
    assert next(piece for piece in page.pieces if piece.quoted).text.plain == "quote x"
    assert [piece.text.plain for piece in outline(page)] == ["T"]


COMMENTED = """<!-- page 1 -->

one
<!-- page 2-3 -->
two

> <!-- inside -->
> said

<!-- two
lines -->

```
<!-- code -->
```

<!-- no end

<!-- a --> text
"""


@pytest.mark.parametrize("limit", [100_000, 10])
def test_comments_are_not_shown(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The marks of pages above all; what is not a whole comment by itself is text like any other."""
    monkeypatch.setattr("tui.page.PARSE_LIMIT", limit)
    texts = [(piece.first, piece.text.plain) for piece in page_of(parse("a.md", COMMENTED)).pieces]
    assert texts[:2] == [(3, "one"), (5, "two")]
    everything = "\n".join(text for _, text in texts)
    assert "page" not in everything and "lines -->" not in everything
    assert "<!-- no end" in everything and "<!-- a --> text" in everything
    if limit > len(COMMENTED):
        assert (8, "said") in texts and "inside" not in everything and "<!-- code -->" in everything


def test_a_very_long_document_is_cut_simply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.page.PARSE_LIMIT", 100)
    page = page_of(parse("a.md", "# Head\n\n" + "words and words\n\n" * 20 + "## Second\ntext"))
    assert page.simplified and page.pieces[0].first == 3 and page.pieces[-2].kind == "heading"


def test_places_ignore_case() -> None:
    page = page_of(parse("a.md", "Alpha\n\nbeta ALPHA\n"))
    assert places(page, "alpha") == [(1, 1), (3, 3)] and places(page, " ") == []


@pytest.mark.parametrize(
    ("target", "inside"),
    [("b.md", True), ("../c/d.md#x", True), ("http://x/y.md", False), ("/etc/x.md", False), ("file:///x.md", False),
     ("a.txt", False), ("javascript:x.md", False)],
)  # fmt: skip
def test_document_links(target: str, inside: bool) -> None:
    assert is_document_link(target) is inside


def test_linked_paths_stay_inside() -> None:
    assert linked_path("a/b/c.md", "../d.md#part") == "a/d.md"
    assert linked_path("a/c.md", "../../etc/passwd.md") is None


def test_a_session_ignores_news_after_the_end() -> None:
    session = Session()
    first = session.begin("q")
    session.cancelled(first.number)
    session.grew(first.number, "late")
    assert session.get(0).phase is Phase.CANCELLED and session.get(0).text == ""


def test_pace_estimates_what_is_left() -> None:
    pace = Pace("embed", 10.0)
    pace.done, pace.total = 1, 4
    assert pace.percent == 25 and pace.left(14.0) == 12.0 and pace.left(10.5) is None


def test_a_lane_drops_what_is_outdated() -> None:
    lane, gate, done = Lane("t"), threading.Event(), threading.Event()
    seen: list[int] = []
    started = threading.Event()

    def first() -> None:
        started.set()
        gate.wait(5)
        seen.append(0)

    failed: list[BaseException] = []
    lane.submit(first, failed.append)
    started.wait(5)

    def later(number: int) -> None:
        seen.append(number)
        done.set()

    for number in range(1, 5):
        lane.submit(partial(later, number), failed.append)
    gate.set()
    done.wait(5)
    assert seen == [0, 4] and not failed


def test_errors_of_background_work_are_handed_over() -> None:
    caught: list[BaseException] = []

    def broken() -> None:
        raise ValueError("x")

    spawn(broken, caught.append).join(5)
    assert isinstance(caught[0], ValueError)


def test_pictures_keep_their_proportions() -> None:
    assert pictures.cells((400, 200), Size(40, 30)) == (40, 10)
    assert pictures.cells((200, 400), Size(80, 20)) == (20, 20)
    assert pictures.prepare({"TERM": "dumb"}) is False


def test_table_columns_fit_or_scroll() -> None:
    page = page_of(parse("a.md", "| a | long header here |\n|---|---|\n| 1 | " + "字" * 60 + " |\n"))
    rows = page.pieces[0].rows
    assert sum(column_widths(rows, 60)) <= 56
    assert column_widths(rows, 200) == [2, 120]
