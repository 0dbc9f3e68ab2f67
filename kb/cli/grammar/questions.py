"""Verbs that ask: ask, search, lookup."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb, json_flag, top_option


def _ask(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("question", nargs="+", metavar="QUESTION", help=say("cli_question"))
    parser.add_argument("--on", metavar="DATE", help=say("cli_on"))
    json_flag(parser, say)


def _search(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("query", nargs="+", metavar="QUERY", help=say("cli_query"))
    top_option(parser, say, 5)
    parser.add_argument("--on", metavar="DATE", help=say("cli_on"))
    parser.add_argument("--all-dates", action="store_true", help=say("cli_all_dates"))
    parser.add_argument("--domain", metavar="NAME", help=say("cli_domain"))
    parser.add_argument("--type", metavar="NAME", help=say("cli_type"))
    parser.add_argument("--doc-lang", choices=("zh", "en"), help=say("cli_doc_lang"))
    parser.add_argument("--explain", action="store_true", help=say("cli_explain"))
    json_flag(parser, say)


def _lookup(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("query", nargs="+", metavar="WORDS", help=say("cli_query"))


VERBS = (
    Verb("ask", "kb.cli.ask:run", _ask),
    Verb("search", "kb.cli.search:run", _search),
    Verb("lookup", "kb.cli.search:run_lookup", _lookup),
)
