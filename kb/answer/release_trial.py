"""Updates from a stick as the command line and the interface start them: this machine, and the trial of a release."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from kb import paths
from kb.answer.release_numbers import read_numbers
from kb.answer.release_runtime import asking, index_builder, over_release
from kb.config import Config, ProgressReport, no_progress
from kb.versions import impact, manifest, publish
from kb.versions.git import Git
from kb.versions.manifest import DocumentEntry
from kb.versions.releases import Release
from kb.versions.routes import Actor
from kb.versions.update.offers import Machine, Trial, TryRelease

_MOST_QUESTIONS = 200
_MOST_TITLES = 20
_TOP = 5


def machine(config: Config, actor: Actor, report: ProgressReport = no_progress) -> Machine:
    """What an update meets here; `actor` stands in the log of switches."""
    return Machine(
        home=config.home,
        git=Git.find(config.git),
        knowledge=config.knowledge,
        is_own=not config.kept.is_packed,
        program=paths.program_file(),
        read_numbers=read_numbers,
        make_index=index_builder(config, report),
        try_release=trial(config, report),
        actor=actor,
        report=report,
        stop=config.stop,
    )


def trial(config: Config, report: ProgressReport = no_progress) -> TryRelease:
    """Asks a new release before it answers anybody: the saved questions (questions.yaml in the knowledge) that the live
    release answers must be answered, and titles must lead to their documents."""

    def ask(old: Release | None, new: Release) -> Trial:
        questions = _saved(new, old) if old is not None else []
        titles = _titles(new)
        lost = tuple(_lost(config, old, new, questions, report)) if old is not None else ()
        return Trial(len(questions) + len(titles), lost, tuple(_unfound(config, new, titles)))

    return ask


def _saved(*known: Release) -> list[str]:
    """The saved questions of the first release that has some. KnowledgeError when they cannot be read."""
    for release in known:
        for path in (release.docs / name for name in impact.QUESTION_FILES):
            if path.is_file():
                return impact.load_questions(path)[:_MOST_QUESTIONS]
    return []


def _lost(
    config: Config, old: Release, new: Release, questions: Sequence[str], report: ProgressReport
) -> Iterator[str]:
    """The questions that the old release answers and the new one does not."""
    if not questions:
        return
    answered = []
    for place, release in enumerate((old, new)):
        with asking(config, release.docs, release.index) as ask:

            def progress(done: int, place: int = place) -> None:
                report("impact", place * len(questions) + done, 2 * len(questions))

            said = impact.ask_all(questions, ask, progress)
            answered.append({question for question, answer in said.items() if not answer.refused})
    yield from (question for question in questions if question in answered[0] - answered[1])


def _titles(release: Release) -> list[DocumentEntry]:
    """Documents that answer today, from all over the knowledge."""
    path = release.docs / manifest.FILE_NAME
    found = publish.standing(manifest.parse(path.read_bytes(), str(path)), datetime.date.today()).answering
    step = max(len(found) // _MOST_TITLES, 1)
    return [entry for entry in found[::step] if entry.title][:_MOST_TITLES]


def _unfound(config: Config, release: Release, entries: Sequence[DocumentEntry]) -> Iterator[str]:
    """The titles that do not lead to their document, or to another one of the same title."""
    if not entries:
        return
    with over_release(config, release.docs, release.index) as runtime:
        runtime.load()
        for entry in entries:
            found = runtime.retriever.find_documents(entry.title, _TOP)
            if not any(entry.path == item.path or entry.title == item.document.facts.title for item in found):
                yield entry.title
