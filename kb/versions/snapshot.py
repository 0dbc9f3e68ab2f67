"""Taking a snapshot: the manifest of the whole tree, one commit, one annotated tag.

The tag is made last and in one step (git renames a lock file over the reference), so a crash at any moment leaves
either no tag or a complete one. What was done before it is found again by the next attempt: the same manifest in the
last commit is not committed twice.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kb import fsio
from kb.config import ProgressReport, no_progress
from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.versions import manifest as manifests
from kb.versions.git import AUTHOR_EMAIL
from kb.versions.locks import writing
from kb.versions.manifest import FILE_NAME, Manifest
from kb.versions.numbering import Level, Number, following, newest, read_number
from kb.versions.source import Source, Stored

NAMED = 20
"""How many files an error names."""
_DIGEST = re.compile(r"^manifest: ([0-9a-f]{64})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A tagged state: `commit` holds `manifest`, whose file has the SHA-256 `digest`. `is_new` tells one that was
    just made; `left_out` are links in the tree, which no release holds."""

    tag: str
    commit: str
    digest: str
    manifest: Manifest
    is_new: bool = False
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Author:
    """Who commits, where the repository does not say."""

    name: str
    email: str = AUTHOR_EMAIL


def take(
    source: Source,
    author: Author,
    *,
    number: Number | None = None,
    level: Level | None = None,
    message: str = "",
    include_changes: bool = False,
    report: ProgressReport = no_progress,
) -> Snapshot:
    """Tag the knowledge as `number`, or as the next one by `level` (minor).

    Without either, a tree that is as the newest snapshot says gets no second name: that snapshot is returned, not new.
    KnowledgeError for changes that are not committed (unless `include_changes`) and for unreadable documents;
    AlmanacError when the number is taken.
    """
    with writing(source):
        tags = source.tags()
        if number is not None and number.tag in tags:
            raise AlmanacError("version_taken", ExitCode.USAGE, tag=number.tag, newest=tags[-1])
        if include_changes:
            source.git.run(source.repository, "add", "--all", "--", source.spec)
        else:
            _refuse_changes(source)
        earlier = last(source, tags)
        built = _built(source, earlier, report)
        if earlier is not None and number is None and level is None and built.same_content(earlier.manifest):
            return earlier
        chosen = number or following(tags, level or "minor")
        manifest, commit = _committed(source, author, built, chosen, message, include_changes=include_changes)
        _tag(source, author, chosen, commit, manifest, message)
        return Snapshot(chosen.tag, commit, manifest.digest, manifest, True, tuple(source.left_out(commit)))


def last(source: Source, tags: list[str]) -> Snapshot | None:
    """The newest snapshot among `tags` that has a manifest."""
    number = newest(tags)
    if number is None:
        return None
    try:
        return read(source, number.tag)
    except KnowledgeError:
        return None  # a tag of another making; the next snapshot does not build on it


def read(source: Source, reference: str) -> Snapshot:
    """The snapshot that a tag names (also without `kb-`).

    KnowledgeError when its commit holds no sound manifest, or another one than the tag says.
    """
    number = read_number(reference)
    commit = source.commit_of(reference)
    tag = number.tag if number is not None else reference
    data = source.content(commit, FILE_NAME)
    if data is None:
        raise KnowledgeError("version_without_manifest", version=tag)
    manifest = manifests.parse(data, f"{tag}:{FILE_NAME}")
    digest = manifests.sha256(data)
    said = _DIGEST.findall(source.tag_message(tag)) if number is not None else []
    if (said and said[-1] != digest) or (number is not None and manifest.version != str(number)):
        raise KnowledgeError("version_other_manifest", version=tag)
    return Snapshot(tag, commit, digest, manifest)


def described(source: Source, commit: str, earlier: Manifest | None = None) -> Manifest:
    """The manifest that `commit` would have, from its files: for states that were never tagged."""
    return manifests.build("", "", contents(source, source.files(commit)), earlier)


def _refuse_changes(source: Source) -> None:
    changed = source.uncommitted(FILE_NAME)
    if changed:
        more = f" … {len(changed) - NAMED}" if len(changed) > NAMED else ""
        raise KnowledgeError("versions_uncommitted", count=len(changed), names="\n  ".join(changed[:NAMED]) + more)
    if not source.has_commit():
        raise KnowledgeError("versions_nothing", path=source.root)


def contents(source: Source, stored: list[Stored], report: ProgressReport = no_progress) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each file, one at a time."""
    for done, (entry, data) in enumerate(zip(stored, source.blobs(stored), strict=True)):
        report("manifest", done, len(stored))
        yield entry.path, data
    report("manifest", len(stored), len(stored))


def _built(source: Source, earlier: Snapshot | None, report: ProgressReport) -> Manifest:
    """The manifest of what is staged. A file that git holds under the same name as in `earlier` is not read again."""
    stored = source.staged()
    if earlier is None:
        built = manifests.build("", "", contents(source, stored, report))
    else:
        listed = {entry.path for entry in earlier.manifest.documents} | {entry.path for entry in earlier.manifest.files}
        before = {entry.path: entry.blob for entry in source.files(earlier.commit) if entry.path in listed}
        changed = [entry for entry in stored if before.get(entry.path) != entry.blob]
        same = {entry.path for entry in stored} - {entry.path for entry in changed}
        built = manifests.build("", "", contents(source, changed, report), earlier.manifest, same)
    if not built.documents:
        raise KnowledgeError("root_empty", path=source.root)
    return built


def _committed(
    source: Source, author: Author, built: Manifest, number: Number, message: str, *, include_changes: bool
) -> tuple[Manifest, str]:
    """The manifest as it is committed, and its commit; an attempt that ended before its tag is carried on."""
    head = source.content("HEAD", FILE_NAME) if source.has_commit() else None
    if head is not None:
        with contextlib.suppress(KnowledgeError):
            known = manifests.parse(head, FILE_NAME)
            if known.version == str(number) and known.same_content(built) and not source.uncommitted(FILE_NAME):
                fsio.write_bytes(source.root / FILE_NAME, head)
                return known, source.commit_of("HEAD")
    manifest = replace(built, version=str(number), created=utc_text())
    fsio.write_bytes(source.root / FILE_NAME, manifest.to_bytes())
    run, repository = source.git.run, source.repository
    path = f":(top,literal){source.inside(FILE_NAME)}"
    run(repository, "add", "--force", "--", path)
    summary = f"docs({number.tag}): {message.strip() or 'snapshot'}"
    run(
        repository, *_identity(source, author), "commit", "--quiet", "--no-verify", "--no-gpg-sign",
        "--cleanup=verbatim", f"--message={summary}", "--only", "--", source.spec if include_changes else path,
    )  # fmt: skip
    return manifest, source.commit_of("HEAD")


def _tag(source: Source, author: Author, number: Number, commit: str, manifest: Manifest, message: str) -> None:
    said = f"{message.strip() or f'Knowledge {number}'}\n\nmanifest: {manifest.digest}\n"
    source.git.run(
        source.repository, *_identity(source, author), "tag", "--annotate", "--no-sign", "--cleanup=verbatim",
        f"--message={said}", "--end-of-options", number.tag, commit,
    )  # fmt: skip


def _identity(source: Source, author: Author) -> tuple[str, ...]:
    """The repository's own name for whoever commits, else `author`."""
    return source.git.identity(source.repository, author.name, author.email)
