"""Looking at a sample of memory beside its sources; judgements are kept and hold when documents are read again."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode
from kb.memory import client_records as records
from kb.memory.client_records import MemoryRecord
from kb.memory.store import MemoryStore

MAX_LINES = 100_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person said of a record: `right` or not, with a `remark`."""

    record: str
    right: bool
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Regression:
    """How judged records stand after documents were read again: `kept` of those right are still there, `lost` are not;
    `gone` of those wrong are no longer found by the rules, `back` still are (and stay hidden)."""

    kept: int
    lost: tuple[str, ...]
    gone: int
    back: tuple[str, ...]


def sample(store: MemoryStore, size: int, seed: int = 0) -> list[MemoryRecord]:
    """`size` records chosen by chance (the same for the same `seed`), not judged yet, of every kind."""
    rows = store.connection.execute(
        "SELECT id FROM records WHERE kind IN ('attribute', 'relation', 'event', 'constraint') AND rejected=0 "
        "AND id NOT IN (SELECT record FROM judgements) ORDER BY id"
    ).fetchall()
    chosen = random.Random(seed).sample([row[0] for row in rows], min(max(size, 0), len(rows)))
    found = {}
    for first in range(0, len(chosen), 400):
        part = chosen[first : first + 400]
        for record in records.read(store.connection, f"r.id IN ({','.join('?' * len(part))})", part):
            found[record.id] = record
    return [found[name] for name in chosen if name in found]


def parse_judgements(text: str, path: str) -> list[Judgement]:
    """Judgements from JSON (as `audit --json` prints, with "right" filled in) or from JSON lines.

    Entries whose "right" is null are not judged yet. AlmanacError names file and place of what cannot be read.
    """
    found = []
    for number, entry in enumerate(_entries(text, path), start=1):
        if not isinstance(entry, dict) or not isinstance(entry.get("id", entry.get("record")), str):
            raise AlmanacError("memory_bad_judgement", ExitCode.USAGE, path=path, number=number)
        right = entry.get("right")
        if right is None:
            continue
        if not isinstance(right, bool):
            raise AlmanacError("memory_bad_judgement", ExitCode.USAGE, path=path, number=number)
        found.append(Judgement(str(entry.get("id", entry.get("record"))), right, str(entry.get("remark") or "")))
    return found


def _entries(text: str, path: str) -> Iterable[Any]:
    try:
        whole = json.loads(text)
    except ValueError:
        pass
    else:
        entries = whole.get("records", [whole]) if isinstance(whole, dict) else whole
        return entries if isinstance(entries, list) else [entries]
    lines = [line for line in text.splitlines()[:MAX_LINES] if line.strip()]
    try:
        return [json.loads(line) for line in lines]
    except ValueError as error:
        raise AlmanacError("memory_bad_judgement", ExitCode.USAGE, path=path, number=1) from error


def judge(store: MemoryStore, judgements: Iterable[Judgement], author: str) -> int:
    """Keep judgements; a record judged wrong is hidden from now on, also when its document is read again.

    Returns how many were kept; those of unknown records are refused (AlmanacError `memory_no_record`).
    """
    count = 0
    with store.writing() as connection:
        for item in judgements:
            rows = records.read_any(connection, item.record)
            if rows is None:
                raise AlmanacError("memory_no_record", ExitCode.USAGE, record=item.record)
            connection.execute(
                "INSERT INTO judgements VALUES(?,?,?,?,?,?,?,?) ON CONFLICT(record) DO UPDATE SET "
                "right=excluded.right, "
                "author=excluded.author, made_at=excluded.made_at, remark=excluded.remark",
                (
                    item.record,
                    rows.place.doc_id,
                    rows.text,
                    rows.place.quote,
                    int(item.right),
                    author,
                    utc_text(),
                    item.remark,
                ),
            )
            connection.execute("UPDATE records SET rejected=? WHERE id=?", (int(not item.right), item.record))
            count += 1
    return count


def regression(store: MemoryStore) -> Regression:
    """Whether what was judged right is still extracted, and what was judged wrong no longer is."""
    kept, gone = 0, 0
    lost: list[str] = []
    back: list[str] = []
    rows = store.connection.execute(
        "SELECT j.said, j.right, EXISTS(SELECT 1 FROM records r WHERE r.id=j.record) FROM judgements j "
        "JOIN documents d ON d.doc_id=j.doc_id ORDER BY j.record"
    )
    for said, right, there in rows:
        if right:
            kept += there
            lost += [] if there else [said]
        else:
            gone += not there
            back += [said] if there else []
    return Regression(kept, tuple(lost), gone, tuple(back))
