"""kb.mcp.database: SQL that reads, and nothing else, in bounded time and size."""

from __future__ import annotations

import argparse
import hashlib
import sqlite3
from pathlib import Path

import pytest

from kb.config import Config
from kb.errors import AlmanacError
from kb.mcp import database
from kb.mcp.tool import Toolbox
from tests.mcp.calling import call, check_tools, fits


def _made(path: Path, journal: str = "DELETE") -> Path:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode={journal}")
    connection.executescript(
        "CREATE TABLE 地块 (id INTEGER PRIMARY KEY, 名称 TEXT NOT NULL, area REAL, photo BLOB);"
        "INSERT INTO 地块 VALUES (1, '北地', 3.5, x'0102'), (2, '南地', NULL, NULL);"
        "INSERT INTO 地块 VALUES (9007199254740993, 'big', 1e999, NULL);"
        "CREATE VIEW big AS SELECT * FROM 地块 WHERE area > 3;"
    )
    connection.close()
    return path


@pytest.fixture
def toolbox(tmp_path: Path, config: Config) -> Toolbox:
    path = _made(tmp_path / "农场 #1?.sqlite")
    return database.open_tools(argparse.Namespace(database=str(path)), config)


def test_the_tools(toolbox: Toolbox) -> None:
    check_tools(toolbox, ("run_sql", "describe_table"))


def test_rows_with_parameters(toolbox: Toolbox) -> None:
    found = call(toolbox, "run_sql", sql="SELECT * FROM 地块 WHERE id < ? ORDER BY id", parameters=[5])
    assert found["columns"] == ["id", "名称", "area", "photo"]
    assert found["rows"] == [[1, "北地", 3.5, "0x0102"], [2, "南地", None, None]]
    assert found["cut"] is False
    odd = call(toolbox, "run_sql", sql="SELECT id, area FROM 地块 WHERE 名称 = 'big'")
    assert odd["rows"] == [["9007199254740993", "inf"]]


def test_tables_are_described(toolbox: Toolbox) -> None:
    found = call(toolbox, "describe_table", table="地块")["tables"]
    assert [(one["name"], one["type"], one["required"], one["key"]) for one in found[0]["columns"]][:2] == [
        ("id", "INTEGER", False, 1), ("名称", "TEXT", True, 0),
    ]  # fmt: skip
    assert [table["kind"] for table in call(toolbox, "describe_table")["tables"]] == ["view", "table"]
    with pytest.raises(AlmanacError):
        call(toolbox, "describe_table", table="x'; DROP TABLE 地块; --")


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM 地块", "INSERT INTO 地块 (名称) VALUES ('x')", "DROP TABLE 地块", "CREATE TABLE x (a)",
        "CREATE TEMP TABLE x (a)", "ATTACH DATABASE '/tmp/x.db' AS x", "PRAGMA query_only=OFF", "PRAGMA user_version",
        "VACUUM", "VACUUM INTO '/tmp/x.db'", "BEGIN", "SELECT 1; DELETE FROM 地块", "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')", "SELECT * FROM pragma_database_list", "UPDATE 地块 SET area = 1",
        "WITH a AS (SELECT 1) DELETE FROM 地块", "EXPLAIN DELETE FROM 地块", "nonsense", "SELECT ?",
        "SELECT zeroblob(1000000000)", "SELECT replace(hex(zeroblob(1000)), '0', hex(zeroblob(1000)))", "\0",
        "SELECT randomblob(900000000)", "SELECT * FROM none", "REINDEX", "-- nothing", "DETACH main",
        "SELECT '" + "a" * 300 + "' LIKE '" + "%a" * 100 + "b'",
    ],
)  # fmt: skip
def test_what_does_not_only_read_is_refused_and_nothing_changes(toolbox: Toolbox, tmp_path: Path, sql: str) -> None:
    path = tmp_path / "农场 #1?.sqlite"
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(AlmanacError) as raised:
        call(toolbox, "run_sql", sql=sql)
    assert raised.value.key == "mcp_sql_refused"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith("农场")] == [path.name]
    assert not Path("/tmp/x.db").exists()


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n ORDER BY -x",
    ],
)
def test_a_statement_that_never_ends_is_stopped(toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    monkeypatch.setattr(database, "STATEMENT_S", 0.05)
    with pytest.raises(AlmanacError) as raised:
        call(toolbox, "run_sql", sql=sql)
    assert raised.value.key == "mcp_sql_too_long"


def test_a_large_result_is_cut_and_says_so(toolbox: Toolbox) -> None:
    many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000) SELECT x FROM n"
    found = call(toolbox, "run_sql", sql=many, limit=10)
    assert (len(found["rows"]), found["cut"]) == (10, True)
    wide = call(toolbox, "run_sql", sql="SELECT printf('%.*c', 900000, 'x')")
    assert len(wide["rows"][0][0]) == database.MOST_CELL
    bulky = call(toolbox, "run_sql", sql=f"SELECT printf('%.*c', 1999, 'x') FROM ({many})", limit=500)
    assert bulky["cut"] is True
    assert len(bulky["rows"]) <= database.MOST_CHARACTERS // 1999 + 1
    assert not fits(toolbox, "run_sql", sql="SELECT 1", limit=501)
    assert not fits(toolbox, "run_sql", sql="x" * 20_001)


def test_a_write_ahead_log_of_a_living_writer_is_read(tmp_path: Path, config: Config) -> None:
    path = _made(tmp_path / "wal.sqlite", "WAL")
    assert not Path(f"{path}-wal").exists()
    toolbox = database.open_tools(argparse.Namespace(database=str(path)), config)
    assert [entry.name for entry in tmp_path.glob("wal.sqlite*")] == ["wal.sqlite"]
    writer = sqlite3.connect(path)
    writer.execute("INSERT INTO 地块 VALUES (3, 'new', 1, NULL)")
    writer.commit()
    assert call(toolbox, "run_sql", sql="SELECT 名称 FROM 地块 WHERE id = 3")["rows"] == [["new"]]
    writer.close()


@pytest.mark.parametrize("content", [None, b"no database at all" * 10, b""])
def test_a_file_that_is_none_is_said_before_the_first_message(
    tmp_path: Path, config: Config, content: bytes | None
) -> None:
    path = tmp_path / "x.db"
    if content is not None:
        path.write_bytes(content)
    if content == b"":
        # SQLite's own reading: an empty file is a database without tables.
        assert database.open_tools(argparse.Namespace(database=str(path)), config).domain == "db"
        return
    with pytest.raises(AlmanacError) as raised:
        database.open_tools(argparse.Namespace(database=str(path)), config)
    assert raised.value.key == "mcp_not_a_database"


def test_without_a_file_it_says_what_is_missing(config: Config) -> None:
    with pytest.raises(AlmanacError) as raised:
        database.open_tools(argparse.Namespace(database=None), config)
    assert raised.value.key == "mcp_needs_database"
