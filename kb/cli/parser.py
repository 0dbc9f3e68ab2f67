"""The command line's grammar. Imports nothing heavy, so that --version and --help answer at once."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from kb import __version__
from kb.cli.grammar import (
    agent,
    cards,
    ingest,
    kiosk,
    knowledge,
    mcp,
    memory,
    program,
    questions,
    recovery,
    repository,
    supply,
    update,
    versions,
)
from kb.cli.grammar.verb import Say, Verb
from kb.cli.usage import Parser, arrange, chosen, localise, out_of_range
from kb.texts import Lang, text

# Each room of verbs declares its own: name, what runs it, and its arguments. The help lists them under these headings.
ROOMS: Mapping[str, tuple[Verb, ...]] = {
    "cli_room_ask": (*questions.VERBS, *agent.VERBS),
    "cli_room_documents": (*knowledge.VERBS, *repository.VERBS, *ingest.VERBS, *memory.VERBS),
    "cli_room_versions": versions.VERBS,
    "cli_room_keeping": (*recovery.VERBS, *update.VERBS),
    "cli_room_agents": (*cards.VERBS, *supply.VERBS, *mcp.VERBS),
    "cli_room_program": (*program.VERBS, *kiosk.VERBS),
}
VERBS: Mapping[str, Verb] = {verb.name: verb for room in ROOMS.values() for verb in room}


def _common(say: Say, title: str) -> Parser:
    """What every verb understands, with help by `say` under a heading."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = common.add_argument_group(title)
    group.add_argument("--knowledge", metavar="DIR", help=say("cli_knowledge"))
    group.add_argument("--home", metavar="DIR", help=say("cli_home"))
    group.add_argument("--lang", choices=("zh", "en"), help=say("cli_lang"))
    group.add_argument("--model", metavar="GGUF", help=say("cli_model"))
    group.add_argument("--embedder", metavar="GGUF", help=say("cli_embedder"))
    group.add_argument("--no-model", action="store_true", help=say("cli_no_model"))
    group.add_argument("--no-vectors", action="store_true", help=say("cli_no_vectors"))
    group.add_argument("--threads", type=int, metavar="N", help=say("cli_threads"))
    group.add_argument("--context", type=int, metavar="N", help=say("cli_context"))
    group.add_argument("--memory", type=int, metavar="MB", dest="memory_mb", help=say("cli_memory_mb"))
    group.add_argument("--profile", metavar="NAME", help=say("cli_profile"))
    group.add_argument("--as-agent", metavar="NAME", help=say("cli_as_agent"))
    group.add_argument("--as-user", metavar="ID", help=say("cli_as_user"))
    group.add_argument("--in-env", choices=("dev", "test", "prod"), help=say("cli_in_env"))
    group.add_argument("--verbose", "-v", action="store_true", help=say("cli_verbose"))
    return common


def build(lang: Lang) -> argparse.ArgumentParser:
    """The parser, with its help in `lang`."""

    def say(key: str) -> str:
        return text(lang, key)

    # A verb's own help lists what is its own; what every verb understands stands in that of the program.
    quiet = _common(lambda key: argparse.SUPPRESS, say("cli_common"))
    parser = Parser(
        prog="almanac",
        parents=[_common(say, say("cli_common"))],
        description=say("cli_description"),
        epilog=say("cli_epilog"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = f"almanac {__version__}"
    parser.add_argument("--version", action="version", version=version, help=say("cli_version"))
    parser.add_argument("--way", choices=("quote", "select", "compose"), default=None, help=say("cli_way"))
    parser.add_argument("--theme", choices=("light", "dark", "plain", "large"), default=None, help=say("cli_theme"))
    kiosk.interface_options(parser, say)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=Parser)

    for verb in VERBS.values():
        key = f"cli_{verb.name.replace('-', '_')}"
        added = verbs.add_parser(
            verb.name,
            parents=[quiet],
            help=say(key),
            description=say(key),
            epilog=f"{say(f'{key}_examples')}\n\n{say('cli_common_hint')}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        verb.declare(added, say)
    localise(parser, say)
    arrange(parser, {say(key): [verb.name for verb in room] for key, room in ROOMS.items()})
    return parser


def parse(arguments: Sequence[str], lang: Lang) -> argparse.Namespace:
    """Parse the command line; UsageError when it does not fit. --help and --version end the process."""
    parser = build(lang)
    found, unknown = parser.parse_known_args(list(arguments))
    if unknown:
        chosen(parser, found).error(f"unrecognized arguments: {' '.join(unknown)}")
    for name, value in (
        ("knowledge", None), ("home", None), ("lang", None), ("model", None), ("embedder", None),
        ("no_model", False), ("threads", None), ("verbose", False), ("as_agent", None), ("as_user", None),
        ("in_env", None), ("no_vectors", False), ("context", None), ("memory_mb", None), ("profile", None),
    ):  # fmt: skip
        if not hasattr(found, name):
            setattr(found, name, value)
    for name, lowest, highest in (
        ("threads", 1, 256), ("top", 1, 1000), ("budget", 1, 100_000), ("limit", 1, 1_000_000),
        ("context", 512, 131_072), ("memory_mb", 64, 1_000_000), ("patience", 1, 100_000),
    ):  # fmt: skip
        number = getattr(found, name, None)
        if number is not None and not lowest <= number <= highest:
            raise out_of_range(chosen(parser, found), f"--{name.removesuffix('_mb')}", lowest, highest)
    return found
