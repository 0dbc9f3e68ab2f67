"""The `req` server: requirements and merge requests of the knowledge repository."""

from __future__ import annotations

import argparse
import dataclasses

from kb.answer.runtime import Runtime
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.mcp import tool
from kb.mcp.tool import BOOLEAN, STRING, VERSION, Arguments, Result, Tool, Toolbox
from kb.mcp.versions import FILE, MOST, commit_result
from kb.supply.proposals import BRANCHES
from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError
from kb.tree.textfile import read_text
from kb.tree.walk import inside
from kb.versions.plumbing import Repository
from kb.versions.reading import CommitReader

FOLDER = "requirements"
_SUFFIXES = (".md", ".yaml", ".yml")
_ID = r"^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$"


def open_tools(arguments: argparse.Namespace, config: Config) -> Toolbox:
    """Tools over the knowledge root of `config`."""
    runtime = Runtime(dataclasses.replace(config, use_model=False, embedder=None))
    return Toolbox("req", RequirementsDesk(runtime).tools(), runtime.close)


class RequirementsDesk:
    """The tools of the `req` server."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def tools(self) -> tuple[Tool, ...]:
        """What the server offers."""
        which = tool.mapping({"id": tool.text("the requirement's id, such as PUMP-12", 100, pattern=_ID)}, "id")
        requirement = tool.result(
            id=STRING, path=STRING, title=STRING, state=STRING, fields={"type": "object"}, text=STRING, cut=BOOLEAN,
            knowledge_version=VERSION,
        )  # fmt: skip
        change = tool.mapping(
            {"reference": tool.text("a proposal's name or a commit", 100, pattern=r"^[A-Za-z0-9][\w./-]*$")},
            "reference",
        )
        detail = tool.result(
            reference=STRING, commit=STRING, author=STRING, date=STRING, message=STRING, open=BOOLEAN,
            files=tool.listing(FILE), diff=STRING, cut=BOOLEAN,
        )  # fmt: skip
        return (
            Tool("get_requirement", which, requirement, self.requirement),
            Tool("get_mr_detail", change, detail, self.merge_request),
        )

    def requirement(self, given: Arguments) -> Result:
        """`get_requirement`: the file `requirements/<id>` with its fields."""
        identifier = given["id"]
        root = self._runtime.root
        for suffix in _SUFFIXES:
            path = f"{FOLDER}/{identifier}{suffix}"
            try:
                written = read_text(inside(root, path)).text
            except KnowledgeError as error:
                if error.key == "no_such_document":
                    continue
                raise
            fields, body = _parts(path, written)
            return {
                "id": identifier,
                "path": path,
                "title": frontmatter.as_text(fields.get("title")),
                "state": frontmatter.as_text(fields.get("state") or fields.get("status")),
                "fields": fields,
                "text": body[:MOST],
                "cut": len(body) > MOST,
                "knowledge_version": dataclasses.asdict(self._runtime.version()),
            }
        raise AlmanacError("mcp_no_requirement", ExitCode.USAGE, id=identifier, folder=FOLDER)

    def merge_request(self, given: Arguments) -> Result:
        """`get_mr_detail`: what a proposal (a branch that waits for review) or a commit changes."""
        git = self._runtime.history.git
        repository = Repository.open(self._runtime.root, git)
        assert git is not None
        reference = given["reference"].removeprefix("proposal/")
        branch = repository.tip(f"{BRANCHES}{reference}")
        found = CommitReader(self._runtime.history.source()).read(branch or given["reference"], MOST)
        return {"reference": given["reference"], "open": branch is not None, **commit_result(found)}


def _parts(path: str, written: str) -> tuple[dict[str, frontmatter.Value], str]:
    """The fields and the body of a requirement: YAML as a whole, Markdown with front matter."""
    try:
        if path.endswith(".md"):
            parts = frontmatter.split(written)
            return frontmatter.parse(parts.yaml or ""), parts.body.strip()
        fields = frontmatter.parse(written)
    except FrontMatterError as error:
        raise KnowledgeError("broken_yaml", path=path, line=error.line, reason=error.reason) from error
    return fields, frontmatter.as_text(fields.get("text"))
