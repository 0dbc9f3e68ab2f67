"""kb.memory.meaning: records found by meaning, and sentences compared with the question."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from kb.memory.client import MemoryClient
from kb.memory.meaning import Near, SearchMeaning
from kb.memory.store import MemoryStore
from kb.memory.store_ingest import ingest, tree_jobs
from kb.search.retriever import Retriever
from tests.helpers import BagEmbedder
from tests.memory.helpers import memory

DAY = datetime.date(2026, 6, 1)
PUMP = "# TX-80 pump\n\n## Hose\n\nThe hose is 8 m long. The strainer has 40 holes.\n\n## Engine\n\nPower is 7 kW.\n"


class Told:
    """A meaning that was told which lines are near, and which words a sentence has to hold to be nearest."""

    def __init__(self, lines: tuple[int, int], word: str = "") -> None:
        self.lines = lines
        self.word = word

    def near(self, question: str) -> Sequence[Near]:
        """The lines of the pump's document."""
        return [Near("pump.md", self.lines, 1.0)]

    def similarities(self, question: str) -> Callable[[list[str]], list[float]] | None:
        """A high cosine for texts with the word."""
        if not self.word:
            return None
        return lambda texts: [0.95 if self.word in text else 0.8 for text in texts]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MemoryStore]:
    with memory(tmp_path / "home", pump=PUMP) as opened:
        yield opened


def _values(client: MemoryClient, question: str, entities: Sequence[str] | None = None) -> list[str]:
    return [record.value for record in client.search_memory(question, entities)]


def test_what_shares_no_word_with_the_question_is_found_by_its_section(store: MemoryStore) -> None:
    assert _values(MemoryClient(store, DAY), "吸水管") == []
    assert set(_values(MemoryClient(store, DAY, Told((3, 5))), "吸水管")) == {"8 m", "40 holes"}
    assert _values(MemoryClient(store, DAY, Told((7, 9))), "吸水管") == ["7 kW"]


def test_the_nearest_sentence_comes_first(store: MemoryStore) -> None:
    for word, value in (("hose", "8 m"), ("strainer", "40 holes")):
        assert _values(MemoryClient(store, DAY, Told((3, 5), word)), "吸水管")[0] == value


def test_limits_hold_for_what_meaning_finds(store: MemoryStore) -> None:
    client = MemoryClient(store, DAY, Told((3, 5)))
    assert len(_values(client, "吸水管", entities=["TX-80"])) == 2
    assert _values(client, "吸水管", entities=["another"]) == []


def test_document_search_lends_its_sections_and_vectors(tmp_path: Path) -> None:
    tree = tmp_path / "docs"
    tree.mkdir()
    (tree / "pump.md").write_text(PUMP, "utf-8")
    (tree / "lamb.md").write_text("# Lambs\n\nWean at 35 days.\n", "utf-8")
    embedder = BagEmbedder()
    retriever = Retriever(tree, tmp_path / "index")
    retriever.update()
    retriever.use_embedder("b" * 64, embedder.dimensions, embedder.one, embedder.many)
    retriever.embed_missing(embedder.many)
    try:
        near = SearchMeaning(retriever).near("length of the hose")
        assert (near[0].path, near[0].lines, near[0].score) == ("pump.md", (3, 5), 1.0)
        with MemoryStore(tmp_path / "home") as store:
            ingest(store, tree_jobs(tree))
            found = MemoryClient(store, DAY, SearchMeaning(retriever)).search_memory("length of the hose")
            assert found[0].value == "8 m"
    finally:
        retriever.close()
