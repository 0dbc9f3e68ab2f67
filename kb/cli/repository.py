"""`almanac kb`: the knowledge repository, for people without git and for the hooks of those who have it."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import sys
from collections.abc import Callable
from pathlib import Path

from kb import paths
from kb.cli.changes import as_json, lines_of
from kb.cli.check import finding_line
from kb.cli.output import Output
from kb.cli.writing import refuse_packed
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.plain import one_line
from kb.tree.contract.checking import Report
from kb.tree.contract.findings import Severity
from kb.tree.taxonomy import load_taxonomy
from kb.tree.textfile import decode
from kb.tree.walk import resolve_root
from kb.versions import committing, hooks, repository
from kb.versions.asked import ChangesAsked, find_changes, subjects
from kb.versions.git import Git
from kb.versions.history import History
from kb.versions.messages import checked_message
from kb.versions.periods import Period, parse_since
from kb.versions.snapshot import Author
from kb.versions.source import Source


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Do the action."""
    return _ACTIONS[arguments.action](arguments, config, Output(config))


def _source(arguments: argparse.Namespace, config: Config) -> Source:
    """The repository of --knowledge, else the one that people work on."""
    if arguments.knowledge:
        return Source.find(resolve_root(config.knowledge), Git.find(config.git))
    from kb.cli.version_wiring import source_of  # here, because the hooks come without it and should be quick

    return source_of(arguments, config)


def _init(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    folder = Path(arguments.folder).expanduser().absolute() if arguments.folder else None
    if folder is None:
        folder = config.knowledge if arguments.knowledge else Path.cwd()
    sample = paths.find_assets(config.home).knowledge if arguments.sample else None
    if arguments.sample and sample is None:
        raise AlmanacError("sample_missing")
    source = repository.create(folder.resolve(), Git.find(config.git), sample)
    if not arguments.no_hooks:
        hooks.install(source, config.self_command, output.text("hook_missing", program=config.self_command[0]))
    begun = [change.path for change in repository.status(source).changes]
    message = "feat(knowledge): begin the knowledge repository"
    commit, report = committing.commit(source, message, Author("", ""), begun, datetime.date.today())
    if not commit:
        # What lay in the folder already must not be lost for a fault in it: it can be committed once it is corrected.
        start = [path for path in begun if path.startswith(".git")]
        source.git.run(source.repository, "read-tree", "--empty")
        commit, _ = committing.commit(source, message, Author("", ""), start, datetime.date.today())
        _show_findings(report, output)
    repository.make_branch(source, repository.DRAFT)
    output.tell("kb_made", path=folder)
    return ExitCode.BAD_KNOWLEDGE if report.broken else ExitCode.OK


def _status(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    found = repository.status(_source(arguments, config))
    if arguments.json:
        output.json({"schema": 1, **dataclasses.asdict(found)})
        return ExitCode.OK
    branch = found.branch or output.text("kb_no_branch")
    output.tell("kb_on_branch", branch=branch, commit=found.commit[:10] or output.text("kb_no_commit"))
    for change in found.changes:
        staged = f"  ({output.text('kb_staged')})" if change.staged else ""
        output.say(f"  {output.text(f'kb_letter_{change.letter}')}: {one_line(change.path)}{staged}")
    if not found.changes:
        output.tell("kb_clean")
    for remote in found.remotes:
        output.tell("kb_remote", name=one_line(remote))
    return ExitCode.OK


def _log(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    source = _source(arguments, config)
    changes = History(source.root, source.git).changes(arguments.path, limit=max(arguments.top, 1))
    if arguments.json:
        output.json([dataclasses.asdict(change) for change in changes])
        return ExitCode.OK
    for change in changes:
        author, summary = one_line(change.author), one_line(change.summary)
        output.say(f"{change.commit[:10]}  {change.date:%Y-%m-%d}  {author}  {summary}")
    return ExitCode.OK


def _diff(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    shown = repository.difference(_source(arguments, config), arguments.old, arguments.new, arguments.path)
    output.say(shown.rstrip("\n") if shown.strip() else output.text("kb_same"))
    return ExitCode.OK


def _show(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    source = _source(arguments, config)
    if arguments.path is None:
        output.say(repository.shown(source, arguments.version).rstrip("\n"))
        return ExitCode.OK
    data = source.content(repository.revision(source, arguments.version), arguments.path)
    if data is None:
        raise KnowledgeError("no_such_document", path=arguments.path)
    output.say(decode(data, arguments.path).text.rstrip("\n"))
    return ExitCode.OK


def _changes(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    from kb.answer.runtime import Runtime  # knows the history of the documents inside the program too

    today = datetime.date.today()
    runtime = Runtime(dataclasses.replace(config, use_model=False, embedder=None))
    root = runtime.root
    taxonomy = load_taxonomy(root)
    words, terms = subjects(" ".join(arguments.about), taxonomy)
    asked = ChangesAsked(Period(parse_since(arguments.since, today), today), words, terms)
    found = find_changes(asked, runtime.history, root, taxonomy, config.lang)
    if arguments.json:
        output.json(as_json(found))
    else:
        for line in lines_of(found, output):
            output.say(line)
    return ExitCode.OK


def _commit(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    source = _source(arguments, config)
    refuse_packed(source.root)
    changed = [change.path for change in repository.status(source).changes]
    paths = [path for name in arguments.paths for path in _meant(source, name, changed)] if arguments.paths else changed
    author = Author(one_line(arguments.author), "") if arguments.author else Author("", "")
    commit, report = committing.commit(source, arguments.message, author, paths, datetime.date.today())
    _show_findings(report, output)
    if not commit:
        output.tell("hook_refused")
        return ExitCode.BAD_KNOWLEDGE
    output.tell("kb_committed", commit=commit[:10])
    return ExitCode.OK


def _meant(source: Source, name: str, changed: list[str]) -> list[str]:
    """What changed at or below `name`; a file that `.gitignore` hides when it is named. KnowledgeError for nothing."""
    path = _below(source, name)
    found = [each for each in changed if path in (each, ".") or each.startswith(f"{path}/")]
    if not found and not (source.root / path).exists():
        raise KnowledgeError("no_such_document", path=path)
    return found or ([path] if (source.root / path).is_file() else [])


def _below(source: Source, name: str) -> str:
    """A path on the command line, from here or from the root, as one below the root."""
    for path in (Path(name).expanduser().absolute(), source.root / name):
        if path.exists() and path.is_relative_to(source.root):
            return path.relative_to(source.root).as_posix()
    return name


def _branch(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    source = _source(arguments, config)
    if arguments.name is None:
        here = repository.branch_of(source)
        for name in repository.branches(source):
            output.say(f"{'*' if name == here else ' '} {one_line(name)}")
        return ExitCode.OK
    if arguments.name not in repository.branches(source):
        repository.make_branch(source, arguments.name)
        output.tell("kb_branch_made", name=arguments.name)
    elif not arguments.switch:
        raise AlmanacError("branch_exists", ExitCode.USAGE, name=arguments.name)
    if arguments.switch:
        repository.switch(source, arguments.name)
        output.tell("kb_switched", name=arguments.name)
    return ExitCode.OK


def _hooks(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    source = _source(arguments, config)
    if arguments.what == "install":
        missing = output.text("hook_missing", program=config.self_command[0])
        hooks.install(source, config.self_command, missing, replace=arguments.replace)
    elif arguments.what == "remove":
        removed = hooks.remove(source)
        if removed:
            output.tell("kb_hooks_removed", names=", ".join(removed))
        else:
            output.tell("kb_hooks_none")
        return ExitCode.OK
    for name, state in hooks.states(source).items():
        output.tell("kb_hooks_state", name=name, state=output.text(f"kb_hook_{state.value}"))
    return ExitCode.OK


def _check_message(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    try:
        text = Path(arguments.file).read_text("utf-8", "replace")
    except OSError as error:
        raise AlmanacError("unreadable", path=arguments.file, reason=error.strerror or str(error)) from error
    checked_message(text)
    return ExitCode.OK


def _check_staged(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    source = _source(arguments, config)
    staged = committing.listed(source, sys.stdin.buffer.read())
    report = committing.check_staged(source, staged, datetime.date.today())
    _show_findings(report, output)
    if report.broken:
        output.tell("hook_refused")
    return ExitCode.BAD_KNOWLEDGE if report.broken else ExitCode.OK


def _check_push(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    raise AlmanacError("hook_push", ExitCode.USAGE)


def _show_findings(report: Report, output: Output) -> None:
    for finding in report.findings:
        if finding.severity is not Severity.NOTE:
            output.say(finding_line(finding, output))


_ACTIONS: dict[str, Callable[[argparse.Namespace, Config, Output], int]] = {
    "init": _init,
    "status": _status,
    "log": _log,
    "diff": _diff,
    "show": _show,
    "changes": _changes,
    "commit": _commit,
    "branch": _branch,
    "hooks": _hooks,
    "check-message": _check_message,
    "check-staged": _check_staged,
    "check-push": _check_push,
}
