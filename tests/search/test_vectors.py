"""kb.search.vectors: rows that are named are there, also after an interruption."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from kb import fsio
from kb.search.postings import Floats
from kb.search.vectors import Digests, VectorStore, quantise

SIZE = 8


def _unit(seed: int, size: int = SIZE) -> Floats:
    vector = np.random.default_rng(seed).normal(size=size)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def _rows(*seeds: int) -> Floats:
    return np.array([_unit(seed) for seed in seeds], np.float32)


def _digests(names: str) -> Digests:
    """One digest for each character."""
    return np.array([(ord(name), 7 * ord(name)) for name in names], np.uint64).reshape(-1, 2)


def _open(folder: Path) -> VectorStore:
    return VectorStore(folder, "digest-of-a-model", SIZE)


def _right(store: VectorStore, names: str, *seeds: int) -> None:
    """Each name is either missing or has its own vector."""
    for place, seed in zip(store.rows_of(_digests(names)).tolist(), seeds, strict=True):
        if place >= 0:
            assert store.cosines(np.array([place]), _unit(seed))[0] == pytest.approx(1.0, abs=0.02)


def test_what_was_appended_is_found_again(tmp_path: Path) -> None:
    store = _open(tmp_path)
    store.append(_digests("ab"), _rows(1, 2))
    store.append(_digests("c"), _rows(3))
    store = _open(tmp_path)
    assert store.rows_of(_digests("cxab")).tolist() == [2, -1, 0, 1]
    _right(store, "abc", 1, 2, 3)
    assert store.cosines(np.array([-1, 0]), _unit(1)).tolist() == [0.0, pytest.approx(1.0, abs=0.02)]


@pytest.mark.parametrize("which", ["binary", "keys"])
@pytest.mark.parametrize("left", [0, 1, 2])
@pytest.mark.parametrize("ragged", [0, 5])
def test_a_truncated_file_is_filled_again(tmp_path: Path, which: str, left: int, ragged: int) -> None:
    """Also when the run that fills it is interrupted after the first new row."""
    store = _open(tmp_path)
    store.append(_digests("abc"), _rows(1, 2, 3))
    path: Path = getattr(store, which)
    row = store.row.itemsize if which == "binary" else 24
    path.write_bytes(path.read_bytes()[: left * row + ragged])
    assert store.rows_of(_digests("abc")).tolist() == [n if n < left else -1 for n in range(3)]
    store.append(_digests("d"), _rows(4))
    _right(store, "abcd", 1, 2, 3, 4)
    store.append(_digests("abc"), _rows(1, 2, 3))
    assert (store.rows_of(_digests("abcd")) >= 0).all()
    _right(store, "abcd", 1, 2, 3, 4)


def test_a_torn_name_ends_the_list(tmp_path: Path) -> None:
    """Power loss can leave zeros where a row of names was being written."""
    store = _open(tmp_path)
    store.append(_digests("abc"), _rows(1, 2, 3))
    data = bytearray(store.keys.read_bytes())
    data[24:48] = bytes(24)
    store.keys.write_bytes(data)
    store = _open(tmp_path)
    assert store.rows_of(_digests("abc")).tolist() == [0, -1, -1]
    store.append(_digests("bc"), _rows(2, 3))
    _right(store, "abc", 1, 2, 3)
    assert (store.rows_of(_digests("abc")) >= 0).all()


def test_bytes_that_no_name_names_are_written_over(tmp_path: Path) -> None:
    store = _open(tmp_path)
    store.append(_digests("a"), _rows(1))
    with store.binary.open("ab") as file:
        file.write(b"garbage of an interrupted run" * 9)
    store.append(_digests("b"), _rows(2))
    assert store.rows_of(_digests("ab")).tolist() == [0, 1]
    _right(store, "ab", 1, 2)


def test_another_model_has_other_vectors(tmp_path: Path) -> None:
    _open(tmp_path).append(_digests("a"), _rows(1))
    assert VectorStore(tmp_path, "another-model", SIZE).rows_of(_digests("a")).tolist() == [-1]


def test_a_file_that_was_made_anew_is_read_anew(tmp_path: Path) -> None:
    store = _open(tmp_path)
    store.append(_digests("abc"), _rows(1, 2, 3))
    assert store.rows_of(_digests("abc")).tolist() == [0, 1, 2]
    store.keys.unlink()
    store.binary.unlink()
    _open(tmp_path).append(_digests("cdab"), _rows(3, 4, 1, 2))
    assert store.rows_of(_digests("abc")).tolist() == [2, 3, 0]
    _right(store, "abcd", 1, 2, 3, 4)


def test_the_spread_of_cosines_is_that_of_the_rows(tmp_path: Path) -> None:
    store = _open(tmp_path)
    assert store.spread(_unit(1)) == (0.0, 1.0)
    store.append(_digests("abcd"), _rows(1, 2, 3, 4))
    store.prepare()
    cosines = _rows(1, 2, 3, 4) @ _unit(1)
    assert store.spread(_unit(1)) == pytest.approx((cosines.mean(), cosines.std()), abs=0.02)


def test_two_processes_append_in_turn(tmp_path: Path) -> None:
    first, second = _open(tmp_path), _open(tmp_path)
    for number, name in enumerate("abcdef"):
        (first if number % 2 else second).append(_digests(name), _rows(number))
    assert sorted(first.rows_of(_digests("abcdef")).tolist()) == list(range(6))
    _right(second, "abcdef", *range(6))


def test_a_read_only_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _open(tmp_path).append(_digests("a"), _rows(1))
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)
    reader = _open(tmp_path)
    assert not reader.writable
    assert reader.rows_of(_digests("a")).tolist() == [0]
    empty = VectorStore(tmp_path / "none", "m", SIZE)
    assert empty.rows_of(_digests("a")).tolist() == [-1]


@given(arrays.arrays(np.float32, (3, 16), elements=st.floats(-1, 1, width=32)))
def test_quantising_keeps_cosines(vectors: Floats) -> None:
    values, scales = quantise(vectors)
    back = values.astype(np.float32) * scales[:, None]
    assert np.abs(back - vectors).max() <= np.abs(vectors).max() / 127 + 1e-6
    assert np.isfinite(back).all()
