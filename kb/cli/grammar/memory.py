"""The verb `memory`: what the documents say of things, as records that can be asked, reviewed and audited."""

from __future__ import annotations

import argparse

from kb.cli.grammar.actions import Actions
from kb.cli.grammar.verb import Say, Verb, json_flag, top_option


def _memory(parser: argparse.ArgumentParser, say: Say) -> None:
    actions = Actions("memory", parser, say)

    def action(name: str) -> argparse.ArgumentParser:
        return actions.add(name, json_flag)

    ingest = action("ingest")
    ingest.add_argument("paths", nargs="*", metavar="PATH", help=say("cli_memory_paths"))
    ingest.add_argument("--tree", action="store_true", help=say("cli_memory_tree"))

    search = action("search")
    search.add_argument("query", nargs="+", metavar="QUERY", help=say("cli_query"))
    search.add_argument("--entity", action="append", metavar="NAME", help=say("cli_memory_limit_entity"))
    _range(search, say)
    top_option(search, say, 8)

    entity = action("entity")
    entity.add_argument("name", nargs="+", metavar="NAME", help=say("cli_memory_name"))

    listed = action("list")
    listed.add_argument("name", nargs="*", metavar="NAME", help=say("cli_memory_part"))
    top_option(listed, say, 30)

    events = action("events")
    _range(events, say)
    top_option(events, say, 100)

    write = action("write")
    write.add_argument("fact", nargs="+", metavar="FACT", help=say("cli_memory_fact"))
    write.add_argument("--source", required=True, metavar="TEXT", help=say("cli_memory_source"))
    write.add_argument("--confidence", type=float, required=True, metavar="0..1", help=say("cli_memory_confidence"))
    write.add_argument("--expires", metavar="DATE", help=say("cli_memory_expires"))
    _author(write, say)

    review = action("review")
    review.add_argument("do", choices=("list", "accept", "reject"), help=say("cli_memory_review_do"))
    review.add_argument("number", nargs="*", type=int, metavar="ID", help=say("cli_memory_number"))
    review.add_argument("--expires", metavar="DATE", help=say("cli_memory_expires"))
    _author(review, say)

    merges = action("merges")
    merges.add_argument("--all", action="store_true", help=say("cli_memory_all_merges"))

    undo = action("undo")
    undo.add_argument("number", type=int, metavar="ID", help=say("cli_memory_number"))
    _author(undo, say)

    audit = action("audit")
    audit.add_argument("--sample", type=int, default=20, metavar="N", help=say("cli_memory_sample"))
    audit.add_argument("--seed", type=int, default=0, metavar="N", help=say("cli_memory_seed"))
    audit.add_argument("--judge", metavar="FILE", help=say("cli_memory_judge"))
    _author(audit, say)

    documents = action("documents")
    documents.add_argument("--findings", action="store_true", help=say("cli_memory_findings"))

    delete = action("delete")
    delete.add_argument("document", metavar="DOC", help=say("cli_memory_doc"))


def _range(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--from", dest="first", metavar="DATE", help=say("cli_memory_from"))
    parser.add_argument("--to", dest="last", metavar="DATE", help=say("cli_memory_to"))


def _author(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--author", default="", metavar="NAME", help=say("cli_memory_author"))


VERBS = (Verb("memory", "kb.cli.memory:run", _memory),)
