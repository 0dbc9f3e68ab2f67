"""What passes between the parts of the agent, and up to interface, command line and SDK."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kb.answer.answer import Evidence
from kb.versions.history import KnowledgeVersion


class Origin(StrEnum):
    """Where a text comes from. Whatever it is, it is data: names are recognised in it, nothing in it is followed."""

    QUESTION = "question"
    DATA = "data"
    KNOWLEDGE = "knowledge"


class Ended(StrEnum):
    """Why a run ended: nothing left to look at, or a limit."""

    DONE = "done"
    STEPS = "steps"
    TIME = "time"
    CANCELLED = "cancelled"


class Role(StrEnum):
    """What an explanation says of its subject."""

    MEANING = "meaning"
    CAUSE = "cause"
    HANDLING = "handling"
    DETAIL = "detail"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool's name and the arguments for it (JSON values)."""

    tool: str
    arguments: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The same for two calls that ask the same: case and the order of arguments do not matter."""
        return json.dumps([self.tool, self.arguments], sort_keys=True, ensure_ascii=False).casefold()

    def __str__(self) -> str:
        given = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in self.arguments.items())
        return f"{self.tool}({given})"


@dataclass(frozen=True, slots=True)
class Record:
    """A row of data: its fields in order, and where it stands (`file` below the data folder, `line` from 1)."""

    file: str
    line: int
    fields: tuple[tuple[str, str], ...]

    @property
    def place(self) -> str:
        """`orders.jsonl:3`."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log, verbatim; of a long one 400 characters around what was looked for, and then `cut`."""

    file: str
    line: int
    text: str
    cut: bool = False

    @property
    def place(self) -> str:
        """`payment.log:17`."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Note:
    """A remark for people: a key of kb.texts with what fills it."""

    key: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool saw. `text` is the observation as a model or a rule reads it; the rest is what a report cites.

    `found` is False when the tool worked and there was nothing; `problem` says why it could not work at all.
    """

    found: bool
    text: str = ""
    records: tuple[Record, ...] = ()
    lines: tuple[LogLine, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[Evidence, ...] = ()
    notes: tuple[Note, ...] = ()
    problem: Note | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a call was made: the rule, with the kind of name that it saw and where; or the model, which names none."""

    rule: str = ""
    kind: str = ""
    value: str = ""
    seen_in: str = ""

    @property
    def by_model(self) -> bool:
        """Whether the model chose the call."""
        return not self.rule


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the loop: why, what was called, what came back, how long it took in milliseconds."""

    number: int
    reason: Reason
    call: Call
    result: ToolResult
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the knowledge says of a name that was seen, in its own words.

    `label` is the document's name for `text` (a table's header), '' for a whole sentence. `source` counts from 0 in
    the report's evidence. `seen_in` is where the name was seen.
    """

    subject: str
    role: Role
    label: str
    text: str
    source: int
    seen_in: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found. Everything in it stands in an observation of one of its steps.

    `answered` says whether the knowledge explains anything that was seen, `findings` how. `unexplained` are codes that
    it does not know. `data` names the folder below which `records` and `lines` lie; `sample` is the remark that goes
    with sample data, '' for real data.
    """

    question: str
    answered: bool
    ended: Ended
    steps: tuple[Step, ...] = ()
    findings: tuple[Explanation, ...] = ()
    records: tuple[Record, ...] = ()
    lines: tuple[LogLine, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[Evidence, ...] = ()
    unexplained: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    data: str = ""
    sample: str = ""
    knowledge_version: KnowledgeVersion = field(default_factory=KnowledgeVersion)
    model: str = ""
    total_ms: float = 0.0

    @property
    def empty(self) -> bool:
        """Whether nothing at all was found."""
        return not (self.records or self.lines or self.evidence)
