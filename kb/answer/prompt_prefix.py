"""What a model remembers of the beginning that all prompts share, kept between runs.

A derived file: it can be deleted, and one that does not fit (another model or prompt, a changed byte) is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from kb import fsio
from kb.answer.text_model import TextModel
from kb.errors import AlmanacError

_DIGEST = 32


def warm(model: TextModel, beginning: str, folder: Path, setting: str) -> bool:
    """Let `model` remember `beginning`; True when it was kept in `folder`, False when it had to be read.

    `setting` names what else the memory depends on (prompt version, CPU library).
    """
    name = hashlib.sha256(f"{model.source.identity}\0{setting}\0{beginning}".encode()).hexdigest()[:24]
    file = folder / f"{name}.state"
    kept = _read(file)
    if kept and model.restore(beginning, kept):
        return True
    model.warm(beginning)
    state = model.state()
    with contextlib.suppress(AlmanacError):
        for old in folder.glob("*.state"):
            old.unlink(missing_ok=True)
        fsio.write_bytes(file, hashlib.sha256(state).digest() + state)
    return False


def _read(file: Path) -> bytes:
    """The kept state; empty when there is none, or when a byte of it changed."""
    try:
        data = file.read_bytes()
    except OSError:
        return b""
    state = data[_DIGEST:]
    return state if hashlib.sha256(state).digest() == data[:_DIGEST] else b""
