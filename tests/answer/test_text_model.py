"""kb.answer.text_model with the real model: greedy, stopped within a token, prefix kept."""

from __future__ import annotations

import itertools
import threading
import time

from kb.answer.text_model import TextModel
from tests.conftest import Engine

PROMPT = "资料：水壶容量为 1.5 升。\n问题：水壶能装多少水？\n答案："


def test_a_completion_repeats_itself_and_keeps_its_prefix(engine: Engine) -> None:
    first = engine.text_model.complete(PROMPT, 24)
    second = engine.text_model.complete(PROMPT, 24)
    assert first.text == second.text
    assert second.reused_tokens >= first.prompt_tokens - 1
    assert not first.stopped
    assert "\n" not in first.text


def test_text_grows_as_it_is_written(engine: Engine) -> None:
    seen: list[str] = []
    done = engine.text_model.complete(PROMPT, 24, on_text=seen.append)
    assert seen
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(seen))
    assert done.text == seen[-1].strip()


def test_cancelling_stops_within_a_token(engine: Engine) -> None:
    stop = threading.Event()
    seen: list[str] = []

    def heard(text: str) -> None:
        seen.append(text)
        stop.set()

    done = engine.text_model.complete("1 2 3 4 5 6 7 8", 200, stop=("\0",), on_text=heard, cancelled=stop.is_set)
    assert done.stopped
    assert done.tokens <= 2
    assert engine.text_model.complete(PROMPT, 8).tokens > 0


def test_cancelling_while_a_long_prompt_is_read(engine: Engine) -> None:
    started = time.monotonic()
    done = engine.text_model.complete("word " * 700, 8, cancelled=lambda: time.monotonic() - started > 0.05)
    assert done.stopped
    assert time.monotonic() - started < 30
    assert engine.text_model.complete(PROMPT, 4).tokens > 0


def test_a_prompt_longer_than_the_window_is_cut(engine: Engine) -> None:
    small = TextModel(engine.text_model.source, 1, context_tokens=128)
    done = small.complete("大豆播种深度。" * 500, 4)
    assert done.prompt_tokens <= 124
    assert done.tokens > 0
    small.close()


def test_small_limits(engine: Engine) -> None:
    assert engine.text_model.complete(PROMPT, 1).tokens == 1
    assert engine.text_model.count("水壶") > 0


def test_messages_become_a_prompt(engine: Engine) -> None:
    assert "水壶" in engine.text_model.apply_template([("user", "水壶")])
