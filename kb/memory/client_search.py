"""Finding records for a question: by the entities it names, by its words, and by the kind of number it asks for."""

from __future__ import annotations

import dataclasses
import math
import re
import sqlite3
from collections.abc import Sequence

from kb.memory.client_records import MemoryRecord, of_nodes, read, taking_part
from kb.memory.extract.dates import dates
from kb.memory.extract.values import kind_of, measures
from kb.memory.meaning import Meaning, records_near, reranked
from kb.memory.names import key_of
from kb.memory.store_tables import found_under, fts_any
from kb.search.normalise import normalise
from kb.search.numbers import ANY, asked_kinds
from kb.search.tokens import question_terms, terms

_MOST_TERMS = 48
_BY_WORDS = 150
_BY_ENTITY = 400
_LONGEST_NAME = 24
# ln(1 + records / records with the term): below this a term stands in more than a third of all.
_COMMON = math.log(4)
# What a word of the question counts where it stands: in what the record names, in its sentence, in the headings.
_IN_HEAD, _IN_QUOTE, _IN_TRAIL = 1.0, 0.7, 0.45
_NAMED, _KIND_FITS, _NO_KIND, _NAME_ASKED = 0.22, 0.2, -0.25, 0.25
_UNIT_ASKED = re.compile(
    r"(?:多少|几)个?(?P<han>[\u4e00-\u9fff]{1,3}?)(?![\u4e00-\u9fff])|how many (?P<latin>[a-z]+)", re.IGNORECASE
)
_WHEN = re.compile(
    r"什么时候|何时|哪一?[天年月日]|几[月号日]|日期|when\b|what (?:date|day|year|month)|on which (?:date|day)",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"谁|哪位|哪家|哪个(?:公司|单位|部门)|什么公司|\bwho\b|\bwhom\b|which (?:company|party|supplier|firm|person)",
    re.IGNORECASE,
)


def named(connection: sqlite3.Connection, question: str) -> list[tuple[int, str, str]]:
    """The entities that a question names: node, the name in the question, the entity's own name; longest names first.

    Names that only one document uses (the Supplier, 甲方) are not looked for.
    """
    plain = normalise(question)[:400]
    pieces: dict[str, tuple[int, int]] = {}
    for start, end in _pieces(plain):
        pieces.setdefault(key_of(plain[start:end]), (start, end))
    keys = [key for key in pieces if len(key) >= 2]
    rows: list[tuple[str, int, str]] = []
    for first in range(0, len(keys), 500):
        part = keys[first : first + 500]
        rows += connection.execute(
            "SELECT DISTINCT n.key, e.node, d.name FROM names n JOIN entities e ON e.id=n.entity JOIN nodes d ON "
            "d.id=e.node "
            f"WHERE n.key IN ({','.join('?' * len(part))}) AND n.local=0",
            part,
        ).fetchall()
    rows.sort(key=lambda row: -len(row[0]))
    found: list[tuple[int, str, str]] = []
    taken: list[tuple[int, int]] = []
    for key, node, name in rows:
        start, end = pieces[key]
        if all(end <= first or start >= last or (start, end) == (first, last) for first, last in taken):
            taken.append((start, end))
            found.append((node, plain[start:end].strip(), name))
    return found


def _pieces(plain: str) -> list[tuple[int, int]]:
    """Spans that may be names: runs between word boundaries, up to _LONGEST_NAME characters (Latin: six words)."""
    bounds = [0]
    for place in range(1, len(plain)):
        before, after = plain[place - 1], plain[place]
        word = before.isascii() and before.isalnum() and after.isascii() and after.isalnum()
        if not word:
            bounds.append(place)
    bounds.append(len(plain))
    spans = []
    for number, start in enumerate(bounds):
        if start >= len(plain) or plain[start].isspace():
            continue
        for end in bounds[number + 1 : number + 1 + _LONGEST_NAME]:
            if end - start > 60:
                break
            spans.append((start, end))
    return spans


def find(
    connection: sqlite3.Connection,
    question: str,
    nodes: Sequence[int],
    where: str = "1",
    parameters: Sequence[object] = (),
    meaning: Meaning | None = None,
) -> list[MemoryRecord]:
    """Records that fit a question, best first, each with its score; `nodes` are the entities it names.

    `where` narrows what is looked at (see client_records.read). With `meaning` records are found by that too.
    """
    wanted = list(question_terms(question))[:_MOST_TERMS]
    if not wanted:
        return []
    chosen: dict[str, MemoryRecord] = {}
    named_ids: set[str] = set()
    weights = _weights(connection, wanted)
    rows = connection.execute(
        "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT ?",
        (fts_any(_telling(weights, found_under(" ".join(wanted)))), _BY_WORDS),
    ).fetchall()
    numbers = [row[0] for row in rows]
    for record in read(
        connection,
        f"r.kind<>'constraint' AND r.number IN ({','.join('?' * len(numbers))}) AND ({where})",
        (*numbers, *parameters),
    ):
        chosen[record.id] = record
    if nodes:
        either = of_nodes(len(nodes), "r.entity", "r.other")
        own = read(connection, f"{either} AND ({where})", (*nodes, *nodes, *parameters), _BY_ENTITY)
        part = f"{taking_part(len(nodes))} AND ({where})"
        took_part = read(connection, part, (*nodes, *parameters), _BY_ENTITY)
        chosen.update({record.id: record for record in (*own, *took_part)})
        named_ids = {record.id for record in (*own, *took_part)}
    near = records_near(connection, meaning.near(question), where, parameters) if meaning else {}
    chosen.update({name: record for name, (record, _) in near.items()})
    kinds = asked_kinds(question)
    scored = [
        dataclasses.replace(record, score=_score(record, weights, kinds, question, record.id in named_ids))
        for record in chosen.values()
    ]
    if meaning:
        scored = reranked(scored, near, meaning.similarities(question))
    return sorted(scored, key=lambda record: (-record.score, *_standing(record)))


def _standing(record: MemoryRecord) -> tuple[str, int, int, str]:
    """Where a record stands: of values of one sentence that fit alike, what is said first answers first."""
    return record.place.doc_id, record.place.start, record.place.quote.find(record.value), record.id


def _telling(weights: dict[str, float], wanted: list[str]) -> list[str]:
    """The terms that are looked for: words that stand in a great part of all records only when there are no others.

    A question of common words alone would have every record ranked.
    """
    known = [term for term in wanted if term in weights]
    rare = [term for term in known if weights[term] >= _COMMON]
    return rare or sorted(known, key=lambda term: -weights[term])[:2] or wanted


def _weights(connection: sqlite3.Connection, wanted: Sequence[str]) -> dict[str, float]:
    """How much each term of the question tells: its inverse frequency among the records."""
    total = int(connection.execute("SELECT count(*) FROM words").fetchone()[0]) or 1
    weights = {}
    for term in wanted:
        row = connection.execute("SELECT doc FROM frequencies WHERE term=?", (term,)).fetchone()
        count = int(row[0]) if row else 0
        weight = math.log(1 + total / (1 + count))
        # A single character of a Chinese word says little beside its pairs.
        weights[term] = weight * (0.15 if len(term) == 1 and not term.isascii() else 1.0)
    return weights


def _score(
    record: MemoryRecord, weights: dict[str, float], kinds: frozenset[str], question: str, is_named: bool
) -> float:
    """How well a record answers, mostly 0..1: words of the question it covers, and what speaks for it beside."""
    own_words = record.value if record.kind in ("event", "note") else record.name
    name = " ".join((own_words, *record.conditions))
    head = set(terms(f"{record.entity} {name} {' '.join(record.participants)}"))
    if record.kind == "relation":
        head |= set(terms(record.value))
    quote = set(terms(record.place.quote[:1500]))
    trail = set(terms(" ".join((*record.place.trail, record.place.title))))
    total = sum(weights.values()) or 1.0
    covered = 0.0
    for term, weight in weights.items():
        if term in head:
            covered += weight * _IN_HEAD
        elif term in quote:
            covered += weight * _IN_QUOTE
        elif term in trail:
            covered += weight * _IN_TRAIL
    score = covered / total
    own = [term for term in terms(record.name) if len(term) > 1 or term.isascii()]
    if own and record.kind in ("attribute", "relation"):
        score += _NAME_ASKED * sum(term in weights for term in own) / len(own)
    if is_named:
        score += _NAMED
    score += _fitting(record, kinds, question)
    return round(score, 4)


def _fitting(record: MemoryRecord, kinds: frozenset[str], question: str) -> float:
    """Whether the record's value is of the kind that the question asks for."""
    if _WHEN.search(question):
        if record.kind == "event":
            return 2 * _KIND_FITS
        return _KIND_FITS if any(date.when for date in dates(record.value)) else _NO_KIND
    if _WHO.search(question):
        return _KIND_FITS if record.kind == "relation" else 0.0
    if not kinds:
        return 0.0
    if record.kind != "attribute":
        return _NO_KIND
    kind = kind_of(record.unit) if record.unit else ""
    if not kind:
        inside = measures(record.value)
        kind = inside[0].kind if inside else ""
        if not inside and not any(char.isdigit() for char in record.value):
            return _NO_KIND
    if asked := _UNIT_ASKED.search(question):
        # 多少升, how many litres: the unit itself is asked for.
        wanted = kind_of(asked["han"] or asked["latin"])
        if wanted:
            return _KIND_FITS if kind == wanted else _NO_KIND / 2
    if ANY in kinds:
        return _KIND_FITS if kind or any(char.isdigit() for char in record.value) else 0.0
    return _KIND_FITS if kind in kinds else _NO_KIND / 2
