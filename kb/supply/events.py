"""Events from outside, one JSON object a line in files `*.jsonl` of a folder: requirements, work done, questions.

    {"id": "r-12-3", "kind": "requirement", "at": "2026-11-30T08:00:00Z", "requirement": "PUMP-12", "state": "RELEASED"}

`id` makes an event count once, however often and in how many files it is written. Everything else that an event says
(request, review, diff, comments, outcome, question) is kept as it came, for the distiller.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.plain import whole
from kb.tree.walk import inside

FOLDER = "events"
MOST_BYTES = 1_000_000
"""The longest line that is read."""
_ID_CHARACTERS = 200
_DEPTH = 20


class EventKind(StrEnum):
    """REQUIREMENT: its state changed. The others may be worth a card: a piece of work done, an incident, a question."""

    REQUIREMENT = "requirement"
    DELIVERY = "delivery"
    INCIDENT = "incident"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `at` is UTC, None when it does not say; `requirement`, `state`: empty where they do not apply."""

    id: str
    kind: EventKind
    at: datetime.datetime | None
    requirement: str = ""
    state: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no event: its file, its number from 1, and a key of kb.texts with what fills it in."""

    file: str
    line: int
    key: str
    params: Mapping[str, object] = field(default_factory=dict)


def read_events(folder: Path) -> Iterator[Event | BadLine]:
    """All events below `folder` (not deeper), in the order of file names and lines; nothing when it does not exist.

    A last line without an end that is not whole yet is left for the next time.
    """
    if not folder.is_dir():
        return
    for path in sorted(folder.glob("*.jsonl")):
        yield from _read_file(folder, path)


def _read_file(folder: Path, path: Path) -> Iterator[Event | BadLine]:
    try:
        opened = inside(folder.resolve(), path.name).open("rb")
    except (KnowledgeError, OSError):
        yield BadLine(path.name, 0, "gate_unreadable")
        return
    with opened as file:
        number = 0
        while line := file.readline(MOST_BYTES + 1):
            number += 1
            if len(line) > MOST_BYTES:
                while not line.endswith(b"\n") and (line := file.readline(MOST_BYTES)):
                    pass
                yield BadLine(path.name, number, "gate_line_long", {"limit": MOST_BYTES})
                continue
            if not line.strip():
                continue
            try:
                yield parse_event(line.decode("utf-8-sig"))
            except EventError as error:
                if line.endswith(b"\n") or error.key != "gate_not_json":
                    yield BadLine(path.name, number, error.key, error.params)
            except UnicodeDecodeError:
                yield BadLine(path.name, number, "gate_not_json", {"reason": "not UTF-8"})


class EventError(AlmanacError):
    """A text that is no event; as an error of a person's command line it is one of usage."""

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key, ExitCode.USAGE, **params)


def parse_event(line: str) -> Event:
    """The event in one line of JSON; EventError when there is none."""
    try:
        found = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise EventError("gate_not_json", reason=type(error).__name__) from error
    if not isinstance(found, dict) or _deeper(found, _DEPTH):
        raise EventError("gate_not_object")
    try:
        kind = EventKind(str(found.get("kind", "")))
    except ValueError as error:
        raise EventError("gate_bad_kind", kind=str(found.get("kind", ""))[:40], kinds=", ".join(EventKind)) from error
    identifier = found.get("id")
    if not isinstance(identifier, str) or not identifier.strip() or len(identifier) > _ID_CHARACTERS:
        raise EventError("gate_no_id", limit=_ID_CHARACTERS)
    requirement, state = (_text(found.get(name)) for name in ("requirement", "state"))
    if kind is EventKind.REQUIREMENT and not (requirement and state):
        raise EventError("gate_no_requirement")
    return Event(whole(identifier.strip()), kind, _moment(found.get("at")), requirement, state.upper(), found)


def _refuse(constant: str) -> object:
    raise ValueError(constant)  # NaN and Infinity are not JSON


def _deeper(value: object, levels: int) -> bool:
    if levels == 0:
        return True
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_deeper(item, levels - 1) for item in below if isinstance(item, (dict, list)))


def _text(value: object) -> str:
    return whole(value.strip()[:_ID_CHARACTERS]) if isinstance(value, str) else ""


def _moment(value: object) -> datetime.datetime | None:
    if value is None or value == "":
        return None
    try:
        moment = datetime.datetime.fromisoformat(str(value))
    except ValueError as error:
        raise EventError("gate_bad_time", value=str(value)[:40]) from error
    if moment.tzinfo is None:
        return moment.replace(tzinfo=datetime.UTC)
    try:
        return moment.astimezone(datetime.UTC)
    except OverflowError as error:
        raise EventError("gate_bad_time", value=str(value)[:40]) from error


def write_event(folder: Path, event: Mapping[str, object], name: str = "") -> Path:
    """Put an event into a file of its own below `folder`, so that no two writers meet; EventError when it is none.

    The same event again replaces its file with the same words; `name` (default: its id) is the file's, for events that
    take each other's place.
    """
    line = json.dumps(event, ensure_ascii=False, sort_keys=True)
    parsed = parse_event(line)
    named = "".join(char if char.isalnum() or char in "-_" else f"%{ord(char):x}" for char in name or parsed.id)[:150]
    target = folder / f"{named}.jsonl"
    fsio.write_text(target, line + "\n")
    return target
