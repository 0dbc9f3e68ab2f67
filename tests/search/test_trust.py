"""kb.search.trust: a changed byte is seen before a part is used; what was verified is not read again."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from kb.config import ModelFile, no_progress
from kb.errors import AlmanacError
from kb.search.trust import trust, verify

GOOD = b"GGUF" + bytes(range(256)) * 20


def _part(path: Path, data: bytes = GOOD, before: bytes = b"", sha256: str | None = None) -> ModelFile:
    path.write_bytes(before + data + b"behind")
    digest = hashlib.sha256(data).hexdigest() if sha256 is None else sha256
    return ModelFile("m.gguf", path, len(before), len(data), digest)


def test_a_whole_part_passes_wherever_it_lies(tmp_path: Path) -> None:
    verify(_part(tmp_path / "a"))
    verify(_part(tmp_path / "b", before=b"\0" * 4096))
    verify(_part(tmp_path / "c", sha256=""))


@pytest.mark.parametrize("place", [0, 4, 1000, len(GOOD) - 1])
def test_one_changed_byte_is_seen(tmp_path: Path, place: int) -> None:
    changed = bytearray(GOOD)
    changed[place] ^= 1
    part = _part(tmp_path / "a", bytes(changed), sha256=hashlib.sha256(GOOD).hexdigest())
    with pytest.raises(AlmanacError) as caught:
        verify(part)
    assert caught.value.key == "model_damaged"
    assert "m.gguf" in str(caught.value)


@pytest.mark.parametrize("size", [0, 3, 4, 100])
@pytest.mark.parametrize("known", [True, False])
def test_a_cut_part_is_seen_also_without_a_digest(tmp_path: Path, size: int, known: bool) -> None:
    part = _part(tmp_path / "a", sha256=None if known else "")
    part.path.write_bytes(GOOD[:size])
    with pytest.raises(AlmanacError) as caught:
        verify(part, "dictionary_damaged")
    assert caught.value.key == "dictionary_damaged"


def test_what_is_not_there(tmp_path: Path) -> None:
    none = ModelFile("m", tmp_path / "none", 0, 9, "")
    with pytest.raises(AlmanacError, match="none"):
        verify(none)
    with pytest.raises(AlmanacError, match="none"):
        trust(none, tmp_path)


def test_a_file_is_read_once_for_each_state(tmp_path: Path) -> None:
    read: list[str] = []
    part = _part(tmp_path / "a")

    def report(phase: str, done: int, total: int) -> None:
        if done:
            read.append(phase)

    trust(part, tmp_path / "home", report)
    trust(part, tmp_path / "home", report)
    assert read == ["verify"]
    os.utime(part.path, ns=(1, 1))
    trust(part, tmp_path / "home", report)
    assert read == ["verify", "verify"], "a file that was touched is read again"


def test_damage_is_not_remembered_as_good(tmp_path: Path) -> None:
    part = _part(tmp_path / "a", sha256="0" * 64)
    for _ in range(2):
        with pytest.raises(AlmanacError):
            trust(part, tmp_path / "home", no_progress)


def test_memory_that_is_damaged_or_cannot_be_written_costs_another_look(tmp_path: Path) -> None:
    part = _part(tmp_path / "a")
    home = tmp_path / "home"
    home.mkdir()
    (home / "verified.json").write_text("{not json")
    trust(part, home)
    (tmp_path / "file").write_text("")
    trust(part, tmp_path / "file")
