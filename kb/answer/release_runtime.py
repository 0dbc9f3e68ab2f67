"""What releases need from search and answers, handed down as callables: an index, answers."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
from collections.abc import Iterator
from pathlib import Path

from kb import fsio
from kb.answer.answer import Answer
from kb.answer.answerer import Listener
from kb.answer.models import State
from kb.answer.runtime import Runtime, index_folder
from kb.config import Config, ProgressReport
from kb.errors import AlmanacError, ExitCode
from kb.search import copying
from kb.versions import publish, releases
from kb.versions import registry as registries
from kb.versions.git import Git
from kb.versions.impact import Ask, Said
from kb.versions.registry import Registered, Registry
from kb.versions.releases import BuiltIndex, IndexBuilder


@contextlib.contextmanager
def over_release(config: Config, docs: Path, index: Path) -> Iterator[Runtime]:
    """A runtime over the documents and the index of one release, closed in the end. It answers in quotes and keeps
    nothing of what it is asked."""
    silent = dataclasses.replace(config, use_model=False, keep_answers=False, keep_gaps=False)
    runtime = Runtime(dataclasses.replace(silent, knowledge=docs, prebuilt_index=index))
    try:
        yield runtime
    finally:
        runtime.close()


def index_builder(
    config: Config, report: ProgressReport, tree: Path | None = None, *, embed: bool = True
) -> IndexBuilder:
    """Makes the index of a release, over what an earlier one has already read and embedded.

    Vectors are also taken over from the indexes of `tree`, of the knowledge in use, and of what came with the program.
    Without `embed` there are none at first: search by words works at once, `complete` makes them.
    """
    trees = [config.knowledge.resolve()] if tree is None else [tree.resolve(), config.knowledge.resolve()]
    known = [index_folder(config, each) for each in trees]
    if config.program_index is not None:
        known.append(config.program_index)

    def make(docs: Path, index: Path, earlier: tuple[Path, ...]) -> BuiltIndex:
        fsio.make_folder(index)
        for folder in earlier:
            if copying.take_over(folder, index):
                break
        with over_release(config, docs, index) as runtime:
            runtime.retriever.update(report)
            ready = embed and runtime.load(report).embedder is State.READY
            embedded = 0
            if ready:
                for folder in dict.fromkeys((*earlier, *known)):
                    if folder.is_dir():
                        runtime.retriever.adopt_vectors(folder)
                embedded = runtime.embed_missing(report)
            if runtime.stopped():
                raise AlmanacError("interrupted", ExitCode.INTERRUPTED)
            found = runtime.retriever.status()
            return BuiltIndex(found.documents, runtime.retriever.chunks(), embedded, ready)

    return make


def make_again(config: Config, report: ProgressReport) -> tuple[Registered, ...]:
    """Make the releases that routes need and that are gone: after a restore, or where a cleaner was. Those made.

    They answer by words at once. One that its repository does not hold any more stays as it is.
    """
    git = Git.find(config.git)
    if not registries.exists(config.home) or not fsio.is_writable(config.home):
        return ()
    with Registry.open(config.home) as registry:
        build = index_builder(config, report, embed=False)
        return publish.make_missing(
            config.home, registry, git, build, now=datetime.datetime.now(datetime.UTC), report=report
        )


def complete(config: Config, registered: Registered, report: ProgressReport) -> int:
    """Give every section of a release that has none its vector; how many were made. May be stopped at any time."""
    release = releases.opened(config.home, registered)
    with over_release(config, release.docs, release.index) as runtime:
        runtime.load(report)
        return runtime.embed_missing(report)


@contextlib.contextmanager
def asking(config: Config, docs: Path, index: Path) -> Iterator[Ask]:
    """Questions to one release, answered in quotes: what the model would word rests on the same evidence."""
    with over_release(config, docs, index) as runtime:
        runtime.load()

        def ask(question: str) -> Said:
            try:
                return _said(runtime.answerer.ask(question, listener=Listener(cancelled=config.stop.is_set)))
            except AlmanacError as error:
                if error.key != "empty_question":
                    raise
                return Said("", True, "")

        yield ask


def _said(answer: Answer) -> Said:
    if answer.refused or not answer.evidence:
        return Said("", True, "")
    first = answer.evidence[0]
    return Said(answer.text, False, " › ".join((first.path, *first.trail)))
