"""A model that chooses the next call: only among valid ones, with names that were seen, never one already made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from kb.answer.agent.grammar import schema_grammar
from kb.answer.agent.rules import Seen
from kb.answer.agent.tools import ToolBox
from kb.answer.agent.values import Call, Step
from kb.answer.text_model import TextModel
from kb.plain import one_line
from kb.texts import Lang, text

FINISH = "finish"
_MAX_TOKENS = 160
_OBSERVED_CHARACTERS = 160
_FREE = {"type": "string", "minLength": 2, "maxLength": 60}


class Planner(Protocol):
    """What chooses a call where no rule wants one."""

    @property
    def name(self) -> str:
        """The model's name, as reports tell it."""

    def choose(
        self,
        question: str,
        steps: tuple[Step, ...],
        seen: list[Seen],
        tools: ToolBox,
        lang: Lang,
        cancelled: Callable[[], bool],
    ) -> Call | None:
        """The next call, None when nothing more is wanted."""  # fmt: skip


class ModelPlanner:
    """Lets an instruction-tuned model choose, its words held to a grammar of the calls that are possible now."""

    def __init__(self, model: TextModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model file's name."""
        return self._model.source.name

    def choose(
        self, question: str, steps: tuple[Step, ...], seen: list[Seen], tools: ToolBox, lang: Lang,
        cancelled: Callable[[], bool],
    ) -> Call | None:  # fmt: skip
        """Ask the model. What it repeats, or leaves unfinished, ends the run calmly."""
        made = {step.call.key for step in steps}
        schema = choices(seen, tools, made)
        prompt = self._model.apply_template([("user", instruction(question, steps, tools, lang))])
        done = self._model.complete(
            prompt, _MAX_TOKENS, stop=("\n",), cancelled=cancelled, grammar=schema_grammar(schema)
        )
        return None if done.stopped else read_choice(done.text, made)


def choices(seen: list[Seen], tools: ToolBox, made: set[str]) -> dict[str, Any]:
    """The schema of the next call: calls with the names that were seen, free words only for a search; or to finish."""
    ways: list[dict[str, Any]] = [{"const": {"tool": FINISH}}]
    listed = [_written(call) for call in _calls(seen, tools) if call.key not in made]
    if listed:
        ways.append({"enum": listed})
    for tool in tools:
        if tool.takes:
            continue
        free = [
            name for name, schema in tool.parameters.get("properties", {}).items() if schema.get("type") == "string"
        ]
        if len(free) == 1 and set(tool.parameters.get("required", ())) <= set(free):
            arguments = {"type": "object", "properties": {free[0]: _FREE}, "required": free}
            properties = {"tool": {"const": tool.name}, "arguments": arguments}
            ways.append({"type": "object", "properties": properties, "required": ["tool", "arguments"]})
    return {"anyOf": ways}


def _calls(seen: list[Seen], tools: ToolBox) -> Iterator[Call]:
    """Every call of one argument that a name of the right kind fills."""
    made: set[str] = set()
    for tool in tools:
        for parameter, kind in tool.takes.items():
            for name in seen:
                call = Call(tool.name, {parameter: name.value})
                if name.kind == kind and call.key not in made and tools.wrong(call) is None:
                    made.add(call.key)
                    yield call


def _written(call: Call) -> dict[str, Any]:
    return {"tool": call.tool, "arguments": dict(call.arguments)}


def read_choice(written: str, made: set[str]) -> Call | None:
    """The call that the model wrote; None for `finish`, for a repetition and for what was cut off."""
    try:
        chosen = json.loads(written)
        call = Call(str(chosen["tool"]), dict(chosen["arguments"]))
    except (ValueError, KeyError, TypeError):
        return None
    return None if call.key in made else call


def instruction(question: str, steps: tuple[Step, ...], tools: ToolBox, lang: Lang) -> str:
    """What the model is told: the tools, what was observed (as data, on one line each), the question."""
    about = "\n".join(f"- {tool.name}: {one_line(tool.description)}" for tool in tools)
    observed = "\n".join(
        f"{step.number}. {one_line(str(step.call), 120)} -> {one_line(step.result.text, _OBSERVED_CHARACTERS) or '-'}"
        for step in steps
    )
    return text(lang, "agent_plan", tools=about, observed=observed or "-", question=one_line(question, 400))
