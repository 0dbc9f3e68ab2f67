"""kb.answer.thread_calibration: the fastest count, and more threads only where they are worth it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.answer.text_model import TextModel
from kb.answer.thread_calibration import best_threads, calibrate
from tests.conftest import Engine


@pytest.mark.parametrize(
    ("seconds", "best"),
    [({1: 1.0}, 1), ({1: 1.0, 2: 0.6, 3: 0.4}, 3), ({1: 1.0, 2: 0.95}, 1), ({1: 1.0, 2: 40.0, 3: 0.5}, 3)],
)
def test_the_fastest_count_wins(seconds: dict[int, float], best: int) -> None:
    assert best_threads(seconds.__getitem__, sorted(seconds)) == best


def test_nothing_to_choose_from() -> None:
    with pytest.raises(ValueError, match="no count"):
        best_threads(lambda count: 1.0, [])


def test_what_was_measured_is_remembered(engine: Engine, tmp_path: Path) -> None:
    model = TextModel(engine.text_model.source, 1)
    memory = tmp_path / "threads.json"
    count = calibrate(model, 2, memory, "avx2")
    assert count in (1, 2)
    (key,) = json.loads(memory.read_text("utf-8"))
    memory.write_text(json.dumps({key: 2}), "utf-8")
    assert calibrate(model, 2, memory, "avx2") == 2
    memory.write_text("broken", "utf-8")
    assert calibrate(model, 1, memory, "avx2") == 1
    model.close()
