"""Repairing files byte for byte: what no finding names stays as it was, line ends and byte order mark included."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Sequence

from kb.errors import KnowledgeError
from kb.tree.contract.findings import Edit, Finding
from kb.tree.textfile import decode

# A repair can bring the next fault to light (front matter that parses again); more rounds than kinds of repair.
_ROUNDS = 8
_LINE_END = re.compile(r"\r\n|\n|\r")


def edited(lines: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """`lines` after `edits`; of two that overlap, the one that begins first counts."""
    result = list(lines)
    for edit in reversed(_apart(edits)):
        line = result[edit.line - 1]
        result[edit.line - 1] = line[: edit.start] + edit.text + line[edit.end :]
    return result


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    kept: list[Edit] = []
    for edit in sorted(set(edits), key=lambda one: (one.line, one.start, one.end)):
        if not kept or (kept[-1].line, kept[-1].end) <= (edit.line, edit.start):
            kept.append(edit)
    return kept


def apply_edits(data: bytes, edits: Sequence[Edit]) -> bytes:
    """`data` (UTF-8, with or without byte order mark) after `edits`; its line ends stay as they are."""
    if not edits:
        return data
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text = data[len(mark) :].decode("utf-8")
    ends = _LINE_END.findall(text)
    usual = ends[0] if ends else "\n"
    lines = [line.replace("\n", usual) for line in edited(_LINE_END.split(text), edits)]
    return mark + "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True)).encode()


def recoded(data: bytes, path: str) -> bytes:
    """`data` stored as UTF-8, line ends kept. KnowledgeError when its encoding cannot be told."""
    encoding = decode(data, path).encoding
    for mark in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        if data.startswith(mark):
            data = data[len(mark) :]
            break
    return data.decode(encoding).encode()


def repair(path: str, data: bytes, check: Callable[[bytes], Sequence[Finding]]) -> bytes:
    """`data` after every safe repair that `check` offers, until it offers none."""
    for _ in range(_ROUNDS):
        findings = [finding for finding in check(data) if finding.fixable]
        if not findings:
            return data
        if any(finding.recode for finding in findings):
            data = recoded(data, path)
            continue
        repaired = apply_edits(data, [edit for finding in findings for edit in finding.edits])
        if repaired == data:
            return data
        data = repaired
    raise KnowledgeError("fix_endless", path=path)
