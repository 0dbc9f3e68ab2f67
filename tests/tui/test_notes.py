"""What stands under the answer's words: warnings, limits from memory, what the documents disagree about."""

from __future__ import annotations

from dataclasses import replace

from kb.answer.answer import Answer, Evidence, Limit, Way
from tui.session import Phase, Session
from tui.widgets.answer import notes
from tui.words import Words

SOURCE = Evidence(
    "a/soy.md", "Soybean", ("R5",), (9, 9), "Give 45 kg.", "", "Give 45 kg.", "item", "1", "", "", "", (), 0.3
)
WARNING = replace(SOURCE, lines=(11, 11), text="! Not in dry soil.", plain="Not in dry soil.")
ANSWER = Answer("1", "?", "?", "Give 45 kg.", False, 0.9, Way.QUOTE, evidence=(SOURCE,), warnings=(WARNING,))


def limit(text: str, path: str, row: int) -> Limit:
    return Limit("if", text, "R5", path, (row, row))


def told(answer: Answer) -> list[str]:
    return [content.plain for _, content in notes(answer, Words("en"), {"a/soy.md": "Soybean"}.get)]


def test_a_limit_that_a_warning_says_is_not_said_again() -> None:
    answer = replace(ANSWER, limits=(limit("Not in dry soil.", "a/soy.md", 11), limit("Only once.", "a/soy.md", 12)))
    assert told(answer) == ["Not in dry soil.¹", "R5: Only once.  Soybean"]


def test_of_many_limits_those_of_the_answering_document_come_first_and_the_rest_is_counted() -> None:
    far = tuple(limit(f"Far {number}.", "b/maize.md", number) for number in range(1, 5))
    answer = replace(ANSWER, limits=(*far, far[0], limit("Near.", "a/soy.md", 20)))
    assert told(answer) == [
        "Not in dry soil.¹",
        "R5: Near.  Soybean",
        "R5: Far 1.  b/maize.md",
        "R5: Far 2.  b/maize.md",
        "2 more limits: F10, m",
    ]


def test_how_sure_the_first_source_looks_is_what_the_answer_says_of_itself() -> None:
    session = Session()
    number = session.begin("?").number
    session.evidence(number, (SOURCE, WARNING))
    done = session.finished(number, replace(ANSWER, evidence=(SOURCE, WARNING)))
    assert done is not None
    assert done.phase is Phase.DONE
    assert [source.score for source in done.evidence] == [0.9, 0.3]
