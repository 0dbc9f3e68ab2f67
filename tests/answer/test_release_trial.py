"""kb.answer.release_trial: the trial asks for real, and this machine is described as it is."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kb import paths
from kb.answer import release_trial
from kb.answer.release_trial import machine, trial
from kb.config import Config, Tree
from kb.errors import AlmanacError
from kb.versions import releases
from kb.versions.releases import Release
from kb.versions.routes import Actor
from tests.conftest import Published
from tests.helpers import document

BOX, BAG = "store/boxes/wombat.md", "store/boxes/quokka.md"
QUESTIONS = "questions:\n  - How much does the wombat box weigh?\n  - How many zebras dance?\n"
THERE = {BOX: document("Wombat box", "The wombat box weighs 5 kg."), BAG: document("Quokka bag", "It holds 3 nuts.")}


def _release(published: Published, files: dict[str, str], *gone: str) -> Release:
    for path in gone:
        (published.source.root / path).unlink()
    made, _ = published.make(files)
    return releases.opened(published.home, made)


@pytest.fixture
def config(published: Published) -> Config:
    return Config(home=published.home, knowledge=published.source.root, lang="en")


def test_a_release_that_answers_as_before_passes(published: Published, config: Config) -> None:
    old = _release(published, {**THERE, "questions.yaml": QUESTIONS})
    new = _release(published, {BOX: document("Wombat box", "The wombat box weighs 6 kg.")})
    found = trial(config)(old, new)
    assert (found.lost, found.unfound, found.passed) == ((), (), True)
    assert found.asked > 2


def test_a_question_that_nobody_answers_any_more_is_lost(published: Published, config: Config) -> None:
    old = _release(published, {**THERE, "questions.yaml": QUESTIONS})
    new = _release(published, {}, BOX)
    seen: list[tuple[str, int, int]] = []
    found = trial(config, lambda *said: seen.append(said))(old, new)
    assert found.lost == ("How much does the wombat box weigh?",)
    assert seen[-1] == ("impact", 3, 4)


def test_titles_must_lead_to_their_documents(published: Published, config: Config) -> None:
    """The index of another release does not know the new documents by their titles."""
    old = _release(published, THERE)
    new = _release(published, {"store/boxes/numbat.md": document("Numbat tin", "The numbat tin is blue.")}, BOX, BAG)
    sound = trial(config)(None, new)
    assert (sound.unfound, sound.lost, sound.passed) == ((), (), True)
    assert [entry.title for entry in release_trial._titles(new) if entry.title == "Numbat tin"]
    entries = [entry for entry in release_trial._titles(new) if entry.title == "Numbat tin"]
    assert list(release_trial._unfound(config, old, entries)) == ["Numbat tin"]


def test_questions_that_cannot_be_read_are_said(published: Published, config: Config) -> None:
    old = _release(published, THERE)
    new = _release(published, {"questions.yaml": "questions: 5\n"})
    with pytest.raises(AlmanacError) as caught:
        trial(config)(old, new)
    assert caught.value.key == "impact_bad_question"


def test_this_machine(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = machine(config, Actor("barn"))
    assert (found.home, found.program, found.is_own) == (config.home, None, True)
    assert found.folder == config.home / "updates"
    packed_tree = Tree(paths.project_root() / "docs", is_packed=True)
    assert not machine(replace(config, tree=packed_tree), Actor("barn")).is_own
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "almanac")])
    packed = machine(replace(config, history_bundle=tmp_path / "history.bundle"), Actor("barn"))
    assert (packed.is_own, packed.program) == (False, tmp_path.resolve() / "almanac")
