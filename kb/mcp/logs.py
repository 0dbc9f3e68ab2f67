"""The `log` server: literal search in the log files of one folder. No patterns, so no pattern can hang it."""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.mcp import tool
from kb.mcp.tool import BOOLEAN, INTEGER, STRING, Arguments, Result, Schema, Tool, Toolbox
from kb.tree.walk import inside

SEARCH_S = 2.0
"""How long one search may work; what it did not reach is said."""
MOST_LINES = 500
MOST_FILES = 2000
_LONGEST_LINE = 1000
_BLOCK = 1_000_000
_SUFFIXES = (".log", ".jsonl", ".json", ".txt", ".out", ".err")
# app.log.1, app.log-20261130
_ROTATED = re.compile(r"\.(?:log|txt|jsonl|out|err)[.-]\d{1,10}")
_MOMENT = r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}(?::\d{2}){0,2})?$"
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}")

_LINE: Schema = tool.result(file=STRING, line=INTEGER, time=STRING, text=STRING)
_RESULT: Schema = tool.result(lines=tool.listing(_LINE), complete=BOOLEAN, files=INTEGER)


def open_tools(arguments: argparse.Namespace, config: Config) -> Toolbox:
    """Tools over the folder that `--folder` names. AlmanacError when it is none."""
    if not arguments.folder:
        raise AlmanacError("mcp_needs_folder", ExitCode.USAGE)
    folder = Path(arguments.folder).expanduser().absolute().resolve()
    if not folder.is_dir():
        raise AlmanacError("mcp_no_folder", path=folder)
    return Toolbox("log", LogDesk(folder).tools())


class LogDesk:
    """The tools of the `log` server over `folder`: nothing outside it is ever read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def tools(self) -> tuple[Tool, ...]:
        """What the server offers."""
        query = tool.mapping(
            {
                "text": tool.text("what the lines hold, letter by letter; upper and lower case are the same", 500),
                "file": tool.text("only this file, as it is named in results", 500),
                "since": tool.text(
                    "only lines with a time from then on, such as 2026-11-30T08:00:00", 19, pattern=_MOMENT
                ),
                "until": tool.text("only lines with a time up to then", 19, pattern=_MOMENT),
                "limit": tool.whole("how many lines at most, the first ones", 1, MOST_LINES, 100),
            },
            "text",
        )
        trace = tool.mapping(
            {
                "trace_id": tool.text("the identifier, as it stands in the lines", 200, pattern=r"^[\w.:/@-]+$"),
                "limit": tool.whole("how many lines at most", 1, MOST_LINES, 200),
            },
            "trace_id",
        )
        return (Tool("query_logs", query, _RESULT, self.query), Tool("get_trace", trace, _RESULT, self.trace))

    def query(self, given: Arguments) -> Result:
        """`query_logs`: the lines that hold a text, file by file."""
        since, until = (given.get(name, "").replace(" ", "T") for name in ("since", "until"))

        def wanted(line: str) -> bool:
            moment = _time(line)
            return not ((since and moment < since) or (until and (not moment or moment[: len(until)] > until)))

        return self._search(given["text"], given.get("file"), given.get("limit", 100), wanted)

    def trace(self, given: Arguments) -> Result:
        """`get_trace`: the lines of all files that name an identifier as a whole, by their time."""
        whole = re.compile(rf"(?<![\w-]){re.escape(given['trace_id'])}(?![\w-])")
        found = self._search(given["trace_id"], None, given.get("limit", 200), lambda line: bool(whole.search(line)))
        found["lines"].sort(key=lambda line: line["time"] or "~")
        return found

    def _search(self, text: str, file: str | None, limit: int, wanted: Callable[[str], bool]) -> Result:
        deadline = time.monotonic() + SEARCH_S
        folded = text.casefold()
        lines: list[Result] = []
        complete = True
        files = 0
        for path, target in self._files() if file is None else [(file, inside(self.folder, file))]:
            files += 1
            for number, line in _lines(target):
                if number % 256 == 0 and time.monotonic() > deadline:
                    complete = False
                    break
                if folded in line.casefold() and wanted(line):
                    if len(lines) == limit:
                        complete = False
                        break
                    shown = line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"
                    lines.append({"file": path, "line": number, "time": _time(line), "text": shown})
            if not complete:
                break
        return {"lines": lines, "complete": complete, "files": files}

    def _files(self) -> Iterator[tuple[str, Path]]:
        """The log files below the folder, by name, each with where it really lies; links out of it are not followed."""
        count = 0
        for folder, names, files in os.walk(self.folder):
            names[:] = sorted(name for name in names if not name.startswith("."))
            for name in sorted(files):
                if not (name.endswith(_SUFFIXES) or _ROTATED.search(name)):
                    continue
                path = (Path(folder) / name).relative_to(self.folder).as_posix()
                try:
                    target = inside(self.folder, path)
                except AlmanacError:
                    continue
                count += 1
                if count > MOST_FILES:
                    return
                yield path, target


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of each line; a line that never ends is given in pieces."""
    try:
        with path.open("rb") as file:
            number = 0
            while block := file.readline(_BLOCK):
                number += 1
                yield number, block.decode("utf-8", "replace").rstrip("\r\n")
    except OSError as error:
        raise AlmanacError("unreadable", path=path, reason=error.strerror or str(error)) from error


def _time(line: str) -> str:
    found = _TIME.search(line[:200])
    return found[0].replace(" ", "T") if found else ""
