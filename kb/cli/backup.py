"""`almanac backup`: knowledge and people's data in one checked file; or a check of all files there are."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from kb.cli.output import Output
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.paths import BACKUPS
from kb.plain import one_line
from kb.tree.walk import resolve_root
from kb.versions import backup, chain
from kb.versions.backup_collect import BackupSource
from kb.versions.git import Git
from kb.versions.history import History

_MOST = 100_000


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Make a backup, or verify those in the folder; ExitCode.BAD_KNOWLEDGE when one cannot be relied on."""
    output = Output(config)
    for option, number in (("keep", arguments.keep), ("days", arguments.days)):
        if number is not None and not 1 <= number <= _MOST:
            raise AlmanacError("backup_number", ExitCode.USAGE, option=option, least=1, most=_MOST)
    folder = Path(arguments.folder).expanduser().absolute() if arguments.folder else config.home / BACKUPS
    return _verify(folder, arguments, config, output) if arguments.verify else _make(folder, arguments, config, output)


def _make(folder: Path, arguments: argparse.Namespace, config: Config, output: Output) -> int:
    git = Git.find(config.git)
    if git is None:
        raise AlmanacError("git_missing")
    root = resolve_root(config.kept.root)
    label = History(root, git).version().label
    source = BackupSource(config.home, root, config.kept.history, label)
    progress = output.progress()
    try:
        made = backup.make(git, source, folder, backup.Keeping(arguments.keep, arguments.days), progress, config.stop)
    finally:
        progress.clear()
    tidied = backup.tidy(git, source, config.stop) if arguments.gc else False
    if arguments.json:
        output.json({"schema": 1, **asdict(made), "gc": tidied})
        return ExitCode.OK
    output.tell("backup_made", path=made.file, size=f"{made.size / 1e6:.1f}", seconds=f"{made.seconds:.1f}")
    contents = made.contents
    output.tell("backup_knowledge", documents=contents.documents, references=len(made.references))
    if contents.changed:
        output.tell("backup_changed", changed=contents.changed)
    output.tell("backup_people", databases=len(contents.databases), rows=contents.rows)
    output.tell("backup_head", head=made.head)
    if tidied:
        output.tell("backup_tidied")
    for name in made.removed:
        output.tell("backup_removed", name=name)
    for name in contents.nested:
        output.tell("backup_nested", name=one_line(name))
    return ExitCode.OK


def _verify(folder: Path, arguments: argparse.Namespace, config: Config, output: Output) -> int:
    progress = output.progress()
    verdict = chain.verify(folder, progress, config.stop)
    progress.clear()
    code = ExitCode.OK if verdict.good and verdict.backups else ExitCode.BAD_KNOWLEDGE
    if arguments.json:
        output.json({"schema": 1, "folder": folder, "good": code == ExitCode.OK, **asdict(verdict)})
        return code
    if not verdict.backups:
        output.tell("backup_none", path=folder)
        return code
    for found in verdict.backups:
        mark = " " if found.state is chain.State.GOOD else "!"
        size = f"{found.size / 1e6:9.1f} MB"
        output.say(f"{mark} {one_line(found.path.name)}  {size}  {output.text(f'backup_state_{found.state.value}')}")
    if verdict.broken:
        lines = ", ".join(map(str, verdict.broken))
        output.tell("backup_chain_broken", lines=lines, path=folder / chain.NAME)
    else:
        output.tell("backup_chain_whole", head=verdict.head)
    bad = sum(found.state in (chain.State.MISSING, chain.State.CHANGED) for found in verdict.backups)
    output.tell("backup_not_all_good" if bad else "backup_all_good", bad=bad, count=len(verdict.backups))
    return code
