"""kb.supply.chain: the digests name the first row that is not as it was written."""

from __future__ import annotations

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from kb.supply.chain import COLUMNS, START, Break, Entry, Kind, first_break, link

Stored = list[tuple[int, list[str | int | None], bytes]]
_TEXTS = st.text(max_size=20)
_ENTRIES = st.lists(
    st.builds(
        Entry, st.sampled_from(Kind), task=_TEXTS, agent=_TEXTS, card=_TEXTS, note=_TEXTS,
        at=st.integers(-(2**40), 2**45), adopted=st.none() | st.booleans(), feedback=st.integers(-1, 1),
    ),
    min_size=1, max_size=8,
)  # fmt: skip


def _chained(entries: list[Entry]) -> Stored:
    rows: Stored = []
    previous = START
    for number, entry in enumerate(entries, start=1):
        previous = link(previous, number, entry.values())
        rows.append((number, entry.values(), previous))
    return rows


def test_the_digest_is_the_documented_one() -> None:
    entry = Entry(Kind.INJECTION, task="t", card="c-1", at=5, position=1)
    written = json.dumps([1, *entry.values()], ensure_ascii=False, separators=(",", ":"))
    assert link(START, 1, entry.values()) == hashlib.sha256(bytes(32) + written.encode()).digest()
    assert len(COLUMNS) == len(entry.values()) == 15


@given(_ENTRIES)
def test_what_was_written_is_whole(entries: list[Entry]) -> None:
    rows = _chained(entries)
    assert first_break(rows) is None
    assert first_break(rows, len(rows)) is None
    assert first_break([]) is None


@given(_ENTRIES, st.data())
def test_any_change_is_named(entries: list[Entry], data: st.DataObject) -> None:
    rows = _chained(entries)
    place = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, len(COLUMNS) - 1))
    number, values, digest = rows[place]
    changed = list(values)
    changed[column] = "something else" if values[column] != "something else" else "another"
    assert first_break([*rows[:place], (number, changed, digest), *rows[place + 1 :]]) == Break(number, "changed")


@given(_ENTRIES, st.data())
def test_a_row_that_is_gone_is_named(entries: list[Entry], data: st.DataObject) -> None:
    rows = _chained(entries)
    place = data.draw(st.integers(0, len(rows) - 1))
    left = rows[:place] + rows[place + 1 :]
    reason = "cut" if place == len(rows) - 1 else "missing"
    assert first_break(left, len(rows)) == Break(place + 1, reason)


def test_swapped_rows_and_renumbered_ones_are_named() -> None:
    rows = _chained([Entry(Kind.SEARCH, note=str(n)) for n in range(4)])
    swapped = [rows[0], (2, *rows[2][1:]), (3, *rows[1][1:]), rows[3]]
    assert first_break(swapped) == Break(2, "changed")
    closed = [rows[0], *((number - 1, values, digest) for number, values, digest in rows[2:])]
    assert first_break(closed) == Break(2, "changed")


def test_half_surrogates_and_truth_values_are_stored_as_sqlite_holds_them() -> None:
    values = dict(zip(COLUMNS, Entry(Kind.VERDICT, note="a\ud800b", adopted=False).values(), strict=True))
    assert values["note"] == "a?b"
    assert values["adopted"] == 0
    assert values["kind"] == "verdict"


def test_the_time_is_utc() -> None:
    assert Entry(Kind.TASK, at=1_000).time.isoformat() == "1970-01-01T00:00:01+00:00"
