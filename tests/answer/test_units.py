"""kb.answer.units: the smallest pieces that can be cited, verbatim and whole."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.units import MAX_UNIT, Unit, cells, readable, units
from kb.search.sections import sections
from tests.helpers import DATA


def _units(text: str) -> list[Unit]:
    return [unit for section in sections(text, 1, "T") for unit in units(section)]


def test_a_table_row_comes_with_its_header() -> None:
    (row,) = _units("| code | meaning |\n|---|---|\n| E-07 | low pressure |")
    assert (row.text, row.context, row.kind) == ("| E-07 | low pressure |", "| code | meaning |", "table")
    assert readable(row.text, row.context, row.kind) == "code: E-07; meaning: low pressure"


def test_row_55_of_sixty() -> None:
    text = (DATA / "tree/agriculture/chemical/pesticide/dose_table_2025_v1.md").read_text()
    row = next(unit for unit in _units(text.split("---\n", 2)[2]) if "病害55" in unit.text)
    assert (
        readable(row.text, row.context, row.kind)
        == "病害：病害55；药剂：药剂55号；每亩用量（克）：275；安全间隔期（天）：4"
    )


def test_a_list_item_knows_what_leads_into_its_list() -> None:
    found = _units("Mix in this order:\n\n- water first\n- then the powder\n\nDone.")
    assert [(unit.text, unit.context) for unit in found[1:3]] == [
        ("- water first", "Mix in this order:"), ("- then the powder", "Mix in this order:"),
    ]  # fmt: skip
    assert found[-1].context == ""


def test_sentences_know_their_lines() -> None:
    text = "# T\n\nFirst sentence here. Second one\ngoes on. Third.\n"
    lines = text.split("\n")
    for unit in _units(text):
        cited = " ".join(lines[unit.start - 1 : unit.end])
        assert " ".join(unit.text.split()) in cited


def test_a_quote_loses_its_marks_only() -> None:
    (unit,) = _units("> A quoted warning\n> in two lines.")
    assert unit.text == "A quoted warning\nin two lines."


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("- Late blight (*Phytophthora infestans*) spreads", "Late blight (Phytophthora infestans) spreads"),
        ("**never** more than *two* people", "never more than two people"),
        ("2*3*4 = 24", "2*3*4 = 24"),
        ("2 * 3 * 4 = 24", "2 * 3 * 4 = 24"),
        ("see note *", "see note *"),
    ],
)
def test_emphasis_is_not_read_out_and_products_stay(written: str, read: str) -> None:
    assert readable(written, "", "item") == read


@pytest.mark.parametrize("cut", range(MAX_UNIT - 12, MAX_UNIT + 12))
@pytest.mark.parametrize("frame", ["- {}", "{}", "```\n{}\n```"])
def test_a_number_is_never_cut(frame: str, cut: int) -> None:
    filler = ("长句" * MAX_UNIT)[: cut - len(frame.split("{}")[0])]
    for unit in _units(frame.format(f"{filler}123456789公斤。")):
        for number in re.findall(r"\d+", unit.text):
            assert number == "123456789", unit.text[-20:]


@pytest.mark.parametrize(
    ("row", "expected"),
    [("| a | b |", ["a", "b"]), ("a | b", ["a", "b"]), (r"| a \| b | c |", ["a | b", "c"]), ("|  | x |", ["", "x"])],
)
def test_cells(row: str, expected: list[str]) -> None:
    assert cells(row) == expected


def test_a_row_with_a_missing_cell_is_not_misread() -> None:
    text = readable("| E-07 | 5 |", "| code | dose | days |", "table")
    assert "days" not in text
    assert "dose: 5" not in text


@pytest.mark.parametrize(
    ("text", "plain"),
    [("**bold** and `code`", "bold and code"), ("[link](a.md)", "link"), ("![alt](a.png)", "alt"), ("- item", "item"),
     ("1. step", "step"), ("5 * 3 = 15", "5 * 3 = 15"), ("3.5 kg", "3.5 kg")],
)  # fmt: skip
def test_marks_are_taken_off_words_stay(text: str, plain: str) -> None:
    assert readable(text, "", "paragraph") == plain


@given(st.text("大豆ab 1。.!\n|-#>*`$", max_size=200))
def test_units_are_verbatim_and_in_their_lines(text: str) -> None:
    lines = text.split("\n")
    for unit in _units(text):
        assert 1 <= unit.start <= unit.end <= len(lines)
        cited = "".join("".join(lines[unit.start - 1 : unit.end]).split())
        bare = "".join(unit.text.split())
        if ">" not in text:
            assert bare in cited
