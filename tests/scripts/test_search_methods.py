"""scripts/search_methods.py: the embedder alone, fusion, Almanac, and vectors kept between runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import search_methods
from search_methods import Almanac, Embedded, Fused, KeptVectors, SectionTantivy
from search_peers import Search

from tests.helpers import BagEmbedder, document, write

if TYPE_CHECKING:
    from search_methods import Floats

NASTY = 'E-07 "pH:5" (a+)+$'


class Encoder(BagEmbedder):
    """The stand-in under the names of the real embedder."""

    def embed_query(self, question: str) -> Floats:
        return self.one(question)

    def embed_passages(self, texts: list[str]) -> Floats:
        return self.many(texts)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    tree = tmp_path / "docs"
    write(tree, "soy.md", document("大豆", "大豆追施钾肥五公斤。"))
    write(tree, "bolt.md", document("Bolts", "Torque of the M12 bolt: 80 Nm."))
    write(tree, "chicks.md", document("Poultry", "Brood chicks at 35 °C."))
    return tree


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "index"
    made.mkdir()
    return made


def test_vectors_are_kept_with_the_time_they_took(tmp_path: Path) -> None:
    encoder = Encoder()
    first = KeptVectors(encoder, "model", tmp_path / "kept" / "vectors.db")
    made = first.embed_passages(["one text", "another"])
    assert (encoder.calls, first.carried) == (1, 0.0)
    first.close()
    again = KeptVectors(encoder, "model", tmp_path / "kept" / "vectors.db")
    assert (again.embed_passages(["another", "one text"])[::-1] == made).all()
    assert encoder.calls == 2, "one is made again to compare"
    carried = again.carried
    assert carried > 0
    again.embed_passages(["one text"])
    assert (encoder.calls, again.carried > carried) == (2, True)
    again.close()
    other = KeptVectors(encoder, "another model", tmp_path / "kept" / "vectors.db")
    other.embed_passages(["one text", "one text"])
    assert (encoder.calls, other.carried) == (3, 0.0)
    other.close()


def test_vectors_of_an_encoder_that_changed_are_forgotten(tmp_path: Path) -> None:
    class Changed(Encoder):
        def embed_passages(self, texts: list[str]) -> Floats:
            return -self.many(texts)

    first = KeptVectors(Encoder(), "model", tmp_path / "vectors.db")
    made = first.embed_passages(["one text", "another"])
    first.close()
    changed = KeptVectors(Changed(), "model", tmp_path / "vectors.db")
    assert (changed.embed_passages(["one text"]) == -made[:1]).all()
    assert changed.carried == 0
    assert (changed.embed_passages(["another"]) == -made[1:]).all()
    changed.close()


def test_the_embedder_alone_finds_what_is_nearest(docs: Path, folder: Path, tmp_path: Path) -> None:
    encoder = Encoder()
    method = Embedded(lambda: encoder, lambda: KeptVectors(encoder, "model", tmp_path / "vectors.db"))
    assert method.build(docs, folder) == 0
    with method.open(docs, folder) as search:
        assert search("torque of the M12 bolt", 1) == ["bolt.md"]
        assert search("大豆追施钾肥", 2)[0] == "soy.md"
        assert len(search(NASTY, 10)) == 3
    assert method.build(docs, folder) > 0
    assert encoder.calls == 2


def test_fusion_prefers_what_both_lists_hold() -> None:
    assert search_methods.fuse([["a", "b", "c"], ["d", "b"]])[0] == "b"
    assert search_methods.fuse([["a", "b"], []]) == ["a", "b"]
    assert search_methods.fuse([[], []]) == []


class _Fixed:
    """A method that always answers the same and keeps its name in its folder."""

    def __init__(self, *paths: str) -> None:
        self._paths = list(paths)

    def build(self, docs: Path, folder: Path) -> float:
        (folder / "built").touch()
        return 1.5

    @contextmanager
    def open(self, docs: Path, folder: Path) -> Iterator[Search]:
        assert (folder / "built").exists()
        yield lambda question, top: self._paths[:top]


def test_fused_methods_have_folders_and_times_of_their_own(docs: Path, folder: Path) -> None:
    method = Fused(_Fixed("a", "b"), _Fixed("b", "c"))
    assert method.build(docs, folder) == 3.0
    assert len(list(folder.rglob("built"))) == 2
    with method.open(docs, folder) as search:
        assert search("?", 2) == ["b", "a"]


def test_almanac_takes_part_through_its_public_calls(docs: Path, folder: Path) -> None:
    method = Almanac(None)
    assert method.build(docs, folder) == 0
    with method.open(docs, folder) as search:
        assert search("大豆追施多少钾肥", 3)[0] == "soy.md"
        assert search("torque of the M12 bolt", 1) == ["bolt.md"]
        search(NASTY, 10)


def test_every_method_has_a_name_for_tables(tmp_path: Path) -> None:
    found = search_methods.methods(tmp_path)
    assert len({label for label, _ in found.values()}) == len(found) == 8


def test_tantivy_is_asked_for_sections_too(docs: Path, tmp_path: Path) -> None:
    pytest.importorskip("tantivy", reason="requirements/bench.lock is not installed")
    write(docs, "long.md", "# Seals\n\nReplace them.\n\n# Valves\n\nOpen $R_5$ slowly.\n\n# More\n\nR5.")
    folder = tmp_path / "index"
    folder.mkdir()
    method = SectionTantivy()
    assert [path for path, _ in method.entries(docs, folder)].count("long.md") == 3
    method.build(docs, folder)
    with method.open(docs, folder) as search:
        assert search("R5", 10) == ["long.md"]
        assert search("How many Nm for M12 bolts?", 1) == ["bolt.md"]
