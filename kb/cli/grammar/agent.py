"""Verbs of the agent: agent, tools."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb, json_flag


def _agent(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("question", nargs="+", metavar="QUESTION", help=say("cli_question"))
    parser.add_argument("--steps", type=_Between(1, 50, int), default=8, metavar="N", help=say("cli_agent_steps"))
    parser.add_argument(
        "--seconds", type=_Between(1, 600, float), default=30, metavar="N", help=say("cli_agent_seconds")
    )
    parser.add_argument("--data", metavar="DIR", help=say("cli_agent_data"))
    json_flag(parser, say)


def _tools(parser: argparse.ArgumentParser, say: Say) -> None:
    json_flag(parser, say)


class _Between:
    """A number from `low` to `high`."""

    def __init__(self, low: int, high: int, kind: type[int] | type[float]) -> None:
        self.low, self.high, self.kind = low, high, kind
        self.__name__ = f"{low}..{high}"

    def __call__(self, written: str) -> int | float:
        value = self.kind(written)
        if not self.low <= value <= self.high:
            raise ValueError(written)
        return value


VERBS = (
    Verb("agent", "kb.cli.agent:run", _agent, serves=True),
    Verb("tools", "kb.cli.agent:run_tools", _tools, serves=True),
)
