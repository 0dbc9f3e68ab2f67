"""What somebody is told whose command line does not fit, and the frame of help texts, in the run's language.

argparse speaks English only: its messages are recognised by their form and said again with the catalogue's texts. One
that is not recognised is shown as it is.
"""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NoReturn

from kb.cli.grammar.verb import Say
from kb.texts import Lang, text

# The messages of argparse in Python 3.11 to 3.13; the names of the groups are fields of the text.
_MESSAGES = tuple(
    (re.compile(pattern, re.DOTALL), key)
    for pattern, key in (
        (r"unrecognized arguments: (?P<words>.+)", "usage_unknown"),
        (r"the following arguments are required: (?P<words>.+)", "usage_missing"),
        (r"one of the arguments (?P<words>.+) is required", "usage_one_of"),
        (r"argument (?P<name>.+?): invalid choice: (?P<value>.+) \(choose from (?P<choices>.+)\)", "usage_choice"),
        (r"argument (?P<name>.+?): invalid \w+ value: (?P<value>.+)", "usage_number"),
        (r"argument (?P<name>.+?): expected .*argument.*", "usage_value"),
        (r"argument (?P<name>.+?): not allowed with argument (?P<other>.+)", "usage_both"),
        (r"argument (?P<name>.+?): ignored explicit argument (?P<value>.+)", "usage_no_value"),
        (r"argument (?P<name>.+?): out of range (?P<lowest>\d+)\.\.(?P<highest>\d+)", "usage_range"),
    )
)
_MOST_CHOICES = 8  # more are not listed: a long list hides the message


class UsageError(Exception):
    """A command line that does not fit `parser`; the message is argparse's."""

    def __init__(self, message: str, parser: argparse.ArgumentParser) -> None:
        self.parser = parser
        super().__init__(message)


class Parser(argparse.ArgumentParser):
    """Raises UsageError instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, self)


def explain(error: UsageError, lang: Lang) -> str:
    """What is wrong, what might have been meant, how the verb is used, and where its help is: three lines."""
    parser = error.parser
    return "\n".join((
        f"{parser.prog}: {_said(str(error), parser, lang)}",
        parser.format_usage().rstrip("\n"),
        text(lang, "cli_hint", command=parser.prog),
    ))  # fmt: skip


def out_of_range(parser: argparse.ArgumentParser, name: str, lowest: int, highest: int) -> UsageError:
    """For a number that its option does not take."""
    return UsageError(f"argument {name}: out of range {lowest}..{highest}", parser)


def chosen(parser: argparse.ArgumentParser, found: argparse.Namespace) -> argparse.ArgumentParser:
    """The parser of the verb, and of its action, that was named; `parser` itself without one."""
    for destination in ("verb", "action"):
        for action in _subparsers(parser):
            named = getattr(found, destination, None)
            if action.dest == destination and named in action.choices:
                parser = action.choices[named]
    return parser


def localise(parser: argparse.ArgumentParser, say: Say) -> None:
    """Give the help of `parser` and of all below it titles in the run's language and a usage that fits a line."""

    class Formatter(argparse.RawDescriptionHelpFormatter):
        def __init__(self, prog: str) -> None:
            super().__init__(prog=f"{prog} {say('usage_options')}")

        def add_usage(
            self,
            usage: str | None,
            actions: Iterable[argparse.Action],
            groups: Iterable[argparse._MutuallyExclusiveGroup],
            prefix: str | None = None,
        ) -> None:
            # What may be left out is listed below, with its help; here it would fill ten lines.
            needed = [group for group in groups if group.required]
            members = {id(action) for group in needed for action in group._group_actions}
            kept = [entry for entry in actions if not entry.option_strings or entry.required or id(entry) in members]
            super().add_usage(usage, kept, needed, say("usage_prefix") if prefix is None else prefix)

    parser.formatter_class = Formatter
    parser._positionals.title = say("usage_positionals")
    parser._optionals.title = say("usage_optionals")
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction):
            action.help = say("usage_help")
    for subparsers in _subparsers(parser):
        for below in subparsers.choices.values():
            localise(below, say)


def arrange(parser: argparse.ArgumentParser, groups: Mapping[str, Sequence[str]]) -> None:
    """Let the help of `parser` list its verbs under headings: heading -> names."""
    formatter = parser.formatter_class
    verbs = next(_subparsers(parser))

    class Grouped(formatter):  # type: ignore[misc, valid-type]
        def _iter_indented_subactions(self, action: argparse.Action) -> Iterator[argparse.Action]:
            if action is not verbs:
                yield from super()._iter_indented_subactions(action)
                return
            listed = {entry.dest: entry for entry in verbs._choices_actions}
            for heading, names in groups.items():
                yield argparse.Action([], heading, metavar=f"\n  {heading}")
                self._indent()
                yield from (listed[name] for name in names)
                self._dedent()

        def format_help(self) -> str:
            return "\n".join(row.rstrip() for row in super().format_help().split("\n"))

    parser.formatter_class = Grouped


def _said(message: str, parser: argparse.ArgumentParser, lang: Lang) -> str:
    for pattern, key in _MESSAGES:
        if found := pattern.fullmatch(message):
            fields = {name: value.replace("'", "") for name, value in found.groupdict().items()}
            return _with_guess(key, fields, parser, lang)
    return message


def _with_guess(key: str, fields: dict[str, str], parser: argparse.ArgumentParser, lang: Lang) -> str:
    """The text of a recognised message, with the nearest thing that would have fitted."""
    guesses: list[str] = []
    if key == "usage_unknown":
        known = [option for action in parser._actions for option in action.option_strings]
        guesses = difflib.get_close_matches(fields["words"].split()[0].partition("=")[0], known, 1)
    elif key == "usage_choice":
        choices = fields["choices"].split(", ")
        guesses = difflib.get_close_matches(fields["value"], choices, 1)
        if len(choices) > _MOST_CHOICES:
            key = "usage_no_such"
    said = text(lang, key, **fields)
    return said + (text(lang, "usage_guess", guess=guesses[0]) if guesses else "")


def _subparsers(parser: argparse.ArgumentParser) -> Iterator[argparse._SubParsersAction[argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield action
