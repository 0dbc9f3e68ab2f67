"""kb.memory.worker: children that talk, stall, die, and are stopped."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from kb.memory.worker import Ended, find_program, output, run_child

pytestmark = pytest.mark.slow


def _run(
    code: str, seconds: float = 20, stalled: float = 20, stop: threading.Event | None = None
) -> tuple[Ended, list[Any]]:
    heard: list[Any] = []
    ended = run_child(
        [sys.executable, "-c", code], {"n": 3}, heard.append, seconds=seconds, stalled_seconds=stalled,
        stop=stop or threading.Event(),
    )  # fmt: skip
    return ended, heard


def test_a_child_is_asked_and_heard() -> None:
    code = """
import json, sys
print("noise")
for number in range(json.loads(sys.stdin.readline())["n"]):
    print(json.dumps({"done": number}))
"""
    ended, heard = _run(code)
    assert heard == [{"done": 0}, {"done": 1}, {"done": 2}]
    assert (ended.code, ended.stopped) == (0, "")


def test_one_that_says_nothing_is_stopped() -> None:
    ended, _ = _run("import time; print('{}', flush=True); time.sleep(60)", stalled=0.3)
    assert ended.stopped == "stall"
    assert ended.code < 0


def test_one_that_starts_slowly_is_waited_for() -> None:
    ended, heard = _run("import time; time.sleep(1); print('{}', flush=True)", stalled=0.3)
    assert (ended.stopped, heard) == ("", [{}])


def test_one_that_talks_without_end_is_stopped() -> None:
    ended, heard = _run("import time\nwhile True: print('{}', flush=True); time.sleep(0.3)", seconds=1)
    assert ended.stopped == "time"
    assert heard


def test_a_person_stops_it() -> None:
    stop = threading.Event()
    stop.set()
    assert _run("import time; time.sleep(60)", stop=stop)[0].stopped == "person"


def test_its_last_words_are_kept() -> None:
    ended, _ = _run("raise MemoryError('no more')")
    assert ended.code == 1
    assert "no more" in ended.last_words


def test_helper_programs(tmp_path: Path) -> None:
    assert output(["cat"], b"x", 10) == b"x"
    assert output(["false"], b"", 10) is None
    assert output([str(tmp_path / "nothing")], b"", 10) is None
    assert output(["sleep", "30"], b"", 0.2) is None
    assert find_program("tesseract", None) is None
    assert find_program("nothing", str(tmp_path)) is None
