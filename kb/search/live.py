"""The index of a tree that people go on changing: compared with it, mended, and made anew when it is damaged.

Questions read over one connection, changes are made over another, and neither waits for the other. A question waits
only for the first index of a tree, or for a few files of a small one that nobody else is reading already.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, KnowledgeError
from kb.search.index import Changes, Index, Report
from kb.search.layout import SegmentError
from kb.search.snapshot import Snapshot
from kb.tree.taxonomy import FILE_NAME, Taxonomy, load_taxonomy
from kb.tree.walk import FileState, walk

_log = logging.getLogger(__name__)

# The tree is walked again at most this often, and never for more than a twentieth of the time.
_RECHECK_S = 1.0
_RECHECK_FACTOR = 20
# So many changed files are read before a question is answered, in a small tree; more of them beside it.
_AT_ONCE = 30
_AT_ONCE_BYTES = 1_000_000
# A thread that looks at a tree which does not answer is left behind.
_PATIENCE_S = 5.0
_AFTER_S = 0.1
# Of candidates that are not as indexed so many are read again before the next attempt.
_MENDED = 8
# The system's clock for changes of files is coarser than ours.
_CLOCK_NS = 1_000_000_000


# What reading a damaged index may raise: other bytes are other places, counts and texts.
_SIGNS_OF_DAMAGE = (sqlite3.DatabaseError, ValueError, IndexError, OverflowError)

T = TypeVar("T")


class ClosedError(Exception):
    """The retriever was closed while its index was being brought up to date."""


@dataclass(frozen=True, slots=True)
class Walk:
    """All files of the tree, as they were from `at_ns` on (the system's clock), and the seconds that looking took."""

    states: list[FileState]
    at_ns: int
    cost_s: float


class LiveIndex:
    """The index of `root` in `folder`, as fresh as the tree. `lock` guards its connection for questions; `renewed` is
    called, under the lock, when the index was gone or damaged and begins again."""

    def __init__(self, root: Path, folder: Path, lock: threading.RLock, renewed: Callable[[], None]) -> None:
        self.root = root
        self.folder = folder
        self._lock = lock
        self._renewed = renewed
        self._index: Index | None = None
        self._snapshot: Snapshot | None = None
        self._taxonomy: tuple[tuple[int, int], Taxonomy] | None = None
        self._writing = threading.Lock()
        self._writer: Index | None = None
        self._checked = 0.0
        self._check_cost = 0.0
        self._walked_ns: int | None = None
        self._fresh: threading.Thread | None = None
        self._closing = threading.Event()

    def close(self) -> None:
        """Release the databases; what is being read beside is given up."""
        self._closing.set()
        fresh = self._fresh
        if fresh is not None:
            fresh.join(_PATIENCE_S)
        with self._lock, self._writing:
            for index in (self._index, self._writer):
                if index is not None:
                    index.close()
            self._index = self._writer = self._snapshot = None

    @property
    def taxonomy(self) -> Taxonomy:
        """The tree's taxonomy, read again when its file changes."""
        with self._lock:
            try:
                state = (self.root / FILE_NAME).stat()
                stamp = (state.st_size, state.st_mtime_ns)
            except OSError:
                stamp = (0, 0)
            if self._taxonomy is None or self._taxonomy[0] != stamp:
                self._taxonomy = (stamp, load_taxonomy(self.root))
            return self._taxonomy[1]

    @property
    def index(self) -> Index:
        """The index, opened when first needed, and made anew when its files were deleted meanwhile."""
        with self._lock:
            if self._index is not None and not self._index.in_place:
                self._forget()
            if self._index is None:
                self._index = Index.open(self.root, self.folder)
            return self._index

    def _forget(self) -> None:
        """Let go of an index whose files are gone or damaged; the next use builds it again."""
        _log.warning("the index in %s was deleted or damaged; it is built again", self.folder)
        if self._index is not None:
            self._index.close()
        self._index = self._snapshot = None
        self._checked = 0.0
        self._renewed()

    def whole(self, work: Callable[[], T]) -> T:
        """What `work` gives. Where it fails because the index is damaged inside, that is made anew and it done again.

        AlmanacError (index_damaged) where the index cannot be written.
        """
        try:
            return work()
        except _SIGNS_OF_DAMAGE:
            if not self._discard_damaged():
                raise
            return work()

    def _discard_damaged(self) -> bool:
        """Look at every byte of the index; False when it is sound, else it is forgotten and its files are removed."""
        with self._lock, self._writing:
            index = self.index
            if index.in_place:
                if index.is_sound:
                    return False
                if not index.writable:
                    raise AlmanacError("index_damaged", path=str(self.folder))
                index.discard()
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            self._forget()
            return True

    def update(self, report: ProgressReport = no_progress) -> Report:
        """Bring the index up to date with the tree now; questions of other threads go on meanwhile."""
        return self._bring_in(self._walk(), report)

    def _walk(self) -> Walk:
        """Look at all files of the tree (waiting for locks is not among the seconds that it took).

        KnowledgeError where the tree itself is gone: a stick that was pulled out is no reason to empty the index.
        """
        if not self.root.is_dir():
            raise KnowledgeError("root_missing", path=str(self.root))
        at, started = time.time_ns(), time.monotonic()
        return Walk(list(walk(self.root)), at - _CLOCK_NS, time.monotonic() - started)

    def _bring_in(self, found: Walk, report: ProgressReport, *, wait: bool = True) -> Report:
        """Index what differs from its file; without `wait` nothing where somebody else is at it."""
        taxonomy = self.taxonomy
        with self._changing(wait=wait) as index:
            if index is None:
                return Report(0, 0, len(found.states))
            outcome = index.update(taxonomy, report, found.states, self._walked_ns, wait=wait)
        with self._lock:
            self._walked_ns = found.at_ns
            self._check_cost = found.cost_s
            self._checked = time.monotonic()
        return outcome

    @contextlib.contextmanager
    def _changing(self, *, wait: bool = True) -> Iterator[Index | None]:
        """The connection for changes, for one thread at a time; without `wait`, None while another has it.

        What was damaged is made anew when it is opened.
        """
        if not self._writing.acquire(blocking=wait):
            yield None
            return
        try:
            if self._writer is not None and not self._writer.is_whole:
                self._writer.close()
                self._writer = None
            if self._writer is None:
                self._writer = Index.open(self.root, self.folder)
            yield self._writer
        finally:
            self._writing.release()

    def snapshot(self) -> Snapshot:
        """The current state, after looking whether the tree changed (not at every call: see _RECHECK_S).

        Where walking the tree or reading what changed takes long, that happens beside the question: what is found is
        compared with its file in any case, and a new document is found a moment later.
        """
        with self._lock:
            self._look()
            index = self.index  # first: where it was deleted, the snapshot is forgotten with it
            if self._snapshot is None or self._snapshot.generation != index.generation:
                self._snapshot = self._load()
            return self._snapshot

    def _load(self) -> Snapshot:
        """The index as it is now, made anew where its files are damaged."""
        try:
            return Snapshot(self.index)
        except (OSError, SegmentError, sqlite3.DatabaseError):
            self._forget()
            self._look()
            return Snapshot(self.index)

    def _look(self) -> None:
        """See to it that the tree is compared with its index, when it is time: now, or beside the question."""
        index = self.index  # first: one that was made anew has to be filled
        first = self._checked == 0.0
        if self._fresh is not None or not (
            first or time.monotonic() - self._checked > max(_RECHECK_S, _RECHECK_FACTOR * self._check_cost)
        ):
            return
        if not index.is_whole:
            self._forget()
            index, first = self.index, True
        if not (index.is_built and index.is_large):
            found = self._walk()
            if first or not index.is_built or _is_quick(index.changes(self.taxonomy, found.states, self._walked_ns)):
                self._bring_in(found, no_progress, wait=not index.is_built)
                return
        self._fresh = threading.Thread(target=self._check, name="almanac-fresh", daemon=True)
        self._fresh.start()

    def _check(self) -> None:
        """Compare the tree with its index in a thread of its own, and bring in what differs."""
        # The first question comes first: opening an index and walking over its tree take the same core.
        self._closing.wait(_AFTER_S)
        try:
            self._bring_in(self._walk(), self._unless_closed)
        except (AlmanacError, sqlite3.Error, OSError, ClosedError, *_SIGNS_OF_DAMAGE) as error:
            # Questions go on with the index as it is; the next one that needs the disk says what is wrong with it.
            _log.warning("the tree could not be compared with its index: %s", error)
        finally:
            with self._lock:
                self._checked = time.monotonic()
                self._fresh = None

    def _unless_closed(self, what: str, done: int, total: int) -> None:
        if self._closing.is_set():
            raise ClosedError

    def mend(self, paths: list[str]) -> bool:
        """Index a few files again that are not as indexed; False where somebody else is changing the index.

        Without that, they do not answer: a question does not wait.
        """
        taxonomy = self.taxonomy
        small = [path for path in paths if self._size(path) <= _AT_ONCE_BYTES]
        with self._changing(wait=False) as index:
            return index is not None and index.refresh(small[:_MENDED], taxonomy)

    def _size(self, path: str) -> int:
        """The bytes of a file, 0 when it is gone."""
        try:
            return (self.root / path).stat().st_size
        except OSError:
            return 0


def _is_quick(changes: Changes) -> bool:
    """Whether a question may wait for these files to be read."""
    return changes.count <= _AT_ONCE and sum(state.size for state in changes.changed) <= _AT_ONCE_BYTES
