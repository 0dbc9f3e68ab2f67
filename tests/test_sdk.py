"""kb.sdk: the Python interface and its promises."""

from __future__ import annotations

import dataclasses
import datetime
import logging
from pathlib import Path

import pytest

import kb
from kb import Answerer, Document, KnowledgeRetriever, lookup_knowledge, paths
from kb.errors import AlmanacError, KnowledgeError
from tests.conftest import Engine
from tests.helpers import DAY, git, has_git, write

SOY = "agriculture/crop/soybean/growth_stage_2024_v2.md"


@pytest.fixture
def knowledge(tree: Path, tmp_path: Path) -> KnowledgeRetriever:
    return KnowledgeRetriever(tree, home=tmp_path / "sdk")


def test_the_root_is_absolute_at_once(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree.parent)
    made = KnowledgeRetriever(f"./{tree.name}", home="sdk-home")
    monkeypatch.chdir("/")
    assert made.root == tree.resolve()
    assert made.root.is_absolute()
    assert made.search("大豆播种深度", on=DAY)[0].path == SOY
    assert (tree.parent / "sdk-home").is_dir()


def test_construction_reads_nothing(tree: Path, tmp_path: Path) -> None:
    write(tree, "bad.md", b"\x81\xff" * 9)
    KnowledgeRetriever(tree, home=tmp_path / "sdk")
    assert not (tmp_path / "sdk").exists()


def test_a_document_has_what_was_promised(knowledge: KnowledgeRetriever) -> None:
    found = knowledge.search("大豆播种深度", top_k=1, on=DAY)
    (document,) = found
    assert isinstance(document, Document)
    assert document.path == SOY
    assert document.metadata["version"] == "2024_v2"
    assert 0 <= document.confidence <= 1
    assert set(document.explanation) == {"text", "keywords", "path", "meaning", "number", "score"}
    assert document.content.startswith("# 大豆生育期管理规范")
    assert "title:" not in document.content.split("\n")[0]
    assert document.lines[0] <= document.lines[1]
    assert document.heading[-1] == "播种"


def test_each_document_comes_once_and_best_first(knowledge: KnowledgeRetriever) -> None:
    found = knowledge.search("大豆 水泵 maize 药剂 超时", top_k=5, on=DAY)
    assert len({document.path for document in found}) == len(found) <= 5
    scores = [document.explanation["score"] for document in found]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("top", [0, -1])
def test_no_places_no_documents(knowledge: KnowledgeRetriever, top: int) -> None:
    assert knowledge.search("大豆", top_k=top, on=DAY) == []


def test_the_day_decides(knowledge: KnowledgeRetriever) -> None:
    then = knowledge.search("蓝铜霉素", on=datetime.date(2020, 1, 1))
    assert then[0].path.endswith("banned_list_2018_v1.md")
    assert not any(d.path.endswith("banned_list_2018_v1.md") for d in knowledge.search("蓝铜霉素", on=DAY))


def test_the_log_line_names_count_query_and_commit(
    knowledge: KnowledgeRetriever, tree: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "kb")
    found = knowledge.search("大豆播种深度", top_k=2, on=DAY)
    assert f"Retrieved {len(found)} documents for '大豆播种深度' from commit none" in caplog.messages
    if has_git():
        git(tree, "init", "--quiet")
        git(tree, "add", ".")
        git(tree, "commit", "--quiet", "-m", "all")
        commit = git(tree, "rev-parse", "HEAD").strip()
        caplog.clear()
        KnowledgeRetriever(tree, home=tree.parent / "sdk").search("x\x1b[31m", on=DAY)
        assert commit[:10] in caplog.messages[-1]
        assert "\x1b" not in caplog.messages[-1]


def test_content_and_images(knowledge: KnowledgeRetriever, tree: Path) -> None:
    assert "3-5厘米" in knowledge.get_content_by_path(SOY)
    image = knowledge.get_image_path(SOY, "images/soybean_R5_k_2024.png")
    assert Path(image).is_absolute()
    assert Path(image) == tree / "agriculture/crop/soybean/images/soybean_R5_k_2024.png"


@pytest.mark.parametrize("path", ["none.md", "../outside.md", "/etc/passwd", "", "agriculture"])
def test_errors_name_the_file(knowledge: KnowledgeRetriever, path: str) -> None:
    with pytest.raises(KnowledgeError) as caught:
        knowledge.get_content_by_path(path)
    assert path in str(caught.value)


def test_an_undecodable_file_is_named(knowledge: KnowledgeRetriever, tree: Path) -> None:
    write(tree, "x/bad.md", bytes(range(128, 256)) * 4)
    with pytest.raises(KnowledgeError, match=r"x/bad\.md"):
        knowledge.get_content_by_path("x/bad.md")
    with pytest.raises(KnowledgeError, match=r"none\.png"):
        knowledge.get_image_path(SOY, "images/none.png")
    assert knowledge.search("大豆播种深度", on=DAY)


def test_a_missing_root_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="no-such-folder"):
        KnowledgeRetriever(tmp_path / "no-such-folder")


def test_listing(knowledge: KnowledgeRetriever) -> None:
    everything = knowledge.list()
    assert everything == sorted(everything)
    assert len(everything) == 10
    assert knowledge.list("agriculture/crop/soybean") == [SOY]
    assert knowledge.list("nowhere") == []


@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_history(knowledge: KnowledgeRetriever, tree: Path) -> None:
    git(tree, "init", "--quiet")
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "-m", "all")
    assert [change.summary for change in knowledge.history()] == ["all"]
    assert knowledge.history(SOY)[0].files
    assert knowledge.history("none.md") == []


def test_nothing_is_written_into_the_tree(knowledge: KnowledgeRetriever, tree: Path) -> None:
    before = sorted(path for path in tree.rglob("*"))
    knowledge.search("大豆", on=DAY)
    assert sorted(path for path in tree.rglob("*")) == before


def test_without_a_home_the_platforms_folder_is_used(tree: Path, own_home: Path) -> None:
    KnowledgeRetriever(tree).search("大豆", on=DAY)
    assert list((own_home / ".local/share/almanac").rglob("index.db"))


def test_lookup(tree: Path) -> None:
    assert lookup_knowledge("ERR_TIMEOUT", tree)["source"] == "interfaces/payment-gateway/_errors.md"
    assert lookup_knowledge("未知错误码XYZ", tree) == {"found": False, "content": "", "source": ""}
    assert lookup_knowledge("大豆 钾肥")["found"], "the knowledge that ships is the default"


def test_the_facade_names_few_things() -> None:
    assert len(kb.__all__) <= 12
    for name in kb.__all__:
        assert getattr(kb, name) is not None


def _ship(monkeypatch: pytest.MonkeyPatch, assets: paths.Assets) -> None:
    monkeypatch.setattr(paths, "find_assets", lambda home, report=None: assets)


@pytest.mark.slow
def test_with_models_search_goes_by_meaning_and_across_languages(
    knowledge: KnowledgeRetriever, tree: Path, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "how deep should soya be put into the ground"
    words = tmp_path / "words.tsv"
    words.write_bytes("deep\t深;深度\nsoya\t大豆\n".encode())
    _ship(monkeypatch, dataclasses.replace(engine.assets, dictionary=paths.dictionary_file(words)))
    knowledge.search(question, on=DAY)
    assert knowledge.retriever.similarities(question) is None
    left: list[int] = []

    def report(phase: str, done: int, total: int) -> None:
        if phase == "embed":
            left.append(total - done)

    knowledge.load_models(report)
    assert left[0] > 0
    status = knowledge.retriever.status()
    assert status.embedded == status.sections > 0
    found = knowledge.search(question, top_k=1, on=DAY)
    assert found[0].explanation["meaning"] > 0
    assert knowledge.retriever.translated(question) is not None
    assert "3-5厘米" in Answerer(knowledge).ask("大豆播种深度是多少").text
    left.clear()
    knowledge.load_models(report)
    assert not any(left), "nothing is prepared twice"
    knowledge.close()
    assert knowledge.search("大豆播种深度", on=DAY)[0].path == SOY, "by words, after models were freed"
    knowledge.close()


def test_models_that_are_missing_or_damaged_are_said_and_words_go_on(
    knowledge: KnowledgeRetriever, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ship(monkeypatch, paths.Assets())
    with pytest.raises(AlmanacError, match="make run"):
        knowledge.load_models()
    knowledge.close()
    (tmp_path / "words.tsv").write_bytes(b"a\tb\n")
    _ship(monkeypatch, paths.Assets(dictionary=paths.dictionary_file(tmp_path / "words.tsv", "0" * 64)))
    with pytest.raises(AlmanacError, match=r"words\.tsv is damaged"):
        knowledge.load_models()
    assert knowledge.search("大豆播种深度", on=DAY)[0].path == SOY
