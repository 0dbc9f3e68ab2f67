"""`_index.yaml`: the map of a tree that `lookup_knowledge` reads, generated, with a person's edits kept."""

from __future__ import annotations

import io
import logging
import re
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from kb import fsio
from kb.errors import KnowledgeError
from kb.tree import document, frontmatter
from kb.tree.textfile import read_text
from kb.tree.walk import walk

_log = logging.getLogger(__name__)
FILE_NAME = "_index.yaml"
_SUMMARY_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Entry:
    """One document in the index file."""

    file: str
    summary: str
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What writing the index file did, in numbers of entries."""

    total: int
    added: int
    kept: int
    removed: int


def read_index(root: Path) -> list[Entry]:
    """The entries of the tree's index file; empty without one. KnowledgeError when it is broken."""
    path = root / FILE_NAME
    if not path.is_file():
        return []
    loaded = frontmatter.read_file(path)
    files = loaded.get("files") or []
    if not isinstance(files, list):
        raise KnowledgeError("bad_index_file", path=str(path))
    entries: list[Entry] = []
    for item in files:
        if not isinstance(item, dict) or not frontmatter.as_text(item.get("file")):
            raise KnowledgeError("bad_index_file", path=str(path))
        entries.append(
            Entry(
                frontmatter.as_text(item["file"]),
                frontmatter.as_text(item.get("summary")),
                tuple(frontmatter.as_list(item.get("keywords"))),
            )
        )
    return entries


def write_index(root: Path) -> Outcome:
    """Write or refresh the index file of `root`.

    An entry that is there already stays as a person left it (summary, keywords, comments, order); entries of
    documents that are gone are removed, new documents are added at the end in path order.
    """
    path = root / FILE_NAME
    yaml = YAML()
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    try:
        data = yaml.load(read_text(path).text) if path.is_file() else None
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise KnowledgeError("broken_yaml", path=str(path), line=line, reason="YAML") from error
    if data is None:
        data = CommentedMap(files=CommentedSeq())
    files = data.get("files") if isinstance(data, CommentedMap) else None
    if not isinstance(files, CommentedSeq):
        raise KnowledgeError("bad_index_file", path=str(path))
    if not all(isinstance(item, CommentedMap) and isinstance(item.get("file"), str) for item in files):
        raise KnowledgeError("bad_index_file", path=str(path))
    present = {state.path for state in walk(root)}
    removed = [number for number, item in enumerate(files) if item["file"] not in present]
    for number in reversed(removed):
        del files[number]
    kept, known = len(files), {str(item["file"]) for item in files}
    new: list[str] = []
    for name in sorted(present - known):
        try:
            files.append(_entry(root, name))
            new.append(name)
        except KnowledgeError as error:
            _log.warning("left out: %s", error)
    stream = io.StringIO()
    yaml.dump(data, stream)
    fsio.write_text(path, stream.getvalue())
    return Outcome(len(files), len(new), kept, len(removed))


def _entry(root: Path, name: str) -> CommentedMap:
    parsed = document.load(root, name)
    facts = parsed.facts
    entry = CommentedMap()
    entry["file"] = name
    entry["summary"] = _summary(facts.title, "\n".join(parsed.lines[parsed.body_line - 1 :]))
    keywords = CommentedSeq(facts.keywords or facts.tags)
    keywords.fa.set_flow_style()
    entry["keywords"] = keywords
    return entry


def _summary(title: str, body: str) -> str:
    """The title and the first sentence of prose."""
    for line in body.split("\n"):
        stripped = line.strip()
        if stripped and not re.match(r"[#|>*\-+!`$\d]", stripped):
            sentence = re.split(r"(?<=[。！？])|(?<=[.!?]) ", stripped)[0]
            return f"{title}：{sentence}"[: _SUMMARY_CHARACTERS * 2]
    return title
