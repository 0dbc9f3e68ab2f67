"""The `kb` server: search in the documents, cards, and what agents think of them."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime
from typing import TYPE_CHECKING

from kb.answer.runtime import Runtime
from kb.answer.supply_desk import SupplyDesk, missed_entry
from kb.config import Config
from kb.errors import AlmanacError
from kb.mcp import tool
from kb.mcp.tool import BOOLEAN, CITATION, INTEGER, NUMBER, STRING, VERSION, Arguments, Result, Schema, Tool, Toolbox
from kb.supply.card import Card
from kb.supply.chain import Entry, Kind
from kb.supply.feedback import record_feedback
from kb.supply.ledger import Ledger
from kb.supply.schema import ID_CHARACTERS, ID_PATTERN

if TYPE_CHECKING:
    from kb.search.retriever import Found

_LONGEST_PASSAGE = 2000

_PASSAGE: Schema = tool.result(
    text=STRING, confidence=NUMBER, value=STRING, expired=BOOLEAN, citation=CITATION
)  # fmt: skip


_CARD: Schema = tool.result(
    id=STRING, type=STRING, title=STRING, status=STRING, confidence=STRING, conclusion=STRING, do=tool.listing(STRING),
    dont=tool.listing(STRING), source=STRING, links=tool.listing(STRING), owner=STRING, valid_until=STRING,
    version=STRING, path=STRING,
)  # fmt: skip
_MOST_CARDS = 5


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
        self._supply = SupplyDesk(runtime)

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
        found = tool.result(
            found=BOOLEAN, knowledge_version=VERSION, passages=tool.listing(_PASSAGE), cards=tool.listing(_CARD)
        )
        words = tool.mapping({"query_text": tool.text("a code or a few words")}, "query_text")
        lookup = tool.result(found=BOOLEAN, content=STRING, source=STRING, knowledge_version=VERSION)
        which = tool.mapping({"id": tool.text("the card's id", ID_CHARACTERS, pattern=f"^{ID_PATTERN.pattern}$")}, "id")
        opinion = tool.mapping(
            {
                "id": which["properties"]["id"],
                "feedback": tool.choice("like: it helped; dislike: it is wrong or did not help", "like", "dislike"),
                "note": tool.text("what about it", empty=True),
                "task": tool.text("the task that it was used in", 200),
            },
            "id",
            "feedback",
        )
        return (
            Tool("search_knowledge", search, found, self.search),
            Tool("lookup_knowledge", words, lookup, self.lookup),
            Tool("get_card", which, tool.result(card=_CARD, knowledge_version=VERSION), self.card),
            Tool(
                "feedback_card", opinion, tool.result(row=INTEGER, id=STRING), self.feedback,
                reads_only=False, repeatable=False,
            ),
        )  # fmt: skip

    def search(self, given: Arguments) -> Result:
        """`search_knowledge`: the best passage of each of the best documents, with its citation."""
        from kb.search.snapshot import Filter

        day = tool.given_day(given, "on") or datetime.date.today()
        limits = Filter(on=day, domain=given.get("domain"), lang=given.get("lang"))
        top = given.get("top_k", 5)
        best = self._runtime.retriever.find_documents(given["query"], top, limits)
        cards = self._supply.search(given["query"], min(top, _MOST_CARDS), day)
        self._note_search(given, len(best) + len(cards), day)
        return {
            "found": bool(best or cards),
            "cards": [_card(match.card) for match in cards],
            "knowledge_version": dataclasses.asdict(self._runtime.version()),
            "passages": [_passage(item, day) for item in best],
        }

    def lookup(self, given: Arguments) -> Result:
        """`lookup_knowledge`: the document whose index entry fits."""
        from kb.search.lookup import lookup

        found = lookup(self._runtime.root, given["query_text"])
        return {**found, "knowledge_version": dataclasses.asdict(self._runtime.version())}

    def _note_search(self, given: Arguments, count: int, day: datetime.date) -> None:
        """An agent that searches was not given what it needed. Where the ledger cannot be written, search goes on."""
        asked = Entry(Kind.SEARCH, given.get("task", ""), self._agent, position=count, note=given["query"])
        entry = asked.of(self._runtime.version())
        missed = [missed_entry(card) for card in self._supply.missed(given["query"], day)]
        with contextlib.suppress(AlmanacError), Ledger(self._runtime.config.home) as ledger:
            ledger.append([entry, *missed])

    def card(self, given: Arguments) -> Result:
        """`get_card`: one card with its evidence, whatever its state."""
        card = self._supply.live.find(given["id"])
        return {"card": _card(card), "knowledge_version": dataclasses.asdict(self._runtime.version())}

    def feedback(self, given: Arguments) -> Result:
        """`feedback_card`: a like or dislike, written into the ledger before this returns."""
        card = self._supply.live.find(given["id"])
        with Ledger(self._runtime.config.home) as ledger:
            rows = record_feedback(
                ledger, [card.id], given["feedback"] == "like", note=given.get("note", ""), task=given.get("task", ""),
                agent=self._agent, version=self._runtime.version(),
            )  # fmt: skip
        return {"row": rows[0], "id": card.id}


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


def _card(card: Card) -> Result:
    return {
        "id": card.id,
        "type": card.type.value,
        "title": card.title,
        "status": card.status.value,
        "confidence": card.confidence.value,
        "conclusion": card.conclusion,
        "do": list(card.do),
        "dont": list(card.dont),
        "source": card.evidence.source,
        "links": list(card.evidence.links),
        "owner": card.owner,
        "valid_until": card.valid_until.isoformat(),
        "version": card.version,
        "path": card.path,
    }
