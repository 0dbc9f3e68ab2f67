"""kb.answer.replay: the same answer on the same version, or what changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kb.answer.answer import MadeWith, Way
from kb.answer.answerer import Answerer, Policy
from kb.answer.journal import Journal
from kb.answer.replay import replay
from kb.answer.text_model import TextModel
from kb.search.retriever import Retriever
from tests.answer.scripted import ScriptedModel
from tests.helpers import DAY, document, write


def _kept(answerer: Answerer, journal: Journal, question: str) -> str:
    answer = Answerer(answerer.retriever, clock=lambda: DAY, journal=journal).ask(question)
    return answer.id


def test_the_same_tree_gives_the_same_answer(answerer: Answerer, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "home")
    for question in ("大豆播种深度是多少", "zebra pancake trombone", "病害55每亩用多少克"):
        found = replay(journal.get(_kept(answerer, journal, question)), answerer)
        assert (found.same, found.changed) == (True, ())
        assert found.now.question == question
    assert len(journal.latest(9)) == 3, "a replay is not kept"


def test_it_is_asked_in_the_way_of_then(answerer: Answerer, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "home")
    model: TextModel = ScriptedModel("3-5", letters=True)  # type: ignore[assignment]
    select = Answerer(
        answerer.retriever, model=lambda: model, policy=Policy(way=Way.SELECT, budget=900), clock=lambda: DAY,
        journal=journal, made_with=lambda: MadeWith(model="digest"),
    )  # fmt: skip
    kept = journal.get(select.ask("大豆播种深度是多少").id)
    assert kept.answer["made_with"]["way"] == "select" and kept.answer["made_with"]["budget"] == 900
    # Another wish of now does not count.
    select.policy = Policy(way=Way.QUOTE, budget=50)
    again = replay(kept, select)
    assert (again.same, again.changed, again.now.way) == (True, (), kept.answer["way"])
    assert replay(kept, answerer).changed[0] == "model"


def test_a_quote_owes_nothing_to_a_model_that_was_there(answerer: Answerer, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "home")
    model: TextModel = ScriptedModel("", letters=True)  # type: ignore[assignment]
    beside = Answerer(
        answerer.retriever, model=lambda: model, policy=Policy(way=Way.QUOTE), clock=lambda: DAY, journal=journal,
        made_with=lambda: MadeWith(model="digest"),
    )  # fmt: skip
    kept = journal.get(beside.ask("大豆播种深度是多少").id)
    assert kept.answer["made_with"]["model"] == ""
    assert "model" not in replay(kept, answerer).changed


def test_a_changed_document_is_named(answerer: Answerer, retriever: Retriever, tree: Path, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "home")
    kept = journal.get(_kept(answerer, journal, "大豆播种深度是多少"))
    path = tree / kept.answer["evidence"][0]["path"]
    path.write_text(path.read_text("utf-8").replace("3-5", "2-4"), "utf-8")
    retriever.update()
    found = replay(kept, answerer)
    assert not found.same
    assert found.changed == ("tree",)
    assert "2-4" in found.now.text
    assert "3-5" in found.before.answer["text"]


def test_an_index_made_anew_or_step_by_step_gives_the_same_answer(
    answerer: Answerer, retriever: Retriever, tree: Path, tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "home")
    kept = journal.get(_kept(answerer, journal, "大豆播种深度是多少"))
    path = tree / kept.answer["evidence"][0]["path"]
    written = path.read_text("utf-8")
    for text in (written.replace("3-5", "2-4"), written):
        path.write_text(text, "utf-8")
        retriever.update()
    # How rare a word is may then be known a little otherwise: scores move, what is read does not.
    kept.answer["evidence"][0]["score"] -= 0.1
    found = replay(kept, answerer)
    assert (found.same, found.changed) == (True, ())


def test_what_no_part_explains_is_the_index(answerer: Answerer, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "home")
    kept = journal.get(_kept(answerer, journal, "大豆播种深度是多少"))
    found = replay(replace(kept, answer={**kept.answer, "text": "another text"}), answerer)
    assert (found.same, found.changed) == (False, ("index",))


def test_another_document_alone_changes_the_tree_not_the_answer(
    answerer: Answerer, retriever: Retriever, tree: Path, tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "home")
    kept = journal.get(_kept(answerer, journal, "大豆播种深度是多少"))
    write(tree, "machinery/pump/other_2025_v1.md", document("Lantern", "Trim the wick."))
    retriever.update()
    found = replay(kept, answerer)
    assert found.changed == ("tree",)
    assert found.now.text == found.before.answer["text"]
