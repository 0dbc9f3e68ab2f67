"""The command line's grammar. Imports nothing heavy, so that --version and --help answer at once."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from kb import __version__
from kb.texts import Lang, text

VERBS = ("ask", "search", "show", "lookup", "history", "index", "doctor", "self-test", "completion")


class UsageError(Exception):
    """A command line that does not fit; `usage` is the short usage to show with the message."""

    def __init__(self, message: str, usage: str) -> None:
        self.usage = usage
        super().__init__(message)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message, self.format_usage())


def build(lang: Lang) -> argparse.ArgumentParser:
    """The parser, with its help in `lang`."""

    def say(key: str) -> str:
        return text(lang, key)

    common = _Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = common.add_argument_group(say("cli_common"))
    group.add_argument("--knowledge", metavar="DIR", help=say("cli_knowledge"))
    group.add_argument("--home", metavar="DIR", help=say("cli_home"))
    group.add_argument("--lang", choices=("zh", "en"), help=say("cli_lang"))
    group.add_argument("--model", metavar="GGUF", help=say("cli_model"))
    group.add_argument("--embedder", metavar="GGUF", help=say("cli_embedder"))
    group.add_argument("--no-model", action="store_true", help=say("cli_no_model"))
    group.add_argument("--threads", type=int, metavar="N", help=say("cli_threads"))
    group.add_argument("--verbose", "-v", action="store_true", help=say("cli_verbose"))

    parser = _Parser(
        prog="almanac",
        parents=[common],
        description=say("cli_description"),
        epilog=say("cli_epilog"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"almanac {__version__}")
    parser.add_argument("--theme", choices=("light", "dark", "plain"), default=None, help=say("cli_theme"))
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=_Parser)

    def verb(name: str) -> argparse.ArgumentParser:
        key = name.replace("-", "_")
        return verbs.add_parser(
            name,
            parents=[common],
            help=say(f"cli_{key}"),
            description=say(f"cli_{key}"),
            epilog=say(f"cli_{key}_examples"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    ask = verb("ask")
    ask.add_argument("question", nargs="+", metavar="QUESTION", help=say("cli_question"))
    ask.add_argument("--on", metavar="DATE", help=say("cli_on"))
    ask.add_argument("--json", action="store_true", help=say("cli_json"))
    search = verb("search")
    search.add_argument("query", nargs="+", metavar="QUERY", help=say("cli_query"))
    search.add_argument("--top", "-n", type=int, default=5, metavar="N", help=say("cli_top"))
    search.add_argument("--on", metavar="DATE", help=say("cli_on"))
    search.add_argument("--all-dates", action="store_true", help=say("cli_all_dates"))
    search.add_argument("--domain", metavar="NAME", help=say("cli_domain"))
    search.add_argument("--type", metavar="NAME", help=say("cli_type"))
    search.add_argument("--doc-lang", choices=("zh", "en"), help=say("cli_doc_lang"))
    search.add_argument("--explain", action="store_true", help=say("cli_explain"))
    search.add_argument("--json", action="store_true", help=say("cli_json"))
    show = verb("show")
    show.add_argument("path", metavar="DOCUMENT", help=say("cli_path"))
    lookup = verb("lookup")
    lookup.add_argument("query", nargs="+", metavar="WORDS", help=say("cli_query"))
    history = verb("history")
    history.add_argument("path", nargs="?", metavar="DOCUMENT", help=say("cli_path"))
    history.add_argument("--top", "-n", type=int, default=20, metavar="N", help=say("cli_top"))
    history.add_argument("--json", action="store_true", help=say("cli_json"))
    index = verb("index")
    index.add_argument("--write", action="store_true", help=say("cli_index_write"))
    index.add_argument("--json", action="store_true", help=say("cli_json"))
    doctor = verb("doctor")
    doctor.add_argument("--json", action="store_true", help=say("cli_json"))
    verb("self-test")
    completion = verb("completion")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh, fish")
    return parser


def parse(arguments: Sequence[str], lang: Lang) -> argparse.Namespace:
    """Parse the command line; UsageError when it does not fit. --help and --version end the process."""
    found = build(lang).parse_args(list(arguments))
    for name, value in (
        ("knowledge", None), ("home", None), ("lang", None), ("model", None), ("embedder", None),
        ("no_model", False), ("threads", None), ("verbose", False),
    ):  # fmt: skip
        if not hasattr(found, name):
            setattr(found, name, value)
    for name, highest in (("threads", 256), ("top", 1000)):
        number = getattr(found, name, None)
        if number is not None and not 1 <= number <= highest:
            raise UsageError(f"--{name}: 1..{highest}", "")
    return found
