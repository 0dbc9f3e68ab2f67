"""kb.answer.wording: the way that a model can go, and the quote whenever it fails."""

from __future__ import annotations

import re

import pytest

from kb.answer.answer import Way
from kb.answer.composing import Source
from kb.answer.text_model import TextModel
from kb.answer.wording import Task, default_way, word
from tests.answer.scripted import ScriptedModel
from tests.conftest import Engine

SOURCES = (
    Source("大豆播种深度3-5厘米，土壤墒情好时宜浅。", "大豆 播种", "大豆播种深度3-5厘米，土壤墒情好时宜浅。"),
    Source("每公顷追施氯化钾45-60公斤。", "大豆 追肥", "每公顷追施氯化钾45-60公斤。"),
)


def _scripted(says: str, template: str | None = None, *, stopped: bool = False) -> ScriptedModel:
    return ScriptedModel(says, template, stopped=stopped, letters=True)


def _task(shown: list[str], budget: int = 1500, cancelled: bool = False) -> Task:
    return Task("大豆播种多深？", "zh", SOURCES, budget, shown.append, lambda: cancelled)


@pytest.mark.parametrize(
    ("template", "preferred", "way"),
    [
        (None, None, Way.QUOTE),
        (None, Way.SELECT, Way.SELECT),
        (None, Way.COMPOSE, Way.QUOTE),
        ("chat", None, Way.COMPOSE),
        ("chat", Way.SELECT, Way.SELECT),
        ("chat", Way.QUOTE, Way.QUOTE),
    ],
)
def test_the_way_depends_on_the_model(template: str | None, preferred: Way | None, way: Way) -> None:
    model: TextModel = _scripted("", template)  # type: ignore[assignment]
    assert default_way(model, preferred) is way
    assert default_way(None, preferred) is Way.QUOTE


def test_a_selection_is_held_to_the_evidence() -> None:
    shown: list[str] = []
    model = _scripted("3-5厘米")
    worded = word(_task(shown), model, Way.SELECT)  # type: ignore[arg-type]
    assert (worded.text, worded.way, worded.tokens, worded.first_s) == ("大豆播种深度3-5厘米", Way.SELECT, 5, 0.25)
    assert "3-5厘米" in model.grammars[0]
    assert shown[-2:] == ["3-5厘米", worded.text]


def test_a_denial_can_be_selected() -> None:
    source = Source("蚕豆入库水分不高于13%。", "蚕豆", "蚕豆入库水分不高于13%。")
    task = Task("蚕豆入库水分多少？", "zh", (source,), 1500, lambda text: None, lambda: False)
    worded = word(task, _scripted("13%"), Way.SELECT)  # type: ignore[arg-type]
    assert (worded.way, worded.text) == (Way.SELECT, "蚕豆入库水分不高于13%。")


def test_composing_shows_only_sentences_that_were_checked() -> None:
    shown: list[str] = []
    model = _scripted("播种深度为3-5厘米[1]。每公顷施氯化钾90公斤[2]。每公顷追施氯化钾45-60公斤[2]。", "chat")
    worded = word(_task(shown), model, Way.COMPOSE)  # type: ignore[arg-type]
    assert (worded.way, worded.cited, worded.replaced) == (Way.COMPOSE, (0, 1), 1)
    assert shown
    assert not any("90公斤" in text for text in shown)
    assert worded.text == shown[-1]


@pytest.mark.parametrize("says", ["", "？？？", "我我我我我我我我我", "播种深度为9厘米[7]。"])
def test_a_model_that_loops_or_says_nothing_is_quoted_over(says: str) -> None:
    for model, way in ((_scripted(says), Way.SELECT), (_scripted(says, "chat"), Way.COMPOSE)):
        shown: list[str] = []
        worded = word(_task(shown), model, way)  # type: ignore[arg-type]
        assert (worded.text, worded.way) == (SOURCES[0].quote, Way.QUOTE)
        assert shown[-1] == SOURCES[0].quote


def test_a_budget_too_small_for_one_source_is_a_quote() -> None:
    for model, way in ((_scripted("3-5厘米"), Way.SELECT), (_scripted("3-5厘米[1]。", "chat"), Way.COMPOSE)):
        worded = word(_task([], budget=10), model, way)  # type: ignore[arg-type]
        assert (worded.way, model.prompts) == (Way.QUOTE, [])


def test_a_budget_for_one_source_leaves_the_other_out() -> None:
    model = _scripted("播种深度为3-5厘米[1]。", "chat")
    whole = model.count("\n".join(f"[{n}] {s.text}" for n, s in enumerate(SOURCES)))
    word(_task([], budget=100 + whole - model.count(SOURCES[1].text) // 2), model, Way.COMPOSE)  # type: ignore[arg-type]
    assert "[1]" in model.prompts[0]


def test_what_was_cancelled_is_a_quote() -> None:
    model = _scripted("3-5厘米")
    worded = word(_task([], cancelled=True), model, Way.SELECT)  # type: ignore[arg-type]
    assert (worded.way, model.prompts) == (Way.QUOTE, [])
    stopped = _scripted("播种深度为3-5厘米[1]。", "chat", stopped=True)
    assert word(_task([]), stopped, Way.COMPOSE).way is Way.QUOTE  # type: ignore[arg-type]


def test_the_real_model_selects_the_number(engine: Engine) -> None:
    shown: list[str] = []
    worded = word(_task(shown), engine.text_model, Way.SELECT)
    assert worded.way in (Way.SELECT, Way.QUOTE)
    assert worded.text in SOURCES[0].text
    assert all(text in SOURCES[0].text for text in shown)


MAIZE = (
    Source("Sow maize at a depth of 4-6 cm in moist soil, deeper in dry sand.", "Maize sowing", "QUOTE A"),
    Source("Apply 30 kg of nitrogen per hectare. Do not spray above 25 °C.", "Nitrogen", "QUOTE B"),
)


@pytest.mark.parametrize("question", ["How deep is maize sown?", "How much nitrogen is applied per hectare?", "Why?"])
def test_a_real_chat_model_composes_nothing_that_the_sources_lack(chat_model: TextModel, question: str) -> None:
    shown: list[str] = []
    task = Task(question, "en", MAIZE, 1500, shown.append, lambda: False)
    assert default_way(chat_model, None) is Way.COMPOSE
    worded = word(task, chat_model, Way.COMPOSE)
    assert worded.tokens > 0
    assert worded.way in (Way.COMPOSE, Way.QUOTE)
    for text in (*shown, worded.text):
        assert set(re.findall(r"\d+", text)) <= {"4", "6", "30", "25"}, text
    chosen = word(task, chat_model, Way.SELECT)
    assert chosen.text in MAIZE[0].text or chosen.way is Way.QUOTE
