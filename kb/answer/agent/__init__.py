"""The agent loop: tools under JSON Schema, trigger rules, a trace, and a report that only quotes what was seen."""

from kb.answer.agent.assembly import build_agent
from kb.answer.agent.loop import Agent, Limits, Listener
from kb.answer.agent.names import Kind
from kb.answer.agent.rules import DEFAULTS, Rule, RuleSet
from kb.answer.agent.tools import Hints, Tool, ToolBox
from kb.answer.agent.values import Call, Ended, Explanation, LogLine, Origin, Reason, Record, Report, Step, ToolResult

__all__ = [
    "DEFAULTS", "Agent", "Call", "Ended", "Explanation", "Hints", "Kind", "Limits", "Listener", "LogLine", "Origin",
    "Reason", "Record", "Report", "Rule", "RuleSet", "Step", "Tool", "ToolBox", "ToolResult", "build_agent",
]  # fmt: skip
