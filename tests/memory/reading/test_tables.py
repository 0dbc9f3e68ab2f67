"""kb.memory.reading.tables: rows as GitHub Markdown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kb.memory.reading.tables import body_rows, joined_header, markdown_table, split_title

_cells = st.text(st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12)


@given(st.lists(st.lists(_cells, min_size=1, max_size=4), min_size=1, max_size=5))
def test_a_table_stays_a_table_of_the_same_size(rows: list[list[str]]) -> None:
    written = markdown_table(rows)
    tokens = MarkdownIt("commonmark").enable("table").parse(written)
    assert tokens[0].type == "table_open"
    width = max(map(len, rows))
    assert sum(token.type in ("th_open", "td_open") for token in tokens) == width * len(rows)
    assert len(body_rows(written)) == len(rows) - 1


def test_a_pipe_and_a_line_end_stay_in_their_cell() -> None:
    assert markdown_table([["a|b", "c\nd"]]) == "| a\\|b | c<br>d |\n| --- | --- |"


def test_no_rows_give_no_table() -> None:
    assert markdown_table([]) == ""


def test_a_title_over_all_columns_is_taken_off() -> None:
    assert split_title([["T", "T"], ["a", "b"]]) == ("T", [["a", "b"]])
    assert split_title([["a", "b"], ["c", "d"]])[0] == ""


def test_a_header_of_two_rows_becomes_one() -> None:
    rows = [["Season", "Dose", "Dose"], ["Season", "basal", "top"], ["Spring", "5", "6"]]
    assert joined_header(rows) == [["Season", "Dose basal", "Dose top"], ["Spring", "5", "6"]]


def test_equal_values_in_two_rows_make_no_header() -> None:
    rows = [["Code", "Value"], ["Code", "1"], ["x", "2"]]
    assert joined_header(rows) == rows
