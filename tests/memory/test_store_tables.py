"""kb.memory.store_tables: tables that are made once; terms that no quote or operator breaks."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.db import PeopleData, people_path
from kb.errors import AlmanacError
from kb.memory.store_tables import found_under, fts_any, fts_text, open_memory


def test_tables_are_made_once(tmp_path: Path) -> None:
    open_memory(tmp_path).close()
    again = open_memory(tmp_path)
    assert again.execute("SELECT count(*) FROM records").fetchone() == (0,)
    again.execute("PRAGMA user_version=99")
    again.close()
    with pytest.raises(AlmanacError) as caught:
        open_memory(tmp_path)
    assert caught.value.key == "memory_newer"


def test_a_damaged_file_is_a_sentence(tmp_path: Path) -> None:
    path = people_path(tmp_path, PeopleData.MEMORY)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(AlmanacError) as caught:
        open_memory(tmp_path)
    assert caught.value.key == "memory_damaged"


@pytest.mark.parametrize("text", ['"', "E-07", "pH:5", "10MPa", "NEAR(a)", "水泵 OR *", "a\0b", "'; DROP TABLE words"])
def test_any_text_is_found_again(tmp_path: Path, text: str) -> None:
    connection = open_memory(tmp_path)
    connection.execute("INSERT INTO words(rowid, terms) VALUES(1, ?)", (fts_text(text),))
    query = fts_any(found_under(text))
    if query:
        assert connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (query,)).fetchall() == [(1,)]


def test_single_characters_only_by_themselves() -> None:
    assert found_under("水泵") == ["水泵"]
    assert found_under("水") == ["水"]
