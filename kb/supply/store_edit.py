"""Changing single values in a card's file: every byte that is not the value itself stays as a person wrote it."""

from __future__ import annotations

import codecs
import datetime
import io
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from kb.errors import KnowledgeError
from kb.tree import frontmatter, textfile
from kb.tree.frontmatter import FrontMatterError, Value

if TYPE_CHECKING:
    from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

NewValue = str | int | datetime.date
# Written without quotes, it is read back as the same text by every YAML parser.
_PLAIN = re.compile(
    r"[A-Za-z][\w.-]*|\d{4}-\d\d-\d\d|\d+|[\u4e00-\u9fff][\w\u3000-\u9fff、，。；！？ -]*[\w\u4e00-\u9fff]"
)
# The longer ones first: UTF-32's begins with UTF-16's.
_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def edit_bytes(path: str, data: bytes, changes: Mapping[str, NewValue]) -> bytes:
    """As `edit`, on a file's bytes: mark, encoding and line ends stay."""
    return transformed(path, data, lambda text: edit(path, text, changes))


def transformed(path: str, data: bytes, change: Callable[[str], str]) -> bytes:
    """A file's bytes with `change` made to its text; mark, encoding and line ends stay. KnowledgeError: no text."""
    encoding = textfile.decode(data, path).encoding
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    return mark + change(data[len(mark) :].decode(encoding)).encode(encoding)


def edit(path: str, text: str, changes: Mapping[str, NewValue]) -> str:
    """`text` with the values of `changes` (`status`, `metrics.injected`) in place of those that stood there.

    A field that is missing is added: at the end of the mapping it belongs to. `path` is named in errors.
    KnowledgeError when the file is not valid YAML or the change would touch anything else.
    """
    wanted = _changed(_parsed(path, text), changes)
    for field, value in changes.items():
        text = _edit_one(path, text, field, written(value))
    try:
        done = frontmatter.parse(text.replace("\r\n", "\n"))
    except FrontMatterError:
        done = {}
    if done != wanted:
        raise KnowledgeError("card_edit_failed", path=path, fields=", ".join(changes))
    return text


def add_item(path: str, text: str, field: str, value: str) -> str:
    """`text` with `value` as a further item of the list `field` (`evidence.links`); the same text when it is there.

    KnowledgeError when `field` holds no list, or the change would touch anything else.
    """
    from ruamel.yaml.nodes import MappingNode, SequenceNode

    before = _parsed(path, text)
    outer, _, inner = field.partition(".")
    entry = _entry(_compose(path, text), outer)
    if entry is not None and inner:
        entry = _entry(entry[1], inner) if isinstance(entry[1], MappingNode) else None
    if entry is None or not isinstance(entry[1], SequenceNode):
        raise KnowledgeError("card_edit_failed", path=path, fields=field)
    node = entry[1]
    if any(item.value == value for item in node.value):
        return text
    done = _appended(text, node, written(value))
    found = before[outer]
    items = found.get(inner) if inner and isinstance(found, dict) else found
    wanted = [*(items if isinstance(items, list) else []), value]
    expected = {**before, outer: {**found, inner: wanted} if inner and isinstance(found, dict) else wanted}
    if _parsed(path, done) != expected:
        raise KnowledgeError("card_edit_failed", path=path, fields=field)
    return done


def _appended(text: str, node: SequenceNode, value: str) -> str:
    """A further item behind the last one, in the list's style."""
    if node.flow_style or not node.value:
        end = node.end_mark.index - 1
        return text[:end].rstrip() + (", " if node.value else "") + value + text[end:]
    last = node.value[-1]
    start = text.rfind("\n", 0, last.start_mark.index) + 1
    end = text.find("\n", max(last.end_mark.index - 1, last.start_mark.index))
    line_end = "\r\n" if "\r\n" in text else "\n"
    dash = text[start : text.index("-", start) + 1]
    if end < 0:
        return f"{text}{line_end}{dash} {value}"
    return f"{text[: end + 1]}{dash} {value}{line_end}{text[end + 1 :]}"


def written(value: NewValue) -> str:
    """`value` as it stands in YAML on one line: quoted where it would mean something else without."""
    plain = str(value)
    if isinstance(value, (int, datetime.date)):
        return plain
    if _PLAIN.fullmatch(plain) and plain.lower() not in _WORDS:
        return plain
    if all(char.isprintable() for char in plain):
        return "'" + plain.replace("'", "''") + "'"
    escaped = "".join(char if char.isprintable() and char not in '"\\' else _escape(char) for char in plain)
    return f'"{escaped}"'


def _escape(char: str) -> str:
    return f"\\U{ord(char):08x}"


def _parsed(path: str, text: str) -> dict[str, Value]:
    try:
        return frontmatter.parse(text.replace("\r\n", "\n"))
    except FrontMatterError as error:
        raise KnowledgeError("card_edit_broken", path=path, line=max(error.line - 1, 1)) from error


def _changed(fields: dict[str, Value], changes: Mapping[str, NewValue]) -> dict[str, Value]:
    result = dict(fields)
    for field, value in changes.items():
        outer, _, inner = field.partition(".")
        if not inner:
            result[outer] = str(value)
            continue
        below = result.get(outer)
        result[outer] = {**(below if isinstance(below, dict) else {}), inner: str(value)}
    return result


def _edit_one(path: str, text: str, field: str, value: str) -> str:
    from ruamel.yaml.nodes import MappingNode

    root = _compose(path, text)
    outer, _, inner = field.partition(".")
    entry = _entry(root, outer)
    if entry is None:
        line_end = "\r\n" if "\r\n" in text else "\n"
        added = f"{outer}: {{{inner}: {value}}}" if inner else f"{outer}: {value}"
        return (text if text.endswith("\n") else text + line_end) + added + line_end
    if not inner:
        return _replaced(text, entry, value)
    node = entry[1]
    if not isinstance(node, MappingNode):
        return _replaced(text, entry, f"{{{inner}: {value}}}")
    below = _entry(node, inner)
    return _inserted(text, node, inner, value) if below is None else _replaced(text, below, value)


def _compose(path: str, text: str) -> MappingNode:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.nodes import MappingNode

    try:
        node = YAML(typ="rt", pure=True).compose(io.StringIO(text))
    except YAMLError as error:
        raise KnowledgeError("card_edit_broken", path=path, line=1) from error
    if not isinstance(node, MappingNode):
        raise KnowledgeError("card_edit_broken", path=path, line=1)
    return node


def _entry(node: MappingNode, name: str) -> tuple[Node, Node] | None:
    """Key and value of an entry."""
    return next(((key, value) for key, value in node.value if key.value == name), None)


def _replaced(text: str, entry: tuple[Node, Node], value: str) -> str:
    key, node = entry
    start, end = node.start_mark.index, node.end_mark.index
    old = text[start:end]
    if not old.strip():
        # An empty value has no place of its own: it belongs behind the colon.
        start = text.index(":", key.end_mark.index) + 1
        return f"{text[:start]} {value}{text[start:]}"
    # A block scalar ends with its line.
    tail = old[len(old.rstrip("\r\n")) :] if old[0] in "|>" else ""
    return text[:start] + value + tail + text[end:]


def _inserted(text: str, node: MappingNode, name: str, value: str) -> str:
    """A further entry of a mapping: after its last one, in its style."""
    if node.flow_style or not node.value:
        end = node.end_mark.index - 1
        lead = ", " if node.value else ""
        return text[:end].rstrip() + f"{lead}{name}: {value}" + text[end:]
    key = node.value[0][0]
    start = key.start_mark.index
    indent = text[text.rfind("\n", 0, start) + 1 : start]
    line_end = "\r\n" if "\r\n" in text else "\n"
    return text[:start] + f"{name}: {value}{line_end}{indent}" + text[start:]
