"""The PIN of the maintenance screen: a salted slow hash in the home folder, and tries that slow down.

How long one has to wait follows from the count of wrong tries alone and is measured by a clock that only runs forward;
a new start begins the wait anew. So neither a clock that jumps nor pulling the plug shortens it.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, ExitCode

PIN_FILE = "kiosk-pin.json"
TRIES_FILE = "kiosk-tries.json"
LEAST_DIGITS, MOST_DIGITS = 4, 12
FREE_TRIES = 3
FIRST_WAIT_S, LONGEST_WAIT_S = 30.0, 3600.0
# About 0.1 s and 32 MB on a laptop, under a second on a small board.
_COST = {"n": 2**15, "r": 8, "p": 1}
_MEMORY = 64 * 1024 * 1024
_PRIVATE = 0o600  # nobody but its owner reads it


class Verdict(StrEnum):
    """What became of a try."""

    RIGHT = "right"
    WRONG = "wrong"
    WAIT = "wait"
    UNSET = "unset"


@dataclass(frozen=True, slots=True)
class Tried:
    """The verdict, and the seconds until the next try counts."""

    verdict: Verdict
    wait_s: float = 0.0


def acceptable(pin: str) -> str:
    """`pin`, if it may be one; AlmanacError when it is too short, not of digits, or the first that anybody tries."""
    if not (pin.isascii() and pin.isdigit() and LEAST_DIGITS <= len(pin) <= MOST_DIGITS):
        raise AlmanacError("kiosk_pin_form", ExitCode.USAGE, least=LEAST_DIGITS, most=MOST_DIGITS)
    steps = {int(after) - int(before) for before, after in itertools.pairwise(pin)}
    if steps in ({0}, {1}, {-1}):
        raise AlmanacError("kiosk_pin_easy", ExitCode.USAGE)
    return pin


class Pin:
    """The PIN in `home`. `clock` gives seconds and never runs backward. Safe to call from several threads."""

    def __init__(self, home: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._file, self._tries = home / PIN_FILE, home / TRIES_FILE
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong = self._count()
        self._since = clock()

    @property
    def is_set(self) -> bool:
        """Whether there is one; a file that cannot be read counts as none, and opens nothing."""
        return self._kept() is not None

    @property
    def wait_s(self) -> float:
        """Seconds until a try counts."""
        return max(0.0, self._since + waiting(self._wrong) - self._clock())

    def set(self, pin: str) -> None:
        """Keep `pin` from now on and forget wrong tries. AlmanacError when it may not be one or cannot be written."""
        acceptable(pin)
        salt = secrets.token_bytes(16)
        kept = {"schema": 1, **_COST, "salt": salt.hex(), "hash": _hash(pin, salt, _COST).hex()}
        with self._lock:
            fsio.write_text(self._file, json.dumps(kept) + "\n", _PRIVATE)
            self._note(0)

    def remove(self) -> bool:
        """Have none any more; whether there was one."""
        with self._lock:
            was = self._file.exists()
            fsio.remove_file(self._file)
            return was

    def check(self, pin: str) -> Tried:
        """Compare `pin`. A try is counted before it is compared, so that cutting the power takes none back."""
        with self._lock:
            kept = self._kept()
            if kept is None:
                return Tried(Verdict.UNSET)
            if self.wait_s > 0:
                return Tried(Verdict.WAIT, self.wait_s)
            self._note(self._wrong + 1)
            salt, wanted, cost = kept
            if hmac.compare_digest(_hash(pin, salt, cost), wanted):
                self._note(0)
                return Tried(Verdict.RIGHT)
            return Tried(Verdict.WRONG, self.wait_s)

    def _note(self, wrong: int) -> None:
        """Keep the count; on a disk that takes nothing it still holds for this run."""
        self._wrong, self._since = wrong, self._clock()
        try:
            fsio.write_text(self._tries, json.dumps({"schema": 1, "wrong": wrong}) + "\n", _PRIVATE)
        except AlmanacError:
            return

    def _count(self) -> int:
        """Wrong tries in a row; a damaged file counts as so many that one has to wait."""
        try:
            return max(0, int(json.loads(self._tries.read_text("utf-8"))["wrong"]))
        except FileNotFoundError:
            return 0
        except (OSError, ValueError, KeyError, TypeError):
            return FREE_TRIES

    def _kept(self) -> tuple[bytes, bytes, dict[str, int]] | None:
        try:
            read = json.loads(self._file.read_text("utf-8"))
            salt, wanted = bytes.fromhex(read["salt"]), bytes.fromhex(read["hash"])
            cost = {name: int(read[name]) for name in _COST}
        except (OSError, ValueError, KeyError, TypeError):
            return None
        usable = len(salt) >= 8 and len(wanted) == 32 and cost["n"] * cost["r"] * 128 < _MEMORY
        return (salt, wanted, cost) if usable else None


def waiting(wrong: int) -> float:
    """Seconds to wait after `wrong` tries in a row: none at first, then twice as long each time."""
    if wrong < FREE_TRIES:
        return 0.0
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(wrong - FREE_TRIES, 20))


def _hash(pin: str, salt: bytes, cost: dict[str, int]) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, dklen=32, maxmem=_MEMORY, **cost)
