"""A run that lasts, such as the interface: each question is answered from the release that is live when it is asked.

A question keeps the runtime that it began with, so that none sees two releases. A release that nobody asks any more is
let go: whoever cleans up may remove it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from kb.answer.runtime import Runtime


class LiveRuntime:
    """The runtime that answers now, beginning with `first`, whose models all others use."""

    def __init__(self, first: Runtime, changed: Callable[[Runtime], object] = lambda runtime: None) -> None:
        """`changed` is called with each new runtime, in the thread that asks."""
        self._first = self._current = first
        self._changed = changed
        self._lock = threading.Lock()
        self._asking: dict[Runtime, int] = {}
        self._made: list[Runtime] = []

    @property
    def runtime(self) -> Runtime:
        """The runtime over the release that answered last."""
        return self._current

    @contextlib.contextmanager
    def asking(self) -> Iterator[Runtime]:
        """The runtime for one question. KnowledgeError when the release that is live is damaged: then none answers."""
        with self._lock:
            before = self._current
            runtime = self._look()
            self._asking[runtime] = self._asking.get(runtime, 0) + 1
        if runtime is not before:
            self._changed(runtime)
        try:
            yield runtime
        finally:
            with self._lock:
                self._asking[runtime] = self._asking.get(runtime, 1) - 1
                self._let_go()

    def _look(self) -> Runtime:
        """Ask the route; a release that is gone without another in its place stays with us."""
        current, released = self._current, self._first.config.released
        found, lease = released() if released is not None else (None, None)
        if found is None:
            return current
        if found.root.resolve() == current.root:
            _close(lease)
            return current
        self._current = current.over(found.root, found.index_folder, lease)
        self._made.append(self._current)
        self._let_go()
        return self._current

    def _let_go(self) -> None:
        """Give up releases that answer no question any more."""
        idle = [one for one in (self._first, *self._made) if one is not self._current and not self._asking.get(one)]
        for runtime in idle:
            _close(runtime.config.lease)
            self._asking.pop(runtime, None)
            if runtime is not self._first:
                runtime.stop()
        # What still works in the background uses the models, and is waited for in the end.
        self._made = [one for one in self._made if one not in idle or one.working]

    def close(self) -> None:
        """End what was begun here; `first` is its owner's to close, afterwards."""
        for runtime in self._made:
            runtime.close()


def _close(lease: object) -> None:
    if isinstance(lease, contextlib.ExitStack):
        lease.close()
