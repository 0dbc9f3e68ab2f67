"""From steps to a report: what was seen, and what the knowledge says of it, in its own words.

Nothing is written here: every text of a report is a piece of an observation, with its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from kb.answer.agent.knowledge import beside, names
from kb.answer.agent.rules import Seen
from kb.answer.agent.values import Ended, Explanation, LogLine, Origin, Record, Report, Role, Step
from kb.answer.anchors import stands_in
from kb.answer.answer import Evidence
from kb.answer.units import cells
from kb.search.quantities import folded

# Names of table columns, by what they say; a column counts when one of the words stands in its name.
_COLUMNS: tuple[tuple[Role, tuple[str, ...]], ...] = (
    (Role.CAUSE, ("原因", "cause", "reason")),
    (Role.HANDLING, ("处理", "措施", "解决", "对策", "下一步", "action", "handling", "remedy", "solution", "next")),
    (Role.MEANING, ("含义", "意义", "说明", "meaning", "description")),
)  # fmt: skip
_CODE_KINDS = ("error_code",)
_MAX_LINES = 20
_Placed = TypeVar("_Placed", Evidence, Record, LogLine)
_MAX_QUOTES = 3
_MAX_WARNINGS = 4


@dataclass(frozen=True, slots=True)
class _Subject:
    """A name that the report explains, and where it was seen."""

    name: str
    kind: str
    place: str


def compose(question: str, steps: tuple[Step, ...], seen: list[Seen], ended: Ended) -> Report:
    """The report of a run. `seen` are the names of all kinds that were recognised, in order.

    A code that a stopped run had not come to look up is not said to be unknown.
    """
    records = _once(record for step in steps for record in step.result.records)
    lines = sorted(_once(line for step in steps for line in step.result.lines), key=lambda line: (line.file, line.line))
    evidence = _once(item for step in steps for item in step.result.evidence)
    subjects = _subjects(seen)
    findings: list[Explanation] = []
    unexplained: list[str] = []
    for subject in subjects:
        found = list(_explain(subject, evidence))
        findings += found
        if not found and subject.kind in _CODE_KINDS and (ended is Ended.DONE or _looked_up(subject.name, steps)):
            unexplained.append(subject.name)
    if not findings and not unexplained:
        # The question names nothing that was recognised: what the search found stands for itself.
        findings = [
            Explanation("", Role.QUOTE, "", item.plain, number, Origin.QUESTION.value)
            for number, item in enumerate(evidence[:_MAX_QUOTES])
        ]
    warnings = beside(_once(item for step in steps for item in step.result.warnings), evidence)
    return Report(
        question=question,
        answered=bool(findings),
        ended=ended,
        steps=steps,
        findings=tuple(findings),
        records=tuple(records),
        lines=tuple(lines[-_MAX_LINES:]),
        evidence=tuple(evidence),
        warnings=warnings[:_MAX_WARNINGS],
        unexplained=tuple(unexplained),
        notes=tuple(note for step in steps for note in step.result.notes),
    )


def _looked_up(name: str, steps: tuple[Step, ...]) -> bool:
    """Whether a call was made about `name`."""
    given = (str(value) for step in steps for value in step.call.arguments.values())
    return any(name.casefold() in value.casefold() for value in given)


def _subjects(seen: list[Seen]) -> list[_Subject]:
    """What is to be explained: codes first, those of records before those of logs and of the question."""

    def rank(name: Seen) -> int:
        in_log = ".log" in name.place
        return (name.kind not in _CODE_KINDS) * 10 + (3 if name.origin is Origin.QUESTION else 2 if in_log else 1)

    wanted = [
        name for name in seen if name.origin is not Origin.KNOWLEDGE and any(char.isalpha() for char in name.value)
    ]
    unique: dict[str, _Subject] = {}
    for name in sorted(wanted, key=rank):
        unique.setdefault(name.value.casefold(), _Subject(name.value, name.kind, name.place))
    return list(unique.values())


def _explain(subject: _Subject, evidence: list[Evidence]) -> Iterator[Explanation]:
    """What the evidence says of a name: the first row that names it, by its columns; then the sentences that do."""
    name = folded(subject.name)
    naming = [(number, item) for number, item in enumerate(evidence) if names(item, name)]
    rows = [(number, item) for number, item in naming if item.kind == "table" and stands_in(name, folded(item.text))]
    told: set[int] = set()
    for number, item in rows:
        columns = list(_columns(item, name))
        if any(role in (Role.CAUSE, Role.HANDLING) for role, _, _ in columns):
            for role, label, text in columns:
                yield Explanation(subject.name, role, label, text, number, subject.place)
            told.add(number)
            break
    rest = [(number, item) for number, item in naming if number not in told]
    for number, item in rest[:_MAX_QUOTES]:
        yield Explanation(subject.name, Role.QUOTE, "", item.plain, number, subject.place)


def _columns(row: Evidence, name: str) -> Iterator[tuple[Role, str, str]]:
    """(role, column, cell) of a table row, the cell with the name itself left out."""
    header = cells(row.context.split("\n")[-1])
    values = cells(row.text)
    if len(header) != len(values):
        return
    for label, value in zip(header, values, strict=True):
        if not value or folded(value) == name:
            continue
        known = (role for role, words in _COLUMNS if any(word in label.casefold() for word in words))
        yield next(known, Role.DETAIL), label, value


def _once(items: Iterable[_Placed]) -> list[_Placed]:
    """Each item once: the same place of a file, however often it was seen."""
    found: dict[object, _Placed] = {}
    for item in items:
        place = (item.path, item.lines) if isinstance(item, Evidence) else (item.file, item.line)
        found.setdefault(place, item)
    return list(found.values())
