"""Steps and reports in words, line by line, the same for terminal and interface. What was observed is only quoted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from kb.answer.agent.rules import NOTHING
from kb.answer.agent.values import Ended, Explanation, Note, Reason, Report, Role, Step, ToolResult
from kb.plain import one_line
from kb.texts import CATALOGS, Lang, text


class Style(StrEnum):
    """What a line is, so that each surface can show it its own way."""

    HEADING = "heading"
    SUBJECT = "subject"
    EXPLANATION = "explanation"
    FACT = "fact"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a report: a `label` for the `text` (its name or its place), and `source`, the number of the citation
    (0: none)."""

    style: Style
    text: str
    label: str = ""
    source: int = 0


def why(reason: Reason, lang: Lang) -> str:
    """Why a call was made."""
    if reason.by_model:
        return text(lang, "agent_why_model")
    if reason.kind == NOTHING:
        return text(lang, "agent_why_nothing")
    kind = CATALOGS[lang].get(f"agent_kind_{reason.kind}", reason.kind)
    return text(
        lang, "agent_why_rule", kind=one_line(kind), value=one_line(reason.value), where=place(reason.seen_in, lang)
    )


def place(seen_in: str, lang: Lang) -> str:
    """Where something was seen: the question, or a file with its line."""
    return text(lang, "agent_place_question") if seen_in == "question" else one_line(seen_in)


def saw(result: ToolResult, lang: Lang) -> str:
    """What came back, in a few words."""
    if result.problem is not None:
        return remark(result.problem, lang)
    parts: list[str] = []
    if result.records:
        where = ", ".join(record.place for record in result.records[:3])
        parts.append(text(lang, "agent_saw_records", what=one_line(where)))
    if result.lines:
        parts.append(text(lang, "agent_saw_lines", count=len(result.lines)))
    titles = dict.fromkeys(f"{item.title}:{item.lines[0]}" for item in result.evidence)
    if titles:
        parts.append(one_line(", ".join(titles)))
    if not parts:
        parts.append(one_line(result.text, 120) if result.found and result.text else text(lang, "agent_saw_nothing"))
    return "; ".join(parts)


def remark(note: Note, lang: Lang) -> str:
    """A note or problem as a sentence; a key of somebody else's tool stands for itself."""
    try:
        return one_line(text(lang, note.key, **note.params))
    except (KeyError, IndexError):
        return one_line(note.key)


def step_line(step: Step, lang: Lang) -> str:
    """`1  order_status(order_id="123")  -  order 123 seen in the question`."""
    return f"{step.number}  {one_line(str(step.call), 120)}  -  {why(step.reason, lang)}"


def lines(report: Report, lang: Lang) -> Iterator[Line]:
    """The report without its sources: conclusion first, then what was observed, then remarks."""
    yield from _conclusion(report, lang)
    for warning in report.warnings:
        yield Line(Style.WARNING, one_line(warning.plain), f"{one_line(warning.title)}:{warning.lines[0]}")
    if report.records or report.lines:
        yield Line(Style.HEADING, text(lang, "agent_observed", folder=one_line(report.data)))
    for record in report.records:
        fields = "; ".join(f"{one_line(name)}: {one_line(value)}" for name, value in record.fields)
        yield Line(Style.FACT, fields, record.place)
    for line in report.lines:
        yield Line(Style.FACT, one_line(line.text) + ("…" if line.cut else ""), line.place)
    for step in report.steps:
        if step.result.problem is not None:
            yield Line(Style.NOTE, remark(step.result.problem, lang))
    for note in dict.fromkeys(remark(note, lang) for note in report.notes):
        yield Line(Style.NOTE, note)
    if report.ended is not Ended.DONE:
        yield Line(Style.NOTE, text(lang, f"agent_ended_{report.ended.value}", count=len(report.steps)))
    if report.sample:
        yield Line(Style.NOTE, text(lang, "agent_sample", said=one_line(report.sample)))


def _conclusion(report: Report, lang: Lang) -> Iterator[Line]:
    if report.empty:
        yield Line(Style.HEADING, text(lang, "agent_nothing"))
    elif not report.findings:
        yield Line(Style.HEADING, text(lang, "agent_unanswered"))
    else:
        yield Line(Style.HEADING, text(lang, "agent_answered"))
    for (subject, seen_in), found in groupby(report.findings, key=lambda item: (item.subject, item.seen_in)):
        if subject:
            yield Line(Style.SUBJECT, place(seen_in, lang), one_line(subject))
        for item in sorted(found, key=_order):
            shown = one_line(item.text)
            quoted = f"“{shown}”" if item.role is Role.QUOTE else shown
            yield Line(Style.EXPLANATION, quoted, one_line(item.label), item.source + 1)
    if report.unexplained:
        yield Line(Style.NOTE, text(lang, "agent_unexplained", names=", ".join(map(one_line, report.unexplained))))


def _order(item: Explanation) -> int:
    """Meaning, cause, handling, then what else the row says, then sentences."""
    return list(Role).index(item.role)
