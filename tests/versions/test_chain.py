"""kb.versions.chain: a changed, missing or removed backup shows; what goes by count and age is the right one."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.versions import chain
from kb.versions.bundle import file_digest
from kb.versions.chain import Entry, Event, Lines, State
from tests.helpers import write

NOW = datetime.datetime(2026, 11, 30, 2, 0, tzinfo=datetime.UTC)


def _entry(folder: Path, name: str, content: str = "x", age: int = 0) -> Entry:
    path = write(folder, name, content)
    time = (NOW - datetime.timedelta(days=age)).isoformat()
    return Entry(Event.MADE, name, file_digest(path), path.stat().st_size, time, "r")


@pytest.fixture
def three(tmp_path: Path) -> Path:
    for number in range(3):
        chain.append(tmp_path, [_entry(tmp_path, f"kb-2026110{number}-020000.bundle", "x" * (number + 1))])
    return tmp_path


def test_a_whole_chain_is_good(three: Path) -> None:
    verdict = chain.verify(three)
    assert verdict.good and verdict.broken == ()
    assert [backup.path.name[:11] for backup in verdict.backups] == ["kb-20261102", "kb-20261101", "kb-20261100"]
    assert chain.read(three).head == verdict.head


def test_an_empty_folder_has_no_backups(tmp_path: Path) -> None:
    assert chain.backups(tmp_path) == []
    assert chain.verify(tmp_path).backups == ()


@pytest.mark.parametrize("line", [0, 1])
def test_a_changed_line_breaks_the_link_that_follows(three: Path, line: int) -> None:
    lines = (three / chain.NAME).read_text().splitlines()
    lines[line] = lines[line].replace('"size": ', '"size": 1')
    (three / chain.NAME).write_text("\n".join(lines) + "\n")
    assert line + 2 in chain.verify(three).broken


def test_a_removed_line_and_rubbish_break_it_too(three: Path) -> None:
    lines = (three / chain.NAME).read_text().splitlines()
    (three / chain.NAME).write_text("\n".join([lines[0], lines[2]]) + "\n")
    verdict = chain.verify(three)
    assert verdict.broken == (2,)
    assert [backup.state for backup in verdict.backups] == [State.GOOD, State.UNLISTED, State.GOOD]
    (three / chain.NAME).write_text("\n".join([*lines, "{", "[]", '{"event": "made"}']) + "\n")
    assert chain.verify(three).broken == (4, 5, 6)


def test_a_line_cannot_name_a_file_elsewhere(three: Path) -> None:
    chain.append(three, [Entry(Event.MADE, "../../etc/passwd", "0", 1, "", "")])
    assert all(backup.path.parent == three for backup in chain.backups(three))
    assert chain.verify(three).broken == (4,)


def test_states(three: Path) -> None:
    names = [backup.path for backup in chain.backups(three)]
    names[0].write_text("yyy")
    names[1].unlink()
    write(three, "kb-99.bundle", "x")
    assert {backup.path.name: backup.state for backup in chain.backups(three)}[names[0].name] is State.GOOD
    found = {backup.path.name: backup.state for backup in chain.verify(three).backups}
    assert found == {
        names[0].name: State.CHANGED, names[1].name: State.MISSING, names[2].name: State.GOOD,
        "kb-99.bundle": State.UNLISTED,
    }  # fmt: skip
    names[0].write_text("longer than before")
    assert {backup.path.name: backup.state for backup in chain.backups(three)}[names[0].name] is State.CHANGED


def test_a_recomputed_digest_file_does_not_help(three: Path) -> None:
    newest = chain.backups(three)[0].path
    newest.write_text("zzz")
    chain.digest_file(newest).write_text(f"{file_digest(newest)}  {newest.name}\n")
    assert chain.verify(three).backups[0].state is State.CHANGED


def test_removed_backups_are_not_missing(three: Path) -> None:
    first = chain.read(three).standing["kb-20261100-020000.bundle"]
    chain.append(three, [Entry(Event.REMOVED, first.file, first.sha256, first.size, first.time, "")])
    (three / first.file).unlink()
    assert chain.verify(three).good
    assert len(chain.backups(three)) == 2


@given(st.lists(st.integers(0, 40), max_size=12), st.integers(1, 8), st.none() | st.integers(1, 30))
def test_what_goes_by_count_and_age(ages: list[int], keep: int, days: int | None) -> None:
    made = [
        Entry(Event.MADE, f"kb-{n}.bundle", "", 0, (NOW - datetime.timedelta(days=age)).isoformat(), "")
        for n, age in enumerate(sorted(ages, reverse=True))
    ]
    gone = chain.outdated(Lines(tuple(made), (), ""), keep, days, NOW)
    stays = [entry for entry in made if entry not in gone]
    assert len(stays) <= keep
    if made:
        assert stays[-1] == made[-1]
    for entry, age in zip(made[:-1], sorted(ages, reverse=True), strict=False):
        beyond = entry not in made[-keep:]
        assert (entry in gone) == (beyond or (days is not None and age > days))


def test_another_folder_does_not_push_out_the_backups_of_this_one() -> None:
    made = [Entry(Event.MADE, f"kb-{n}.bundle", "", 0, NOW.isoformat(), "", "", "ab"[n > 1]) for n in range(5)]
    assert [entry.file for entry in chain.outdated(Lines(tuple(made), (), ""), 1, None, NOW)] == [
        "kb-0.bundle",
        "kb-2.bundle",
        "kb-3.bundle",
    ]


def test_a_time_that_cannot_be_read_is_not_old() -> None:
    made = [Entry(Event.MADE, f"kb-{n}.bundle", "", 0, "yesterday", "") for n in range(3)]
    assert chain.outdated(Lines(tuple(made), (), ""), 5, 1, NOW) == []
