"""Documents that are wrong in some way stand beside healthy ones: all others load, and each fault is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.answerer import Answerer
from tests.conftest import CommandLine
from tests.field.conftest import BROKEN, ODD
from tests.helpers import raw_controls


@pytest.mark.parametrize("number", range(1, len(ODD) + 2))
def test_what_can_be_read_answers(asking: Answerer, number: int) -> None:
    answer = asking.ask(f"BA-{number}")
    assert not answer.refused
    assert f"BA-{number} " in answer.evidence[0].plain


@pytest.mark.parametrize("name", ["OLD-1", "OLD-2", "OLD-3"])
def test_what_has_ended_or_cannot_be_told_does_not_answer(asking: Answerer, name: str) -> None:
    answer = asking.ask(f"At which height does mower {name} cut?")
    assert answer.refused or name not in answer.text


def test_every_fault_is_named_with_file_line_and_reason(asking: Answerer) -> None:
    found = {
        (problem.path.split("/")[-1], problem.line, problem.reason) for problem in asking.retriever.status().problems
    }
    assert found == {
        ("tab.md", 4, "fm_tab"), ("full_width.md", 2, "fm_full_width_colon"), ("twice.md", 3, "fm_duplicate"),
        ("deep.md", 2, "fm_too_deep"), ("aliases.md", 3, "fm_alias"), ("control.md", 2, "fm_control"),
        ("old.md", 4, "fm_tab"), ("no_date.md", 3, "bad_date"), ("western.md", 0, "unknown_encoding"),
        ("binary.md", 0, "unknown_encoding"),
    }  # fmt: skip


def test_the_verbs_show_it_as_plain_characters(cli: CommandLine, field_tree: Path) -> None:
    for words in (("index",), ("check", str(field_tree)), ("search", "valve"), ("ask", "BA-10"), ("ask", "BA-11")):
        done = cli(*words, "--no-model", "--knowledge", str(field_tree))
        assert done.clean, words
        assert not raw_controls(done.out + done.err), words
    shown = cli("index", "--no-model", "--knowledge", str(field_tree)).out
    for name in ("tab.md:4", "aliases.md:3", "no_date.md:3", "western.md"):
        assert name in shown


def test_nothing_outside_is_read(asking: Answerer, cli: CommandLine, field_tree: Path) -> None:
    assert not any("passwd" in path or "outside" in path for path in asking.retriever.snapshot().paths)
    for path in ("odd/outside.md", "odd/folder/passwd", "../../etc/passwd", "odd/../../../etc/passwd", "/etc/passwd"):
        done = cli("show", path, "--knowledge", str(field_tree))
        assert done.code != 0
        assert "root:" not in done.out


def test_the_odd_and_the_broken_are_all_in_the_tree(field_tree: Path) -> None:
    assert {path.stem for path in (field_tree / "odd").iterdir()} >= {*ODD, *BROKEN}
