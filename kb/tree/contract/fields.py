"""The front matter of one document: required and known fields, dates and their order, status, references."""

from __future__ import annotations

import datetime
import difflib
import re
from collections.abc import Iterator, Mapping

from kb.tree import frontmatter
from kb.tree.contract.findings import Edit, Finding, Severity
from kb.tree.contract.fixing import edited
from kb.tree.contract.keywords import LISTS, check_keywords
from kb.tree.contract.source import Source
from kb.tree.frontmatter import FrontMatterError, Value

REQUIRED = ("title", "version", "date_updated")
DATES = ("date_created", "date_updated", "valid_from", "valid_to")
STATUSES = ("draft", "reviewing", "released")
TEXTS = ("title", "version", "author", "source", "status", "owner", "reviewer", "type", "id", "lang")
KNOWN = frozenset(
    (*REQUIRED, *DATES, *TEXTS, *LISTS, "references", "supersedes", "source_digest", "source_folder", "body_sha256")
)
REFERENCE_FIELDS = ("id", "type", "title")

_STATUS_WORDS = {
    "草稿": "draft", "草案": "draft", "审核中": "reviewing", "评审中": "reviewing", "待审核": "reviewing",
    "review": "reviewing", "in review": "reviewing", "已发布": "released", "发布": "released", "published": "released",
    "release": "released",
}  # fmt: skip
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ].*)?")
_YEAR_FIRST = re.compile(r"(\d{4})(?:[-/.年])(\d{1,2})(?:[-/.月])(\d{1,2})日?|(\d{4})(\d{2})(\d{2})")
_ONE_LINE = re.compile(r"^([A-Za-z_][\w-]*[ \t]*:[ \t]+)(?P<value>\S.*?)(?:[ \t]+#.*|[ \t]*)$")
_COLON = re.compile(r"^([A-Za-z_]\w*)([ \t]*：[ \t\u3000]*|:(?=[^\s:]))")
_EDITION = re.compile(r"(\d{4}_v\d+)$")


def check_fields(source: Source, today: datetime.date) -> Iterator[Finding]:
    """All findings about the front matter of `source`; `today` tells a date in the future."""
    if source.problem is not None:
        yield _broken(source, source.problem)
        return
    if source.metadata is None:
        yield Finding(source.path, 1, "front-matter-missing", params={"fields": ", ".join(REQUIRED)})
        return
    yield from _required(source, source.metadata)
    yield from _dates(source, source.metadata, today)
    yield from _status(source, source.metadata)
    yield from check_keywords(source)
    yield from _references(source, source.metadata)
    yield from _unknown(source, source.metadata)
    yield from _edition(source, source.metadata)


def _broken(source: Source, problem: FrontMatterError) -> Finding:
    """Front matter that does not parse; full-width colons and missing spaces behind known fields are repaired."""
    edits = []
    for number, line in enumerate(source.lines[1:], start=2):
        if line.rstrip() in ("---", "..."):
            break
        found = _COLON.match(line)
        if found is not None and found[1] in KNOWN:
            edits.append(Edit(number, found.start(2), found.end(2), ": "))
    if edits:
        try:
            parts = frontmatter.split("\n".join(edited(source.lines, edits)))
            frontmatter.parse(parts.yaml or "")
        except FrontMatterError:
            edits = []
    params = {"reason": problem.reason, "detail": problem.detail}
    return Finding(source.path, problem.line, "front-matter", params=params, edits=tuple(edits))


def _required(source: Source, metadata: Mapping[str, Value]) -> Iterator[Finding]:
    for name in REQUIRED:
        if not frontmatter.as_text(metadata.get(name)).strip():
            yield Finding(source.path, source.line_of(name), "field-missing", params={"field": name})
    for name in TEXTS:
        if not isinstance(metadata.get(name, ""), str):
            yield Finding(source.path, source.line_of(name), "field-not-text", params={"field": name})
    for name in LISTS:
        value = metadata.get(name, [])
        items = value if isinstance(value, list) else [value]
        if not all(isinstance(item, str) for item in items):
            yield Finding(source.path, source.line_of(name), "field-not-list", params={"field": name})


def _dates(source: Source, metadata: Mapping[str, Value], today: datetime.date) -> Iterator[Finding]:
    dates: dict[str, datetime.date] = {}
    for name in DATES:
        written = frontmatter.as_text(metadata.get(name)).strip()
        if not written:
            continue
        try:
            if not _ISO.fullmatch(written):
                raise ValueError(written)
            dates[name] = datetime.date.fromisoformat(written[:10])
        except ValueError:
            meant = _year_first(written)
            edits = _replace(source, name, written, meant) if meant else ()
            params = {"field": name, "value": written}
            yield Finding(source.path, source.line_of(name), "date", params=params, edits=edits)
    for first, second in (("date_created", "date_updated"), ("valid_from", "valid_to")):
        if first in dates and second in dates and dates[first] > dates[second]:
            params = {"first": first, "second": second}
            yield Finding(source.path, source.line_of(second), "date-order", params=params)
    if "date_updated" in dates and dates["date_updated"] > today:
        line = source.line_of("date_updated")
        yield Finding(source.path, line, "date-future", Severity.WARNING, {"value": str(dates["date_updated"])})


def _year_first(written: str) -> str:
    """The ISO form of a date that can only be read one way (year first); '' otherwise."""
    found = _YEAR_FIRST.fullmatch(written)
    if found is None:
        return ""
    year, month, day = (int(part) for part in found.groups() if part is not None)
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return ""


def _replace(source: Source, name: str, written: str, meant: str) -> tuple[Edit, ...]:
    """The edit that puts `meant` where field `name` says `written` on its one line, quotes kept."""
    number = source.line_of(name)
    line = _ONE_LINE.match(source.lines[number - 1])
    if line is None or line["value"].strip("\"'") != written:
        return ()
    start = source.lines[number - 1].index(written, line.start("value"))
    return (Edit(number, start, start + len(written), meant),)


def _status(source: Source, metadata: Mapping[str, Value]) -> Iterator[Finding]:
    value = metadata.get("status", "")
    if not isinstance(value, str) or not value or value in STATUSES:
        return
    folded = value.strip().lower()
    meant = folded if folded in STATUSES else _STATUS_WORDS.get(folded, "")
    edits = _replace(source, "status", value, meant) if meant else ()
    params = {"value": value, "known": ", ".join(STATUSES)}
    yield Finding(source.path, source.line_of("status"), "status", params=params, edits=edits)


def _references(source: Source, metadata: Mapping[str, Value]) -> Iterator[Finding]:
    value = metadata.get("references")
    if not value:
        return
    line = source.line_of("references")
    if not isinstance(value, list):
        yield Finding(source.path, line, "references-shape")
        return
    seen: set[str] = set()
    for number, item in enumerate(value, start=1):
        if not isinstance(item, dict):
            yield Finding(source.path, line, "references-shape")
            continue
        lacking = [name for name in REFERENCE_FIELDS if not frontmatter.as_text(item.get(name)).strip()]
        if lacking:
            params = {"number": str(number), "fields": ", ".join(lacking)}
            yield Finding(source.path, line, "reference-incomplete", params=params)
        name = frontmatter.as_text(item.get("id"))
        if name and name in seen:
            yield Finding(source.path, line, "reference-twice", Severity.WARNING, {"id": name})
        seen.add(name)


def _unknown(source: Source, metadata: Mapping[str, Value]) -> Iterator[Finding]:
    for name in metadata:
        if name not in KNOWN:
            near = difflib.get_close_matches(name, sorted(KNOWN), 1, 0.8)
            rule = "field-misspelt" if near else "field-unknown"
            params = {"field": name, "near": near[0]} if near else {"field": name}
            yield Finding(source.path, source.line_of(name), rule, Severity.WARNING, params)


def _edition(source: Source, metadata: Mapping[str, Value]) -> Iterator[Finding]:
    """File name and version, where both name a year and revision, name the same."""
    named = _EDITION.search(source.path.rsplit(".", 1)[0])
    version = frontmatter.as_text(metadata.get("version")).strip()
    if named and _EDITION.fullmatch(version) and named[1] != version:
        params = {"version": version, "name": named[1]}
        yield Finding(source.path, source.line_of("version"), "version-differs", Severity.WARNING, params)
