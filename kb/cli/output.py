"""Writing to the terminal: plain text only, in the terminal's encoding, never an escape sequence from outside."""

from __future__ import annotations

import datetime
import json
import re
import sys
import time
from dataclasses import dataclass

from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.plain import visible
from kb.texts import text

# What JSON leaves as it is and a terminal would obey: DEL, C1, direction marks; lone surrogates cannot be encoded.
_UNSAFE = re.compile("[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Output:
    """Where a verb writes: results to standard output, progress to standard error."""

    config: Config

    def say(self, line: str = "") -> None:
        """A line of results, made safe to show."""
        sys.stdout.write(visible(line) + "\n")

    def tell(self, key: str, **params: object) -> None:
        """A text of the catalogue as a line of results."""
        self.say(self.text(key, **params))

    def text(self, key: str, **params: object) -> str:
        """A text of the catalogue in the run's language."""
        return text(self.config.lang, key, **params)

    def json(self, value: object) -> None:
        """`value` as one JSON document; escapes keep control characters out of the terminal."""
        written = json.dumps(value, ensure_ascii=False, indent=2, default=str)
        sys.stdout.write(_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", written) + "\n")

    def progress(self) -> Progress:
        """A reporter for long work; silent where standard error is not a terminal."""
        return Progress(self)


class Progress:
    """Shows phase, percent and remaining time on one line of a terminal."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._live = sys.stderr.isatty()
        self._started: dict[str, float] = {}
        self._width = 0

    def __call__(self, phase: str, done: int, total: int) -> None:
        """A kb.config.ProgressReport."""
        if not self._live:
            return
        started = self._started.setdefault(phase, time.monotonic())
        spent = time.monotonic() - started
        if done >= total:
            self.clear()
            return
        if spent < 0.3:
            return
        left = f" {spent / done * (total - done):.0f} s" if done else ""
        line = f"{self._output.text(f'progress_{phase}')} {100 * done // max(total, 1)}%{left}"
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = max(self._width, len(line))

    def clear(self) -> None:
        """Wipe the line."""
        if self._width:
            sys.stderr.write("\r" + " " * (self._width * 2) + "\r")
            sys.stderr.flush()
            self._width = 0


def parse_day(written: str | None) -> datetime.date | None:
    """The date of an --on option; AlmanacError when it is none."""
    if written is None:
        return None
    try:
        return datetime.date.fromisoformat(written)
    except ValueError as error:
        raise AlmanacError("bad_day", ExitCode.USAGE, value=written) from error
