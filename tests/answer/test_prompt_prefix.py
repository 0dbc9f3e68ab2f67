"""kb.answer.prompt_prefix with the real model: a kept memory gives the same words, a damaged one is made anew."""

from __future__ import annotations

from pathlib import Path

from kb.answer import prompt_prefix, prompts
from kb.answer.text_model import TextModel
from tests.conftest import Engine

BEGINNING = prompts.examples("zh")
PROMPT = prompts.few_shot("水壶能装多少水？", "水壶容量为 1.5 升。", "zh")


def test_a_kept_memory_is_restored_and_says_the_same(engine: Engine, tmp_path: Path) -> None:
    first = TextModel(engine.text_model.source, 1)
    assert not prompt_prefix.warm(first, BEGINNING, tmp_path / "家", "1")
    said = first.complete(PROMPT, 16)
    first.close()
    second = TextModel(engine.text_model.source, 1)
    assert prompt_prefix.warm(second, BEGINNING, tmp_path / "家", "1")
    again = second.complete(PROMPT, 16)
    second.close()
    assert again.text == said.text
    assert again.reused_tokens == said.reused_tokens > 50


def test_another_setting_or_a_changed_byte_is_read_anew(engine: Engine, tmp_path: Path) -> None:
    model = TextModel(engine.text_model.source, 1)
    assert not prompt_prefix.warm(model, BEGINNING, tmp_path, "1")
    assert not prompt_prefix.warm(model, BEGINNING, tmp_path, "2")
    (file,) = tmp_path.glob("*.state")
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    assert not prompt_prefix.warm(model, BEGINNING, tmp_path, "2")
    assert prompt_prefix.warm(model, BEGINNING, tmp_path, "2")
    model.close()


def test_a_state_that_does_not_fit_is_refused_and_the_model_goes_on(engine: Engine) -> None:
    model = TextModel(engine.text_model.source, 1)
    assert not model.restore(BEGINNING, b"\0" * 100)
    assert model.complete(PROMPT, 4).tokens > 0
    model.close()


def test_the_beginning_of_a_chat_is_remembered_too(chat_model: TextModel, tmp_path: Path) -> None:
    asked = chat_model.apply_template(prompts.chat("How deep?", ["Sow at 4 cm.", "Water daily."], "en"))
    beginning = prompts.beginning("en", chat_model.apply_template)
    assert asked.startswith(beginning) and "Sow" not in beginning
    first = TextModel(chat_model.source, 1)
    prompt_prefix.warm(first, beginning, tmp_path, "1")
    first.close()
    second = TextModel(chat_model.source, 1)
    assert prompt_prefix.warm(second, beginning, tmp_path, "1")
    done = second.complete(asked, 4)
    second.close()
    assert done.reused_tokens >= chat_model.count(beginning) - 2
