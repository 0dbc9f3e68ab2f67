"""kb.search.dictionary: a sorted file looked up where it lies."""

from __future__ import annotations

import mmap
import string
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.config import ModelFile
from kb.errors import AlmanacError
from kb.search.dictionary import Dictionary, Entry
from tests.search.words import dictionary

_WORDS = st.dictionaries(
    st.text(string.ascii_lowercase + "水泵牛 ", min_size=1, max_size=6),
    st.text("甲乙xy", min_size=1, max_size=3),
    min_size=1,
)


def test_a_word_is_found_with_its_columns(tmp_path: Path) -> None:
    words = dictionary(tmp_path, "水泵\twater pump;pump", "pump\t泵\t水泵", "a\t甲")
    assert words.look_up("水泵") == Entry(("water pump", "pump"), ())
    assert words.look_up("pump") == Entry(("泵",), ("水泵",))


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    words = dictionary(tmp_path, "pump\t泵", "pump house\t泵房")
    assert [words.look_up(word) for word in ("", "a", "pum", "pumps", "z", "水", "pump h", "\udc80")] == [None] * 8


@given(_WORDS)
def test_every_word_is_found_and_no_other(entries: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        words = dictionary(Path(folder), *(f"{word}\t{meaning}" for word, meaning in entries.items()))
        assert all(words.look_up(word) == Entry((meaning,), ()) for word, meaning in entries.items())
        assert all(words.look_up(f"{word}a") is None for word in entries if f"{word}a" not in entries)


@pytest.mark.parametrize("before", [0, 1, mmap.ALLOCATIONGRANULARITY, mmap.ALLOCATIONGRANULARITY + 7])
def test_it_may_lie_inside_a_larger_file(tmp_path: Path, before: int) -> None:
    lines = "pump\t泵\nvalve\t阀\n".encode()
    path = tmp_path / "program"
    path.write_bytes(b"x" * before + lines + "zebra\t斑马\n".encode())
    words = Dictionary(ModelFile("words", path, before, len(lines), ""))
    assert words.look_up("valve") == Entry(("阀",), ())
    assert words.look_up("zebra") is None


def test_forms_of_english_words_are_found(tmp_path: Path) -> None:
    words = dictionary(
        tmp_path, "battery\t电池", "sow\t播", "stop\t停", "use\t用", "dry\t干", "tire pressure\t胎压", "sowing\t播种期"
    )
    found = {
        written: entry.means if (entry := words.look_up_english(written)) else ()
        for written in ("batteries", "sowing", "stopped", "using", "dried", "tire pressures", "pressure", "s")
    }
    assert found == {
        "batteries": ("电池",), "sowing": ("播种期", "播"), "stopped": ("停",), "using": ("用",), "dried": ("干",),
        "tire pressures": ("胎压",), "pressure": (), "s": (),
    }  # fmt: skip


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError, match="none"):
        Dictionary(ModelFile("none", tmp_path / "none", 0, 10, ""))
    (tmp_path / "short").write_bytes(b"x")
    with pytest.raises(AlmanacError, match="short is damaged"):
        Dictionary(ModelFile("short", tmp_path / "short", 0, 10, ""))
