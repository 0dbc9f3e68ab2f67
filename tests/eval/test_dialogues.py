"""Follow-ups on the knowledge that ships: what leans on the question before, and what must not be taken for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.followup import Session, resolve
from kb.answer.subjects import KnownSubjects
from kb.tree.taxonomy import load_taxonomy
from tests.eval.dialogues import ANOTHER_SUBJECT, FOLLOW_UPS

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


@pytest.fixture(scope="module")
def known() -> KnownSubjects:
    paths = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    return KnownSubjects.of(paths, load_taxonomy(DOCS))


def test_nine_of_ten_follow_ups_become_the_question_that_was_meant(known: KnownSubjects) -> None:
    others = [
        (asked, whole)
        for before, asked, meant in FOLLOW_UPS
        if (whole := resolve(asked, Session((before,)), known)) not in meant
    ]
    assert len(others) <= 0.1 * len(FOLLOW_UPS), others


@pytest.mark.parametrize(("before", "asked"), ANOTHER_SUBJECT)
def test_what_is_about_something_else_stays(known: KnownSubjects, before: str, asked: str) -> None:
    assert resolve(asked, Session((before,)), known) == asked
