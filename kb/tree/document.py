"""A document: the facts in its front matter and path, and its body when asked for."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError, Value
from kb.tree.textfile import read_text

RELEASED = "released"
_HEADING = re.compile(r"^#[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_LATIN = re.compile(r"[A-Za-z]{2,}")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a file: `reason` is a key of kb.texts, `line` counts from 1 (0: the whole file)."""

    path: str
    line: int
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A standard or source that a document names."""

    id: str
    type: str
    title: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What the front matter and the path say. Dates that cannot be read are None and listed as problems."""

    path: str
    title: str
    version: str
    lang: str
    status: str
    type: str
    owner: str
    date_updated: datetime.date | None
    valid_from: datetime.date | None
    valid_to: datetime.date | None
    tags: tuple[str, ...]
    keywords: tuple[str, ...]
    references: tuple[Reference, ...]
    metadata: Mapping[str, Value] = field(repr=False)
    problems: tuple[Problem, ...] = ()

    @property
    def domain(self) -> str:
        """The first part of the path."""
        return self.path.split("/", 1)[0] if "/" in self.path else ""

    def valid_on(self, day: datetime.date) -> bool:
        """Whether the document may answer on `day`."""
        return (self.valid_from is None or self.valid_from <= day) and (self.valid_to is None or day <= self.valid_to)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document read whole: `facts`, the full `text`, and where the body starts (line, counted from 1)."""

    facts: Facts
    text: str
    body_line: int

    @property
    def lines(self) -> list[str]:
        """The lines of the file, front matter included, so that line numbers are the file's own."""
        return self.text.split("\n")


def load(root: Path, path: str) -> Parsed:
    """Read the document at `path` (relative to `root`, `/` between parts).

    Broken front matter does not hide a document: its problem is recorded, its body still found. Raises
    KnowledgeError when the file cannot be read or decoded.
    """
    return parse(path, read_text(root / path).text)


def parse(path: str, text: str) -> Parsed:
    """As `load`, from text that was already decoded."""
    problems: list[Problem] = []
    metadata: dict[str, Value] = {}
    body_line = 1
    body = text
    head: str | None = text
    try:
        parts = frontmatter.split(text)
        body_line, body, head = parts.body_line, parts.body, parts.yaml
        if head is not None:
            metadata = frontmatter.parse(head)
    except FrontMatterError as error:
        # A document that has expired does not answer because of a fault elsewhere in its front matter.
        metadata = frontmatter.salvage(head or "")
        problems.append(Problem(path, error.line, error.reason, error.detail))
    facts = _facts(path, metadata, text, body, problems)
    return Parsed(facts, text, body_line)


def restore(path: str, text: str, metadata: dict[str, Value], problems: Iterable[Problem], lang: str) -> Parsed:
    """As `parse`, with front matter and language that were found before in the same text."""
    try:
        parts = frontmatter.split(text)
        body, body_line = parts.body, parts.body_line
    except FrontMatterError:
        body, body_line = text, 1
    # Dates are judged again by `_facts`.
    kept = [problem for problem in problems if problem.reason != "bad_date"]
    return Parsed(_facts(path, metadata, text, body, kept, lang), text, body_line)


def _facts(
    path: str, metadata: dict[str, Value], text: str, body: str, problems: list[Problem], lang: str | None = None
) -> Facts:
    def date(name: str) -> datetime.date | None:
        try:
            return frontmatter.as_date(metadata.get(name))
        except ValueError:
            written = metadata.get(name)
            shown = str(written) if isinstance(written, dict) else frontmatter.as_text(written)
            problems.append(Problem(path, frontmatter.line_of(name, text), "bad_date", f"{name}: {shown[:80]}"))
            return None

    updated, start, end = date("date_updated"), date("valid_from"), date("valid_to")
    if any(problem.reason == "bad_date" and problem.detail.startswith("valid_") for problem in problems):
        # A validity that nobody can read must not let a document answer as current.
        end = datetime.date.min
    title = frontmatter.as_text(metadata.get("title")).strip()
    heading = None if title else _HEADING.search(body)
    return Facts(
        path=path,
        title=title or (heading[1].strip() if heading else Path(path).stem.replace("_", " ")),
        version=frontmatter.as_text(metadata.get("version")).strip(),
        lang=lang or language_of(title + body[:2000]),
        status=frontmatter.as_text(metadata.get("status")).strip().lower() or RELEASED,
        type=frontmatter.as_text(metadata.get("type")).strip(),
        owner=frontmatter.as_text(metadata.get("owner")).strip(),
        date_updated=updated,
        valid_from=start,
        valid_to=end,
        tags=tuple(frontmatter.as_list(metadata.get("tags"))),
        keywords=tuple(frontmatter.as_list(metadata.get("keywords"))),
        references=tuple(_references(metadata.get("references"))),
        metadata=metadata,
        problems=tuple(problems),
    )


def _references(value: Value | None) -> list[Reference]:
    items = value if isinstance(value, list) else []
    return [
        Reference(*(frontmatter.as_text(item.get(name)) for name in ("id", "type", "title")))
        for item in items
        if isinstance(item, dict)
    ]


def language_of(text: str) -> str:
    """`zh` or `en`. Chinese technical text is full of Latin words, English text holds hardly a Chinese character: so a
    Chinese character for every three Latin words is Chinese."""
    return "zh" if 3 * sum(map(len, _HAN.findall(text))) >= len(_LATIN.findall(text)) else "en"
