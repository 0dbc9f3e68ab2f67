"""Taking over the index of another tree that holds mostly the same files."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from kb import db, fsio
from kb.errors import AlmanacError


def take_over(source: Path, target: Path) -> bool:
    """Copy words and documents of the index in `source` to the new folder `target`; False when there is none to use.

    Files that have the same path, size and time in the other tree are then not read again. Vectors are not copied: they
    are taken over one by one (`Retriever.adopt_vectors`), so that those of gone documents do not pile up.
    """
    if not (source / "index.db").is_file():
        return False
    try:
        with fsio.locked(source / "lock"), contextlib.closing(db.open_read_only(source / "index.db")) as old:
            names = [row[0] for row in old.execute("SELECT name FROM segments")]
            fsio.make_folder(target)
            for name in names:
                fsio.place_copy(source / name, target / name)
            with contextlib.closing(db.open_cache(target / "index.db")) as new:
                old.backup(new)
    except (sqlite3.DatabaseError, AlmanacError):
        for file in target.glob("*"):
            fsio.remove_file(file)
        return False
    return True
