"""Verbs about writing knowledge and keeping it: check, new, normalise, kb, report."""

from __future__ import annotations

import argparse

from kb.cli.grammar.actions import Actions
from kb.cli.grammar.verb import Say, Verb, json_flag, no_arguments, top_option


def _check(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=say("cli_check_paths"))
    parser.add_argument("--all", action="store_true", help=say("cli_check_all"))
    parser.add_argument("--fix", action="store_true", help=say("cli_check_fix"))
    json_flag(parser, say)


def _new(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help=say("cli_new_path"))
    parser.add_argument("--title", metavar="TEXT", help=say("cli_new_title"))
    parser.add_argument("--doc-lang", choices=("zh", "en"), help=say("cli_new_lang"))
    parser.add_argument("--author", metavar="NAME", help=say("cli_new_author"))
    parser.add_argument("--type", metavar="NAME", default="guide", help=say("cli_new_type"))
    parser.add_argument("--obsidian", action="store_true", help=say("cli_new_obsidian"))


def _normalise(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help=say("cli_normalise_paths"))
    parser.add_argument("--as", dest="name", metavar="NAME", help=say("cli_normalise_as"))
    parser.add_argument("--into", metavar="FOLDER", help=say("cli_normalise_into"))
    parser.add_argument("--dry-run", action="store_true", help=say("cli_normalise_dry"))
    json_flag(parser, say)


def _kb(parser: argparse.ArgumentParser, say: Say) -> None:
    actions = Actions("kb", parser, say)
    actions.add("init", _init)
    actions.add("status", json_flag)
    actions.add("log", _log)
    actions.add("diff", _diff)
    actions.add("show", _show)
    actions.add("changes", _changes)
    actions.add("commit", _commit)
    actions.add("branch", _branch)
    actions.add("hooks", _hooks)
    # What the hooks call.
    actions.add("check-message", _message, shown=False)
    actions.add("check-staged", no_arguments, shown=False)
    actions.add("check-push", no_arguments, shown=False)


def _init(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help=say("cli_kb_folder"))
    parser.add_argument("--sample", action="store_true", help=say("cli_kb_sample"))
    parser.add_argument("--no-hooks", action="store_true", help=say("cli_kb_no_hooks"))


def _log(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("path", nargs="?", metavar="DOCUMENT", help=say("cli_path"))
    top_option(parser, say, 20)
    json_flag(parser, say)


def _diff(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("old", nargs="?", default="HEAD", metavar="A", help=say("cli_kb_old"))
    parser.add_argument("new", nargs="?", metavar="B", help=say("cli_kb_new"))
    parser.add_argument("--path", metavar="DOCUMENT", help=say("cli_path"))


def _show(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("version", metavar="VERSION", help=say("cli_kb_version"))
    parser.add_argument("path", nargs="?", metavar="DOCUMENT", help=say("cli_kb_show_path"))


def _changes(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--since", required=True, metavar="WHEN", help=say("cli_since"))
    parser.add_argument("about", nargs="*", metavar="SUBJECT", help=say("cli_kb_about"))
    json_flag(parser, say)


def _commit(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=say("cli_kb_commit_paths"))
    parser.add_argument("--message", "-m", required=True, metavar="TEXT", help=say("cli_kb_message"))
    parser.add_argument("--author", metavar="NAME", default="", help=say("cli_kb_author"))


def _branch(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help=say("cli_kb_branch_name"))
    parser.add_argument("--switch", action="store_true", help=say("cli_kb_switch"))


def _hooks(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("what", choices=("install", "remove", "status"), metavar="WHAT", help=say("cli_kb_hooks_what"))
    parser.add_argument("--replace", action="store_true", help=say("cli_kb_hooks_replace"))


def _message(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("file", metavar="FILE")


def _report(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--week", action="store_true", help=say("cli_report_week"))
    parser.add_argument("--since", metavar="WHEN", help=say("cli_since"))
    parser.add_argument("--out", metavar="FILE", help=say("cli_report_out"))
    json_flag(parser, say)


VERBS = (
    Verb("check", "kb.cli.check:run", _check),
    Verb("new", "kb.cli.writing:run_new", _new),
    Verb("normalise", "kb.cli.writing:run_normalise", _normalise),
    Verb("kb", "kb.cli.repository:run", _kb),
    Verb("report", "kb.cli.report:run", _report),
)
