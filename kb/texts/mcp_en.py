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
    "mcp_get_card_title": "Get a card",
    "mcp_get_card": "One knowledge card by its id: the conclusion, what to do and not to "
    "do, evidence, owner, validity.",
    "mcp_feedback_card_title": "Give feedback on a card",
    "mcp_feedback_card": "Says that a card helped or is wrong. It is written into the ledger, and its owner sees it.",
    "mcp_versions_about": "Which version of the knowledge answers, and what changed in it.",
    "mcp_current_title": "Current version",
    "mcp_current": "The version of the knowledge that answers now: tag, manifest, commit; and which "
    "releases there are.",
    "mcp_history_title": "History",
    "mcp_history": "The latest changes of the knowledge or of one document, newest first.",
    "mcp_diff_title": "Difference",
    "mcp_diff": "What differs between two releases or commits: changed numbers first, then documents with "
    "fields and sentences.",
    "mcp_show_commit_title": "Commit",
    "mcp_show_commit": "What one commit or tag changed, as a unified difference, cut where it is long.",
    "mcp_db_about": "Read-only SQL on one SQLite database. Describe the tables before you write a query.",
    "mcp_run_sql_title": "Run SQL",
    "mcp_run_sql": "Runs one SELECT statement and returns columns and rows. Nothing can "
    "be written; a statement has two seconds.",
    "mcp_describe_table_title": "Describe tables",
    "mcp_describe_table": "Tables and views with their columns, types and keys; one of them or all.",
    "mcp_log_about": "Search in log files, letter by letter.",
    "mcp_query_logs_title": "Search logs",
    "mcp_query_logs": "The lines of log files that hold a text, with file, line number and "
    "time. complete=false: there is more.",
    "mcp_get_trace_title": "Follow a trace",
    "mcp_get_trace": "All lines that name one identifier, from all files, in the order of their times.",
    "mcp_req_about": "Requirements and merge requests of the knowledge repository.",
    "mcp_get_requirement_title": "Get a requirement",
    "mcp_get_requirement": "A requirement by its id: title, state, fields and text.",
    "mcp_get_mr_detail_title": "Get a merge request",
    "mcp_get_mr_detail": "What a proposal that waits for review, or a commit, changes: author, "
    "message, files, difference.",
    "mcp_needs_database": "Name the SQLite file: almanac mcp db --database FILE",
    "mcp_needs_folder": "Name the folder with the logs: almanac mcp log --folder DIR",
    "mcp_no_folder": "There is no folder {path}.",
    "mcp_not_a_database": "{path} cannot be read as an SQLite database: {reason}.",
    "mcp_no_table": "There is no table or view {table}.",
    "mcp_sql_refused": "The statement was refused: {reason}. Only one reading statement is allowed.",
    "mcp_sql_too_long": "The statement took longer than {seconds} seconds and was stopped ({reason}). Narrow it.",
    "mcp_no_requirement": "There is no requirement {id} in {folder}/.",
    "mcp_memory_about": "Things, events and facts taken from documents, with their sources and limits.",
    "mcp_search_memory_title": "Search memory",
    "mcp_search_memory": "The records (values, relations, events, notes) that answer a question best, each with its "
    "document, page and lines, and with the limits that apply. Current ones come before those "
    "they replaced.",
    "mcp_get_entity_title": "One thing",
    "mcp_get_entity": "Everything known of one thing, found by any of its names: values with sources, relations, "
    "events, limits, and what was superseded.",
    "mcp_query_events_title": "Events in a period",
    "mcp_query_events": "What happened from one day to another, in order of time, with sources.",
    "mcp_write_memory_title": "Write a fact down",
    "mcp_write_memory": "Keep a fact with its source. Hearsay, or confidence below 0.7, waits for a person; what "
    "memory gave out itself is not taken as new.",
}
