"""The `memory` server: things, events and facts from documents, with their sources; facts are written with care."""

from __future__ import annotations

import argparse
import dataclasses

from kb.answer.memory_meaning import LazyMeaning
from kb.config import Config
from kb.mcp import tool
from kb.mcp.tool import BOOLEAN, STRING, Arguments, Result, Schema, Tool, Toolbox
from kb.memory.client import MemoryClient
from kb.memory.store import MemoryStore

_RECORD: Schema = {"type": "object", "description": "one record with its place (document, page, lines) and limits"}
_MOST_EVENTS = 200


def open_tools(arguments: argparse.Namespace, config: Config) -> Toolbox:
    """Tools over the memory of `config.home`."""
    store, meaning = MemoryStore(config.home), LazyMeaning(config)

    def close() -> None:
        meaning.close()
        store.close()

    return Toolbox("memory", MemoryDesk(MemoryClient(store, meaning=meaning), arguments.agent or "").tools(), close)


class MemoryDesk:
    """The tools of the `memory` server. `agent` is who is connected: the author of what it writes."""

    def __init__(self, client: MemoryClient, agent: str) -> None:
        self._client = client
        self._agent = agent

    def tools(self) -> tuple[Tool, ...]:
        """What the server offers."""
        search = tool.mapping(
            {
                "query": tool.text("what to look for, as a person would ask it"),
                "entities": {**tool.listing(tool.text("", 200)), "description": "only these things", "maxItems": 20},
                "start": tool.day("only what happened or was valid from this day on"),
                "end": tool.day("only what happened or was valid up to this day"),
                "top_k": tool.whole("how many records at most", 1, 50, 8),
            },
            "query",
        )
        events = tool.mapping(
            {
                "start": tool.day("from this day on"),
                "end": tool.day("up to this day"),
                "limit": tool.whole("how many at most", 1, _MOST_EVENTS, 50),
            }
        )
        fact = tool.mapping(
            {
                "fact": tool.text("one statement in plain words", 2000),
                "source": tool.text("where it is known from: document, page, person's role", 500),
                "confidence": {
                    "type": "number", "minimum": 0, "maximum": 1,
                    "description": "how sure it is; below 0.7 a person decides first",
                },
                "expires_on": tool.day("the last day on which it counts"),
            },
            "fact", "source", "confidence",
        )  # fmt: skip
        name = tool.mapping({"name": tool.text("the thing, or another name of it", 200)}, "name")
        records = tool.result(records=tool.listing(_RECORD))
        return (
            Tool("search_memory", search, records, self.search),
            Tool("get_entity", name, tool.mapping({"found": BOOLEAN, "entity": _RECORD}, "found"), self.entity),
            Tool("query_events", events, records, self.events),
            Tool(
                "write_memory", fact, tool.result(state=STRING, reason=STRING, id=STRING), self.write,
                reads_only=False,
            ),
        )  # fmt: skip

    def search(self, given: Arguments) -> Result:
        """`search_memory`: the records that answer best."""
        first, last = tool.given_day(given, "start"), tool.given_day(given, "end")
        period = (first, last) if first or last else None
        found = self._client.search_memory(given["query"], given.get("entities"), period, given.get("top_k", 8))
        return {"records": [record.to_json() for record in found]}

    def entity(self, given: Arguments) -> Result:
        """`get_entity`: everything about one thing."""
        found = self._client.get_entity(given["name"])
        return {"found": True, "entity": found.to_json()} if found is not None else {"found": False}

    def events(self, given: Arguments) -> Result:
        """`query_events`: what happened, in order of time."""
        first, last = tool.given_day(given, "start"), tool.given_day(given, "end")
        found = self._client.query_events(first, last, given.get("limit", 50))
        return {"records": [record.to_json() for record in found]}

    def write(self, given: Arguments) -> Result:
        """`write_memory`: keep a fact, or hand it to a person."""
        written = self._client.write_memory(
            given["fact"], given["source"], float(given["confidence"]),
            author=self._agent, expires_on=tool.given_day(given, "expires_on"),
        )  # fmt: skip
        return dataclasses.asdict(written)
