"""kb.supply.questions: what nobody could answer, as events."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb.supply import questions
from kb.supply.distill import distil
from kb.supply.distill_decide import OFTEN, Reason, decide
from kb.supply.events import FOLDER, Event, read_events
from kb.supply.questions import report

AT = "2026-05-01T00:00:00+00:00"


def _events(home: Path) -> list[Event]:
    return [item for item in read_events(home / FOLDER) if isinstance(item, Event)]


def test_each_state_of_a_question_is_one_event(tmp_path: Path) -> None:
    ids = []
    for asked in range(1, OFTEN + 2):
        report(tmp_path, "蓝铜霉素 几克？", asked, AT)
        (event,) = _events(tmp_path)
        ids.append(event.id)
    assert ids[0] == ids[1] != ids[-1] == ids[-2]
    assert (event.fields["question"], event.fields["asked"], event.fields["answered"]) == (
        "蓝铜霉素 几克？", OFTEN, False,
    )  # fmt: skip
    assert decide(event).reason is Reason.UNANSWERED
    report(tmp_path, "蓝铜霉素 几克？", OFTEN + 1, AT, answered=True)
    (closed,) = _events(tmp_path)
    assert closed.id not in ids
    assert decide(closed).reason is Reason.KNOWN


def test_a_code_that_is_asked_about_often_becomes_a_signal(tmp_path: Path) -> None:
    report(tmp_path, "ZX-77", OFTEN, AT)
    (event,) = _events(tmp_path)
    found = distil(event, (), "zh")
    assert found.decision.reason is Reason.UNANSWERED
    assert found.draft is not None
    assert (found.draft.title, found.draft.signals, found.draft.conclusion) == ("ZX-77", ["ZX-77"], "")


def test_the_same_state_is_not_written_again(tmp_path: Path) -> None:
    assert report(tmp_path, "a b", 1, AT) is not None
    assert report(tmp_path, "A b", 2, AT) is None
    assert report(tmp_path, "unknown", 1, AT, answered=True) is None
    assert len(list((tmp_path / FOLDER).iterdir())) == 1


def test_only_the_newest_questions_wait_for_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "KEPT", 3)
    kept = tmp_path / FOLDER / "release.jsonl"
    kept.parent.mkdir()
    kept.write_text("")
    for number in range(6):
        path = report(tmp_path, f"question {number}", 1, AT)
        assert path is not None
        os.utime(path, (number, number))
    assert {event.fields["question"] for event in _events(tmp_path)} == {"question 3", "question 4", "question 5"}
    report(tmp_path, "question 3", OFTEN, AT)
    assert len(_events(tmp_path)) == 3
    assert kept.exists()


@pytest.mark.parametrize("question", ["../../etc", "\0", '"id": "x"', "\ud800 half", "a" * 4000])
def test_any_question_makes_one_readable_event(tmp_path: Path, question: str) -> None:
    path = report(tmp_path, question, 1, AT)
    assert path is not None
    assert path.parent == tmp_path / FOLDER
    assert len(_events(tmp_path)) == 1
