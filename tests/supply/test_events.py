"""kb.supply.events: lines that are events, lines that are not, and files that are being written."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.supply.events import (
    MOST_BYTES,
    BadLine,
    Event,
    EventError,
    EventKind,
    parse_event,
    read_events,
    write_event,
)
from kb.texts import CATALOGS
from tests.helpers import write

RELEASED = {"id": "a", "kind": "requirement", "requirement": "PUMP-12", "state": "released"}


def _line(**changes: object) -> str:
    return json.dumps(RELEASED | changes, ensure_ascii=False)


def test_a_requirement() -> None:
    event = parse_event(_line(at="2026-11-30T08:00:00+08:00"))
    assert (event.id, event.kind, event.requirement, event.state) == ("a", EventKind.REQUIREMENT, "PUMP-12", "RELEASED")
    assert event.at == datetime.datetime(2026, 11, 30, tzinfo=datetime.UTC)
    assert parse_event(_line(at="2026-11-30")).at == datetime.datetime(2026, 11, 30, tzinfo=datetime.UTC)
    assert parse_event(_line()).at is None


def test_everything_else_is_kept() -> None:
    event = parse_event('{"id": "q", "kind": "question", "question": "怎么办？", "comments": ["a"]}')
    assert event.fields["comments"] == ["a"]
    assert event.requirement == ""


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("", "gate_not_json"),
        ("{", "gate_not_json"),
        ("[" * 100_000, "gate_not_json"),
        ('{"id": NaN}', "gate_not_json"),
        ("1" * 5000, "gate_not_json"),
        ("[]", "gate_not_object"),
        ('"a"', "gate_not_object"),
        ('{"id": "a", "kind": "question", "x": ' + "[" * 30 + "]" * 30 + "}", "gate_not_object"),
        (_line(kind="party"), "gate_bad_kind"),
        (_line(kind=None), "gate_bad_kind"),
        (_line(id=""), "gate_no_id"),
        (_line(id=7), "gate_no_id"),
        (_line(id="x" * 201), "gate_no_id"),
        (_line(state=""), "gate_no_requirement"),
        (_line(requirement=["x"]), "gate_no_requirement"),
        (_line(at="soon"), "gate_bad_time"),
        (_line(at=12), "gate_bad_time"),
        (_line(at="0001-01-01T00:00:00+14:00"), "gate_bad_time"),
    ],
)
def test_what_is_no_event_says_why(line: str, key: str) -> None:
    with pytest.raises(EventError) as caught:
        parse_event(line)
    assert caught.value.key == key
    assert caught.value.key in CATALOGS["zh"]
    assert str(caught.value)


@given(st.text(max_size=100) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_no_line_does_worse_than_that(line: str) -> None:
    try:
        parse_event(line)
    except EventError as error:
        assert str(error)


def test_files_are_read_in_order_and_bad_lines_named(tmp_path: Path) -> None:
    write(tmp_path, "b.jsonl", _line(id="3") + "\n")
    write(tmp_path, "a.jsonl", "\ufeff" + _line(id="1") + "\r\n\nnot json\n" + _line(id="2") + "\n")
    write(tmp_path, "c.jsonl", b"\xff\xfe\n")
    write(tmp_path, "d.jsonl", "{" + " " * MOST_BYTES + "\n" + _line(id="4") + "\n")
    write(tmp_path, "notes.txt", "x\n")
    found = list(read_events(tmp_path))
    assert [item.id for item in found if isinstance(item, Event)] == ["1", "2", "3", "4"]
    assert [(bad.file, bad.line, bad.key) for bad in found if isinstance(bad, BadLine)] == [
        ("a.jsonl", 3, "gate_not_json"),
        ("c.jsonl", 1, "gate_not_json"),
        ("d.jsonl", 1, "gate_line_long"),
    ]
    assert list(read_events(tmp_path / "none")) == []


def test_a_line_that_is_being_written_waits(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", _line(id="1") + "\n" + _line(id="2")[:-4])
    assert [getattr(item, "id", item) for item in read_events(tmp_path)] == ["1"]
    write(tmp_path, "a.jsonl", _line(id="1") + "\n" + _line(id="2"))
    assert [getattr(item, "id", item) for item in read_events(tmp_path)] == ["1", "2"]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    folder.mkdir()
    (folder / "a.jsonl").symlink_to(write(tmp_path, "secret.jsonl", _line()))
    assert [getattr(item, "key", item) for item in read_events(folder)] == ["gate_unreadable"]


@pytest.mark.parametrize("identifier", ["a", "../../x", "需求/1", "a\0b", "." * 200])
def test_an_event_is_written_to_a_file_of_its_own(tmp_path: Path, identifier: str) -> None:
    folder = tmp_path / "events"
    path = write_event(folder, RELEASED | {"id": identifier})
    assert path.parent == folder
    write_event(folder, RELEASED | {"id": identifier})
    assert [getattr(item, "id", item) for item in read_events(folder)] == [identifier]
    with pytest.raises(EventError):
        write_event(folder, {"id": "x"})
