"""One verb of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

Say = Callable[[str], str]
"""Gives a text of the catalogue in the run's language."""


def no_arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    """For a verb that takes none."""


@dataclass(frozen=True, slots=True)
class Verb:
    """`runner` is `module:function`, imported only when the verb runs: (arguments, config) -> exit code.

    Its help texts are `cli_<name>` and `cli_<name>_examples` of the catalogue, with `_` for `-`. A verb that `serves`
    answers people: without --knowledge it reads the release that is live for them.
    """

    name: str
    runner: str
    declare: Callable[[argparse.ArgumentParser, Say], None] = no_arguments
    serves: bool = False


def json_flag(parser: argparse.ArgumentParser, say: Say) -> None:
    """`--json`, the same for every verb that a program would read."""
    parser.add_argument("--json", action="store_true", help=say("cli_json"))


def top_option(parser: argparse.ArgumentParser, say: Say, default: int) -> None:
    """`--top N`: how many results."""
    parser.add_argument("--top", "-n", type=int, default=default, metavar="N", help=say("cli_top"))
