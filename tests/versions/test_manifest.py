"""kb.versions.manifest: the canonical list of what a version consists of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.tree import document as documents
from kb.versions import manifest as manifests
from kb.versions.manifest import DocumentEntry, FileEntry, Manifest, build, compare, listed, parse, sha256, verify
from tests.helpers import document, write

ONE = ("作物/大豆.md", document("大豆", "7天", id="007", status="released", valid_to="2026-06-30",
                              affected_agents="[agent-refund, agent-support]").encode())  # fmt: skip
TWO = ("a.md", b"# A\n")
IMAGE = ("images/x.png", b"\x89PNG")

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_documents = st.builds(DocumentEntry, *[_texts] * 7, st.lists(_texts, max_size=3).map(tuple), _texts)
_manifests = st.builds(
    Manifest, _texts, _texts, st.lists(_documents, max_size=3).map(tuple),
    st.lists(st.builds(FileEntry, _texts, _texts), max_size=3).map(tuple),
)  # fmt: skip


def test_what_an_entry_says() -> None:
    made = build("1.2.0", "2026-11-29T08:00:00Z", [ONE, IMAGE, TWO, ("manifest.json", b"old")])
    assert [entry.path for entry in made.documents] == ["a.md", "作物/大豆.md"]
    assert made.files == (FileEntry("images/x.png", sha256(b"\x89PNG")),)
    entry = made.documents[1]
    assert (entry.id, entry.title, entry.version, entry.status) == ("007", "大豆", "1.0", "released")
    assert (entry.valid_from, entry.valid_to) == ("", "2026-06-30")
    assert entry.affected_agents == ("agent-refund", "agent-support")
    assert entry.sha256 == sha256(ONE[1])


def test_the_file_is_canonical_json_of_one_line_an_entry() -> None:
    data = build("1.2.0", "", [ONE, TWO, IMAGE]).to_bytes()
    assert json.loads(data)["schema"] == 1
    assert data == build("1.2.0", "", [IMAGE, TWO, ONE]).to_bytes()
    assert "作物/大豆.md".encode() in data
    assert data.count(b"\n") == 8


@given(_manifests)
def test_every_manifest_is_read_as_it_was_written(made: Manifest) -> None:
    assert parse(made.to_bytes(), "m") == made


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"{}", b"\xff", b"null", b'{"schema":1}', b"[" * 100_000,
        build("1", "", [ONE]).to_bytes() + b" ",
        build("1", "", [ONE]).to_bytes().replace(b'"schema":1', b'"schema":1.0'),
        build("1", "", [ONE]).to_bytes().replace(b'"007"', b"7"),
        build("1", "", [ONE]).to_bytes().replace(b'["agent-refund",', b'[1,'),
    ],
)  # fmt: skip
def test_a_damaged_one_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(KnowledgeError) as caught:
        parse(data, "kb-1.0.0:manifest.json")
    assert "kb-1.0.0:manifest.json" in str(caught.value)


def test_one_of_a_later_program_is_refused() -> None:
    with pytest.raises(KnowledgeError) as caught:
        parse(build("1", "", []).to_bytes().replace(b'"schema":1', b'"schema":2'), "m")
    assert caught.value.key == "manifest_schema"


def test_the_same_bytes_are_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = build("1", "", [ONE, TWO])
    parsed: list[str] = []
    real = documents.parse

    def parse_and_note(path: str, text: str) -> documents.Parsed:
        parsed.append(path)
        return real(path, text)

    monkeypatch.setattr(documents, "parse", parse_and_note)
    again = build("2", "", [ONE, ("a.md", b"# B\n")], first)
    assert parsed == ["a.md"]
    assert again.documents[1] == first.documents[1]
    assert again.documents[0].title == "B"
    assert not again.same_content(first)
    assert build("3", "x", [ONE, TWO]).same_content(first)


def test_an_unreadable_document_is_named() -> None:
    with pytest.raises(KnowledgeError) as caught:
        build("1", "", [("坏.md", bytes(range(128, 256)) * 4)])
    assert "坏.md" in str(caught.value)


def test_missing_extra_and_changed_files(tmp_path: Path) -> None:
    made = build("1", "", [ONE, TWO, IMAGE])
    for path, data in (ONE, TWO, IMAGE):
        write(tmp_path, path, data)
    write(tmp_path, "manifest.json", made.to_bytes())
    write(tmp_path, ".git/config", "x")
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    assert listed(tmp_path) == ["a.md", "images/x.png", "作物/大豆.md"]
    assert not verify(made, tmp_path)
    (tmp_path / "a.md").unlink()
    write(tmp_path, "images/x.png", b"\x89PNH")
    write(tmp_path, "b.md", "x")
    found = verify(made, tmp_path)
    assert (found.missing, found.extra, found.changed) == (("a.md",), ("b.md",), ("images/x.png",))
    assert found.names == ["images/x.png", "a.md", "b.md"]
    assert compare(made, [path for path, _ in (ONE, TWO, IMAGE)], made.hashes().get) == manifests.Mismatch()
