"""kb.memory.reading.html: a page as blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.memory.block import Block, Kind
from kb.memory.reading.html import read_html
from kb.memory.reading.limits import Limits


def _read(tmp_path: Path, page: str | bytes) -> list[Block]:
    path = tmp_path / "a.html"
    path.write_bytes(page if isinstance(page, bytes) else page.encode())
    return read_html(path, Limits(), lambda data, suffix: f"images/i{suffix}")


def _pairs(blocks: list[Block]) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in blocks]


def test_structure(tmp_path: Path) -> None:
    page = """<html><head><title>Pump</title><style>x</style></head><body><nav>menu</nav><h1>Pump <b>CP</b></h1>
    loose <i>text</i> here<p>First<br>second</p><ul><li>one<ul><li>deep</li></ul></li></ul>
    <ol start="3"><li>three</li></ol><pre>a = 1
  b</pre><blockquote>said</blockquote><script>alert(1)</script><p hidden>no</p>5 m<sup>2</sup></body></html>"""
    assert _pairs(_read(tmp_path, page)) == [
        ("heading", "Pump CP"), ("paragraph", "loose text here"), ("paragraph", "First\nsecond"), ("item", "one"),
        ("item", "deep"), ("item", "3. three"), ("code", "a = 1\n  b"), ("quote", "said"), ("paragraph", "5 m²"),
    ]  # fmt: skip


def test_cells_over_rows_and_columns(tmp_path: Path) -> None:
    page = """<table><caption>Doses</caption><tr><th rowspan=2>S</th><th colspan=2>Dose</th></tr>
    <tr><th>a</th><th>b</th></tr>
    <tr><td>spring</td><td>1</td><td>2</td></tr></table>"""
    assert _pairs(_read(tmp_path, page)) == [
        ("caption", "Doses"),
        ("table", "| S | Dose a | Dose b |\n| --- | --- | --- |\n| spring | 1 | 2 |"),
    ]


def test_words_in_a_table_beside_its_cells_are_kept(tmp_path: Path) -> None:
    page = """<table>Doses in <b>kg</b><tr>first <td>1</td><td>2</td></tr><tbody><p>see below</p><tr><td>3</td><td>4
    <table><tr><td>inner</td></tr></table></td></tr></tbody><script>no</script></table>"""
    found = _pairs(_read(tmp_path, page))
    words = " ".join(text for kind, text in found if kind == "paragraph")
    assert all(said in words for said in ("Doses in kg", "first", "see below"))
    assert "no" not in words.split()
    assert words.count("inner") == 1


def test_main_is_read_and_what_stands_around_it_is_not(tmp_path: Path) -> None:
    page = f"<body><div>side</div><main><p>{'content ' * 30}</p></main><div>foot</div></body>"
    assert len(_read(tmp_path, page)) == 1


def test_entities_of_its_own_are_neither_followed_nor_shown(tmp_path: Path) -> None:
    page = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><p>&e; pump</p>'
    assert _pairs(_read(tmp_path, page)) == [("paragraph", "&e; pump")]


def test_a_declared_encoding(tmp_path: Path) -> None:
    page = '<meta charset="gb2312"><p>水泵不能启动</p>'.encode("gb18030")
    assert _pairs(_read(tmp_path, page)) == [("paragraph", "水泵不能启动")]


def test_terms_stand_with_their_definitions(tmp_path: Path) -> None:
    page = "<dl><dt>水泵</dt><dd>输送清水</dd><dt>Pump</dt><dd>moves water</dd><dd>and air</dd><dt>alone</dt></dl>"
    assert [text for _, text in _pairs(_read(tmp_path, page))] == [
        "水泵：输送清水",
        "Pump: moves water",
        "and air",
        "alone",
    ]


def test_nested_definitions_are_read_once(tmp_path: Path) -> None:
    page = "<dl><dt>outer</dt><dd><dl><dt>inner</dt><dd>text</dd></dl></dd></dl>"
    assert " ".join(text for _, text in _pairs(_read(tmp_path, page))).count("inner") == 1


def test_only_pictures_of_the_page_itself_are_taken(tmp_path: Path) -> None:
    data = "data:image/png;base64," + "A" * 400
    page = f'<p><img src="{data}" alt="pump"></p><img src="http://example.org/x.png" alt="a far pump">'
    page += '<img src="/etc/passwd">'
    assert _pairs(_read(tmp_path, page)) == [("image", "![pump](images/i.png)"), ("caption", "a far pump")]


def test_very_deep_pages_end(tmp_path: Path) -> None:
    assert isinstance(_read(tmp_path, "<div>" * 3000 + "x" + "</div>" * 3000), list)
    assert isinstance(_read(tmp_path, "<b>" * 3000 + "x"), list)
    assert isinstance(_read(tmp_path, "<table><tr><td>" * 300 + "x"), list)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(["<table>", "<tr>", "<td rowspan=3>", "</td>", "<li>", "<p>", "x", "</p>", "<dd>", "<h2>"])
    )
)
def test_any_nesting_is_read(tmp_path: Path, parts: list[str]) -> None:
    found = _read(tmp_path, f"<body>{''.join(parts)}</body>")
    assert all(block.text for block in found)


def test_an_empty_page(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError):
        _read(tmp_path, b"<!-- nothing -->")
    assert [block for block in _read(tmp_path, "<body></body>") if block.kind != Kind.HEADING] == []
