"""YAML front matter: every scalar stays the text that a person wrote; errors name line and plain reason.

Parsed by ruamel.yaml with its base constructor, so `1.10`, `007`, `no` and `10:00` are not reinterpreted. The
size, nesting and alias limits stop documents that would only waste time (3,000 levels, alias bombs).
"""

from __future__ import annotations

import datetime
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kb.errors import KnowledgeError
from kb.plain import whole
from kb.tree.textfile import read_text

if TYPE_CHECKING:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError

Value = str | list["Value"] | dict[str, "Value"]

MAX_CHARACTERS = 64 * 1024
# Of a YAML file of its own, which grows with the tree: the index file has some 300 characters a document.
MAX_FILE_CHARACTERS = 32 * 1024 * 1024
MAX_DEPTH = 16
_OPEN = re.compile(r"\A---[ \t]*\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
# Where a value may begin: at the start of a line, in a flow list or mapping, behind a field's colon.
_ALIAS = re.compile(r"(?:^[ ]*(?:- )*|[\[,{]\s*|:\s+)\*[\w-]+", re.MULTILINE)
_ANCHOR = re.compile(r"(?:^[ ]*(?:- )*|[\[,{]\s*|:\s+)&[\w-]+", re.MULTILINE)
# What YAML does not allow in any form.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
# Fields that decide whether a document may answer, and by what name: read from the lines when the rest is broken.
_PLAIN_FIELDS = ("title", "version", "status", "valid_from", "valid_to", "date_updated")
_PLAIN_FIELD = re.compile(rf"^[\"']?({'|'.join(_PLAIN_FIELDS)})[\"']?[ \t]*[:：](.*)$", re.MULTILINE)
# What libyaml says of a value that begins with, or holds, one of YAML's own signs -> what to do about it.
_UNQUOTED = (
    "cannot start any token", "alphabetic or numeric", "expected key", "comment or line break",
    "not allowed in this context", "unhashable", "unknown escape", "escape code",
)  # fmt: skip
_FULL_WIDTH_COLON = re.compile(r"^[\w-]+：")
_LIST_OF_KEYS = re.compile(r"\s*- [A-Za-z_]\w*[ \t]*:(?:\s|$)")
_KEY = re.compile(r"^[A-Za-z_]\w*[ \t]*(?::(?:\s|$)|：)", re.MULTILINE)


_DATE = re.compile(r"(\d{4}-\d\d-\d\d|\d{8})(?:[T ]\d.*)?")


class FrontMatterError(ValueError):
    """Front matter that cannot be read: `line` counts from 1 in the file, `reason` is a key of kb.texts."""

    def __init__(self, line: int, reason: str, detail: str = "") -> None:
        self.line = line
        self.reason = reason
        self.detail = detail
        super().__init__(f"line {line}: {reason} {detail}".rstrip())


@dataclass(frozen=True, slots=True)
class Split:
    """A file's two parts: `yaml` (None without front matter) and `body`, which starts at line `body_line`."""

    yaml: str | None
    body: str
    body_line: int


def split(text: str) -> Split:
    """Separate front matter from body. A `---` further down in the body is a rule, not front matter."""
    opened = _OPEN.match(text)
    if opened is None:
        return Split(None, text, 1)
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        if _KEY.search(text, opened.end(), opened.end() + 2000):
            raise FrontMatterError(1, "fm_not_closed")
        return Split(None, text, 1)
    yaml = text[opened.end() : closed.start()]
    end = text.find("\n", closed.end())
    body_start = len(text) if end < 0 else end + 1
    if yaml.strip() and not _KEY.search(yaml) and not _LIST_OF_KEYS.match(yaml) and "：" not in yaml:
        # Two rules around prose: Markdown that begins with a horizontal line.
        return Split(None, text, 1)
    return Split(yaml, text[body_start:], text.count("\n", 0, body_start) + 1)


def parse(yaml: str, limit: int = MAX_CHARACTERS) -> dict[str, Value]:
    """The mapping in `yaml`.

    FrontMatterError when it is not one, is longer than `limit` characters, or is deeper than a person writes.
    """
    if not yaml.strip():
        return {}
    if len(yaml) > limit:
        raise FrontMatterError(2, "fm_too_long", str(limit))
    _refuse_traps(yaml)
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # here, because importing it takes 0.06 s

    try:
        loaded = _load(yaml)
    except MarkedYAMLError as error:
        raise _located(error, yaml) from error
    except RecursionError as error:
        raise FrontMatterError(2, "fm_too_deep", str(MAX_DEPTH)) from error
    except (YAMLError, ValueError) as error:
        raise FrontMatterError(2, "fm_yaml", type(error).__name__) from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise FrontMatterError(2, "fm_not_mapping")
    containers: set[int] = set()
    return {whole(str(key)): _plain(value, containers) for key, value in loaded.items()}


def salvage(text: str) -> dict[str, Value]:
    """Title, version, status and dates that stand on lines of their own in front matter that does not parse.

    A field with two different values keeps both, so that nothing takes one of them for a date.
    """
    found: dict[str, list[str]] = {}
    for name, written in _PLAIN_FIELD.findall(text[:MAX_CHARACTERS]):
        value = re.sub(r"(?:^|\s)#.*$", "", written).strip().strip("\"'").strip()
        if value and value not in found.setdefault(name, []):
            found[name].append(value)
    return {name: "/".join(values) if name not in ("title", "version") else values[0] for name, values in found.items()}


def line_of(name: str, text: str) -> int:
    """The line, counted from 1, on which the field `name` begins in a file's `text`; 0 when it stands on none."""
    found = re.search(rf"^[\"']?{re.escape(name)}[\"']?[ \t]*[:：]", text[:MAX_CHARACTERS], re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found is not None else 0


def _load(yaml: str) -> object:
    """Parsed by libyaml; what only YAML 1.2 allows (`[pH:5]`) by the slower parser in Python."""
    from ruamel.yaml.error import MarkedYAMLError

    try:
        return _parser().load(yaml)
    except MarkedYAMLError as error:
        # A parser that failed may have kept something of its text.
        _parsers.ready = None
        if "unexpected ':'" not in (error.problem or ""):
            raise
        from ruamel.yaml import YAML

        return YAML(typ="base", pure=True).load(yaml)


class _Parsers(threading.local):
    """Each thread's parser: making one takes as long as a front matter does (it looks for plug-ins on disk)."""

    ready: YAML | None = None


_parsers = _Parsers()


def read_file(path: Path, named: str = "") -> dict[str, Value]:
    """The mapping in a YAML file; KnowledgeError names the file (as `named`, else by its path), line and reason."""
    try:
        return parse(read_text(path).text, MAX_FILE_CHARACTERS)
    except FrontMatterError as error:
        # Front matter begins below its opening line, a file at its first.
        raise KnowledgeError(
            "broken_yaml", path=named or str(path), line=error.line - 1, reason=error.reason, detail=error.detail
        ) from error


def _parser() -> YAML:
    if _parsers.ready is not None:
        return _parsers.ready
    from ruamel.yaml import YAML
    from ruamel.yaml.resolver import BaseResolver

    class AllText(BaseResolver):
        """Does not look for the type that a scalar might have: it stays text, and looking is half of the work."""

        processing_version = None

        def __init__(self, version: object = None, loadumper: object = None) -> None:
            super().__init__(loadumper)

    _parsers.ready = made = YAML(typ="base", pure=False)
    made.Resolver = AllText
    return made


def _refuse_traps(yaml: str) -> None:
    control = _CONTROL.search(yaml)
    if control is not None:
        code = f"U+{ord(control[0]):04X}"
        raise FrontMatterError(yaml.count("\n", 0, control.start()) + 2, "fm_control", code)
    anchored = _ANCHOR.search(yaml) is not None
    for number, line in enumerate(yaml.split("\n"), start=2):
        if _FULL_WIDTH_COLON.match(line):
            raise FrontMatterError(number, "fm_full_width_colon")
        if re.match(r"^ *\t", line):
            raise FrontMatterError(number, "fm_tab")
        depth = line.count("[") + line.count("{")
        if depth > MAX_DEPTH and max(line.count("[[[["), line.count("{{{{")) > 2:
            raise FrontMatterError(number, "fm_too_deep", str(MAX_DEPTH))
        indent = len(line) - len(line.lstrip(" "))
        if indent > 40 * MAX_DEPTH or re.match(rf"^(?:\s*- ){{{MAX_DEPTH},}}", line):
            raise FrontMatterError(number, "fm_too_deep", str(MAX_DEPTH))
        if anchored and _ALIAS.search(line):
            raise FrontMatterError(number, "fm_alias")


def _located(error: MarkedYAMLError, yaml: str) -> FrontMatterError:
    mark = error.problem_mark or error.context_mark
    last = yaml.count("\n") + 1
    line = min(mark.line + 1, last) + 1 if mark is not None else 2
    problem = error.problem or ""
    if "duplicate key" in problem:
        found = re.search(r'duplicate key "([^"]*)"', problem)
        return FrontMatterError(line, "fm_duplicate", found[1] if found else "")
    if "mapping values are not allowed" in problem:
        return FrontMatterError(line, "fm_colon")
    if "expected ',' or" in problem or "unexpected end of stream" in problem:
        return FrontMatterError(line, "fm_unclosed")
    if "could not find expected ':'" in problem:
        return FrontMatterError(line, "fm_no_field")
    if any(words in problem for words in _UNQUOTED):
        return FrontMatterError(line, "fm_unquoted")
    return FrontMatterError(line, "fm_yaml", problem)


def _plain(value: object, containers: set[int], depth: int = 0) -> Value:
    """Strings, lists and mappings of strings; deeper than MAX_DEPTH is refused.

    A list or mapping that was met before (`containers`: their identities) came by an alias, whose copies would double
    with every level.
    """
    if depth > MAX_DEPTH:
        raise FrontMatterError(2, "fm_too_deep", str(MAX_DEPTH))
    if isinstance(value, (Mapping, list)):
        if id(value) in containers:
            raise FrontMatterError(2, "fm_alias")
        containers.add(id(value))
        if isinstance(value, list):
            return [_plain(item, containers, depth + 1) for item in value]
        return {whole(str(key)): _plain(item, containers, depth + 1) for key, item in value.items()}
    return "" if value is None else whole(str(value))


def as_list(value: Value | None) -> list[str]:
    """A field that may be a list or one text with separators (`a, b`, `a、b`): its non-empty items."""
    if value is None or isinstance(value, dict):
        return []
    items = value if isinstance(value, list) else re.split(r"[,，、;；]", value)
    return [item.strip() for item in items if isinstance(item, str) and item.strip()]


def as_text(value: Value | None) -> str:
    """A field that should be one text; lists are joined."""
    if isinstance(value, list):
        return ", ".join(as_list(value))
    return value if isinstance(value, str) else ""


def as_date(value: Value | None) -> datetime.date | None:
    """An ISO date (`2026-11-29`, or with a time behind it), or None where the field is empty.

    Raises ValueError for anything else, such as `2026-02-30`.
    """
    if isinstance(value, dict):
        raise ValueError("a mapping")
    written = as_text(value).strip()
    if not written:
        return None
    found = _DATE.fullmatch(written)
    if found is None:
        raise ValueError(written)
    return datetime.date.fromisoformat(found[1])
