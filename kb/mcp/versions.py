"""The `versions` server: which knowledge answers, what changed, and how."""

from __future__ import annotations

import argparse
import dataclasses

from kb.answer.runtime import Runtime
from kb.config import Config
from kb.errors import AlmanacError
from kb.mcp import tool
from kb.mcp.tool import BOOLEAN, INTEGER, STRING, VERSION, Arguments, Result, Schema, Tool, Toolbox
from kb.versions.reading import CommitReader, CommitText

MOST = 20_000
"""Characters of a text that one answer holds."""

FILE: Schema = tool.result(status=STRING, path=STRING)
_CHANGE: Schema = tool.result(
    commit=STRING, date=STRING, author=STRING, summary=STRING, files=tool.listing(FILE), more_files=INTEGER
)
_MOST_FILES = 50


def open_tools(arguments: argparse.Namespace, config: Config) -> Toolbox:
    """Tools over the history of the knowledge of `config`."""
    runtime = Runtime(dataclasses.replace(config, use_model=False, embedder=None))
    return Toolbox("versions", VersionsDesk(runtime).tools(), runtime.close)


class VersionsDesk:
    """The tools of the `versions` server."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def tools(self) -> tuple[Tool, ...]:
        """What the server offers."""
        history = tool.mapping(
            {
                "path": tool.text("only changes of this document", 500),
                "since": tool.day("only changes from this day on"),
                "limit": tool.whole("how many changes at most", 1, 200, 20),
            }
        )
        diff = tool.mapping(
            {"commit": tool.text("the commit, as history names it, or a tag", 200, pattern=r"^[A-Za-z0-9][\w./-]*$")},
            "commit",
        )
        shown = tool.result(
            commit=STRING, date=STRING, author=STRING, message=STRING, files=tool.listing(FILE), diff=STRING,
            cut=BOOLEAN,
        )  # fmt: skip
        nothing = tool.mapping({})
        return (
            Tool("current", nothing, tool.result(knowledge_version=VERSION, root=STRING), self.current),
            Tool(
                "history", history, tool.result(changes=tool.listing(_CHANGE), knowledge_version=VERSION), self.history
            ),
            Tool("diff", diff, shown, self.diff),
        )

    def current(self, given: Arguments) -> Result:
        """`current`: the version of the knowledge that answers."""
        return {
            "knowledge_version": dataclasses.asdict(self._runtime.history.version()),
            "root": self._runtime.root.name,
        }

    def history(self, given: Arguments) -> Result:
        """`history`: the latest changes."""
        since = tool.given_day(given, "since")
        changes = self._runtime.history.changes(given.get("path"), since, given.get("limit", 20))
        return {
            "changes": [
                {
                    "commit": change.commit,
                    "date": change.date.isoformat(),
                    "author": change.author,
                    "summary": change.summary,
                    "files": [{"status": status, "path": path} for status, path in change.files[:_MOST_FILES]],
                    "more_files": max(len(change.files) - _MOST_FILES, 0),
                }
                for change in changes
            ],
            "knowledge_version": dataclasses.asdict(self._runtime.history.version()),
        }

    def diff(self, given: Arguments) -> Result:
        """`diff`: what one commit changed in the knowledge."""
        git = self._runtime.history.git
        if git is None:
            raise AlmanacError("git_missing")
        return commit_result(CommitReader(git, self._runtime.root).read(given["commit"], MOST))


def commit_result(found: CommitText) -> Result:
    """A commit as a result, its files as FILE."""
    return {**dataclasses.asdict(found), "files": [{"status": status, "path": path} for status, path in found.files]}
