"""The `db` server: SQL that can only read, on one SQLite file."""

from __future__ import annotations

import argparse
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.mcp import tool
from kb.mcp.tool import BOOLEAN, INTEGER, STRING, Arguments, Result, Schema, Tool, Toolbox

STATEMENT_S = 2.0
"""How long one statement may work."""
MOST_ROWS = 500
MOST_CELL = 2000
MOST_CHARACTERS = 200_000
"""Characters of all cells of a result."""
_LONGEST_VALUE = 1_000_000
_EVERY = 2000
"""Virtual machine steps between two looks at the clock."""
# What a statement may do (sqlite.org/c3ref/c_alter_table.html); everything else is refused while it is prepared.
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
_FORBIDDEN_FUNCTIONS = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "zeroblob"})
_WAL_MARK = b"\x02\x02"

_CELL: Schema = {"type": ["string", "number", "null"]}


def open_tools(arguments: argparse.Namespace, config: Config) -> Toolbox:
    """Tools over the file that `--database` names. AlmanacError when it is none."""
    if not arguments.database:
        raise AlmanacError("mcp_needs_database", ExitCode.USAGE)
    desk = DatabaseDesk(Path(arguments.database).expanduser().absolute())
    desk.describe({})
    return Toolbox("db", desk.tools())


class DatabaseDesk:
    """The tools of the `db` server on the SQLite file `path`. Each call opens the file and closes it again."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def tools(self) -> tuple[Tool, ...]:
        """What the server offers."""
        run = tool.mapping(
            {
                "sql": tool.text("one SELECT statement; write values as ? and give them in parameters", 20_000),
                "parameters": {
                    "type": "array",
                    "items": {"type": ["string", "number", "null"]},
                    "maxItems": 100,
                    "description": "the values of the ? in the statement, in their order",
                },
                "limit": tool.whole("how many rows at most", 1, MOST_ROWS, 100),
            },
            "sql",
        )
        table = tool.listing(tool.listing(_CELL))
        rows = tool.result(columns=tool.listing(STRING), rows=table, cut=BOOLEAN, database=STRING)
        column = tool.result(name=STRING, type=STRING, required=BOOLEAN, key=INTEGER)
        described = tool.result(name=STRING, kind=STRING, columns=tool.listing(column))
        which = tool.mapping({"table": tool.text("the table or view; all of them by default", 200)})
        return (
            Tool("run_sql", run, rows, self.run),
            Tool("describe_table", which, tool.result(tables=tool.listing(described), database=STRING), self.describe),
        )

    def run(self, given: Arguments) -> Result:
        """`run_sql`: the rows of one statement, within limits of time, rows and size."""
        limit = given.get("limit", 100)
        connection = self._open()
        try:
            _restrict(connection)
            cursor = connection.execute(given["sql"], tuple(given.get("parameters", ())))
            if cursor.description is None:
                raise sqlite3.ProgrammingError("it reads nothing")
            columns = [item[0] for item in cursor.description]
            rows: list[list[str | float | None]] = []
            room = MOST_CHARACTERS
            cut = False
            for stored in cursor:
                row = [_cell(value) for value in stored]
                room -= sum(len(value) if isinstance(value, str) else 8 for value in row)
                if len(rows) == limit or room < 0:
                    cut = True
                    break
                rows.append(row)
        except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
            key = "mcp_sql_too_long" if "interrupted" in str(error) else "mcp_sql_refused"
            raise AlmanacError(key, ExitCode.USAGE, reason=str(error).rstrip("."), seconds=STATEMENT_S) from error
        finally:
            connection.close()
        return {"columns": columns, "rows": rows, "cut": cut, "database": self.path.name}

    def describe(self, given: Arguments) -> Result:
        """`describe_table`: columns of one table, or of all."""
        connection = self._open()
        try:
            query = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND (? IS NULL OR name = ?)"
            wanted = given.get("table")
            found = connection.execute(f"{query} ORDER BY name LIMIT 200", (wanted, wanted)).fetchall()
            tables = [
                {"name": name, "kind": kind, "columns": _columns(connection, name)} for name, kind in found
            ]  # fmt: skip
        except sqlite3.Error as error:
            raise AlmanacError("mcp_not_a_database", path=self.path, reason=str(error)) from error
        finally:
            connection.close()
        if wanted is not None and not tables:
            raise AlmanacError("mcp_no_table", ExitCode.USAGE, table=wanted)
        return {"tables": tables, "database": self.path.name}

    def _open(self) -> sqlite3.Connection:
        """The file, read-only; with nobody's write-ahead log beside it, without side files too."""
        try:
            with self.path.open("rb") as file:
                head = file.read(20)
            quiet = head[18:20] == _WAL_MARK and not Path(f"{self.path}-wal").exists()
            way = "immutable=1" if quiet else "mode=ro"
            return sqlite3.connect(
                f"file:{quote(str(self.path))}?{way}", uri=True, timeout=STATEMENT_S, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise AlmanacError("mcp_not_a_database", path=self.path, reason=reason) from error


def _restrict(connection: sqlite3.Connection) -> None:
    """From here on the connection only reads, in bounded time and memory."""
    deadline = time.monotonic() + STATEMENT_S

    def allow(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
        if action == sqlite3.SQLITE_FUNCTION:
            return sqlite3.SQLITE_DENY if (second or "").lower() in _FORBIDDEN_FUNCTIONS else sqlite3.SQLITE_OK
        return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY

    for limit, value in (
        (sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE),
        (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 25_000),
        (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 200),
        (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 50),
        # LIKE and GLOB work inside one step, where the clock is not looked at: `%a%a%a%…` must stay short.
        (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 60),
        (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    ):
        connection.setlimit(limit, value)
    connection.execute("PRAGMA query_only=ON")
    connection.execute("PRAGMA cache_size=-16000")
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _EVERY)
    connection.set_authorizer(allow)


def _columns(connection: sqlite3.Connection, table: str) -> list[Result]:
    found = connection.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (table,)).fetchall()
    return [{"name": name, "type": kind, "required": bool(required), "key": key} for name, kind, required, key in found]


def _cell(value: object) -> str | float | None:
    """A value as JSON holds it: long texts cut, bytes as hexadecimal digits, numbers that JSON lacks as text."""
    if isinstance(value, bytes):
        return f"0x{value[:100].hex()}{'…' if len(value) > 100 else ''}"
    if isinstance(value, str):
        return value if len(value) <= MOST_CELL else value[: MOST_CELL - 1] + "…"
    if isinstance(value, int):
        # Beyond 2^53 a number in JSON loses digits in most readers.
        return value if abs(value) < 2**53 else str(value)
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    return None
