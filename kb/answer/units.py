"""Evidence units: the smallest pieces of a document that can answer and be cited.

A sentence of a paragraph, a list item with the line that leads into its list, a table row with the header, a code
block, a formula with its legend, a heading that gives a value («### Dose: 5 ml»). The text is the document's own, with
Markdown marks left in place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from kb.search.quantities import quantities
from kb.search.sections import Block, Section, leads_in, split_sentences

MAX_UNIT = 900
_QUOTE_MARK = re.compile(r"^ {0,3}>+ ?", re.MULTILINE)
_ENDED = re.compile(r"[。！？；.!?:：;]\W*$")
_SENTENCE = re.compile(r"[。！；.!;]$")
# Not a doubt in brackets: 林某（1909年－？）
_ASKS = re.compile(r"[?？][^\w)）\]】]*$")
_SHORTEST = 5
_OPENING = re.compile(r"[^:：]{2,40}(?:：|:\s)")
# What explains the letters of the formula above it.
_LEGEND = re.compile(r"(?:式中|其中|公式中|where\b|in which\b)", re.IGNORECASE)
# Where a clause ends: the smallest part of a text that says something of its own.
CLAUSE = re.compile(r"[。！？；，、;,\n]|(?<=[.!?:])\s")
# A number that is no part of a code (ESP32, R5).
AMOUNT = re.compile(r"(?<![a-z0-9._])(?<![a-z0-9]-)\d", re.IGNORECASE)
# A clause to its last value and what that counts.
_TOPIC = re.compile(rf".*{AMOUNT.pattern}[\d.]*(?: ?[a-z]+)?", re.IGNORECASE | re.DOTALL)
# What a list item is about: the words before its colon.
LABEL = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)、])?\s*\**([^:：*]{2,40}?)\**\s*[:：]")
# A cell with a dash, or nothing, says nothing.
SAYS = re.compile(r"\w")
_BARE_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:\s?[-~–—至]\s?\d+(?:\.\d+)?)?")
_SEVERAL = 2
_LIST = ("item", "code", "formula")


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece: `text` verbatim, `context` (table header, lead-in, the question it answers), lines, kind of block.

    `led` is what stands below a text that only announces it (the steps of «Proceed as follows:», the answer to a
    question, the items below an item), to line `led_end`: shown with the text, see `whole`.
    """

    text: str
    context: str
    start: int
    end: int
    kind: str
    led: str = ""
    led_end: int = 0


def spoken_of(sentence: str) -> list[str]:
    """What `sentence` says of each of its values, if several of its clauses have one: that clause, the clauses without
    a value, and what earlier ones are about, which ends with their values («A takes 5 grams, B 7» says «A takes 5
    grams B 7» of the second); else all of it."""
    clauses = [clause for clause in CLAUSE.split(sentence) if clause]
    topics = [_TOPIC.match(clause) for clause in clauses]
    valued = [place for place, topic in enumerate(topics) if topic]
    if len(valued) < _SEVERAL:
        return [sentence]
    return [
        " ".join(
            clause if place == own or topic is None else topic[0] if place < own else ""
            for place, (clause, topic) in enumerate(zip(clauses, topics, strict=True))
        )
        for own in valued
    ]


def units(section: Section) -> list[Unit]:
    """The units of a section in reading order."""
    found = _heading(section)
    blocks = section.blocks
    for place, block in enumerate(blocks):
        if block.kind == "table":
            found.extend(_rows(block, block.lead))
        elif block.kind in _LIST:
            text = block.text.strip() if block.kind == "item" else block.text
            unit = Unit(shorten(text, MAX_UNIT), block.lead, block.start, block.end, block.kind)
            found.append(_leading(unit, _below(blocks, place)))
        else:
            asked = found[-1].text if found and place and _asks(found[-1]) else ""
            cut = _answering(block, asked)
            if _asks(cut[-1]) or leads_in(cut[-1].text):
                cut[-1] = _leading(cut[-1], _below(blocks, place))
            before_table = blocks[place + 1 : place + 2] and blocks[place + 1].kind == "table"
            # The rows have it as their context; by itself it says nothing.
            found.extend(cut[:-1] if before_table and leads_in(cut[-1].text) else cut)
    return found


def _heading(section: Section) -> list[Unit]:
    """The heading as a unit where it gives a value: a sentence, or one behind a colon. What only names a thing by its
    size does not, nor does the document's title."""
    name = section.trail[-1] if len(section.trail) > 1 and section.blocks else ""
    label = LABEL.match(name)
    said = name if _SENTENCE.search(name) else name[label.end() :] if label else ""
    if section.blocks and section.start < section.blocks[0].start and any(found.unit for found in quantities(said)):
        return [Unit(name, "", section.start, section.start, "paragraph")]
    return []


def whole(unit: Unit) -> Unit:
    """`unit` with what it announces."""
    if not unit.led:
        return unit
    return replace(unit, text=shorten(unit.text + unit.led, MAX_UNIT), end=unit.led_end, led="")


def _asks(unit: Unit) -> bool:
    return unit.kind in ("paragraph", "quote") and _ASKS.search(unit.text) is not None


def _answering(block: Block, asked: str) -> list[Unit]:
    """The sentences of a paragraph; those behind a question (`asked`: one at the end of the paragraph before) have it
    as context, and the question is led on to them."""
    cut = _sentences(block)
    gaps = _gaps(block, cut)
    answered: list[Unit] = []
    for place, unit in enumerate(cut):
        if _asks(unit):
            asked = unit.text
            following = takewhile(
                lambda pair: not _asks(pair[0]), zip(cut[place + 1 :], gaps[place + 1 :], strict=True)
            )
            answered.append(_leading(unit, [(gap + other.text, other.end) for other, gap in following]))
        else:
            answered.append(replace(unit, context="\n".join(filter(None, (asked, unit.context)))))
    return answered


def _gaps(block: Block, cut: list[Unit]) -> list[str]:
    """What stands before each sentence of a block and belongs to none: a blank, a line break, nothing."""
    plain, end = _plain(block), 0
    gaps: list[str] = []
    for unit in cut:
        start = plain.find(unit.text, end)
        gap = plain[end:start] if start >= 0 else "\n"
        gaps.append(gap if not gap.strip() else "\n")
        end = start + len(unit.text) if start >= 0 else end
    return gaps


def _plain(block: Block) -> str:
    return _QUOTE_MARK.sub("", block.text) if block.kind == "quote" else block.text


def _below(blocks: Sequence[Block], place: int) -> list[tuple[str, int]]:
    """The blocks behind `place` that belong to it: an item's own items, a formula's legend; behind a paragraph that
    announces it the list, code or formula, behind one that asks the next paragraph. Each with its last line."""
    block, following = blocks[place], blocks[place + 1 :]
    if block.kind == "formula":
        found = _legend(following)
    elif block.kind == "item":
        found = list(takewhile(lambda other: other.lead.startswith(block.lead) and _is_below(other, block), following))
    elif following and following[0].kind in _LIST:
        found = list(takewhile(lambda other: other.kind == following[0].kind, following))
        found += _legend(following[len(found) :]) if found[-1].kind == "formula" else []
    else:
        found = [other for other in following[:1] if other.kind == "paragraph" and _ASKS.search(block.text)]
    return [(f"\n{other.text}", other.end) for other in found]


def _legend(following: Sequence[Block]) -> list[Block]:
    """What explains the letters of the formula before `following`: a paragraph, and the list that it leads into."""
    if not following or not _LEGEND.match(following[0].text.lstrip()):
        return []
    listed = takewhile(lambda other: other.kind == "item", following[1:])
    return [following[0], *(listed if leads_in(following[0].text) else ())]


def _is_below(other: Block, block: Block) -> bool:
    """Whether an item stands below the item `block`."""
    return other.kind == "item" and block.text.split("\n", 1)[0].strip() in other.lead.split("\n")


def _leading(unit: Unit, following: list[tuple[str, int]]) -> Unit:
    """`unit` led on to the `following` texts (each with the white space before it), as many as fit into a unit."""
    led: list[str] = []
    end = unit.end
    size = len(unit.text)
    for text, last in following:
        size += len(text)
        if size > MAX_UNIT:
            break
        led.append(text)
        end = last
    return replace(unit, led="".join(led), led_end=end) if led else unit


def _sentences(block: Block) -> list[Unit]:
    found: list[Unit] = []
    line = block.start
    text = ""
    start = line
    for sentence, feeds in split_sentences(block.text):
        text += sentence
        line += feeds
        # A line break inside a sentence is not its end: wait for a mark, or for the end of the block.
        # «No.» says something only with what follows.
        if (_ENDED.search(sentence.rstrip()) or len(text) > MAX_UNIT) and len(text.strip()) > _SHORTEST:
            found.append(_unit(text, start, line, block))
            text, start = "", line
    if text.strip():
        found.append(_unit(text, start, block.end, block))
    return _clauses(found)


def _clauses(cut: list[Unit]) -> list[Unit]:
    """Sentences, of which those behind a semicolon have as context what their sentence opens with: «Twice: in May; in
    July.»"""
    opening = ""
    found: list[Unit] = []
    for unit in cut:
        found.append(replace(unit, context=opening))
        if not opening and (colon := _OPENING.match(unit.text)):
            opening = colon[0]
        if not unit.text.endswith((";", "；")):
            opening = ""
    return found


def _unit(text: str, start: int, end: int, block: Block) -> Unit:
    if text.startswith("\n"):
        start += 1
    if text.endswith("\n"):
        end -= 1
    clean = _QUOTE_MARK.sub("", text).strip() if block.kind == "quote" else text.strip()
    return Unit(shorten(clean, MAX_UNIT), "", min(start, block.end), max(start, min(end, block.end)), block.kind)


def _rows(block: Block, lead: str) -> list[Unit]:
    """Each data row with the header row as its context."""
    lines = block.text.split("\n")
    header = lines[0].strip()
    context = f"{lead}\n{header}" if lead else header
    return [
        Unit(line.strip(), context, block.start + number, block.start + number, "table")
        for number, line in enumerate(lines)
        if number > 1 and line.strip()
    ] or [Unit(header, lead, block.start, block.end, "table")]


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, cut after a clause, else before a word or number, never inside one."""
    if len(text) <= limit:
        return text
    clause = max(text.rfind(mark, 0, limit) for mark in "。；！？\n，,;")
    if clause > limit // 2:
        return text[: clause + 1]
    cut = limit
    while cut > limit // 2 and not (text[cut - 1].isspace() or text[cut].isspace()):
        cut -= 1
    return text[:cut].rstrip()


def naming(unit: Unit) -> str:
    """What the context of `unit` says that it is about: of a table each column in which its row says something, with
    that («ZB-60：62 L/min»)."""
    if unit.kind != "table":
        return unit.context
    lead, _, header = unit.context.rpartition("\n")
    names, values = cells(header), cells(unit.text)
    if len(names) != len(values):
        return lead
    said = (f"{name}：{value}" for name, value in zip(names, values, strict=True) if SAYS.search(value))
    return "；".join(filter(None, (lead, *said)))


def has_bare_number(row: Unit) -> bool:
    """Whether a row gives a number of which neither its cell nor the column's name says the unit («| 氮 N | 14 |»)."""
    names, values = cells(row.context.rpartition("\n")[2]), cells(row.text)
    return len(names) == len(values) and any(
        _BARE_NUMBER.fullmatch(value) and not re.search(r"[(（]", name)
        for name, value in zip(names, values, strict=True)
    )


def cells(row: str) -> list[str]:
    """The cells of a table row; `\\|` is a bar inside a cell."""
    inner = row.strip().strip("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]
