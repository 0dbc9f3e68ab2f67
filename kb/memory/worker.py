"""Reading in a child process that can be stopped: by time, by memory, by a person. Also runs helper programs."""

from __future__ import annotations

import contextlib
import json
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

# How long a stopped child gets before it is killed.
_GRACE_S = 2.0
_TICK_S = 0.1
# How long a child may take to its first line.
_START_S = 60.0
# Bytes of a child's last words on standard error that are kept.
_LAST_WORDS = 2000


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended: its exit `code` (negative: the signal), or `stopped` by us for "time", "stall" or "person"."""

    code: int
    stopped: str = ""
    last_words: str = ""


def find_program(name: str, path: str | None) -> str | None:
    """The program `name` on the search path `path`, or None."""
    return shutil.which(name, path=path) if path else None


def output(command: Sequence[str], data: bytes, timeout: float) -> bytes | None:
    """What `command` writes when it is given `data`; None when it fails or takes longer than `timeout` seconds."""
    try:
        done = subprocess.run(
            list(command), input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=timeout, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def run_child(
    command: Sequence[str],
    request: dict[str, Any],
    hear: Callable[[dict[str, Any]], None],
    *,
    seconds: float,
    stalled_seconds: float,
    stop: threading.Event,
) -> Ended:
    """Run `command`, give it `request` as JSON on standard input, and pass each JSON object that it writes on a line of
    its own to `hear`.

    Standard input stays open until the child has ended: one that watches it ends with this process too. The child is
    ended after `seconds`, after `stalled_seconds` without a line (the first may take longer), or when `stop` is set.
    """
    child = subprocess.Popen(
        list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=Path(sys.prefix)
    )
    lines: queue.Queue[bytes | None] = queue.Queue()
    words: list[bytes] = []
    readers = [
        threading.Thread(target=_forward, args=(child.stdout, lines), daemon=True),
        threading.Thread(target=_keep, args=(child.stderr, words), daemon=True),
    ]
    for reader in readers:
        reader.start()
    stopped = "person"
    try:
        with contextlib.suppress(OSError):
            assert child.stdin is not None
            child.stdin.write(json.dumps(request).encode() + b"\n")
            child.stdin.flush()
        stopped = _listen(lines, hear, seconds, stalled_seconds, stop)
    finally:
        # One that closed its output by itself is ending; one that we stop is not asked again.
        _end(child, 0.0 if stopped else _GRACE_S)
        for reader in readers:
            reader.join(_GRACE_S)
        for pipe in (child.stdin, child.stdout, child.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
    return Ended(child.returncode, stopped, b"".join(words)[-_LAST_WORDS:].decode("utf-8", "replace"))


def _listen(
    lines: queue.Queue[bytes | None],
    hear: Callable[[dict[str, Any]], None],
    seconds: float,
    stalled_seconds: float,
    stop: threading.Event,
) -> str:
    """Hear the child until it is silent for good; why it has to be stopped, or ''."""
    started = time.monotonic()
    # Starting takes long on a busy machine: the first line may come later than the others.
    last = started + max(_START_S - stalled_seconds, 0)
    while True:
        try:
            line = lines.get(timeout=_TICK_S)
        except queue.Empty:
            now = time.monotonic()
            if stop.is_set():
                return "person"
            if now - started > seconds:
                return "time"
            if now - last > stalled_seconds:
                return "stall"
            continue
        if line is None:
            return ""
        last = time.monotonic()
        with contextlib.suppress(ValueError):
            said = json.loads(line)
            if isinstance(said, dict):
                hear(said)


def _forward(pipe: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    with contextlib.suppress(OSError, ValueError):
        for line in pipe:
            lines.put(line)
    lines.put(None)


def _keep(pipe: IO[bytes], words: list[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError):
        for line in pipe:
            words.append(line)
            del words[:-40]


def _end(child: subprocess.Popen[bytes], patience: float) -> None:
    """Wait `patience` seconds for a child that is about to end by itself, then kill it."""
    try:
        child.wait(patience)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
