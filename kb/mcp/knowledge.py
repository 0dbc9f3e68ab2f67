"""The `kb` server: search in the documents, cards, and what agents think of them."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime
from typing import TYPE_CHECKING

from kb.answer.runtime import Runtime
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.mcp import tool
from kb.mcp.tool import BOOLEAN, CITATION, NUMBER, STRING, VERSION, Arguments, Result, Schema, Tool, Toolbox
from kb.supply.chain import Entry, Kind
from kb.supply.ledger import Ledger

if TYPE_CHECKING:
    from kb.search.retriever import Found

_LONGEST_PASSAGE = 2000

_PASSAGE: Schema = tool.result(
    text=STRING, confidence=NUMBER, value=STRING, expired=BOOLEAN, citation=CITATION
)  # fmt: skip


def open_tools(arguments: argparse.Namespace, config: Config) -> Toolbox:
    """Search over the knowledge of `config`; the embedder is loaded beside the first questions."""
    runtime = Runtime(dataclasses.replace(config, use_model=False))
    runtime.start(embed_missing=False)
    desk = KnowledgeDesk(runtime, arguments.agent or "")
    return Toolbox("kb", desk.tools(), desk.close)


class KnowledgeDesk:
    """The tools of the `kb` server. `agent` is who is connected, for the ledger."""

    def __init__(self, runtime: Runtime, agent: str) -> None:
        self._runtime = runtime
        self._agent = agent

    def close(self) -> None:
        """Release index and models."""
        self._runtime.close()

    def tools(self) -> tuple[Tool, ...]:
        """What the server offers."""
        search = tool.mapping(
            {
                "query": tool.text("what to look for, as a person would ask it"),
                "top_k": tool.whole("how many documents at most", 1, 20, 5),
                "on": tool.day("the day on which the documents must be valid; today by default"),
                "domain": tool.text("only below this top folder, such as agriculture", 100),
                "lang": tool.choice("only documents in this language", "zh", "en"),
                "task": tool.text("the task that needs it, for the ledger", 200),
            },
            "query",
        )
        found = tool.result(found=BOOLEAN, knowledge_version=VERSION, passages=tool.listing(_PASSAGE))
        words = tool.mapping({"query_text": tool.text("a code or a few words")}, "query_text")
        lookup = tool.result(found=BOOLEAN, content=STRING, source=STRING, knowledge_version=VERSION)
        return (
            Tool("search_knowledge", search, found, self.search),
            Tool("lookup_knowledge", words, lookup, self.lookup),
        )

    def search(self, given: Arguments) -> Result:
        """`search_knowledge`: the best passage of each of the best documents, with its citation."""
        from kb.search.snapshot import Filter

        day = _day(given.get("on"))
        limits = Filter(on=day, domain=given.get("domain"), lang=given.get("lang"))
        best = self._runtime.retriever.find_documents(given["query"], given.get("top_k", 5), limits)
        self._note_search(given, len(best))
        return {
            "found": bool(best),
            "knowledge_version": dataclasses.asdict(self._runtime.version()),
            "passages": [_passage(item, day) for item in best],
        }

    def lookup(self, given: Arguments) -> Result:
        """`lookup_knowledge`: the document whose index entry fits."""
        from kb.search.lookup import lookup

        found = lookup(self._runtime.root, given["query_text"])
        return {**found, "knowledge_version": dataclasses.asdict(self._runtime.version())}

    def _note_search(self, given: Arguments, count: int) -> None:
        """An agent that searches was not given what it needed. Where the ledger cannot be written, search goes on."""
        version = self._runtime.version()
        entry = Entry(
            Kind.SEARCH, given.get("task", ""), self._agent, position=count, note=given["query"],
            tag=version.tag, manifest=version.manifest, commit=version.commit,
        )  # fmt: skip
        with contextlib.suppress(AlmanacError), Ledger(self._runtime.config.home) as ledger:
            ledger.append([entry])


def _day(written: str | None) -> datetime.date:
    if written is None:
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(written)
    except ValueError as error:
        raise AlmanacError("bad_day", ExitCode.USAGE, value=written) from error


def _passage(item: Found, day: datetime.date) -> Result:
    facts = item.document.facts
    return {
        "text": item.section.text[:_LONGEST_PASSAGE],
        "confidence": round(item.confidence, 4),
        "value": item.value.text if item.value else "",
        "expired": bool(facts.valid_to and facts.valid_to < day),
        "citation": {
            "path": item.path,
            "title": facts.title,
            "heading": list(item.section.trail),
            "lines": [item.section.start, item.section.end],
            "version": facts.version,
            "status": facts.status,
            "valid_from": str(facts.valid_from or ""),
            "valid_to": str(facts.valid_to or ""),
        },
    }
