"""kb.tree.contract.links: each destination, to the character."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kb.tree.contract.links import Kind, find_links, masked, meaning, written
from tests.helpers import PROJECT


def _targets(text: str, kind: Kind | None = None) -> list[str]:
    return [link.target for link in find_links(text) if kind in (None, link.kind)]


def _shown(text: str) -> list[str]:
    """The targets of the images that a Markdown parser shows."""
    blocks = MarkdownIt("commonmark").enable("table").parse(text)
    inside = [child for block in blocks if block.type == "inline" for child in block.children or []]
    return [unquote(str(child.attrs.get("src", ""))) for child in inside if child.type == "image"]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("![a](images/a.png)", ["images/a.png"]),
        ('![a](<images/my pic.png> "t")', ["images/my pic.png"]),
        ("![a](images/my%20pic.png 'title')", ["images/my pic.png"]),
        ("[a](x.md#part) [b](a_(1).md)", ["x.md", "a_(1).md"]),
        ("[![i](i.png)](l.md)", ["i.png", "l.md"]),
        ("\\[a](x.md) [a\\](x.md)", []),
        ("`[a](x.md)` ``[`b](y.md)``", []),
        ("$[a](b)$ 和 $$\n[a](b)\n$$", []),
        ("$5 [a](x.md) is $6", ["x.md"]),
        ("<!-- [a](x.md) -->", []),
        ("```\n[a](x.md)\n```\n", []),
        ("- item\n\n      [a](x.md)\n", []),
        ("- item\n\n    [a](x.md)\n", ["x.md"]),
        ("[r]: images/r.png\n[^1]: note.md\n", ["images/r.png"]),
        ("[x] (y.md) text](z.md)", []),
        ("| [a](x.md) |\n|---|\n| ![b](y.png) |\n", ["x.md", "y.png"]),
    ],
)
def test_what_is_a_destination(text: str, targets: list[str]) -> None:
    assert _targets(text) == targets


@pytest.mark.parametrize(
    ("markdown", "target"),
    [
        ("![a](images/a.png)", "images/a.png"),
        ('![a](images/a.png "A title")', "images/a.png"),
        ("![a](<images/a b.png>)", "images/a b.png"),
        ("![a](images/a%20b.png)", "images/a b.png"),
        ("![图](images/图片.png)", "images/图片.png"),
        ("![a][ref]\n\n[ref]: images/a.png", "images/a.png"),
        ("text ![a](a.png) more", "a.png"),
        ("| x |\n|---|\n| ![a](a.png) |", "a.png"),
        ("- ![a](a.png)", "a.png"),
    ],
)
def test_images_are_read_as_people_write_them(markdown: str, target: str) -> None:
    assert [link.target for link in find_links(markdown) if link.image] == [target]


def test_code_holds_no_images() -> None:
    assert find_links("```\n![a](a.png)\n```\n\n`![a](b.png)`\n\n    ![a](c.png)\n") == []


def test_an_image_knows_its_line() -> None:
    (link,) = find_links("# T\n\nfirst\n\n![需求 图](x.png)")
    assert (link.target, link.line, link.image) == ("x.png", 5, True)


def test_what_people_write_that_is_no_link() -> None:
    assert _targets("![a](images/my pic.png)", Kind.SPACED) == ["images/my pic.png"]
    assert _targets("[[page|text]] ![[pic.png]]", Kind.WIKI) == ["page", "pic.png"]
    assert _targets('<img width="3" src="q.png">', Kind.HTML) == ["q.png"]
    assert _targets("[a](see section three)") == []


def test_places_are_the_documents_own() -> None:
    text = "---\ntitle: '[a](no.md)'\n---\n甲 [a](x.md#z)\n"
    (link,) = find_links(text, 4)
    assert (text[link.start : link.end], link.fragment, link.line) == ("x.md#z", "#z", 4)


@pytest.mark.parametrize("path", sorted((PROJECT / "docs").rglob("*.md"))[::6], ids=lambda path: path.stem)
def test_real_documents_name_what_the_markdown_parser_sees(path: object) -> None:
    text = (PROJECT / str(path)).read_text("utf-8").split("---\n", 2)[2]
    assert [link.target for link in find_links(text) if link.image] == _shown(text)


_PIECES = st.lists(
    st.sampled_from(
        [
            "![a](x.png)",
            "[b](y.md)",
            "`",
            "```",
            "\n",
            "\n\n",
            "    ",
            "text ",
            "$",
            "\\",
            "大豆",
            "> ",
            "- ",
            "[",
            "]",
            "(",
        ]
    ),
    max_size=14,
)


@given(_PIECES)
def test_every_image_that_a_reader_shows_is_found_and_masking_moves_nothing(pieces: list[str]) -> None:
    text = "".join(pieces)
    plain = masked(text)
    assert len(plain) == len(text)
    assert [at for at, char in enumerate(plain) if char == "\n"] == [at for at, char in enumerate(text) if char == "\n"]
    if "$" not in text:
        assert len([link for link in find_links(text) if link.image]) >= len(_shown(text))


@given(
    st.text(st.characters(blacklist_characters="\n\r\0?#\\&", blacklist_categories=["Cs"]), min_size=1).filter(
        lambda t: t == t.strip()
    )
)
def test_writing_a_destination_keeps_its_meaning(target: str) -> None:
    assert meaning(written(target, "#part")) == (target, "#part")
