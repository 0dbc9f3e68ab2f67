"""All rules over one document, or over a tree."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from kb import fsio
from kb.errors import KnowledgeError
from kb.tree import frontmatter
from kb.tree.contract.fields import check_fields
from kb.tree.contract.files import DiskFiles, Files
from kb.tree.contract.findings import Finding, Severity
from kb.tree.contract.fixing import recoded, repair
from kb.tree.contract.naming import check_place
from kb.tree.contract.source import read_source
from kb.tree.contract.targets import check_targets
from kb.tree.textfile import MAX_BYTES, decode

_ID = re.compile(rb"^[\"']?id[\"']?[ \t]*:", re.MULTILINE)
_UTF8 = "utf-8"
# A few bytes of Chinese can be read in several encodings; more cannot by chance.
_CERTAIN = 64
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found, by path and line; `documents` is how many were looked at, `fixed` which were repaired."""

    documents: int
    findings: tuple[Finding, ...]
    fixed: tuple[str, ...] = ()

    def count(self, severity: Severity) -> int:
        """How many findings are of `severity`."""
        return sum(finding.severity is severity for finding in self.findings)

    @property
    def broken(self) -> bool:
        """Whether there is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def check_document(path: str, data: bytes, files: Files, today: datetime.date) -> list[Finding]:
    """Findings about the document `path` with the bytes `data`, in the tree `files`."""
    found = list(check_place(path))
    try:
        source = read_source(path, data)
    except KnowledgeError as error:
        return [*found, _undecodable(path, data, error)]
    found += [*_stored(path, data, source.encoding), *check_fields(source, today), *check_targets(source, files)]
    return in_order(found)


def check_front_matter(path: str, data: bytes, today: datetime.date) -> list[Finding]:
    """Findings about encoding and front matter alone."""
    try:
        source = read_source(path, data)
    except KnowledgeError as error:
        return [_undecodable(path, data, error)]
    return [*_stored(path, data, source.encoding), *check_fields(source, today)]


def check_links(path: str, data: bytes, files: Files) -> list[Finding]:
    """Findings about images and links alone; none for a document that cannot be decoded."""
    try:
        source = read_source(path, data)
    except KnowledgeError:
        return []
    return list(check_targets(source, files))


def check_tree(files: Files, paths: Sequence[str] | None = None, today: datetime.date | None = None) -> Report:
    """Check the documents `paths` of a tree (None: all)."""
    day = today or datetime.date.today()
    chosen = files.documents() if paths is None else list(paths)
    findings: list[Finding] = []
    for path in chosen:
        try:
            data = files.read(path)
        except KnowledgeError as error:
            findings.append(Finding(path, 0, "unreadable", params={"detail": str(error.params.get("reason", ""))}))
            continue
        findings += check_document(path, data, files, day)
    findings += check_ids(files, chosen)
    return Report(len(chosen), tuple(in_order(findings)))


def names_id(data: bytes) -> bool:
    """Whether a document's front matter may name an id: a look that is cheaper than reading it."""
    return _ID.search(data, 0, 4 * frontmatter.MAX_CHARACTERS) is not None


def check_ids(files: Files, paths: Sequence[str]) -> list[Finding]:
    """Findings for the documents `paths` whose id another document of the tree has too."""
    wanted = set(paths)
    ids: dict[str, list[tuple[str, int]]] = {}
    for path in sorted({*files.documents(), *paths}):
        with contextlib.suppress(KnowledgeError):
            data = files.read(path)
            if names_id(data):
                source = read_source(path, data)
                name = frontmatter.as_text((source.metadata or {}).get("id")).strip()
                if name:
                    ids.setdefault(name, []).append((path, source.line_of("id")))
    return [
        Finding(path, line, "id-twice", params={"id": name, "other": next(one for one, _ in places if one != path)})
        for name, places in ids.items()
        if len(places) > 1
        for path, line in places
        if path in wanted
    ]


def fix_tree(root: Path, paths: Sequence[str] | None = None, today: datetime.date | None = None) -> Report:
    """Repair on disk what is safe, then check: each file is replaced whole, and only when something changes."""
    day = today or datetime.date.today()
    files = DiskFiles(root)
    fixed: list[str] = []
    for path in files.documents() if paths is None else paths:
        try:
            data = files.read(path)
            repaired = repair(path, data, partial(_check_now, path, files, day))
        except KnowledgeError:
            continue  # reported by the check below
        if repaired != data:
            fsio.write_bytes((root / path).resolve(), repaired)
            fixed.append(path)
    report = check_tree(DiskFiles(root), paths, day)
    return replace(report, fixed=tuple(fixed))


def _check_now(path: str, files: Files, day: datetime.date, data: bytes) -> list[Finding]:
    return check_document(path, data, files, day)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """By path, line and severity."""
    return sorted(findings, key=lambda one: (one.path, one.line, _ORDER[one.severity], one.rule))


def _undecodable(path: str, data: bytes, error: KnowledgeError) -> Finding:
    if len(data) > MAX_BYTES:
        return Finding(path, 0, "too-large")
    detail = f"{error.params.get('encoding', '')} {error.params.get('offset', '')}".strip()
    return Finding(path, 0, error.key.replace("_", "-"), params={"detail": detail})


def _stored(path: str, data: bytes, encoding: str) -> Iterator[Finding]:
    """How the bytes are stored: UTF-8, line ends, byte order mark."""
    if encoding != _UTF8:
        params = {"encoding": encoding}
        yield Finding(path, 0, "encoding", params=params, recode=_certain(path, data, encoding))
        return
    if data.startswith(b"\xef\xbb\xbf"):
        yield Finding(path, 1, "byte-order-mark", Severity.NOTE)
    if b"\r" in data:
        bare = data.count(b"\n") - data.count(b"\r\n")
        yield Finding(path, 0, "mixed-line-ends" if bare else "carriage-returns", Severity.NOTE)
    if b"\0" in data:
        yield Finding(path, data.count(b"\n", 0, data.index(b"\0")) + 1, "control-character", Severity.WARNING)


def _certain(path: str, data: bytes, encoding: str) -> bool:
    """Whether storing as UTF-8 loses nothing: the text gives the same bytes back, and was not a guess from a few."""
    try:
        text = recoded(data, path).decode()
        same = data.endswith(text.encode(encoding))
    except (KnowledgeError, UnicodeError):
        return False
    return (
        same and (encoding.startswith("utf") or len(data) > _CERTAIN) and decode(text.encode(), path).encoding == _UTF8
    )
