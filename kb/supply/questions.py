"""Questions that the documents do not answer, as events for the distiller: a file for each, with its latest state."""

from __future__ import annotations

import hashlib
from pathlib import Path

from kb import fsio
from kb.plain import whole
from kb.search.normalise import normalise
from kb.supply.distill_decide import OFTEN
from kb.supply.events import FOLDER, EventKind, write_event

# So many questions wait for a worker at most, the newest; each is a small file.
KEPT = 500


def report(home: Path, question: str, asked: int, at: str, *, answered: bool = False) -> Path | None:
    """Put down that `question` was asked `asked` times, at `at` (ISO 8601) for the last time, without an answer, or
    that it has one by now (`answered`). None when what stands there says the same.

    An event counts once, so its id names what makes a difference to the distiller: asked at all, often, answered.
    AlmanacError when the disk is full or read-only.
    """
    question = whole(question)
    digest = hashlib.sha256(normalise(question).encode()).hexdigest()[:12]
    name = f"question-{digest}"
    state = f"answered-{asked}" if answered else "often" if asked >= OFTEN else "asked"
    identifier = f"{name}-{state}"
    target = home / FOLDER / f"{name}.jsonl"
    try:
        if f'"id": "{identifier}"' in target.read_text("utf-8"):
            return None
    except OSError:
        if answered:
            return None  # nobody was told of the question
    event = {
        "id": identifier, "kind": EventKind.QUESTION.value, "question": question, "asked": asked, "answered": answered,
        "at": at,
    }  # fmt: skip
    if not target.exists():
        _make_room(target.parent)
    return write_event(home / FOLDER, event, name)


def _make_room(folder: Path) -> None:
    """Let the oldest questions go, so that one more fits: there may be no worker that takes them."""
    waiting = sorted(folder.glob("question-*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    for old in waiting[: max(0, len(waiting) + 1 - KEPT)]:
        fsio.remove_file(old)
