"""kb.search.copying: the index of one tree serves as the beginning of another's."""

from __future__ import annotations

import shutil
from pathlib import Path

from kb.search.copying import take_over
from kb.search.retriever import Retriever
from tests.helpers import BagEmbedder, document, write

MODEL = "b" * 64


def _indexed(root: Path, folder: Path, embedder: BagEmbedder) -> Retriever:
    retriever = Retriever(root, folder)
    retriever.use_embedder(MODEL, embedder.dimensions, embedder.one, embedder.many)
    retriever.update()
    return retriever


def test_only_what_differs_is_read_and_embedded_again(tree: Path, tmp_path: Path) -> None:
    embedder = BagEmbedder()
    first = _indexed(tree, tmp_path / "one", embedder)
    everything = first.embed_missing(embedder.many)
    assert everything == first.chunks()
    other = tmp_path / "other"
    shutil.copytree(tree, other)
    write(other, "store/new.md", document("Wombat box", "The wombat box weighs 5 kg."))
    assert take_over(tmp_path / "one", tmp_path / "two")
    assert not list((tmp_path / "two").glob("vectors*"))
    second = Retriever(other, tmp_path / "two")
    second.use_embedder(MODEL, embedder.dimensions, embedder.one, embedder.many)
    assert second.update().changed == 1
    assert second.adopt_vectors(tmp_path / "one") == everything
    assert second.embed_missing(embedder.many) == second.chunks() - everything == 1
    assert second.find("wombat box weight")[0].path == "store/new.md"
    assert second.find("大豆播种深度")[0].path.endswith("growth_stage_2024_v2.md")
    assert [item.path for item in first.find("wombat box weight") if item.path == "store/new.md"] == []
    first.close()
    second.close()


def test_vectors_of_gone_documents_are_left_behind(tree: Path, tmp_path: Path) -> None:
    embedder = BagEmbedder()
    first = _indexed(tree, tmp_path / "one", embedder)
    first.embed_missing(embedder.many)
    other = tmp_path / "other"
    shutil.copytree(tree, other)
    shutil.rmtree(other / "agriculture")
    take_over(tmp_path / "one", tmp_path / "two")
    second = _indexed(other, tmp_path / "two", embedder)
    assert second.adopt_vectors(tmp_path / "one") == second.chunks() < first.chunks()
    assert second.adopt_vectors(tmp_path / "one") == 0
    assert second.embed_missing(embedder.many) == 0
    rows = [next((tmp_path / name).glob("*.bin")).stat().st_size for name in ("one", "two")]
    assert rows[1] < rows[0]
    first.close()
    second.close()


def test_what_is_no_index_is_not_taken(tmp_path: Path) -> None:
    assert not take_over(tmp_path / "none", tmp_path / "two")
    write(tmp_path, "broken/index.db", b"SQLite format 3\0" + bytes(range(100)))
    assert not take_over(tmp_path / "broken", tmp_path / "two")
    assert not list((tmp_path / "two").glob("*"))


def test_an_index_that_names_a_lost_segment_is_not_taken(tree: Path, tmp_path: Path) -> None:
    _indexed(tree, tmp_path / "one", BagEmbedder()).close()
    next((tmp_path / "one").glob("*.seg")).unlink()
    assert not take_over(tmp_path / "one", tmp_path / "two")
    assert not list((tmp_path / "two").glob("*"))
