"""kb.search.retriever: the right document, as its file is now."""

from __future__ import annotations

import datetime
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.search import index as index_module
from kb.search import live
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from kb.tree.walk import FileState, walk
from tests.helpers import DAY, BagEmbedder, document, wait_for, write

TODAY = Filter(on=DAY)
SOY = "agriculture/crop/soybean/growth_stage_2024_v2.md"
PUMP = "machinery/pump/fault_codes_2025_v1.md"
MAIZE = "agriculture/crop/maize/sowing_en_2025_v1.md"
TABLE = "agriculture/chemical/pesticide/dose_table_2025_v1.md"
BOXES = "store/boxes/contents_en_2025_v1.md"


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("水泵", PUMP),
        ("E-07", PUMP),
        ("e-07", PUMP),
        ("Ｅ－０７", PUMP),
        ("额定压力10MPa", PUMP),
        ("10MPa", PUMP),
        ("20.04", PUMP),
        ("pH:5", PUMP),
        ("湿度50%", PUMP),
        ("ESP32-C3", PUMP),
        ("密封圈ESP32-C3多久换", PUMP),
        ("大豆播种深度", SOY),
        ("大豆播種深度", SOY),
        ("黄豆怎么种", SOY),
        ("R5期追施钾肥", SOY),
        ("MAIZE Sowing DEPTH", MAIZE),
        ("How deep do I sow maize?", MAIZE),
        ("don't sow before the soil is warm", MAIZE),
        ("病害55用什么药剂", TABLE),
        ("XC23", BOXES),
        ("ERR_TIMEOUT", "interfaces/payment-gateway/_errors.md"),
    ],
)
def test_the_right_document_is_first(retriever: Retriever, question: str, path: str) -> None:
    found = retriever.find(question, 5, TODAY)
    assert found, question
    assert found[0].path == path


@pytest.mark.parametrize(
    "question", ["", " ", '"', '""', "?", "why?", "50%", "-", "\0", "\udcff", "( ) * AND", "泵" * 4000, "the " * 1000]
)
def test_no_question_falls_over(retriever: Retriever, question: str) -> None:
    assert len(retriever.find(question, 5, TODAY)) <= 5


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
def test_any_text_may_be_asked(retriever: Retriever, question: str) -> None:
    for item in retriever.find(question, 3, TODAY):
        assert 0.0 <= item.confidence <= 1.0


def test_row_55_of_a_long_table_comes_with_its_header(retriever: Retriever) -> None:
    found = retriever.find("病害55 每亩用量", 3, TODAY)
    lines = found[0].section.text.split("\n")
    assert lines[0] == "| 病害 | 药剂 | 每亩用量（克） | 安全间隔期（天） |"
    assert "| 病害55 | 药剂55号 | 275 | 4 |" in lines


@pytest.mark.parametrize(
    ("question", "limits", "found"),
    [
        ("蓝铜霉素限用多少", TODAY, False),
        ("蓝铜霉素限用多少", Filter(on=datetime.date(2020, 1, 1)), True),
        ("quokka hybrid rows", TODAY, False),
        ("quokka hybrid rows", Filter(on=datetime.date(2200, 1, 1)), True),
        ("浸种催芽48小时", TODAY, False),
        ("浸种催芽48小时", Filter(on=DAY, released_only=False), True),
    ],
)
def test_validity_and_state_decide(retriever: Retriever, question: str, limits: Filter, found: bool) -> None:
    names = {"banned_list_2018_v1.md", "spring_plan_2199_v1.md", "seed_soaking_2025_v1.md"}
    hits = {item.path.rsplit("/", 1)[1] for item in retriever.find(question, 10, limits)}
    assert bool(hits & names) is found


def test_a_deleted_document_is_silent_at_once(retriever: Retriever, tree: Path) -> None:
    assert retriever.find("XC23", 5, TODAY)
    (tree / BOXES).unlink()
    assert BOXES not in [item.path for item in retriever.find("XC23", 5, TODAY)]


def test_an_edited_document_says_the_new_at_once(retriever: Retriever, tree: Path) -> None:
    assert "3-5厘米" in retriever.find("大豆播种深度", 1, TODAY)[0].section.text
    path = tree / SOY
    path.write_text(path.read_text().replace("3-5厘米", "7-9厘米（新）"))
    text = "".join(item.section.text for item in retriever.find("大豆播种深度", 5, TODAY))
    assert "7-9厘米" in text
    assert "3-5厘米" not in text


def test_lines_are_those_of_the_edited_file(retriever: Retriever, tree: Path) -> None:
    retriever.find("大豆播种深度", 1, TODAY)
    path = tree / SOY
    path.write_text(
        path.read_text().replace("# 大豆生育期管理规范", "# 大豆生育期管理规范\n\n多出来的一段。\n\n又一段。")
    )
    found = retriever.find("大豆播种深度", 1, TODAY)[0]
    block = found.section.blocks[0]
    assert path.read_text().split("\n")[block.start - 1] == block.text.split("\n")[0]


def test_a_document_that_expires_is_silent_at_once(retriever: Retriever, tree: Path) -> None:
    assert retriever.find("XC23", 5, TODAY)
    path = tree / BOXES
    path.write_text(path.read_text().replace("tags:", "valid_to: 2026-05-31\ntags:"))
    assert BOXES not in [item.path for item in retriever.find("XC23", 5, TODAY)]


def test_a_document_that_becomes_a_draft_is_silent_at_once(retriever: Retriever, tree: Path) -> None:
    assert retriever.find("XC23", 5, TODAY)
    path = tree / BOXES
    path.write_text(path.read_text().replace("tags:", "status: draft\ntags:"))
    assert BOXES not in [item.path for item in retriever.find("XC23", 5, TODAY)]


def test_a_new_document_is_found_without_reindexing(
    retriever: Retriever, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_RECHECK_S", 0.0)
    retriever.find("anything", 1, TODAY)
    write(tree, "new.md", document("Wombat", "The wombat box holds 12 spades."))
    wait_for(lambda: bool(retriever.find("wombat spades", 1, TODAY)), "the new document is found")


def test_in_a_large_tree_a_new_document_is_found_beside_the_questions(
    retriever: Retriever, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever.update()
    retriever.close()
    monkeypatch.setattr(index_module, "LARGE", 3)
    monkeypatch.setattr(live, "_RECHECK_S", 0.0)
    walking, go = threading.Event(), threading.Event()

    def slow(root: Path) -> Iterator[FileState]:
        walking.set()
        assert go.wait(30)
        return walk(root)

    monkeypatch.setattr(live, "walk", slow)
    write(tree, "new.md", document("Wombat", "The wombat box holds 12 spades."))
    opened = Retriever(tree, retriever.folder)
    assert opened.find("大豆播种深度", 1, TODAY)[0].path == SOY
    assert walking.wait(30)
    assert not [item for item in opened.find("wombat spades", 1, TODAY) if item.path == "new.md"]
    go.set()
    wait_for(lambda: opened.find("wombat spades", 1, TODAY)[:1] != [], "the new document is found")
    opened.close()


def test_names_of_the_taxonomy_reach_old_documents(tree: Path, tmp_path: Path) -> None:
    first = Retriever(tree, tmp_path / "i")
    assert not [item for item in first.find("edamame", 5, TODAY) if item.voices.path > 0.9]
    first.close()
    path = tree / "taxonomy.yaml"
    path.write_text(path.read_text().replace("黄豆", "黄豆, edamame"))
    second = Retriever(tree, tmp_path / "i")
    assert SOY in [item.path for item in second.find("edamame", 5, TODAY) if item.voices.path > 0.9]
    second.close()


@pytest.mark.parametrize(
    ("query", "path", "there"),
    [
        ('"进水压力低于"', PUMP, True),
        ('"压力进水"', PUMP, False),
        ("水泵 -汽蚀 -E-07", PUMP, True),
        ("E-07 path:pump", PUMP, True),
        ("E-07 path:soybean", PUMP, False),
        ("故障 tag:水泵", PUMP, True),
        ("故障 tag:大豆", PUMP, False),
        ("depth lang:en", SOY, False),
        ("水泵 before:2025-01-05", PUMP, False),
        ("水泵 before:2025-02", PUMP, True),
    ],
)
def test_the_query_language(retriever: Retriever, query: str, path: str, there: bool) -> None:
    assert (path in [item.path for item in retriever.find(query, 20, TODAY)]) is there


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("path:maize", [MAIZE]),
        ('path:"maize/sowing"', [MAIZE]),
        ("path:sowing -maize", []),
        ("path:nowhere", []),
        ("path:_2025_v1 lang:en", [MAIZE, BOXES]),
    ],
)
def test_limits_alone_list_the_documents_that_pass(retriever: Retriever, query: str, paths: list[str]) -> None:
    found = retriever.find_documents(query, 9, TODAY)
    assert [item.path for item in found] == paths
    assert retriever.find_documents(query, 1, TODAY) == found[:1]


def test_a_minus_leaves_sections_out(retriever: Retriever) -> None:
    assert any("清洗滤网" in item.section.text for item in retriever.find("故障代码", 20, TODAY))
    assert not any("清洗滤网" in item.section.text for item in retriever.find("故障代码 -清洗滤网", 20, TODAY))


def test_a_file_edited_while_vectors_are_made_gets_none_of_the_old_ones(empty_tree: Path, tmp_path: Path) -> None:
    old = "# T\n\n## A\n\nred pump\n\n## B\n\nblue pump\n"
    write(empty_tree, "a.md", old)
    made = Retriever(empty_tree, tmp_path / "i")
    bag = BagEmbedder()
    made.use_embedder("bag", bag.dimensions, bag.one, bag.many)
    calls: list[int] = []

    def stop() -> bool:
        calls.append(1)
        if len(calls) == 1:
            write(empty_tree, "a.md", old.replace("red", "green").replace("blue", "white"))
            made.update()
        return False

    made.embed_missing(bag.many, stop=stop, batch=1)
    write(empty_tree, "a.md", old)
    made.update()
    made.embed_missing(bag.many)
    snapshot = made.snapshot()
    meaning = made.meaning(snapshot, "T › A red pump", snapshot.allowed(Filter(on=None)))
    assert meaning is not None
    expected = [bag.one("T › A red pump") @ vector for vector in bag.many(["T › A\nred pump", "T › B\nblue pump"])]
    assert sorted(meaning.own.cosines(np.arange(2))[0].tolist()) == pytest.approx(sorted(expected), abs=0.02)
    made.close()


def test_narrow_limits_look_further_than_the_best(empty_tree: Path, tmp_path: Path) -> None:
    for number in range(150):
        write(empty_tree, f"d{number}.md", document(f"Wheat {number}", "wheat wheat wheat rust"))
    write(empty_tree, "x.md", document("Other", "some wheat here, near the odd gate", tags="[special]"))
    made = Retriever(empty_tree, tmp_path / "i")
    for query in ("wheat tag:special", 'wheat "odd gate"', "wheat -rust"):
        assert [item.path for item in made.find(query, 3, TODAY)] == ["x.md"], query
    made.close()


def test_titles_of_drafts_do_not_crowd_out_a_released_one(empty_tree: Path, tmp_path: Path) -> None:
    for number in range(60):
        write(empty_tree, f"d{number}.md", document("Zebra crossing", "draft words", status="draft"))
    write(empty_tree, "x.md", document("Zebra crossing", "other words"))
    made = Retriever(empty_tree, tmp_path / "i")
    assert [item.path for item in made.find("zebra crossing", 3, TODAY)] == ["x.md"]
    made.close()


def test_meaning_joins_and_resumes(retriever: Retriever, tree: Path) -> None:
    bag = BagEmbedder()
    retriever.use_embedder("bag", bag.dimensions, bag.one)
    calls = iter([False, True])
    assert retriever.embed_missing(bag.many, stop=lambda: next(calls), batch=4) == 4
    before = retriever.status()
    assert 0 < before.embedded < before.sections
    assert retriever.embed_missing(bag.many) >= before.sections - before.embedded
    status = retriever.status()
    assert status.embedded == status.sections
    assert retriever.embed_missing(bag.many) == 0
    found = retriever.find("大豆播种深度", 1, TODAY)[0]
    assert found.path == SOY
    assert found.voices.meaning > 0
    write(tree, BOXES, document("Store boxes", "XC23 is empty now."))
    retriever.find("XC23", 1, TODAY)
    retriever.update()
    assert retriever.embed_missing(bag.many) == 1


def test_many_threads_ask_while_the_tree_changes(retriever: Retriever, tree: Path) -> None:
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            for _ in range(15):
                assert retriever.find("大豆播种深度", 1, TODAY)[0].path == SOY
        except BaseException as error:  # noqa: BLE001  # what a thread raises is what the test is about
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(10):
        write(tree, f"churn{number % 3}.md", document("Churn", f"text {number}"))
        retriever.update()
    for thread in threads:
        thread.join(30)
    assert failures == []


def test_a_document_of_megabytes_answers(empty_tree: Path, tmp_path: Path) -> None:
    paragraph = "Filler sentence about nothing in particular. " * 12
    sections = "\n\n".join(f"## Part {n}\n\n{paragraph}\n\nneedle{n} holds {n} kg." for n in range(4000))
    path = write(empty_tree, "big.md", document("Big", sections))
    assert path.stat().st_size > 2_000_000
    made = Retriever(empty_tree, tmp_path / "i")
    made.update()
    assert "needle3000 holds 3000 kg." in made.find("particular needle3000", 12, TODAY)[0].section.text
    made.close()


@pytest.mark.slow
def test_twenty_megabytes_answer(empty_tree: Path, tmp_path: Path) -> None:
    paragraph = "Filler sentence about nothing in particular. " * 45
    parts = "\n\n".join(f"## Part {n}\n\n{paragraph}\n\nneedle{n} holds {n} kg." for n in range(10_000))
    path = write(empty_tree, "big.md", document("Big", parts))
    assert path.stat().st_size > 20_000_000
    made = Retriever(empty_tree, tmp_path / "i")
    made.update()
    assert "needle9000 holds 9000 kg." in made.find("needle9000", 3, TODAY)[0].section.text
    made.close()


def test_an_index_deleted_under_a_running_program_is_built_again(tree: Path, tmp_path: Path) -> None:
    """A cleaner of temporary folders; more than once, and nothing piles up."""
    folder = tmp_path / "i"
    made = Retriever(tree, folder)
    embedder = BagEmbedder()
    made.use_embedder("b" * 64, embedder.dimensions, embedder.one, embedder.many)
    made.update()
    made.embed_missing(embedder.many)
    files = {path.suffix for path in folder.iterdir()}
    for number in range(3):
        shutil.rmtree(folder)
        assert made.find("大豆播种深度", 1, TODAY)[0].path.startswith("agriculture/crop/soybean")
        write(
            tree, f"new{number}.md", document(f"Milker {number}", f"The vacuum of milker MJ-{number} is 4{number} kPa.")
        )
        made.update()
        assert made.find(f"vacuum of milker MJ-{number}", 1, TODAY)[0].path == f"new{number}.md"
        assert made.embed_missing(embedder.many) > 0
    (folder / "index.db").unlink()
    assert made.status().documents > 9
    assert {path.suffix for path in folder.iterdir()} == files
    assert len(list(folder.iterdir())) < 20
    made.close()


def test_a_tree_that_is_gone_is_said_and_its_index_stays(tree: Path, tmp_path: Path) -> None:
    """A stick that was pulled out: plugged in again, everything is there without reading it anew."""
    made = Retriever(tree, tmp_path / "i")
    made.update()
    tree.rename(tmp_path / "away")
    with pytest.raises(KnowledgeError) as caught:
        made.update()
    assert caught.value.key == "root_missing"
    (tmp_path / "away").rename(tree)
    assert made.update().changed == 0
    assert made.find("大豆播种深度", 1, TODAY)
    made.close()


def test_status_counts(retriever: Retriever, tree: Path) -> None:
    write(tree, "bad.md", bytes(range(128, 256)) * 4)
    retriever.update()
    status = retriever.status()
    assert status.documents == 10
    assert status.embedded == 0
    assert [problem.path for problem in status.problems] == ["bad.md"]


def test_confidence_rises_with_the_match(retriever: Retriever) -> None:
    exact = retriever.find("大豆播种深度", 1, TODAY)[0].confidence
    vague = retriever.find("深度学习框架的播放列表", 1, TODAY)
    assert not vague or vague[0].confidence < exact
    weights = retriever.term_weights(["大豆", "水"])
    assert weights["大豆"] > 0
