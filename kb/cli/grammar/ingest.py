"""The verb that reads documents: ingest."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb, json_flag


def _ingest(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("source", nargs="+", metavar="FILE|DIR", help=say("cli_ingest_source"))
    parser.add_argument("--into", default="imported", metavar="FOLDER", help=say("cli_ingest_into"))
    parser.add_argument("--title", metavar="TEXT", help=say("cli_ingest_title"))
    parser.add_argument("--type", metavar="NAME", help=say("cli_ingest_type"))
    parser.add_argument("--valid-to", metavar="DATE", help=say("cli_ingest_valid_to"))
    parser.add_argument("--replace", action="store_true", help=say("cli_ingest_replace"))
    parser.add_argument("--no-memory", action="store_true", help=say("cli_ingest_no_memory"))
    parser.add_argument("--dry-run", action="store_true", help=say("cli_ingest_dry_run"))
    json_flag(parser, say)


VERBS = (Verb("ingest", "kb.cli.ingest:run", _ingest),)
