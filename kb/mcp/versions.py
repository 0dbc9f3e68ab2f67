"""The `versions` server: which knowledge answers, what changed, and how."""

from __future__ import annotations

import argparse
import dataclasses

from kb.answer.release_numbers import difference
from kb.answer.runtime import Runtime
from kb.config import Config
from kb.errors import AlmanacError
from kb.mcp import tool
from kb.mcp.tool import BOOLEAN, INTEGER, STRING, VERSION, Arguments, Result, Schema, Tool, Toolbox
from kb.versions.diff import DocumentChange
from kb.versions.reading import CommitReader, CommitText
from kb.versions.sentences import SentenceChange

MOST = 20_000
"""Characters of a text that one answer holds."""

FILE: Schema = tool.result(status=STRING, path=STRING)
_CHANGE: Schema = tool.result(
    commit=STRING, date=STRING, author=STRING, summary=STRING, files=tool.listing(FILE), more_files=INTEGER
)
_MOST_FILES = 50
_MOST_DOCUMENTS = 100
_MOST_NUMBERS = 200
_MOST_SENTENCES = 40
_FIELD: Schema = tool.result(name=STRING, old=STRING, new=STRING)
_SENTENCE: Schema = tool.result(line=INTEGER, old=STRING, new=STRING)
_NUMBER: Schema = tool.result(path=STRING, line=INTEGER, old=STRING, new=STRING, sentence=STRING)
_DOCUMENT: Schema = tool.result(
    kind=STRING, path=STRING, old_path=STRING, title=STRING, old_version=STRING, version=STRING,
    agents=tool.listing(STRING), fields=tool.listing(_FIELD), sentences=tool.listing(_SENTENCE), more_sentences=INTEGER,
)  # fmt: skip
_DIFFERENCE: Schema = tool.result(
    old=STRING, new=STRING, numbers=tool.listing(_NUMBER), more_numbers=INTEGER, documents=tool.listing(_DOCUMENT),
    more_documents=INTEGER, files=tool.listing(tool.result(kind=STRING, path=STRING)), more_files=INTEGER,
    knowledge_version=VERSION,
)  # fmt: skip


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
            {"old": _named("the version before"), "new": _named("the version after; what answers now, if left out")},
            "old",
        )
        commit = tool.mapping({"commit": _named("the commit")}, "commit")
        shown = tool.result(
            commit=STRING, date=STRING, author=STRING, message=STRING, files=tool.listing(FILE), diff=STRING,
            cut=BOOLEAN,
        )  # fmt: skip
        nothing = tool.mapping({})
        return (
            Tool(
                "current", nothing,
                tool.result(knowledge_version=VERSION, root=STRING, releases=tool.listing(STRING)), self.current,
            ),
            Tool(
                "history", history, tool.result(changes=tool.listing(_CHANGE), knowledge_version=VERSION), self.history
            ),
            Tool("diff", diff, _DIFFERENCE, self.diff),
            Tool("show_commit", commit, shown, self.show_commit),
        )  # fmt: skip

    def current(self, given: Arguments) -> Result:
        """`current`: the version of the knowledge that answers."""
        return {
            "knowledge_version": dataclasses.asdict(self._runtime.history.version()),
            "root": self._runtime.root.name,
            "releases": self._releases(),
        }

    def _releases(self) -> list[str]:
        """The tags that `diff` may name, newest first; none where there is no history."""
        try:
            return self._runtime.history.source().tags()[: -_MOST_FILES - 1 : -1]
        except AlmanacError:
            return []

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
        """`diff`: what differs between two releases or commits, numbers first."""
        version = self._runtime.history.version()
        new = given.get("new") or version.tag or version.commit or "HEAD"
        found = difference(self._runtime.history.source(), given["old"], new)
        documents = [_document(change) for change in found.documents[:_MOST_DOCUMENTS]]
        return {
            "old": found.old,
            "new": found.new,
            "numbers": [
                {"path": change.path, "line": _line(number.sentence), "old": number.old, "new": number.new,
                 "sentence": _said(number.sentence)}
                for change, number in found.numbers[:_MOST_NUMBERS]
            ],
            "more_numbers": max(len(found.numbers) - _MOST_NUMBERS, 0),
            "documents": documents,
            "more_documents": len(found.documents) - len(documents),
            "files": [{"kind": file.kind, "path": file.path} for file in found.files[:_MOST_FILES]],
            "more_files": max(len(found.files) - _MOST_FILES, 0),
            "knowledge_version": dataclasses.asdict(version),
        }  # fmt: skip

    def show_commit(self, given: Arguments) -> Result:
        """`show_commit`: what one commit changed in the knowledge."""
        return commit_result(CommitReader(self._runtime.history.source()).read(given["commit"], MOST))


def _named(what: str) -> Schema:
    """The schema of the name of a release or commit."""
    return tool.text(f"{what}: a release (kb-1.2.0), tag, branch or commit", 200, pattern=r"^[A-Za-z0-9][\w./-]*$")


def _document(change: DocumentChange) -> Result:
    return {
        "kind": change.kind, "path": change.path, "old_path": change.old_path, "title": change.title,
        "old_version": change.old_version, "version": change.version, "agents": list(change.agents),
        "fields": [dataclasses.asdict(field) for field in change.fields],
        "sentences": [
            {"line": _line(one), "old": one.old.text if one.old else "", "new": one.new.text if one.new else ""}
            for one in change.sentences[:_MOST_SENTENCES]
        ],
        "more_sentences": max(len(change.sentences) - _MOST_SENTENCES, 0),
    }  # fmt: skip


def _line(change: SentenceChange) -> int:
    """Where the sentence stands now, or stood."""
    said = change.new or change.old
    return said.line if said is not None else 0


def _said(change: SentenceChange) -> str:
    said = change.new or change.old
    return said.text if said is not None else ""


def commit_result(found: CommitText) -> Result:
    """A commit as a result, its files as FILE."""
    return {**dataclasses.asdict(found), "files": [{"status": status, "path": path} for status, path in found.files]}
