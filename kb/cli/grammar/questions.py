"""Verbs that ask: ask, replay, gaps, eval, search, lookup."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb, json_flag, top_option


def _way(parser: argparse.ArgumentParser, say: Say) -> None:
    # Also before the verb: a default here would overwrite what was said there.
    parser.add_argument("--way", choices=("quote", "select", "compose"), default=argparse.SUPPRESS, help=say("cli_way"))


def _ask(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("question", nargs="+", metavar="QUESTION", help=say("cli_question"))
    parser.add_argument("--on", metavar="DATE", help=say("cli_on"))
    parser.add_argument("--after", action="append", default=[], metavar="QUESTION", help=say("cli_after"))
    _way(parser, say)
    parser.add_argument("--budget", type=int, default=1500, metavar="TOKENS", help=say("cli_budget"))
    parser.add_argument("--no-record", action="store_true", help=say("cli_no_record"))
    json_flag(parser, say)


def _replay(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help=say("cli_answer_id"))
    top_option(parser, say, 10)
    json_flag(parser, say)


def _gaps(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--all", action="store_true", help=say("cli_gaps_all"))
    json_flag(parser, say)


def _eval(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("set", metavar="SET", help=say("cli_eval_set"))
    parser.add_argument("--limit", type=int, metavar="N", help=say("cli_eval_limit"))
    _way(parser, say)
    parser.add_argument("--out", metavar="FILE", help=say("cli_eval_out"))
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
    json_flag(parser, say)  # what it prints is JSON without it, too


VERBS = (
    Verb("ask", "kb.cli.ask:run", _ask, serves=True),
    Verb("replay", "kb.cli.replay:run", _replay, serves=True),
    Verb("gaps", "kb.cli.replay:run_gaps", _gaps),
    Verb("eval", "kb.cli.evaluate:run", _eval, serves=True),
    Verb("search", "kb.cli.search:run", _search, serves=True),
    Verb("lookup", "kb.cli.search:run_lookup", _lookup, serves=True),
)
