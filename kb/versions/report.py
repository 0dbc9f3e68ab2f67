"""What changed in the knowledge between two days, and what expires: the weekly report, as plain data."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kb.errors import KnowledgeError
from kb.tree import document
from kb.tree.document import Facts
from kb.tree.frontmatter import as_text
from kb.tree.textfile import decode
from kb.tree.walk import is_document, walk
from kb.versions import diff, manifest
from kb.versions.diff import DocumentChange, Side
from kb.versions.history import Change, History
from kb.versions.periods import Period
from kb.versions.sentences import NumberReader
from kb.versions.source import Source, Stored

# How long before its last day a document is said to expire soon.
AHEAD_DAYS = 30


@dataclass(frozen=True, slots=True)
class Reported:
    """A document that changed: what differs, who answers for it, and the commits that did it, newest first."""

    change: DocumentChange
    reviewer: str
    owner: str
    commits: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The state of `until` beside that before `since`. Empty ids: before the first commit.

    `expired` ended within the period, `expiring` ends within AHEAD_DAYS, `starting` begins within them; drafts wait.
    """

    period: Period
    old_commit: str
    new_commit: str
    documents: tuple[Reported, ...]
    other_files: tuple[str, ...]
    expired: tuple[Facts, ...]
    expiring: tuple[Facts, ...]
    starting: tuple[Facts, ...]
    waiting: tuple[Facts, ...]

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.documents or self.expired or self.expiring or self.starting or self.waiting)


def build(history: History, period: Period, today: datetime.date, read_numbers: NumberReader) -> Report:
    """The report on `period`. AlmanacError when there is no history, or it cannot be read."""
    source = history.source()
    old, new = _commit_before(source, period.start), _commit_before(source, period.end + datetime.timedelta(days=1))
    before = {one.path: one for one in source.files(old)} if old else {}
    after = {one.path: one for one in source.files(new)} if new else {}
    gone = [one for path, one in before.items() if path not in after or after[path].blob != one.blob]
    come = [one for path, one in after.items() if path not in before or before[path].blob != one.blob]
    found = diff.compare(_side(source, old, gone), _side(source, new, come), read_numbers)
    commits = _commits(history, period) if new else []
    people = _people(source, come, gone)
    touching = {change.path: _touching(change, commits) for change in found.documents}
    since = _since_added(source, new, found.documents, touching, read_numbers)
    documents = tuple(
        Reported(since.get(change.path, change), *people.get(change.path, ("", "")), touching[change.path])
        for change in found.documents
    )
    files = tuple(file.path for file in found.files if file.path != manifest.FILE_NAME)
    return Report(period, old, new, documents, files, *expiries(_facts(source.root), period, today))


def expiry_report(root: Path, period: Period, today: datetime.date) -> Report:
    """The report on a tree that has no history: what expires."""
    return Report(period, "", "", (), (), *expiries(_facts(root), period, today))


def expiries(
    facts: Iterable[Facts], period: Period, today: datetime.date
) -> tuple[tuple[Facts, ...], tuple[Facts, ...], tuple[Facts, ...], tuple[Facts, ...]]:
    """Of the documents of a tree: those that ended in `period`, end soon, begin soon; and drafts that wait."""
    soon = today + datetime.timedelta(days=AHEAD_DAYS)
    known = sorted(facts, key=lambda one: (one.valid_to or datetime.date.max, one.path))
    released = [one for one in known if one.status == document.RELEASED]
    # A document that ends on a day still answers on it.
    ended = [one for one in released if one.valid_to and period.start <= one.valid_to < today]
    ending = [one for one in released if one.valid_to and today <= one.valid_to <= soon]
    starting = [one for one in released if one.valid_from and today < one.valid_from <= soon]
    waiting = [one for one in known if one.status != document.RELEASED]
    return tuple(ended), tuple(ending), tuple(starting), tuple(waiting)


def _commit_before(source: Source, day: datetime.date) -> str:
    """The last commit before `day` begins (local time); '' when there is none."""
    if not source.has_commit():
        return ""
    before = f"--before={day.isoformat()}T00:00:00"
    return source.git.read(source.repository, "rev-list", "-1", "--first-parent", before, "HEAD", "--").strip()


def _side(source: Source, commit: str, stored: Sequence[Stored]) -> Side:
    """One state, of the files that differ only: the others have nothing to say."""
    by_path = {one.path: one for one in stored}
    built = manifest.build("", "", _readable(_contents(source, stored)))

    def read(paths: Sequence[str]) -> Iterator[bytes]:
        return source.blobs([by_path[path] for path in paths])

    return Side(commit[:10], built, read)


def _contents(source: Source, stored: Sequence[Stored]) -> Iterator[tuple[str, bytes]]:
    return zip((one.path for one in stored), source.blobs(stored), strict=True)


def _readable(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Without documents whose text cannot be told: `almanac check` names them."""
    for path, data in files:
        try:
            if is_document(path):
                decode(data, path)
        except KnowledgeError:
            continue
        yield path, data


def _commits(history: History, period: Period) -> list[Change]:
    """The commits of the period, newest first."""
    changes = history.changes(since=period.start, limit=10_000)
    return [change for change in changes if period.holds(change.date.astimezone().date())]


def _touching(change: DocumentChange, commits: Sequence[Change]) -> tuple[Change, ...]:
    wanted = {change.path, change.old_path}
    return tuple(commit for commit in commits if any(path in wanted for _, path in commit.files))


def _since_added(
    source: Source,
    new: str,
    documents: Sequence[DocumentChange],
    touching: Mapping[str, tuple[Change, ...]],
    read_numbers: NumberReader,
) -> dict[str, DocumentChange]:
    """Documents that were added in the period and changed in it again, with what changed since their first version.

    Else a dose that was corrected twice in its first week would not be among the numbers that changed.
    """
    first: dict[str, list[str]] = {}
    for change in documents:
        if change.kind == "added" and len(touching[change.path]) > 1:
            first.setdefault(touching[change.path][-1].commit, []).append(change.path)
    found: dict[str, DocumentChange] = {}
    now = {one.path: one for one in source.files(new)} if first else {}
    for commit, paths in first.items():
        then = {one.path: one for one in source.files(commit)}
        both = [path for path in paths if path in then and then[path].blob != now[path].blob]
        before = _side(source, commit, [then[path] for path in both])
        after = _side(source, new, [now[path] for path in both])
        for change in diff.compare(before, after, read_numbers).documents:
            found[change.path] = replace(change, kind="added", old_version="")
    return found


def _people(source: Source, come: Sequence[Stored], gone: Sequence[Stored]) -> dict[str, tuple[str, str]]:
    """Reviewer and owner of each document that differs, as it is now, or as it was when it is gone."""
    found: dict[str, tuple[str, str]] = {}
    for stored in (gone, come):
        for path, data in _contents(source, [one for one in stored if one.path.lower().endswith(".md")]):
            try:
                facts = document.parse(path, decode(data, path).text).facts
            except KnowledgeError:
                continue
            found[path] = (as_text(facts.metadata.get("reviewer")).strip(), facts.owner)
    return found


def _facts(root: Path) -> Iterator[Facts]:
    """The documents as they lie on disk."""
    for state in walk(root):
        try:
            yield document.load(root, state.path).facts
        except KnowledgeError:
            continue
