"""kb.tree.contract.targets: images and links of one document."""

from __future__ import annotations

import pytest

from kb.tree.contract.files import GivenFiles
from kb.tree.contract.fixing import edited
from kb.tree.contract.source import source_of
from kb.tree.contract.targets import check_targets, joined, relative

FILES = GivenFiles(
    (
        "a/b/c/doc_2024.md",
        "a/b/c/images/pic_2024.png",
        "a/b/c/images/my pic_2024.png",
        "a/b/c/images/photo.png",
        "a/b/other_2024.md",
        "a/images/far_2024.png",
    ),
    lambda path: b"",
)


def _check(body: str) -> list[tuple[str, str]]:
    """Each rule with the line after its repair ('' without)."""
    source = source_of("a/b/c/doc_2024.md", body)
    return [
        (finding.rule, edited(source.lines, finding.edits)[finding.line - 1] if finding.edits else "")
        for finding in check_targets(source, FILES)
    ]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("![x](images/pic_2024.png)", []),
        ("![x](./images/pic_2024.png)", []),
        ("![x](<images/my pic_2024.png>)", [("image-name", "")]),
        ("![x](images/none_2024.png)", [("image-missing", "")]),
        ("![x](images/Pic_2024.PNG)", [("image-case", "![x](images/pic_2024.png)")]),
        ("![x](Images/pic_2024.png)", [("image-case", "![x](images/pic_2024.png)")]),
        ("![x](images\\pic_2024.png)", [("image-backslash", "![x](images/pic_2024.png)")]),
        ("![x](/a/b/c/images/pic_2024.png)", [("image-absolute", "![x](images/pic_2024.png)")]),
        ("![x](C:\\pic.png)", [("image-absolute", "")]),
        ("![x](/etc/passwd)", [("image-absolute", "")]),
        ("![x](../../../../etc/passwd)", [("image-outside", "")]),
        ("![x](..%2F..%2F..%2F..%2Fetc/passwd)", [("image-outside", "")]),
        ("![x](https://example.org/a.png)", [("image-remote", "")]),
        ("![x](//example.org/a.png)", [("image-remote", "")]),
        ("![x](data:image/png;base64,AA)", [("image-remote", "")]),
        ("![x](images/my pic_2024.png)", [("image-spaces", "![x](<images/my pic_2024.png>)")]),
        ("![x](images/no pic.png)", [("image-spaces", "")]),
        ("![x](../../images/far_2024.png)", [("image-folder", "")]),
        ("![x](images/photo.png)", [("image-name", "")]),
        ("![x]()", [("image-missing", "")]),
        ("![[pic.png]]", [("image-wiki", "")]),
        ("![[pic_2024.png|300]]", [("image-wiki", "![pic_2024.png](images/pic_2024.png)")]),
        ("x ![[my pic_2024.png]] y", [("image-wiki", "x ![my pic_2024.png](<images/my pic_2024.png>) y")]),
        ("[[other]]", [("link-wiki", "")]),
        ("[[other_2024]]", [("link-wiki", "[other_2024](../other_2024.md)")]),
        ("见 [[other_2024#第 1 节|那 篇]]。", [("link-wiki", "见 [那 篇](<../other_2024.md#第 1 节>)。")]),
        ("[[a/b/other_2024.md|x]]", [("link-wiki", "[x](../other_2024.md)")]),
        ("[[../../../../etc/passwd]]", [("link-wiki", "")]),
        ('<img src="images/pic_2024.png">', [("image-html", "")]),
        ("[x](../other_2024.md#part)", []),
        ("[x](#part) [y](https://example.org) [z](mailto:a@example.org) [f](images) [g](../)", []),
        ("[x](../Other_2024.md#p)", [("link-case", "[x](../other_2024.md#p)")]),
        ("[x](none.md)", [("link-missing", "")]),
        ("[x](../../../../x.md)", [("link-outside", "")]),
        ("$E=[x](none.md)$ `![x](none.png)`", []),
    ],
)
def test_each_rule(body: str, found: list[tuple[str, str]]) -> None:
    assert _check(body) == found


def test_a_name_that_two_documents_have_is_left_to_a_person() -> None:
    files = GivenFiles(("a/doc.md", "b/same.md", "c/same.md"), lambda path: b"")
    found = list(check_targets(source_of("a/doc.md", "[[same]] [[b/same]]"), files))
    assert [bool(finding.edits) for finding in found] == [False, True]


def test_findings_name_line_and_target() -> None:
    source = source_of("a/b/c/doc_2024.md", "# x\n\ntext ![x](images/none_2024.png)\n")
    (finding,) = check_targets(source, FILES)
    assert (finding.line, finding.params["target"]) == (3, "images/none_2024.png")


def test_a_repair_is_made_where_the_link_stands() -> None:
    body = "# 大豆\n\ntwo ![x](images/Pic_2024.PNG) and [y](../Other_2024.md) 图\n"
    source = source_of("a/b/c/doc_2024.md", body)
    edits = [edit for finding in check_targets(source, FILES) for edit in finding.edits]
    assert edited(source.lines, edits)[2] == "two ![x](images/pic_2024.png) and [y](../other_2024.md) 图"


def test_paths_between_documents() -> None:
    assert joined("a/b.md", "../c.md") == "c.md"
    assert joined("a/b.md", "../../c.md") is None
    assert relative("a/b.md", "a/images/x.png") == "images/x.png"
    assert relative("b.md", "a/x.png") == "a/x.png"
