"""The verb that serves agents over MCP."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb

# As kb.mcp.serve.SERVERS, which is above this grammar; a test compares them.
DOMAINS = ("kb", "memory", "versions", "db", "log", "req")


def _mcp(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("server", choices=DOMAINS, metavar="SERVER", help=say("cli_mcp_server"))
    parser.add_argument("--agent", metavar="NAME", help=say("cli_mcp_agent"))
    parser.add_argument("--database", metavar="FILE", help=say("cli_mcp_database"))
    parser.add_argument("--folder", metavar="DIR", help=say("cli_mcp_folder"))


VERBS = (Verb("mcp", "kb.mcp.serve:run", _mcp, serves=True),)
