"""English texts: what MCP servers tell agents, and people who connect them."""

TEXTS: dict[str, str] = {
    "cli_mcp": "serve an agent over MCP on standard input and output",
    "cli_mcp_examples": "examples:\n"
    "  almanac mcp kb                          search, cards, feedback\n"
    "  almanac mcp versions                    which knowledge this is, what changed\n"
    "  almanac mcp db --database farm.sqlite   read-only SQL on one SQLite file\n"
    "  almanac mcp log --folder /var/log/farm  text search in log files\n"
    "  almanac mcp req                         requirements and merge requests of the knowledge repository\n"
    "Each server ends when its client does. README.md shows how clients are told of it.",
    "cli_mcp_server": "kb, versions, db, log or req",
    "cli_mcp_agent": "the name of the agent that is connected, for the ledger",
    "cli_mcp_database": "the SQLite file of `mcp db`",
    "cli_mcp_folder": "the folder of `mcp log`",
    "mcp_no_tool": "There is no tool {name}. Known: {known}.",
    "mcp_bad_arguments": "The arguments do not fit at {where}: {why}",
    "mcp_failed": "{tool} could not be carried out ({kind}). Try again; the server's log has the details.",
    "mcp_kb_about": "The team's knowledge: documents with citations and versions. Search before you answer, cite what "
    "you use, and say so when nothing is found.",
    "mcp_search_knowledge_title": "Search the knowledge",
    "mcp_search_knowledge": "Finds the passages of the knowledge base that answer a question, in Chinese or English, "
    "each with document, heading, lines, version and validity. With found=false the documents do not say.",
    "mcp_lookup_knowledge_title": "Look up a code or term",
    "mcp_lookup_knowledge": "The document that an error code, term or short phrase names; at most "
    "2,000 characters of it.",
}
