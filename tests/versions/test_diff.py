"""kb.versions.diff: what differs between two versions, numbers first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.answer.release_numbers import read_numbers
from kb.versions.diff import Difference, FieldChange, Side, compare
from kb.versions.manifest import build
from tests.helpers import document


def _side(label: str, files: dict[str, str | bytes]) -> Side:
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}

    def read(paths: Sequence[str]) -> Iterator[bytes]:
        return iter([data[path] for path in paths])

    return Side(label, build(label, "", data.items()), read)


def _compare(old: dict[str, str | bytes], new: dict[str, str | bytes]) -> Difference:
    return compare(_side("a", old), _side("b", new), read_numbers)


def test_the_same_is_no_difference() -> None:
    files: dict[str, str | bytes] = {"a.md": document("A", "x"), "b.png": b"1"}
    assert not _compare(files, dict(files))
    assert _compare(files, {**files, "a.md": document("A", "y")})
    assert _compare(files, {**files, "b.png": b"2"})


def test_a_changed_document_with_fields_sentences_and_numbers() -> None:
    found = _compare(
        {"退货.md": document("退货规则", "签收后7天内可退。\n\n其余不变。", status="released", affected_agents="[a]")},
        {"退货.md": document("退货规则", "签收后3天内可退。\n\n其余不变。", owner="desk", affected_agents="[a, b]")},
    )
    (change,) = found.documents
    assert (change.kind, change.path, change.agents) == ("changed", "退货.md", ("a", "b"))
    assert set(change.fields) == {
        FieldChange("owner", "", "desk"), FieldChange("affected_agents", "a", "a, b"),
        FieldChange("status", "released", ""),
    }  # fmt: skip
    assert [(one.old, one.new) for one in change.numbers] == [("7天", "3天")]
    assert [(owner.path, one.new, one.unit) for owner, one in found.numbers] == [("退货.md", "3天", "天")]
    (sentence,) = change.sentences
    assert sentence.old is not None
    assert (sentence.old.line, sentence.old.text) == (9, "签收后7天内可退。")


def test_added_removed_and_moved_documents() -> None:
    old: dict[str, str | bytes] = {
        "a/same.md": document("Same", "x 1 kg."),
        "a/known.md": document("Known", "Old 5 kg.", id="K1"),
        "a/growth_2024_v1.md": document("Growth", "Depth 3 cm."),
        "a/gone.md": document("Gone", "x"),
    }
    new: dict[str, str | bytes] = {
        "b/other.md": document("Same", "x 1 kg."),
        "c/known.md": document("Known", "Old 6 kg.", id="K1"),
        "a/growth_2024_v2.md": document("Growth", "Depth 4 cm."),
        "a/come.md": document("Come", "y"),
    }
    found = _compare(old, new)
    assert {(change.kind, change.old_path, change.path) for change in found.documents} == {
        ("moved", "a/same.md", "b/other.md"),
        ("moved", "a/known.md", "c/known.md"),
        ("moved", "a/growth_2024_v1.md", "a/growth_2024_v2.md"),
        ("removed", "a/gone.md", "a/gone.md"),
        ("added", "a/come.md", "a/come.md"),
    }
    assert {(one.old, one.new) for _, one in found.numbers} == {("5 kg", "6 kg"), ("3 cm", "4 cm")}
    assert [change.path for change in found.of_kind("added")] == ["a/come.md"]


def test_other_files_and_documents_that_cannot_be_read() -> None:
    found = _compare(
        {"x.png": b"1", "y.png": b"1", "broken.md": "---\ntitle: a\ntitle: b\n---\nx\n"},
        {"x.png": b"2", "z.png": b"1", "broken.md": "---\ntitle: a\n---\ny\n"},
    )
    assert [(file.kind, file.path) for file in found.files] == [
        ("changed", "x.png"), ("removed", "y.png"), ("added", "z.png"),
    ]  # fmt: skip
    assert [change.kind for change in found.documents] == ["changed"]
