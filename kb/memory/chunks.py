"""Chunks of a document for extraction: search's own sections, gathered up to a number of tokens.

Search cuts documents into sections by their structure (`kb.search.sections`); a chunk here is as many of them under one
heading as fit. A table stays whole; one that alone is too long is cut between rows, each part with its header.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kb.memory.block import Block
from kb.memory.markdown import to_markdown
from kb.search.normalise import rendered
from kb.search.sections import Block as Piece
from kb.search.sections import sections, split_sentences

LIMIT = 1500
_KEYWORDS = 8
_SUMMARY = 120
_PAGE = re.compile(r"<!-- page (\d+)(?:-(\d+))? -->")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-/.][A-Za-z0-9]+)*")
_HAN = re.compile(r"[\u4e00-\u9fff]{2,}")
# Characters that join words and are hardly ever within one; those that can be, but neither begin nor end one.
_JOINING = frozenset("的了和与及或在对是有被把将由从向到不应可必须以")
_EDGES = frozenset("为时后前中上下其该此每各如若则并等之于个种")
_STOP_WORDS = """
the and for with from that this are was not may must shall should can into than then when which each per any all its
has have been will between under over only also such other page table figure
"""
_STOP = frozenset(_STOP_WORDS.split())

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document: `text` begins with the heading path; `pages` are its first and last page (0: none)."""

    text: str
    trail: tuple[str, ...]
    pages: tuple[int, int]
    summary: str
    keywords: tuple[str, ...]


def chunks(blocks: Sequence[Block], count: CountTokens, limit: int = LIMIT, title: str = "") -> list[Chunk]:
    """The chunks of a document, in order. `count` gives the tokens of a text by the tokenizer of the model that will
    read it; no chunk has more than `limit` of them, unless its headings alone do."""
    markdown = to_markdown(blocks)
    lines = markdown.split("\n")
    page_of = _pages(lines)
    made: list[Chunk] = []
    for trail, pieces in _gathered(markdown, title):
        head = " / ".join(trail)
        spare = max(limit - count(head + "\n\n"), 1)
        for group in _packed(pieces, count, spare):
            body = "\n\n".join(text for text, _, _ in group)
            first, last = group[0][1], group[-1][2]
            plain = rendered(body)
            made.append(
                Chunk(
                    f"{head}\n\n{body}" if head else body,
                    trail,
                    (page_of[min(first, len(page_of)) - 1][0], page_of[min(last, len(page_of)) - 1][1]),
                    _summary(plain),
                    keywords(f"{' '.join(trail)}\n{plain}"),
                )
            )
    return made


_Part = tuple[str, int, int]
"""A text with its first and last line."""


def _pages(lines: Sequence[str]) -> list[tuple[int, int]]:
    """For each line the page it stands on, first and last where a table goes over several."""
    found: list[tuple[int, int]] = []
    page = (0, 0)
    for line in lines:
        mark = _PAGE.match(line)
        if mark:
            page = (int(mark[1]), int(mark[2] or mark[1]))
        found.append(page)
    return found


def _gathered(markdown: str, title: str) -> Iterator[tuple[tuple[str, ...], list[Piece]]]:
    """The blocks under each heading, those of search's sections with the same headings together."""
    trail: tuple[str, ...] | None = None
    pieces: list[Piece] = []
    for section in sections(markdown, 1, title):
        if section.trail != trail and trail is not None:
            yield trail, pieces
            pieces = []
        trail = section.trail
        pieces.extend(section.blocks)
    if trail is not None:
        yield trail, pieces


def _packed(pieces: Sequence[Piece], count: CountTokens, limit: int) -> Iterator[list[_Part]]:
    """The pieces in groups of at most `limit` tokens."""
    group: list[_Part] = []
    size = 0
    for piece in pieces:
        for part in _cut(piece, count, limit):
            added = count(part[0] + "\n\n")
            if group and size + added > limit:
                yield group
                group, size = [], 0
            group.append(part)
            size += added
    if group:
        yield group


def _cut(piece: Piece, count: CountTokens, limit: int) -> Iterator[_Part]:
    """A piece as it is, or in parts: a table between rows under its header, text between sentences, the rest between
    lines; what has no such place is cut by characters."""
    if count(piece.text + "\n\n") <= limit:
        yield piece.text, piece.start, piece.end
        return
    lines = piece.text.split("\n")
    if piece.kind == "table" and len(lines) > 2:
        head = "\n".join(lines[:2]) + "\n"
        units = [(line + "\n", 1) for line in lines[2:]]
        yield from _parts(units, head, piece.start + 2, count, limit)
    elif piece.kind in ("paragraph", "item", "quote"):
        yield from _parts(
            [(text, newlines) for text, newlines in split_sentences(piece.text)], "", piece.start, count, limit
        )
    else:
        yield from _parts([(line + "\n", 1) for line in lines], "", piece.start, count, limit)


def _parts(units: Sequence[tuple[str, int]], head: str, line: int, count: CountTokens, limit: int) -> Iterator[_Part]:
    current, first = "", line
    for unit, newlines in units:
        for piece in _small(unit, head, count, limit):
            if current and count(head + current + piece + "\n\n") > limit:
                yield (head + current).rstrip(), first, line
                current, first = "", line
            current += piece
        line += newlines
    if current.strip():
        yield (head + current).rstrip(), first, line


def _small(unit: str, head: str, count: CountTokens, limit: int) -> Iterator[str]:
    """A unit that fits, else its halves."""
    if count(head + unit + "\n\n") <= limit or len(unit) < 2:
        yield unit
        return
    middle = len(unit) // 2
    yield from _small(unit[:middle], head, count, limit)
    yield from _small(unit[middle:], head, count, limit)


def _summary(plain: str) -> str:
    """The first sentence of prose, else the first words."""
    for line in plain.split("\n"):
        stripped = line.strip(" #>*-|")
        if len(stripped) > 5 and not line.lstrip().startswith(("|", "```", "$$")):
            first = split_sentences(stripped)[0][0].strip()
            return first if len(first) <= _SUMMARY else first[: _SUMMARY - 1] + "…"
    words = " ".join(plain.replace("|", " ").split())
    return words if len(words) <= _SUMMARY else words[: _SUMMARY - 1] + "…"


def keywords(text: str, limit: int = _KEYWORDS) -> tuple[str, ...]:
    """The words that a text repeats: Latin words and codes, and runs of Chinese characters between function words."""
    counts: Counter[str] = Counter()
    for word in _LATIN.findall(text):
        if len(word) > 2 and word.lower() not in _STOP:
            counts[word] += 1
    runs: Counter[str] = Counter()
    for run in _HAN.findall(text):
        for size in (2, 3, 4, 5, 6):
            for start in range(len(run) - size + 1):
                gram = run[start : start + size]
                if not _JOINING & set(gram) and not _EDGES & {gram[0], gram[-1]}:
                    runs[gram] += 1
    for gram, number in runs.items():
        if number > 1:
            counts[gram] = number * len(gram) // 2
    chosen: list[str] = []
    for word, _ in sorted(counts.items(), key=lambda item: (-item[1], -len(item[0]), item[0])):
        if not any(word in other or other in word for other in chosen):
            chosen.append(word)
        if len(chosen) == limit:
            break
    return tuple(chosen)
