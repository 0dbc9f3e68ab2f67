"""`almanac report`: what changed in the knowledge and what expires, as Markdown on the terminal or in a file."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from kb import fsio
from kb.answer.release_numbers import read_numbers
from kb.answer.runtime import Runtime
from kb.cli.output import Output
from kb.cli.version_wiring import source_of
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.plain import one_line
from kb.tree.document import Facts
from kb.versions.history import History
from kb.versions.periods import Period, parse_since
from kb.versions.report import AHEAD_DAYS, Report, Reported, build, expiry_report

_WEEK = datetime.timedelta(days=6)
_MARKUP = re.compile(r"([\\`*\[\]<>|])")


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Write the report on the last seven days, or since a day."""
    output = Output(config)
    today = datetime.date.today()
    start = parse_since(arguments.since, today) if arguments.since else today - _WEEK
    report, problem = made(arguments, config, Period(start, today), today)
    if arguments.json:
        output.json({"schema": 1, "problem": problem and str(problem), **_as_json(report)})
        return ExitCode.OK
    lines = list(markdown(report, output))
    if problem is not None:
        lines.insert(1, "\n" + output.text("report_no_history"))
    text = "\n".join(lines) + "\n"
    if arguments.out:
        target = Path(arguments.out).expanduser().absolute()
        fsio.write_text(target, text)
        output.tell("report_written", path=target)
    else:
        output.say(text.rstrip("\n"))
    return ExitCode.OK


def made(
    arguments: argparse.Namespace, config: Config, period: Period, today: datetime.date
) -> tuple[Report, AlmanacError | None]:
    """The report; where there is no history, what expires and why the rest is missing."""
    history = _history(arguments, config)
    try:
        return build(history, period, today, read_numbers), None
    except AlmanacError as error:
        if error.key not in ("git_missing", "no_history"):
            raise
        return expiry_report(history.root, period, today), error


def _history(arguments: argparse.Namespace, config: Config) -> History:
    """That of the tree which people work on, else of the one which answers (the executable carries it as a bundle)."""
    try:
        source = source_of(arguments, config)
    except AlmanacError:
        return Runtime(dataclasses.replace(config, use_model=False, embedder=None)).history
    return History(source.root, source.git)


def markdown(report: Report, output: Output) -> Iterator[str]:
    """The report as lines of Markdown: numbers that changed first."""
    yield "# " + output.text("report_title", start=report.period.start, end=report.period.end)
    numbers = [(item, number) for item in report.documents for number in item.change.numbers]
    if report.new_commit:
        old = report.old_commit[:10] or output.text("report_start")
        counts = {"documents": len(report.documents), "numbers": len(numbers)}
        yield "\n" + output.text("report_commits", old=old, new=report.new_commit[:10], **counts)
    if report.is_quiet:
        yield "\n" + output.text("report_quiet")
    if numbers:
        yield f"\n## {output.text('report_numbers')}\n"
        for item, number in numbers:
            said = number.sentence.new or number.sentence.old
            line = said.line if said is not None else 0
            yield f"- **{_plain(number.old) or '∅'} → {_plain(number.new) or '∅'}**  {item.change.path}:{line}"
            if said is not None:
                yield f"  {_plain(said.text)}"
    if report.documents:
        yield f"\n## {output.text('report_documents')}\n"
        for item in report.documents:
            yield from _document(item, output)
    if report.other_files:
        yield f"\n## {output.text('report_files')}\n"
        yield from (f"- {_plain(path)}" for path in report.other_files)
    yield from _dated("report_expired", report.expired, output, lambda facts: f"{facts.valid_to}")
    yield from _dated("report_expiring", report.expiring, output, lambda facts: f"{facts.valid_to}")
    yield from _dated("report_starting", report.starting, output, lambda facts: f"{facts.valid_from}")
    yield from _dated("report_waiting", report.waiting, output, lambda facts: _plain(facts.status))


def _document(item: Reported, output: Output) -> Iterator[str]:
    change = item.change
    version = _plain(change.version)
    if change.old_version and change.version and change.old_version != change.version:
        version = f"{_plain(change.old_version)} → {version}"
    notes = [version]
    if change.kind in ("added", "removed"):
        notes.append(output.text("report_new" if change.kind == "added" else "report_gone"))
    if change.kind == "moved":
        notes.append(output.text("report_moved", path=change.old_path))
    reviewer = _plain(item.reviewer)
    notes.append(output.text("report_reviewer", name=reviewer) if reviewer else output.text("report_no_reviewer"))
    yield f"- {_plain(change.title)}  ({', '.join(note for note in notes if note)})  {change.path}"
    for field in change.fields:
        yield f"  - {_plain(field.name)}: {_plain(field.old) or '∅'} → {_plain(field.new) or '∅'}"
    for commit in item.commits[:5]:
        yield f"  - {commit.date:%Y-%m-%d}  {commit.commit[:10]}  {_plain(commit.author)}: {_plain(commit.summary)}"


def _dated(key: str, documents: Sequence[Facts], output: Output, when: Callable[[Facts], object]) -> Iterator[str]:
    if not documents:
        return
    title = output.text(key, days=AHEAD_DAYS) if key in ("report_expiring", "report_starting") else output.text(key)
    yield f"\n## {title}\n"
    for facts in documents:
        yield f"- {when(facts)}  {_plain(facts.title)}  {facts.path}"


def _plain(text: str) -> str:
    """Text from documents as Markdown that shows it as it is."""
    return _MARKUP.sub(r"\\\1", one_line(text))


def _as_json(report: Report) -> dict[str, object]:
    def listed(documents: Sequence[Facts]) -> list[dict[str, object]]:
        names = ("path", "title", "version", "status", "owner", "valid_from", "valid_to")
        return [{name: getattr(facts, name) for name in names} for facts in documents]

    return {
        "start": report.period.start,
        "end": report.period.end,
        "old_commit": report.old_commit,
        "new_commit": report.new_commit,
        "documents": [
            {
                **dataclasses.asdict(item.change),
                "reviewer": item.reviewer,
                "owner": item.owner,
                "commits": [one.commit for one in item.commits],
            }
            for item in report.documents
        ],
        "other_files": report.other_files,
        **{name: listed(getattr(report, name)) for name in ("expired", "expiring", "starting", "waiting")},
    }
