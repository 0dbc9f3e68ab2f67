"""Which of several copies of the interface on one home folder may change it: the one that was there first.

Databases and the index bear many processes at once. A restore does not: it puts other databases in the place of those
that a second interface still has open, and what that one then keeps would be lost. So later copies only read.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from kb import fsio


@contextlib.contextmanager
def first_copy(home: Path) -> Iterator[bool]:
    """Hold `home` as its first copy while the block runs; False when another process does.

    It goes with the process, also by `kill -9`. Where a file system has no locks, everybody is taken for the first.
    """
    with contextlib.ExitStack() as stack:
        try:
            first = stack.enter_context(fsio.locked(home / "open.lock", wait=False))
        except OSError:
            first = True
        yield first
