"""scripts/search_peers.py: each method finds the right document of a handful, and no question is a syntax error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import search_peers
from search_peers import Bm25, Method, Tantivy, Trigrams

from tests.helpers import document, write

QUESTIONS = {
    "大豆R5期追施多少钾肥": "zh/soy.md",
    "玉米入库时的安全水分": "zh/maize.md",
    "What is the torque of an M12 bolt?": "en/bolt.md",
    "at which temperature are chicks brooded": "en/chicks.md",
}
NASTY = (
    'E-07 "pH:5" (a+)+$', "", " ", "?", "。", '"', "'", "*", "a", "钾", "-", "NOT", "NEAR(a b)", "AND OR", "text:x",
    "^x", "\0", "\n", "\ud800", "🐛" * 3, "a" * 70_000, "豆" * 3_000, "½ ﬁ ²", "()[]{}", "x\\",
)  # fmt: skip


def _pairs() -> Method:
    return Bm25(search_peers.pair_words)


def _jieba() -> Method:
    pytest.importorskip("jieba", reason="requirements/bench.lock is not installed")
    return Bm25(search_peers.jieba_words)


def _tantivy() -> Method:
    pytest.importorskip("tantivy", reason="requirements/bench.lock is not installed")
    return Tantivy()


METHODS = pytest.mark.parametrize("make", [_pairs, _jieba, Trigrams, _tantivy])


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Two Chinese and two English documents, and one about something else."""
    tree = tmp_path / "docs"
    write(tree, "zh/soy.md", document("大豆追肥", "大豆R5期每亩追施氯化钾5公斤。"))
    write(tree, "zh/maize.md", document("玉米贮藏", "玉米籽粒入库的安全水分为14%以下。"))
    write(tree, "en/bolt.md", document("Fasteners", "Tighten M12 bolts with a torque of 80 Nm."))
    write(tree, "en/chicks.md", document("Poultry", "Brood the chick at 35 °C; lower the temperature every week."))
    write(tree, "en/other.md", document("Notes", "Nothing that anybody would ask for."))
    return tree


@METHODS
def test_the_right_document_comes_first(make: Callable[[], Method], docs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    method = make()
    assert method.build(docs, folder) == 0
    with method.open(docs, folder) as search:
        found = {question: search(question, 3)[:1] for question in QUESTIONS}
        assert len(search("the 大豆 m12 temperature 水分 notes", 2)) == 2
    assert found == {question: [path] for question, path in QUESTIONS.items()}


@METHODS
def test_no_question_is_an_error(make: Callable[[], Method], docs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    method = make()
    method.build(docs, folder)
    with method.open(docs, folder) as search:
        for question in NASTY:
            found = search(question, 10)
            assert len(found) == len(set(found))


@METHODS
def test_what_stands_nowhere_is_not_found(make: Callable[[], Method], docs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    method = make()
    method.build(docs, folder)
    with method.open(docs, folder) as search:
        assert search("quixotic xylophone 鲸鲨鳍", 10) == []


def test_front_matter_is_left_out_but_for_the_title(tmp_path: Path) -> None:
    write(tmp_path, "b.md", '---\ntitle: "A \\"quoted\\" title"\nsource: nowhere\n---\n\nBody.\n\n---\nrule: kept\n')
    write(tmp_path, "a.md", "No front matter.\n")
    found = list(search_peers.pages(tmp_path))
    assert [page.path for page in found] == ["a.md", "b.md"]
    assert found[0].text == "No front matter.\n"
    assert found[1].text.split() == ["A", '"quoted"', "title", "Body.", "---", "rule:", "kept"]


def test_chinese_becomes_characters_and_pairs_and_english_stems(tmp_path: Path) -> None:
    words = search_peers.pair_words(tmp_path)
    assert words("Ｗatering 大豆苗, E-07") == ["water", "大", "豆", "苗", "大豆", "豆苗", "e", "07"]
    assert not any(term.split() != [term] for term in words("".join(NASTY[:-2])))


def test_trigram_pieces_are_word_characters_only() -> None:
    assert Trigrams.pieces('大豆R5期 "pH:5" torque*') == ["大豆r", "豆r5", "r5期", "torque"]
    assert Trigrams.pieces("豆 it") == []


def test_bm25_ranks_the_rarer_and_denser_word_higher(tmp_path: Path) -> None:
    tree, folder = tmp_path / "docs", tmp_path / "index"
    folder.mkdir()
    write(tree, "dense.md", "valve valve pump")
    write(tree, "long.md", "valve pump " + "filler " * 50)
    write(tree, "rare.md", "pump gasket")
    method = Bm25(search_peers.pair_words)
    method.build(tree, folder)
    with method.open(tree, folder) as search:
        assert search("valve", 3) == ["dense.md", "long.md"]
        assert search("pump gasket", 1) == ["rare.md"]
