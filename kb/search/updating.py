"""Changes to an index: what is read, written and committed, under the index's lock.

Documents are read and their segments written before the transaction begins; readers see the old index until it ends. A
segment is synced before the transaction that names it, and files that no row names are swept later: after `kill -9` the
old index stands or the new one, never half of each.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from kb import device, fsio
from kb.config import ProgressReport
from kb.tree.taxonomy import Taxonomy
from kb.tree.walk import FileState

if TYPE_CHECKING:
    from kb.search.building import Built, Outcome, Plain
    from kb.search.helper import Helper
    from kb.search.index import Index

# A helper is worth starting for so many documents.
_WORTH_HELP = 150
_MOST_PROCESSES = 4
# What each process takes, about.
_PROCESS_MB = 150
# Processes read so many documents before they wait for each other: one that lags behind is not given up as stuck.
_PORTION = 4_000
# Of many changed documents so many are committed at a time: they answer again, and others may have the lock.
_AT_A_TIME = 500


def update(
    index: Index, changed: list[FileState], gone: list[str], taxonomy: Taxonomy, report: ProgressReport, *, anew: bool
) -> None:
    """Bring changes in; `anew` begins the index again, at once: terms are weighed with the mean section length of the
    first build, and what that was of a single note is no measure for a library."""
    states = sorted(changed, key=lambda state: state.path)
    step = len(states) if anew else _AT_A_TIME
    for start in range(0, max(len(states), 1), max(step, 1)):
        shown = partial(_shown, report, start, len(states))
        _apply(index, states[start : start + step], gone if not start else [], taxonomy, shown, anew=anew)
    report("index", len(states), len(states))
    _sweep(index)


def _shown(report: ProgressReport, start: int, total: int, what: str, done: int, _: int) -> None:
    """Progress of a part of the work that begins after `start` of `total`."""
    report(what, start + done, total)


def refresh(index: Index, states: list[FileState], gone: list[str], taxonomy: Taxonomy) -> None:
    """Bring in a few files that were seen to differ."""
    _apply(index, states, gone, taxonomy, lambda *_: None, anew=False, quickly=True)


def _apply(
    index: Index,
    states: list[FileState],
    gone: list[str],
    taxonomy: Taxonomy,
    report: ProgressReport,
    *,
    anew: bool,
    quickly: bool = False,
) -> None:
    """Read, then change the database in one transaction. `quickly`: somebody waits."""
    from kb.search.building import segment_name
    from kb.search.merging import join_segments

    connection = index.connection
    known: dict[str, bytes] = {}
    if not anew:
        for state in states:
            row = connection.execute("SELECT digest FROM documents WHERE path=?", (state.path,)).fetchone()
            if row is not None:
                known[state.path] = row[0]
    length = None if anew else _mean_length(index)
    outcomes: list[Outcome] = []
    for start in range(0, len(states), _PORTION):
        portion, shown = states[start : start + _PORTION], partial(_shown, report, start, len(states))
        outcomes += _read(index, portion, taxonomy, length, known, shown)
    connection.execute("BEGIN IMMEDIATE")
    try:
        if anew:
            for table in ("documents", "segments", "unreadable"):
                connection.execute(f"DELETE FROM {table}")
            connection.execute("DELETE FROM meta WHERE key='mean_length'")
        for path in gone:
            _drop(index, path)
        for outcome in outcomes:
            _keep(index, outcome)
        if length is None:
            _measure(index, [built for outcome in outcomes for built in outcome.built])
        replaced = join_segments(connection, index.folder, segment_name, quickly=quickly)
        # Where only times differ, all that was read from the index still holds.
        if anew or gone or not index.is_built or any(outcome.built or outcome.unreadable for outcome in outcomes):
            if anew or not index.is_built:
                index.set_meta("taxonomy", taxonomy.digest)
            index.set_meta("generation", str(index.generation + 1))
        connection.execute("COMMIT")
    except BaseException:
        # On a full disk SQLite has rolled back by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    # Readers have mapped these, or will find that the index has moved on.
    for name in replaced:
        with contextlib.suppress(OSError):
            (index.folder / name).unlink()


def _read(
    index: Index,
    states: list[FileState],
    taxonomy: Taxonomy,
    length: float | None,
    known: dict[str, bytes],
    report: ProgressReport,
) -> list[Outcome]:
    """Read files and write their segments; of many, helpers on the other cores read their shares."""
    from kb.search.building import Outcome, build, warm_up
    from kb.search.helper import Helper

    processes = _processes(len(states), device.look()) if len(states) >= 2 * _WORTH_HELP else 1
    # Large files are shared out evenly.
    by_size = sorted(states, key=lambda state: state.size) if processes > 1 else states
    shares = [by_size[number::processes] for number in range(processes)]
    done = 0

    def tick() -> None:
        nonlocal done
        report("index", min(done * processes, len(states)), len(states))
        done += 1

    read = partial(build, index.root, index.folder, taxonomy=taxonomy, mean_length=length, known=known)
    helpers: list[Helper[Plain] | None] = []
    try:
        if processes > 1:
            warm_up()
        helpers += [Helper.start(partial(_plainly, read, share)) for share in shares[1:]]
        outcomes = [read(shares[0], tick=tick)]
        for share in shares[1:]:
            helper = helpers.pop(0)
            found = helper.wait() if helper is not None else None
            outcomes.append(Outcome.of(found) if found is not None else read(share, tick=tick))
        return outcomes
    finally:
        for helper in helpers:
            if helper is not None:
                helper.stop()


def _processes(documents: int, here: device.Device) -> int:
    """How many processes may read so many documents: by cores, and by what memory is free."""
    room = _MOST_PROCESSES if here.memory_mb is None else here.memory_mb // _PROCESS_MB
    return max(1, min(here.cores, _MOST_PROCESSES, documents // _WORTH_HELP, room))


def _plainly(read: Callable[..., Outcome], share: list[FileState]) -> Plain:
    return read(share, tick=lambda: None).plain()


def _keep(index: Index, outcome: Outcome) -> None:
    """Name what was built."""
    connection = index.connection
    connection.executemany("UPDATE documents SET size=?, mtime_ns=? WHERE path=?", outcome.same)
    for row in outcome.unreadable:
        _drop(index, str(row[0]))
        connection.execute("INSERT INTO unreadable VALUES (?,?,?,?,?)", row)
    for built in outcome.built:
        cursor = connection.execute("INSERT INTO segments VALUES (NULL, ?, ?)", (built.name, built.sections))
        for row in built.rows:
            _drop(index, str(row[0]))
        connection.executemany(f"INSERT INTO documents VALUES (NULL{',?' * 15},{cursor.lastrowid},?)", built.rows)


def _drop(index: Index, path: str) -> None:
    index.connection.execute("DELETE FROM unreadable WHERE path=?", (path,))
    index.connection.execute("DELETE FROM documents WHERE path=?", (path,))


def _measure(index: Index, read: list[Built]) -> None:
    """Keep the mean section length of all that was read, by which terms are weighed from now on."""
    sections = sum(built.sections for built in read)
    if sections:
        index.set_meta("mean_length", repr(max(sum(built.occurrences for built in read) / sections, 1.0)))


def _mean_length(index: Index) -> float | None:
    """The mean section length that the weights of existing segments were made with."""
    row = index.connection.execute("SELECT value FROM meta WHERE key='mean_length'").fetchone()
    return float(row[0]) if row else None


def _sweep(index: Index) -> None:
    """Remove segment files that no committed row names, and temporaries of killed processes."""
    named = {row[0] for row in index.connection.execute("SELECT name FROM segments")}
    now = time.time()
    fsio.sweep_temporaries(index.folder, 3600, now)
    for file in index.folder.glob("*.seg"):
        with contextlib.suppress(OSError):
            if file.name not in named and now - file.stat().st_mtime > 60:
                file.unlink()
