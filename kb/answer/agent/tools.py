"""Tools: what an agent may call, described by JSON Schema, checked before anything runs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.answer.agent.schema import Schema, problem, refuse_unknown
from kb.answer.agent.values import Call, Note, Origin, ToolResult
from kb.errors import AlmanacError

_log = logging.getLogger(__name__)

Cancelled = Callable[[], bool]
Run = Callable[[Mapping[str, Any], Cancelled], ToolResult]


@dataclass(frozen=True, slots=True)
class Hints:
    """How a tool behaves, in the words of the Model Context Protocol's annotations."""

    read_only: bool = True
    idempotent: bool = True
    open_world: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `parameters` is a JSON Schema of type object (see kb.answer.agent.schema).

    `run` gets checked arguments and a function that says whether to stop; it may raise AlmanacError. `origin` says
    what its observations are: data of the person's systems, or knowledge that may be cited. `takes` names for a
    parameter the kind of name (kb.answer.agent.names) that fits it, so that a model can only choose what was seen.
    """

    name: str
    description: str
    parameters: Schema
    run: Run
    origin: Origin = Origin.DATA
    takes: Mapping[str, str] = field(default_factory=dict)
    hints: Hints = field(default_factory=Hints)

    def __post_init__(self) -> None:
        refuse_unknown(self.parameters, self.name)
        if self.parameters.get("type") != "object":
            raise ValueError(f"{self.name}: parameters must be of type object")

    def definition(self) -> dict[str, object]:
        """Name, description and parameters, as function-calling interfaces expect them."""
        return {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}


class ToolBox:
    """The tools of one agent, by name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise ValueError(f"two tools are named {tool.name}")
            self._tools[tool.name] = tool

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    @property
    def origins(self) -> dict[str, Origin]:
        """What each tool observes."""
        return {tool.name: tool.origin for tool in self}

    def get(self, name: str) -> Tool | None:
        """The tool of that name."""
        return self._tools.get(name)

    def definitions(self) -> list[dict[str, object]]:
        """All tools as other programs register them."""
        return [tool.definition() for tool in self]

    def wrong(self, call: Call) -> Note | None:
        """Why `call` cannot be made; None when it can."""
        tool = self._tools.get(call.tool)
        if tool is None:
            return Note("agent_no_tool", {"tool": call.tool})
        found = problem(tool.parameters, dict(call.arguments))
        return Note("agent_bad_arguments", {"tool": call.tool, "reason": found}) if found else None

    def call(self, call: Call, cancelled: Cancelled = lambda: False) -> ToolResult:
        """Check the arguments, run the tool. What goes wrong is a result too, so that a run goes on."""
        wrong = self.wrong(call)
        if wrong is not None:
            return ToolResult(found=False, problem=wrong)
        try:
            return self._tools[call.tool].run(call.arguments, cancelled)
        except AlmanacError as error:
            return ToolResult(found=False, problem=Note(error.key, error.params))
        except Exception as error:  # noqa: BLE001 - a tool may be anybody's; its failure is an observation
            _log.info("tool %s failed", call.tool, exc_info=True)
            return ToolResult(
                found=False, problem=Note("agent_tool_failed", {"tool": call.tool, "kind": type(error).__name__})
            )
