"""Verbs that have actions of their own: `almanac kb status`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from kb.cli.grammar.verb import Say, no_arguments


class Actions:
    """The actions of one verb; every one understands what the verb understands everywhere (`--knowledge`, …).

    To be made before the verb gets arguments of its own. The help of an action is `cli_<verb>_<action>`.
    """

    def __init__(self, verb: str, parser: argparse.ArgumentParser, say: Say) -> None:
        self._verb = verb
        self._say = say
        self._common = argparse.ArgumentParser(add_help=False, parents=[parser])
        self._added = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))

    def add(
        self, name: str, declare: Callable[[argparse.ArgumentParser, Say], None] = no_arguments, *, shown: bool = True
    ) -> argparse.ArgumentParser:
        """The parser of one more action; one that is not `shown` is for programs and stands in no list."""
        key = f"cli_{self._verb}_{name.replace('-', '_')}"
        described = {"help": self._say(key), "description": self._say(key)} if shown else {}
        parser = self._added.add_parser(
            name,
            parents=[self._common],
            add_help=False,
            allow_abbrev=False,
            epilog=self._say("cli_common_hint"),
            **described,  # type: ignore[arg-type]
        )
        declare(parser, self._say)
        return parser
