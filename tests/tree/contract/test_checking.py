"""kb.tree.contract.checking: all rules over a tree, and repairs on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.tree.contract.checking import Report, check_front_matter, check_links, check_tree, fix_tree
from kb.tree.contract.files import DiskFiles
from tests.helpers import DAY, PROJECT, write

HEAD = "---\ntitle: x\nversion: 1.0\ndate_updated: 2024-01-01\n"


def _check(root: Path, *paths: str) -> list[tuple[str, str]]:
    report = check_tree(DiskFiles(root), list(paths) or None, DAY)
    return [(finding.path, finding.rule) for finding in report.findings]


def test_the_documents_that_ship_keep_the_contract() -> None:
    report = check_tree(DiskFiles(PROJECT / "docs"))
    assert report.findings == ()
    assert report.documents > 80


def test_ids_are_unique_in_the_tree(empty_tree: Path) -> None:
    for name in ("a_2024", "b_2024", "c_2024"):
        write(empty_tree, f"{name}.md", f"{HEAD}id: {'x' if name != 'c_2024' else 'y'}\n---\n")
    assert _check(empty_tree) == [("a_2024.md", "id-twice"), ("b_2024.md", "id-twice")]
    assert _check(empty_tree, "b_2024.md") == [("b_2024.md", "id-twice")]
    assert _check(empty_tree, "c_2024.md") == []


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (("大豆播种深度为三到五厘米，覆土要均匀。\n" * 4).encode("gb18030"), "encoding"),
        ("大豆".encode("gb18030"), "encoding"),
        (bytes(range(128, 256)) * 3, "unknown-encoding"),
        (("大豆播种" * 9).encode()[:-1], "damaged-text"),
        (b"\xef\xbb\xbf" + f"{HEAD}---\n".encode(), "byte-order-mark"),
        (f"{HEAD}---\n".replace("\n", "\r\n").encode(), "carriage-returns"),
        (f"{HEAD}---\n".encode() + b"\r\n", "mixed-line-ends"),
        (
            f"{HEAD}---\n".encode() + b"ab\0cd and so on, a document that is long enough to hold a zero byte" * 2,
            "control-character",
        ),
    ],
)
def test_how_a_file_is_stored(data: bytes, rule: str) -> None:
    assert rule in [finding.rule for finding in check_front_matter("a_2024.md", data, DAY)]


def test_an_undecodable_document_has_one_finding(empty_tree: Path) -> None:
    write(empty_tree, "a_2024.md", bytes(range(128, 256)) * 3)
    assert _check(empty_tree) == [("a_2024.md", "unknown-encoding")]
    assert check_links("a_2024.md", bytes(range(128, 256)) * 3, DiskFiles(empty_tree)) == []


def test_a_missing_document_is_a_finding(empty_tree: Path) -> None:
    assert _check(empty_tree, "none_2024.md") == [("none_2024.md", "unreadable")]


def _broken(root: Path) -> Path:
    text = (
        "---\r\ntitle：大豆\r\nversion: 1.0   # stays\r\nkeywords: [甲、乙]\r\n"
        "date_updated: 2024/1/5\r\nstatus: 草稿\r\n---\r\n"
    )
    write(root, "images/pic_2024.png", "x")
    return write(root, "a_2024.md", "\ufeff" + text + "甲、乙 ![x](images\\pic_2024.png)  \r\n")


def test_repairs_change_nothing_else_and_a_second_run_finds_none(empty_tree: Path) -> None:
    path = _broken(empty_tree)
    report = fix_tree(empty_tree, None, DAY)
    assert report.fixed == ("a_2024.md",)
    assert path.read_bytes().decode("utf-8") == (
        "\ufeff---\r\ntitle: 大豆\r\nversion: 1.0   # stays\r\nkeywords: [甲, 乙]\r\ndate_updated: 2024-01-05\r\n"
        "status: draft\r\n---\r\n甲、乙 ![x](images/pic_2024.png)  \r\n"
    )
    assert not any(finding.fixable for finding in report.findings)
    state = path.stat()
    again = fix_tree(empty_tree, None, DAY)
    assert (again.fixed, again.findings) == ((), report.findings)
    assert path.stat().st_mtime_ns == state.st_mtime_ns


def test_another_encoding_is_stored_as_utf_8(empty_tree: Path) -> None:
    body = "大豆播种深度为三到五厘米，覆土要均匀，播后及时镇压保墒。\n" * 3
    path = write(empty_tree, "a_2024.md", (HEAD + "keywords: 甲、乙\n---\n" + body).encode("gb18030"))
    assert fix_tree(empty_tree, None, DAY).fixed == ("a_2024.md",)
    assert path.read_text("utf-8") == HEAD + "keywords: [甲, 乙]\n---\n" + body


def test_a_short_guess_is_not_stored_otherwise(empty_tree: Path) -> None:
    path = write(empty_tree, "a_2024.md", "大豆".encode("gb18030"))
    fix_tree(empty_tree, None, DAY)
    assert path.read_bytes() == "大豆".encode("gb18030")


def test_only_the_named_documents_are_repaired(empty_tree: Path) -> None:
    _broken(empty_tree)
    other = write(empty_tree, "b_2024.md", HEAD + "keywords: [甲、乙]\n---\n")
    assert fix_tree(empty_tree, ["a_2024.md"], DAY).fixed == ("a_2024.md",)
    assert "甲、乙" in other.read_text("utf-8")


def test_a_linked_document_is_repaired_where_it_lies(empty_tree: Path) -> None:
    target = write(empty_tree, "real/a_2024.md", HEAD + "keywords: [甲、乙]\n---\n")
    (empty_tree / "b_2024.md").symlink_to(target)
    fix_tree(empty_tree.resolve(), ["b_2024.md"], DAY)
    assert (empty_tree / "b_2024.md").is_symlink()
    assert "[甲, 乙]" in target.read_text("utf-8")


def test_a_report_counts() -> None:
    assert not Report(0, ()).broken
