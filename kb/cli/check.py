"""`almanac check`: does the knowledge keep its contract; with --all: is everything beside the documents whole too."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from kb import db
from kb.cli.output import Output
from kb.cli.writing import refuse_packed
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.paths import BACKUPS
from kb.plain import one_line
from kb.supply.check import check_cards
from kb.texts import Lang
from kb.tree.contract.checking import Report, check_tree, fix_tree
from kb.tree.contract.files import DiskFiles
from kb.tree.contract.findings import Check, Finding, Severity
from kb.tree.contract.moving import JOURNAL
from kb.tree.contract.roots import select
from kb.tree.indexfile import read_index
from kb.tree.taxonomy import load_taxonomy
from kb.tree.walk import resolve_root
from kb.versions import audit, chain, repository
from kb.versions.git import Git
from kb.versions.source import Source

SCHEMA = 1


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Print the findings; BAD_KNOWLEDGE when one is an error."""
    output = Output(config)
    root = resolve_root(config.knowledge)
    reports = {}
    for tree, paths in select(root, arguments.paths).items():
        if arguments.fix:
            refuse_packed(tree)
            reports[tree] = fix_tree(tree, paths)
        else:
            reports[tree] = check_tree(DiskFiles(tree), paths)
    states = run_checks(state_checks(config, root)) if arguments.all else {}
    if arguments.json:
        output.json(_as_json(reports, states, output))
    else:
        for tree, report in reports.items():
            _show(tree, root, report, output)
        for name, findings in states.items():
            _show_state(name, findings, output)
    broken = any(report.broken for report in reports.values())
    broken |= any(finding.severity is Severity.ERROR for findings in states.values() for finding in findings)
    return ExitCode.BAD_KNOWLEDGE if broken else ExitCode.OK


def state_checks(config: Config, root: Path) -> list[Check]:
    """What `--all` looks at beside the documents. Each room gives its own checks; here they come together."""
    checks = [
        Check("tree", lambda: tree_files(root)),
        Check("databases", lambda: databases(config.home)),
    ]
    for provider in _PROVIDERS:
        checks += provider(config, root)
    return checks


Provider = Callable[[Config, Path], Sequence[Check]]


def _repository(config: Config, root: Path) -> list[Check]:
    """The repository, its tags, and the releases made of them, where there are any."""
    checks = [Check("releases", lambda: _audited(audit.check_home(config.home)))]
    try:
        source = Source.find(root, Git.find(config.git))
    except AlmanacError:
        return checks
    return [*repository.checks(source), Check("tags", lambda: _audited(audit.check_tags(source))), *checks]


def _audited(found: Iterable[audit.Finding]) -> Iterable[Finding]:
    for one in found:
        params = {name: str(value) for name, value in one.params.items()}
        yield Finding(one.place, 0, "state", params={**params, "reason": one.key})


def _backups(config: Config, root: Path) -> list[Check]:
    """The backups in the home folder: every file is what its chain says."""
    folder = config.home / BACKUPS
    return [Check("backups", lambda: _unlike_their_chain(folder, config))] if folder.is_dir() else []


def _unlike_their_chain(folder: Path, config: Config) -> Iterable[Finding]:
    verdict = chain.verify(folder, stop=config.stop)
    for line in verdict.broken:
        yield Finding(str(folder / chain.NAME), line, "chain-broken")
    for backup in verdict.backups:
        if backup.state not in (chain.State.GOOD, chain.State.UNLISTED):
            yield Finding(str(backup.path), 0, "backup-damaged", params={"detail": backup.state.value})


def _cards(config: Config, root: Path) -> list[Check]:
    """The cards keep their schema."""
    return [Check("cards", lambda: _wrong_cards(root, config.lang))]


def _wrong_cards(root: Path, lang: Lang) -> Iterable[Finding]:
    for found in check_cards(root, datetime.date.today()).findings:
        severity = Severity.WARNING if found.warning else Severity.ERROR
        yield Finding(found.path, found.line, "card-wrong", severity, {"detail": found.text(lang)})


_PROVIDERS: tuple[Provider, ...] = (_repository, _backups, _cards)


def run_checks(checks: Iterable[Check]) -> dict[str, list[Finding]]:
    """The findings of each check by its name; one that fails is itself a finding."""
    found: dict[str, list[Finding]] = {}
    for check in checks:
        findings = found.setdefault(check.name, [])
        try:
            findings += check.run()
        except AlmanacError as error:
            findings.append(Finding("", 0, "check-failed", params={"detail": str(error)}))
    return found


def tree_files(root: Path) -> Iterable[Finding]:
    """The files beside the documents: taxonomy and index can be read, what it names is there, no move is half done."""
    files = DiskFiles(root)
    if (root / JOURNAL).exists():
        yield Finding("", 0, "move-unfinished")
    try:
        load_taxonomy(root)
        documents = set(files.documents())
        for entry in read_index(root):
            if entry.file not in documents:
                yield Finding("_index.yaml", 0, "index-stale", Severity.WARNING, {"target": entry.file})
    except KnowledgeError as error:
        yield Finding("", 0, "check-failed", params={"detail": str(error)})


def databases(home: Path) -> Iterable[Finding]:
    """Every database of people's data passes SQLite's own integrity check."""
    for which in db.PeopleData:
        path = db.people_path(home, which)
        if not path.is_file():
            continue
        try:
            with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
                answer = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
        except sqlite3.Error as error:
            answer = [str(error)]
        if answer != ["ok"]:
            yield Finding(str(path), 0, "database-damaged", params={"detail": one_line("; ".join(answer), 200)})


def _show(tree: Path, root: Path, report: Report, output: Output) -> None:
    prefix = "" if tree == root else f"{tree}/"
    for path in report.fixed:
        output.tell("check_fixed", path=prefix + path)
    for finding in report.findings:
        output.say(finding_line(finding, output, prefix))
    counts = {severity.value: report.count(severity) for severity in Severity}
    fixable = sum(finding.fixable for finding in report.findings)
    output.tell("check_summary", documents=report.documents, **counts)
    if fixable:
        output.tell("check_fixable", count=fixable)


def finding_line(finding: Finding, output: Output, prefix: str = "") -> str:
    """One finding as a line: place, severity, reason, rule."""
    place = one_line(prefix + finding.path) + (f":{finding.line}" if finding.line else "")
    severity = output.text(f"severity_{finding.severity.value}")
    mark = f" {output.text('check_fix_mark')}" if finding.fixable else ""
    where = f"{place}: " if place else ""
    return f"{where}{severity}: {one_line(finding.message(output.config.lang))} [{finding.rule}]{mark}"


def _show_state(name: str, findings: Sequence[Finding], output: Output) -> None:
    label = output.text(f"check_{name}")
    if not findings:
        output.say(f"{label}: {output.text('check_ok')}")
    for finding in findings:
        output.say(f"{label}: {finding_line(finding, output)}")


def _as_json(reports: dict[Path, Report], states: dict[str, list[Finding]], output: Output) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "trees": [
            {
                "root": str(tree),
                "documents": report.documents,
                "fixed": list(report.fixed),
                **{f"{severity.value}s": report.count(severity) for severity in Severity},
                "findings": [_finding_json(finding, output) for finding in report.findings],
            }
            for tree, report in reports.items()
        ],
        "state": {name: [_finding_json(finding, output) for finding in found] for name, found in states.items()},
    }


def _finding_json(finding: Finding, output: Output) -> dict[str, object]:
    return {
        "path": finding.path,
        "line": finding.line,
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message(output.config.lang),
        "fixable": finding.fixable,
        "params": dict(finding.params),
    }
