"""`almanac restore`: bring knowledge and people's data back, after everything is checked and somebody has agreed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from kb import instance
from kb.answer import release_runtime
from kb.cli.output import Output
from kb.config import Config
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.plain import one_line
from kb.versions import restore
from kb.versions.backup_contents import Contents
from kb.versions.git import Git
from kb.versions.registry import Registered

# What a person types to agree; both languages, whatever the language of the run.
_AGREED = frozenset({"yes", "y", "是", "好"})


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Restore; ExitCode.NO_ANSWER when the person does not agree. AlmanacError while the interface is open."""
    with instance.first_copy(config.home) as alone:
        if not alone:
            raise AlmanacError("restore_other_open", path=config.home)
        return _restore(arguments, config)


def _restore(arguments: argparse.Namespace, config: Config) -> int:
    output = Output(config)
    git = Git.find(config.git)
    if git is None:
        raise AlmanacError("git_missing")
    named = Path(arguments.source).expanduser().absolute()
    into = Path(arguments.into).expanduser().absolute() if arguments.into else None
    target = into or restore.target_of(config.home, config.kept)
    earlier = restore.finish(config.home) if restore.unfinished(config.home) else None
    if earlier is not None and not arguments.json:
        output.tell("restore_finished_first", path=earlier.target)
    chosen = restore.choose(named, config.stop)
    progress = output.progress()

    def agree(contents: Contents | None, place: Path) -> bool:
        progress.clear()
        if contents is not None and contents.inner and not arguments.into:
            raise KnowledgeError("restore_inner", inner=contents.inner, path=str(place))
        return bool(arguments.yes) or _ask(contents, place, chosen.bundle, config, output)

    if not arguments.json:
        for name, state in chosen.passed_over:
            output.tell("restore_passed_over", name=one_line(name), state=output.text(f"backup_state_{state.value}"))
    try:
        done = restore.restore(git, chosen.bundle, target, config.home, progress, config.stop, agree)
    finally:
        progress.clear()
    if done is None:
        output.tell("restore_left")
        return ExitCode.NO_ANSWER
    if arguments.json:
        made = [release.name for release in _made_again(config, output)]
        output.json({"schema": 1, **asdict(done), "passed_over": chosen.passed_over, "releases": made})
        return ExitCode.OK
    output.tell("restore_done", bundle=done.bundle, path=done.target)
    for path in done.aside:
        output.tell("restore_aside", path=path)
    for key, detail in done.notes:
        output.tell(key, detail=one_line(detail))
    if done.documents != done.target:
        output.tell("restore_inside", path=done.documents)
    for release in _made_again(config, output):
        output.tell("restore_release", name=release.name)
    return ExitCode.OK


def _made_again(config: Config, output: Output) -> Iterator[Registered]:
    """The releases that routes need are made again, and by and by their search by meaning; each when it answers.

    They are derived: where that does not go well, or is stopped, the next question makes what is missing.
    """
    progress = output.progress()
    try:
        made = release_runtime.make_again(config, progress)
        progress.clear()
        yield from made
        for release in made:
            release_runtime.complete(config, release, progress)
    except AlmanacError as error:
        progress.clear()
        output.tell("restore_releases_later", reason=output.text(error.key, **error.params))
    finally:
        progress.clear()


def _ask(contents: Contents | None, target: Path, bundle: Path, config: Config, output: Output) -> bool:
    output.tell("restore_holds", path=bundle)
    if contents is not None:
        output.tell("restore_from", made=one_line(contents.made))
        output.tell("restore_knowledge", documents=contents.documents, version=one_line(contents.label or "-"))
        output.tell("backup_people", databases=len(contents.databases), rows=contents.rows)
    if target.exists():
        output.tell("restore_will_replace", path=target, name=target.name)
    else:
        output.tell("restore_will_make", path=target)
    replaced = [
        database.name
        for database in (contents.databases if contents else ())
        if people_path(config.home, PeopleData(database.name)).exists()
    ]
    if replaced:
        output.tell("restore_will_people", names=", ".join(replaced))
    if not sys.stdin.isatty():
        raise AlmanacError("restore_needs_yes", ExitCode.USAGE)
    sys.stdout.write(output.text("restore_ask"))
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in _AGREED
