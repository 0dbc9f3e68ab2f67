"""Committing knowledge: the message has its form and what is committed keeps the contract, as in people's own git."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.tree.contract.checking import Report, check_tree, names_id
from kb.tree.contract.files import GivenFiles, is_checked
from kb.tree.contract.findings import Finding, Severity
from kb.tree.contract.source import Source as Document
from kb.tree.contract.source import read_source
from kb.tree.document import RELEASED
from kb.tree.frontmatter import as_text
from kb.versions.locks import writing
from kb.versions.messages import checked_message
from kb.versions.repository import stage
from kb.versions.snapshot import Author
from kb.versions.source import FILE_MODES, Source, Stored, is_hidden


def commit(
    source: Source, message: str, author: Author, paths: Iterable[str] | None, today: datetime.date
) -> tuple[str, Report]:
    """Stage `paths` (None: what is staged already), check, commit; the commit's id ('' when the check failed).

    AlmanacError for a message without the form, or when nothing is staged.
    """
    checked_message(message)
    if paths is not None:
        stage(source, paths)
    staged = source.staged()
    report = check_staged(source, staged, today)
    if report.broken:
        return "", report
    if not _anything(source):
        raise AlmanacError("nothing_to_commit", ExitCode.USAGE)
    with writing(source):
        if source.staged() != staged:
            raise AlmanacError("staged_meanwhile")
        source.git.run(
            source.repository, *_identity(source, author),
            "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim", f"--message={message}",
        )  # fmt: skip
    return source.commit_of("HEAD"), report


def _anything(source: Source) -> bool:
    against = () if source.has_commit() else (source.git.run(source.repository, "mktree").strip(),)
    listed = source.git.run(
        source.repository,
        "diff", "--cached", "--name-only", "--no-ext-diff", "-z", *against,
    )  # fmt: skip
    return bool(listed)


def check_staged(source: Source, staged: Sequence[Stored], today: datetime.date) -> Report:
    """Check the documents that the next commit changes, as they are staged and not as they lie on disk."""
    before = {one.path: one.blob for one in source.files("HEAD")} if source.has_commit() else {}
    changed = [one for one in staged if before.get(one.path) != one.blob and is_checked(one.path)]
    data = dict(zip((one.path for one in changed), source.blobs(changed), strict=True))
    if any(map(names_id, data.values())):
        # An id must be the tree's only one.
        others = [one for one in staged if one.path not in data and is_checked(one.path)]
        data |= dict(zip((one.path for one in others), source.blobs(others), strict=True))

    def read(path: str) -> bytes:
        if path not in data:
            raise KnowledgeError("no_such_document", path=path)
        return data[path]

    files = GivenFiles((one.path for one in staged), read)
    report = check_tree(files, [one.path for one in changed], today)
    earlier = [Stored(one.path, before[one.path]) for one in changed if one.path in before]
    same = _same_version(zip((one.path for one in earlier), source.blobs(earlier), strict=True), data)
    return replace(report, findings=(*report.findings, *same))


def _same_version(earlier: Iterable[tuple[str, bytes]], data: Mapping[str, bytes]) -> Iterator[Finding]:
    """Released documents whose text changes while their version stays: nobody could tell the two apart."""
    for path, old_data in earlier:
        try:
            old, new = read_source(path, old_data), read_source(path, data[path])
        except KnowledgeError:
            continue
        if old.body == new.body or not (old.metadata and new.metadata) or _is_draft(new):
            continue
        version = as_text(new.metadata.get("version")).strip()
        if version and version == as_text(old.metadata.get("version")).strip():
            yield Finding(path, new.line_of("version"), "version-same", Severity.WARNING, {"version": version})


def _is_draft(source: Document) -> bool:
    return as_text((source.metadata or {}).get("status")).strip() not in ("", RELEASED)


def listed(source: Source, listing: bytes) -> list[Stored]:
    """The files below the root in what `git ls-files -s -z` says, which a hook passes on.

    A hook's git may use an index of its own (`git commit --only`), so that only it can tell what is staged.
    """
    prefix = f"{source.inner}/" if source.inner else ""
    found = []
    for record in listing.split(b"\0"):
        facts, _, name = record.partition(b"\t")
        words = facts.decode("ascii", "replace").split()
        path = name.decode("utf-8", "replace")
        if len(words) == 3 and words[0] in FILE_MODES and path.startswith(prefix):
            inner = path.removeprefix(prefix)
            if not is_hidden(inner):
                found.append(Stored(inner, words[1]))
    return found


def _identity(source: Source, author: Author) -> tuple[str, ...]:
    """Who is named: `author`, unless that is empty; then the repository's own setting, then the program."""
    named = (("user.name", author.name), ("user.email", author.email))
    wanted = [word for setting, value in named if value for word in ("-c", f"{setting}={value}")]
    return (*source.git.identity(source.repository), *wanted)
