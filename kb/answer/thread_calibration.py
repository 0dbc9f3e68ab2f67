"""How many threads the answer model is given: measured once for each machine, model and CPU library, and remembered."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from kb import fsio
from kb.answer.text_model import TextModel
from kb.errors import AlmanacError

_TOKENS = 6
_KEPT = 16


def best_threads(measure: Callable[[int], float], counts: Iterable[int]) -> int:
    """The count out of `counts` (rising, at least one) whose measured seconds are fewest.

    A higher count has to be a tenth faster than a lower one: each thread waits in a loop and takes a core from others.
    """
    chosen, fastest = 0, float("inf")
    for count in counts:
        spent = measure(count)
        if spent < 0.9 * fastest:
            chosen, fastest = count, spent
    if not chosen:
        raise ValueError("no count to choose from")
    return chosen


def calibrate(model: TextModel, most: int, memory: Path, setting: str) -> int:
    """Set and return the thread count of `model`: as `memory` holds it for `setting`, else measured up to `most`."""
    key = f"{model.source.identity[:16]} {setting} {most}"
    known = _known(memory)
    count = known.get(key)
    if count is None or not 1 <= count <= most:
        count = best_threads(lambda threads: _seconds(model, threads), range(1, most + 1))
        kept = dict([*known.items(), (key, count)][-_KEPT:])
        with contextlib.suppress(AlmanacError):
            fsio.write_text(memory, json.dumps(kept))
    model.use_threads(count)
    return count


def _seconds(model: TextModel, threads: int) -> float:
    model.use_threads(threads)
    model.complete("1 2 3", 2, ("\0",))
    started = time.perf_counter()
    model.complete("1 2 3", _TOKENS, ("\0",))
    return time.perf_counter() - started


def _known(memory: Path) -> dict[str, int]:
    try:
        found = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return (
        {str(key): count for key, count in found.items() if isinstance(count, int)} if isinstance(found, dict) else {}
    )
