"""kb.search.vectors: rows that are named are there, also after an interruption."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from kb import fsio
from kb.search.postings import Floats
from kb.search.vectors import VectorStore, quantise

SIZE = 8


def _unit(seed: int) -> Floats:
    vector = np.random.default_rng(seed).normal(size=SIZE)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def _rows(*seeds: int) -> Floats:
    return np.array([_unit(seed) for seed in seeds], np.float32)


def _open(folder: Path) -> VectorStore:
    return VectorStore(folder, "digest-of-a-model", SIZE)


def _right(store: VectorStore, keys: dict[str, int]) -> None:
    """Each key is either missing or has its own vector."""
    places = store.places(list(keys))
    for place, seed in zip(places.tolist(), keys.values(), strict=True):
        if place >= 0:
            assert store.cosines(np.array([place]), _unit(seed))[0] == pytest.approx(1.0, abs=0.02)


def test_what_was_appended_is_found_again(tmp_path: Path) -> None:
    store = _open(tmp_path)
    store.append(["a", "b"], _rows(1, 2))
    store.append(["c"], _rows(3))
    store.close()
    store = _open(tmp_path)
    assert store.places(["c", "x", "a", "b"]).tolist() == [2, -1, 0, 1]
    _right(store, {"a": 1, "b": 2, "c": 3})
    assert store.cosines(np.array([-1, 0]), _unit(1)).tolist() == [0.0, pytest.approx(1.0, abs=0.02)]
    store.close()


@pytest.mark.parametrize("left", [0, 1, 2])
@pytest.mark.parametrize("ragged", [0, 5])
def test_a_truncated_file_is_filled_again(tmp_path: Path, left: int, ragged: int) -> None:
    """Also when the run that fills it is interrupted after the first new row."""
    store = _open(tmp_path)
    store.append(["a", "b", "c"], _rows(1, 2, 3))
    whole = store.binary.read_bytes()
    store.binary.write_bytes(whole[: left * store.row.itemsize + ragged])
    assert store.places(["a", "b", "c"]).tolist() == [n if n < left else -1 for n in range(3)]
    store.append(["d"], _rows(4))
    _right(store, {"a": 1, "b": 2, "c": 3, "d": 4})
    store.append(["a", "b", "c"], _rows(1, 2, 3))
    assert (store.places(["a", "b", "c", "d"]) >= 0).all()
    _right(store, {"a": 1, "b": 2, "c": 3, "d": 4})
    store.close()


def test_bytes_that_no_commit_names_are_written_over(tmp_path: Path) -> None:
    store = _open(tmp_path)
    store.append(["a"], _rows(1))
    with store.binary.open("ab") as file:
        file.write(b"garbage of an interrupted run" * 9)
    store.append(["b"], _rows(2))
    assert store.places(["a", "b"]).tolist() == [0, 1]
    _right(store, {"a": 1, "b": 2})
    store.close()


@pytest.mark.parametrize("damage", [b"", b"not a database" * 99])
def test_a_damaged_database_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    store = _open(tmp_path)
    store.append(["a"], _rows(1))
    store.close()
    next(tmp_path.glob("*.db")).write_bytes(damage)
    store = _open(tmp_path)
    assert store.places(["a"]).tolist() == [-1]
    store.append(["a"], _rows(1))
    _right(store, {"a": 1})
    store.close()


def test_another_model_has_other_vectors(tmp_path: Path) -> None:
    first = _open(tmp_path)
    first.append(["a"], _rows(1))
    other = VectorStore(tmp_path, "another-model", SIZE)
    assert other.places(["a"]).tolist() == [-1]
    first.close()
    other.close()


def test_two_processes_append_in_turn(tmp_path: Path) -> None:
    first, second = _open(tmp_path), _open(tmp_path)
    for number in range(6):
        (first if number % 2 else second).append([f"k{number}"], _rows(number))
    assert sorted(first.places([f"k{n}" for n in range(6)]).tolist()) == list(range(6))
    _right(second, {f"k{n}": n for n in range(6)})
    first.close()
    second.close()


def test_a_read_only_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = _open(tmp_path)
    store.append(["a"], _rows(1))
    store.close()
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)
    reader = _open(tmp_path)
    assert not reader.writable
    assert reader.places(["a"]).tolist() == [0]
    with pytest.raises(sqlite3.OperationalError):
        reader.connection.execute("DELETE FROM vectors")
    reader.close()
    empty = VectorStore(tmp_path / "none", "m", SIZE)
    assert empty.places(["a"]).tolist() == [-1]
    empty.close()


@given(arrays.arrays(np.float32, (3, 16), elements=st.floats(-1, 1, width=32)))
def test_quantising_keeps_cosines(vectors: Floats) -> None:
    values, scales = quantise(vectors)
    back = values.astype(np.float32) * scales[:, None]
    assert np.abs(back - vectors).max() <= np.abs(vectors).max() / 127 + 1e-6
    assert np.isfinite(back).all()
