"""tui.comparing: the right lines stand beside each other, and no changed number is missed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb.answer.release_numbers import read_numbers
from tui.comparing import Kind, Row, compare, numbers


def test_a_changed_line_stands_beside_its_old_self() -> None:
    old = "# T\n\nReturns within 7 days.\nSame.\nGone line here.\n"
    new = "# T\n\nReturns within 3 days.\nSame.\nA wholly different sentence, with nothing of it.\n"
    kinds = [(row.kind, row.old, row.new) for row in compare(old, new) if row.kind is not Kind.SAME]
    assert kinds == [
        (Kind.CHANGED, "Returns within 7 days.", "Returns within 3 days."),
        (Kind.REMOVED, "Gone line here.", ""),
        (Kind.ADDED, "", "A wholly different sentence, with nothing of it."),
    ]


def test_numbers_come_with_unit_and_line() -> None:
    rows = compare(
        "每公顷追施氯化钾 45-60 公斤。\n压力 0.5 MPa，温度 20 ℃。",
        "每公顷追施氯化钾 30-40 公斤。\n压力 0.5 MPa，温度 25 ℃。",
    )
    found = [(number.old, number.new) for number in numbers(rows, read_numbers)]
    assert found == [("45-60 公斤", "30-40 公斤"), ("20 ℃", "25 ℃")]
    assert numbers(rows, read_numbers)[0].where == "每公顷追施氯化钾 30-40 公斤。"
    gone = numbers(compare("dose 5 ml\nx", "x"), read_numbers)
    assert [(number.old, number.new) for number in gone] == [("5 ml", "")]
    added = numbers(compare("x", "x\ntake 8 tablets"), read_numbers)
    assert added[0].old == "" and added[0].new.startswith("8")


def test_equal_stretches_are_folded() -> None:
    old = "\n".join(f"line {number}" for number in range(100))
    rows = compare(old, old.replace("line 50", "LINE fifty"))
    assert [row.kind for row in rows][:3] == [Kind.GAP, Kind.SAME, Kind.SAME]
    assert sum(row.count for row in rows if row.kind is Kind.GAP) == 95
    assert compare(old, old.replace("\n", "\r\n")) == ()


@given(
    st.lists(st.sampled_from(["a", "b 1", "c 2", "大豆 3", ""]), max_size=12),
    st.lists(st.sampled_from(["a", "b 2", "c 2", "大豆 3"]), max_size=12),
)
def test_no_line_is_lost(old: list[str], new: list[str]) -> None:
    rows = compare("\n".join(old), "\n".join(new))

    def side(pick: int, without: Kind) -> int:
        shown = [row for row in rows if row.kind not in (without, Kind.GAP)]
        assert all(isinstance((row.old, row.new)[pick], str) for row in shown)
        return len(shown) + sum(row.count for row in rows if row.kind is Kind.GAP)

    if rows:
        assert side(0, Kind.ADDED) == len("\n".join(old).split("\n"))
        assert side(1, Kind.REMOVED) == len("\n".join(new).split("\n"))
    else:
        assert "\n".join(old) == "\n".join(new)


def test_a_gap_is_no_line() -> None:
    assert numbers((Row(Kind.GAP, count=3),), read_numbers) == ()
