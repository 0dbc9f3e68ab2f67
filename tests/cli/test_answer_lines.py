"""kb.cli.answer_lines: an answer in a terminal."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kb.answer.answer import Answer, Evidence, Limit, Way
from kb.cli.answer_lines import show, sources
from kb.cli.output import Output
from kb.config import Config

PIECE = Evidence(
    path="pump/guide_2025.md", title="Pumps", trail=("Sealing",), lines=(7, 7), text="Fit a seal.", context="",
    plain="Fit a seal.", kind="paragraph", version="2025_v1", valid_from="", valid_to="2030-01-01", date_updated="",
    references=("ISO 21049", "ISO 3069"), score=0.9,
)  # fmt: skip
ANSWER = Answer("a1", "Which seal?", "Which seal?", "Fit a seal.", refused=False, confidence=0.9, way=Way.QUOTE)


@pytest.fixture
def output(tmp_path: Path) -> Output:
    return Output(Config(home=tmp_path, knowledge=tmp_path, lang="en"))


def test_pieces_below_one_heading_are_cited_once(output: Output) -> None:
    other = dataclasses.replace(PIECE, trail=("Starting",), lines=(3, 4), version="", valid_to="", references=())
    found = list(sources([PIECE, other, PIECE, dataclasses.replace(PIECE, lines=(9, 9))], output))
    assert found == [
        "[1] [3] [4] Pumps › Sealing",
        "    pump/guide_2025.md:7, 9",
        "    2025_v1 · valid to 2030-01-01 · ISO 21049",
        "[2] Pumps › Starting",
        "    pump/guide_2025.md:3",
    ]


def test_limits_are_short_and_their_documents_numbered_once(output: Output, capsys: pytest.CaptureFixture[str]) -> None:
    warning = dataclasses.replace(PIECE, plain="Never run the pump dry.")
    limits = (
        Limit("not", "not above 40 °C", "pump", "pump/limits.md", (5, 5)),
        Limit("only", "only with clean water", "seal", "water/clean.md", (2, 2)),
        Limit("except", "The pump stays out of sea water.", "pump", "pump/limits.md", (8, 8)),
        # Said already, by a warning and by another limit.
        Limit("not", "run the pump dry", "pump", "pump/limits.md", (9, 9)),
        Limit("not", "not above 40 °C", "pump", "pump/limits.md", (5, 5)),
    )
    show(dataclasses.replace(ANSWER, evidence=(PIECE,), warnings=(warning,), limits=limits), output)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "Fit a seal.",
        "! Never run the pump dry.",
        "! pump: not above 40 °C [2]",
        "! The pump stays out of sea water. [2]",
        "! seal: only with clean water [3]",
    ]
    assert "[2] pump/limits.md:5, 8" in lines
    assert "[3] water/clean.md:2" in lines


def test_the_same_quote_is_not_shown_twice(output: Output, capsys: pytest.CaptureFixture[str]) -> None:
    said = dataclasses.replace(ANSWER, way=Way.COMPOSE, evidence=(PIECE, PIECE), cited=(0, 1))
    show(said, output)
    assert capsys.readouterr().out.count("“Fit a seal.”") == 1


def test_a_refusal_names_what_came_near_and_no_source(output: Output, capsys: pytest.CaptureFixture[str]) -> None:
    refused = dataclasses.replace(ANSWER, text="", refused=True, way=Way.REFUSED, looked_for=("zebra",))
    show(refused, output)
    said = capsys.readouterr().out
    assert "The documents do not say." in said
    assert "zebra" in said
    assert "[1]" not in said
