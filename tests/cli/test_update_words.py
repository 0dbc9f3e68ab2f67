"""kb.cli.update_words: what would change comes first, and nothing of a stick obeys the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.release_numbers import read_numbers
from kb.cli.output import Output
from kb.cli.update_words import found_json, show_found
from kb.config import Config
from kb.errors import KnowledgeError
from kb.texts import Lang
from kb.versions import diff
from kb.versions.update.knowledge import packed_side
from kb.versions.update.offers import Age, Found, Kind, Offer, Refused, Relation
from tests.helpers import document, raw_controls


def _difference(count: int) -> diff.Difference:
    old, new = (
        packed_side(label, {f"a{n:02}.md": document(f"T{n}", f"{n + plus} kg of \x1b]52;c;x\x07 it.").encode()
                            for n in range(count)})
        for label, plus in (("old", 100), ("new", 200))
    )  # fmt: skip
    return diff.compare(old, new, read_numbers)


def _shown(found: Found, tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: Lang = "en") -> str:
    show_found(found, Output(Config(home=tmp_path, knowledge=tmp_path, lang=lang)))
    return capsys.readouterr().out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_stick_says_nothing_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: Lang) -> None:
    file = Path("/media/\x1b]0;owned\x07/a\x1b[31m.bundle")
    offer = Offer(
        Kind.KNOWLEDGE, file, "0" * 64, 5, "kb-1.1.0", "kb-1.0.0", Age.NEWER, Relation.UNRELATED, "5E4E", "\x1b[2Jx\ny",
        _difference(20),
    )  # fmt: skip
    found = Found((file.parent,), (offer,), (Refused(file, KnowledgeError("update_digest", path=file)),))
    shown = _shown(found, tmp_path, capsys, lang)
    assert raw_controls(shown) == set()
    assert shown.index("100 kg → 200 kg") < shown.index("~ a00.md")
    assert shown.count("… 8") == 2
    assert "5E4E" in shown


def test_a_program_says_what_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    offer = Offer(Kind.PROGRAM, tmp_path / "almanac", "0" * 64, 494_000_000, "0.2.0", "0.1.0", Age.NEWER)
    shown = _shown(Found((tmp_path,), (offer,)), tmp_path, capsys)
    assert "Program 0.2.0  (in place: 0.1.0)  almanac, 494.0 MB" in shown
    assert "stays as it is" in shown and "not signed" in shown


@pytest.mark.parametrize(("age", "words"), [(Age.SAME, "already"), (Age.OLDER, "is not newer")])
def test_one_that_is_not_newer_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], age: Age, words: str
) -> None:
    offer = Offer(Kind.KNOWLEDGE, tmp_path / "a.bundle", "", 5, "kb-1.0.0", "", age)
    shown = _shown(Found((tmp_path,), (offer,)), tmp_path, capsys)
    assert words in shown and "Nothing there is newer" in shown and "signed" not in shown
    assert "what came with the program" in shown


def test_the_schema_for_programs(tmp_path: Path) -> None:
    offer = Offer(Kind.KNOWLEDGE, tmp_path / "a.bundle", "0" * 64, 5, "kb-1.0.0", "", Age.NEWER, Relation.FIRST)
    refused = Refused(tmp_path / "b", KnowledgeError("update_digest", path="b"))
    found = found_json(
        Found((tmp_path,), (offer,), (refused,)), Output(Config(home=tmp_path, knowledge=tmp_path, lang="en"))
    )
    assert found["newer"] is True
    assert found["offers"] == [
        {
            "kind": "knowledge", "file": tmp_path / "a.bundle", "sha256": "0" * 64, "size": 5, "version": "kb-1.0.0",
            "installed": "", "age": "newer", "relation": "first", "signer": "", "comment": "", "difference": None,
        }
    ]  # fmt: skip
    assert "checksum" in str(found["refused"])
