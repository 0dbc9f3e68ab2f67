"""kb.mcp.logs: literal search below one folder."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from kb.config import Config
from kb.errors import AlmanacError, KnowledgeError
from kb.mcp import logs
from kb.mcp.tool import Toolbox
from tests.helpers import write
from tests.mcp.calling import call, check_tools, fits


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "日志"
    write(
        root,
        "app.log",
        "2026-11-30 08:00:00 INFO start\n2026-11-30 09:00:00 ERROR 泵 E-07 trace=ab-1\nno time (a+)+$\n",
    )
    write(
        root,
        "deep/pay.jsonl",
        '{"time": "2026-11-30T08:30:00", "trace_id": "ab-1", "text": "pay"}\n{"trace_id": "ab-12"}\n',
    )
    write(root, "app.log.1", "2026-11-29 08:00:00 error old\r\n")
    write(root, "secret.key", "ERROR key\n")
    write(root, ".hidden/x.log", "ERROR hidden\n")
    outside = write(tmp_path, "outside.log", "ERROR outside\n")
    (root / "link.log").symlink_to(outside)
    return root


@pytest.fixture
def toolbox(folder: Path, config: Config) -> Toolbox:
    return logs.open_tools(argparse.Namespace(folder=str(folder)), config)


def _places(found: dict[str, object]) -> list[tuple[str, int]]:
    lines = found["lines"]
    assert isinstance(lines, list)
    return [(line["file"], line["line"]) for line in lines]


def test_the_tools(toolbox: Toolbox) -> None:
    check_tools(toolbox, ("query_logs", "get_trace"))


def test_lines_are_found_letter_by_letter_in_any_case(toolbox: Toolbox) -> None:
    found = call(toolbox, "query_logs", text="error")
    assert _places(found) == [("app.log", 2), ("app.log.1", 1)]
    assert found["complete"] is True
    assert _places(call(toolbox, "query_logs", text="(a+)+$")) == [("app.log", 3)]
    assert _places(call(toolbox, "query_logs", text=".*")) == []
    assert call(toolbox, "query_logs", text="泵")["lines"][0]["time"] == "2026-11-30T09:00:00"


def test_times_and_files_narrow(toolbox: Toolbox) -> None:
    assert _places(call(toolbox, "query_logs", text="error", since="2026-11-30")) == [("app.log", 2)]
    assert _places(call(toolbox, "query_logs", text="e", until="2026-11-30T08:30", file="app.log")) == []
    assert _places(call(toolbox, "query_logs", text="start", until="2026-11-30")) == [("app.log", 1)]
    assert _places(call(toolbox, "query_logs", text="error", file="app.log.1")) == [("app.log.1", 1)]
    assert not fits(toolbox, "query_logs", text="e", since="yesterday")
    assert not fits(toolbox, "query_logs", text="e", until="2026-11-30T8")


def test_a_trace_is_followed_through_all_files_by_time(toolbox: Toolbox) -> None:
    assert _places(call(toolbox, "get_trace", trace_id="ab-1")) == [("deep/pay.jsonl", 1), ("app.log", 2)]
    for wrong in ("(a+)+$", "a b", "", "x" * 201):
        assert not fits(toolbox, "get_trace", trace_id=wrong)


@pytest.mark.parametrize("path", ["../outside.log", "/etc/passwd", "link.log", "none.log", "deep", "a\0b", "..\\x"])
def test_nothing_outside_the_folder_is_read(toolbox: Toolbox, path: str) -> None:
    with pytest.raises(KnowledgeError):
        call(toolbox, "query_logs", text="a", file=path)


def test_a_limit_and_the_clock_end_a_search_and_it_says_so(
    toolbox: Toolbox, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = call(toolbox, "query_logs", text="e", limit=1)
    assert (len(found["lines"]), found["complete"]) == (1, False)
    write(folder, "aa.log", "x\n" * 5000)
    monkeypatch.setattr(logs, "SEARCH_S", -1.0)
    assert call(toolbox, "query_logs", text="pay")["complete"] is False


def test_bytes_and_endless_lines_do_no_harm(toolbox: Toolbox, folder: Path) -> None:
    write(folder, "bin.log", bytes(range(256)) * 8000 + b"needle" + b"x" * 3_000_000)
    found = call(toolbox, "query_logs", text="needle", file="bin.log")
    assert len(found["lines"]) == 1
    assert len(found["lines"][0]["text"]) <= 1000


def test_without_a_folder_it_says_what_is_missing(config: Config, tmp_path: Path) -> None:
    for folder, key in ((None, "mcp_needs_folder"), (str(tmp_path / "none"), "mcp_no_folder")):
        with pytest.raises(AlmanacError) as raised:
            logs.open_tools(argparse.Namespace(folder=folder), config)
        assert raised.value.key == key
