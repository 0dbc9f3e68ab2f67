"""kb.versions.update.knowledge: compared, built, tried, switched, taken back."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from kb.errors import AlmanacError, ExitCode
from kb.versions import releases, serving
from kb.versions.audit import check_home
from kb.versions.git import Git
from kb.versions.history import History
from kb.versions.registry import Registry
from kb.versions.update import knowledge
from kb.versions.update.offers import Age, Allowed, Machine, Offer, Outcome, Relation, Trial
from tests.helpers import document, git, write
from tests.versions.update.conftest import BOX, Desk, answers, box, new_author


def _git(machine: Machine) -> Git:
    assert machine.git is not None
    return machine.git


def _look(machine: Machine, file: Path) -> Offer:
    return knowledge.look(machine, _git(machine), file)


def _take(machine: Machine, file: Path, allowed: Allowed = Allowed()) -> Outcome:  # noqa: B008
    return knowledge.apply(machine, _git(machine), _look(machine, file), allowed)


def _refused(machine: Machine, file: Path, allowed: Allowed = Allowed()) -> str:  # noqa: B008
    before = answers(machine)
    with pytest.raises(AlmanacError) as caught:
        _take(machine, file, allowed)
    assert answers(machine) == before
    return caught.value.key


def test_the_first_knowledge_takes_over_from_the_programs(author: Desk, machine: Machine) -> None:
    offer = _look(machine, author.edition(5))
    assert (offer.version, offer.age, offer.relation, offer.signer) == ("kb-1.0.0", Age.NEWER, Relation.FIRST, "")
    assert offer.difference is not None
    assert [(number.old, number.new) for _, number in offer.difference.numbers] == [("4 kg", "5 kg")]
    assert answers(machine) == ("", "4")
    outcome = knowledge.apply(machine, _git(machine), offer, Allowed())
    assert (outcome.version, outcome.previous, outcome.restart) == ("kb-1.0.0", "", False)
    assert answers(machine) == ("kb-1.0.0", "5")
    assert check_home(machine.home) == []


def test_the_next_one_follows_and_shows_what_becomes_other(author: Desk, machine: Machine) -> None:
    _take(machine, author.edition(5))
    offer = _look(machine, author.edition(6))
    assert (offer.installed, offer.relation, offer.changed_numbers) == ("kb-1.0.0", Relation.FOLLOWS, 1)
    assert _take(machine, offer.file).previous == "kb-1.0.0"
    assert answers(machine) == ("kb-1.1.0", "6")


def test_the_history_of_the_release_can_be_read(author: Desk, machine: Machine) -> None:
    _take(machine, author.edition(5))
    _take(machine, author.edition(6))
    found = serving.serving(machine.home)
    assert found is not None
    assert len(History(found.root, machine.git).changes(BOX)) == 2


def test_a_version_is_left_out_without_being_there_in_between(author: Desk, machine: Machine) -> None:
    _take(machine, author.edition(5))
    author.snapshot(6)
    assert _take(machine, author.edition(7)).version == "kb-1.2.0"
    assert answers(machine) == ("kb-1.2.0", "7")


def test_an_older_one_only_when_that_is_said(author: Desk, machine: Machine, tmp_path: Path) -> None:
    old = author.edition(5)
    shutil.copytree(author.stick, tmp_path / "old")
    _take(machine, author.edition(6))
    old = tmp_path / "old" / old.name
    assert knowledge.glance(machine, old) is Age.OLDER
    assert _refused(machine, old) == "update_older"
    assert _take(machine, old, Allowed(older=True)).version == "kb-1.0.0"
    assert answers(machine) == ("kb-1.0.0", "5")


def test_the_same_one_is_the_same(author: Desk, machine: Machine) -> None:
    file = author.edition(5)
    _take(machine, file)
    assert knowledge.glance(machine, file) is Age.SAME
    offer = _look(machine, file)
    assert offer.age is Age.SAME and not offer.difference


def test_another_content_under_the_same_number_is_refused(author: Desk, machine: Machine, tmp_path: Path) -> None:
    _take(machine, author.edition(5))
    other = new_author(tmp_path / "other")
    assert _refused(machine, other.edition(500), Allowed(older=True, unrelated=True)) == "update_tag_moved"


def test_another_history_is_refused(author: Desk, machine: Machine, tmp_path: Path) -> None:
    _take(machine, author.edition(5))
    other = new_author(tmp_path / "other")
    other.snapshot(1)
    file = other.edition(500)
    offer = _look(machine, file)
    assert (offer.age, offer.relation) == (Age.NEWER, Relation.UNRELATED)
    assert _refused(machine, file) == "update_unrelated"
    # Said or not: its tag kb-1.0.0 is another one than that known here.
    assert _refused(machine, file, Allowed(unrelated=True)) == "update_tag_moved"


def test_another_history_with_numbers_of_its_own_can_be_let_in(author: Desk, machine: Machine, tmp_path: Path) -> None:
    _take(machine, author.edition(5))
    other = new_author(tmp_path / "other")
    write(other.source.root, BOX, box(9))
    git(other.source.root, "add", "--all")
    git(other.source.root, "commit", "--quiet", "-m", "x")
    from kb.versions import snapshot
    from kb.versions.numbering import Number
    from kb.versions.update import making

    snapshot.take(other.source, snapshot.Author("x"), number=Number(2, 0, 0))
    file = making.make(other.source, other.stick).file
    assert _refused(machine, file) == "update_unrelated"
    assert _take(machine, file, Allowed(unrelated=True)).version == "kb-2.0.0"
    assert answers(machine) == ("kb-2.0.0", "9")


def test_knowledge_of_ones_own_is_not_replaced_by_a_strangers(author: Desk, machine: Machine) -> None:
    own = replace(machine, is_own=True)
    assert _look(own, author.edition(5)).relation is Relation.UNRELATED
    assert _refused(own, author.edition(6)) == "update_unrelated"


def test_knowledge_of_ones_own_that_came_from_there_is(author: Desk, machine: Machine, tmp_path: Path) -> None:
    author.snapshot(5)
    shutil.copytree(author.source.root, tmp_path / "restored")
    own = replace(machine, is_own=True, knowledge=tmp_path / "restored")
    offer = _look(own, author.edition(6))
    assert (offer.relation, offer.installed) == (Relation.FOLLOWS, "kb-1.0.0")


def test_one_that_does_not_pass_its_trial_answers_nobody(author: Desk, machine: Machine) -> None:
    _take(machine, author.edition(5))
    seen = []

    def fails(old: releases.Release | None, new: releases.Release) -> Trial:
        seen.append((old.version.tag if old else "", new.version.tag, (new.docs / BOX).is_file()))
        return Trial(10, ("How deep?",), ("Wombat box",))

    file = author.edition(6)
    with pytest.raises(AlmanacError, match="How deep") as caught:
        _take(replace(machine, try_release=fails), file)
    assert caught.value.exit_code == ExitCode.BAD_KNOWLEDGE
    assert seen == [("kb-1.0.0", "kb-1.1.0", True)]
    assert answers(machine) == ("kb-1.0.0", "5")
    assert [path.name[:8] for path in (machine.home / "releases").iterdir() if path.is_dir()] == ["kb-1.0.0"]
    _take(machine, file)
    assert answers(machine) == ("kb-1.1.0", "6")


def test_a_release_that_is_not_there_after_the_switch_is_taken_back(
    author: Desk, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise AlmanacError("release_missing", tag="kb-1.0.0", path="x")

    first = author.edition(5)
    monkeypatch.setattr(serving, "serving", gone)
    assert _refused(machine, first) == "release_missing"
    monkeypatch.undo()
    _take(machine, first)
    second = author.edition(6)
    monkeypatch.setattr(serving, "serving", gone)
    assert _refused(machine, second) == "release_missing"
    assert answers(machine) == ("kb-1.0.0", "5")


def test_the_last_update_is_taken_back(author: Desk, machine: Machine) -> None:
    _take(machine, author.edition(5))
    _take(machine, author.edition(6))
    outcome = knowledge.undo(machine, machine.git)
    assert (outcome.version, outcome.previous) == ("kb-1.0.0", "kb-1.1.0")
    assert answers(machine) == ("kb-1.0.0", "5")
    with pytest.raises(AlmanacError) as caught:
        knowledge.undo(machine, machine.git)
    assert (caught.value.key, caught.value.exit_code) == ("update_nothing_to_undo", ExitCode.USAGE)
    _take(machine, author.edition(7))
    assert answers(machine) == ("kb-1.2.0", "7")


def test_the_first_update_is_taken_back_to_what_came_with_the_program(author: Desk, machine: Machine) -> None:
    _take(machine, author.edition(5))
    assert knowledge.undo(machine, machine.git).version == ""
    assert answers(machine) == ("", "4")


def test_a_release_that_was_lost_is_made_again_for_an_undo(author: Desk, machine: Machine) -> None:
    _take(machine, author.edition(5))
    _take(machine, author.edition(6))
    shutil.rmtree(author.stick)
    [folder] = (machine.home / "releases").glob("kb-1.0.0-*/")
    shutil.rmtree(folder)
    knowledge.undo(machine, machine.git)
    assert answers(machine) == ("kb-1.0.0", "5")


def test_a_memory_card_does_not_fill(author: Desk, machine: Machine) -> None:
    for kilograms in (5, 6, 7, 8):
        _take(machine, author.edition(kilograms))
    there = sorted(path.name[:8] for path in (machine.home / "releases").iterdir() if path.is_dir())
    assert there == ["kb-1.2.0", "kb-1.3.0"]
    assert sorted(path.name for path in machine.folder.iterdir()) == ["knowledge"]


def test_the_log_says_who_and_what(author: Desk, machine: Machine) -> None:
    _take(machine, author.edition(5))
    with Registry.open(machine.home) as registry:
        [line] = registry.switches()
    assert (line.action, line.who, line.old) == ("update", "barn", "")
    assert knowledge.last_update(machine) == line


def test_documents_inside_a_program_are_one_side() -> None:
    side = knowledge.packed_side("x", {"a.md": document("A", "5 kg").encode(), "b.md": b"\xff\xfe\xff", "c.png": b"p"})
    assert [entry.path for entry in side.manifest.documents] == ["a.md"]
    assert [entry.path for entry in side.manifest.files] == ["c.png"]
    assert list(side.read(["a.md"])) == [document("A", "5 kg").encode()]
