"""kb.tree.indexfile: generated, with a person's edits kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.tree.indexfile import FILE_NAME, read_index, write_index
from tests.helpers import document, write

EDITED = """\
# Kept by hand, ask Li before changing.
files:
  - file: b.md   # the important one
    summary: "Words of a person: 1.10"
    keywords: [E-07, "007", no]
    owner: Li
  - file: gone.md
    summary: Gone
    keywords: []
  - file: a.md
    summary: 甲
    keywords: [甲, 乙]
"""


@pytest.fixture
def edited(empty_tree: Path) -> Path:
    for name in ("a", "b", "c"):
        write(empty_tree, f"{name}.md", document(f"Title {name}", "First sentence. Second."))
    write(empty_tree, FILE_NAME, EDITED)
    return empty_tree


def test_a_persons_edits_stay(edited: Path) -> None:
    before = {entry.file: entry for entry in read_index(edited)}
    outcome = write_index(edited)
    assert (outcome.total, outcome.added, outcome.kept, outcome.removed) == (3, 1, 2, 1)
    entries = read_index(edited)
    assert [entry.file for entry in entries] == ["b.md", "a.md", "c.md"]
    assert entries[0] == before["b.md"]
    assert entries[0].keywords == ("E-07", "007", "no")
    assert entries[1] == before["a.md"]
    text = (edited / FILE_NAME).read_text()
    for kept in ("# Kept by hand", "# the important one", "owner: Li", "Words of a person: 1.10"):
        assert kept in text


def test_writing_again_changes_nothing(edited: Path) -> None:
    write_index(edited)
    first = (edited / FILE_NAME).read_bytes()
    assert write_index(edited).added == 0
    assert (edited / FILE_NAME).read_bytes() == first


def test_a_new_index_has_title_sentence_and_keywords(empty_tree: Path) -> None:
    write(empty_tree, "x/a.md", document("水泵", "清洗滤网。然后重启。", keywords="[E-07, 汽蚀]"))
    write(empty_tree, "empty.md", "")
    write_index(empty_tree)
    first, second = read_index(empty_tree)
    assert (first.file, first.summary) == ("empty.md", "empty")
    assert (second.file, second.summary) == ("x/a.md", "水泵：清洗滤网。")
    assert second.keywords == ("E-07", "汽蚀")


def test_a_tree_of_many_documents_has_an_index_longer_than_any_front_matter(empty_tree: Path) -> None:
    entries = "".join(f"  - file: a/{n}.md\n    summary: {'水泵' * 30}\n    keywords: [E-{n}]\n" for n in range(1000))
    write(empty_tree, "_index.yaml", f"files:\n{entries}")
    found = read_index(empty_tree)
    assert (len(found), found[-1].file, found[-1].keywords) == (1000, "a/999.md", ("E-999",))


def test_one_undecodable_document_does_not_stop_the_others(empty_tree: Path) -> None:
    write(empty_tree, "a.md", document("A", "x"))
    write(empty_tree, "bad.md", bytes(range(128, 256)) * 4)
    write_index(empty_tree)
    assert "a.md" in [entry.file for entry in read_index(empty_tree)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("files: [a\n", "_index.yaml, line"),
        ("- a\n- b\n", "_index.yaml"),
        ("files: 5\n", "`files` must be a list"),
        ("files:\n  - summary: without file\n", "`files` must be a list"),
        ("files:\n  - just text\n", "`files` must be a list"),
    ],
)
def test_a_broken_index_is_named(empty_tree: Path, text: str, said: str) -> None:
    write(empty_tree, FILE_NAME, text)
    with pytest.raises(KnowledgeError) as caught:
        read_index(empty_tree)
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["files: [a\n", "files: 5\n", "files:\n  - file: [a]\n    summary: x\n"])
def test_a_broken_index_is_not_overwritten(empty_tree: Path, text: str) -> None:
    write(empty_tree, "a.md", document("A", "x"))
    write(empty_tree, FILE_NAME, text)
    with pytest.raises(KnowledgeError):
        write_index(empty_tree)
    assert (empty_tree / FILE_NAME).read_text() == text


def test_no_index_is_an_empty_one(empty_tree: Path) -> None:
    assert read_index(empty_tree) == []
