"""The tools that read the knowledge: a code looked up in the index file, a question put to the search. Both cite."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kb.answer.agent.tools import Cancelled
from kb.answer.agent.values import Note, ToolResult
from kb.answer.anchors import anchors, stands_in
from kb.answer.answer import Evidence
from kb.answer.answerer import Answerer, Listener
from kb.answer.cautions import said_under_warnings, warnings
from kb.answer.citing import to_evidence
from kb.answer.evidence import Ranked, unranked
from kb.answer.units import units
from kb.errors import AlmanacError
from kb.search.lookup import MAX_CONTENT, lookup
from kb.search.quantities import folded
from kb.search.retriever import Retriever
from kb.search.sections import document_sections
from kb.search.snapshot import Filter
from kb.tree.document import RELEASED, Parsed, load

# A code that stands in a row, in a list and in a sentence of one document: more says nothing more.
_MAX_UNITS = 6
_FEW = 3
_MAX_CAUTIONS = 4


@dataclass(frozen=True, slots=True)
class Desk:
    """The knowledge as the agent reads it: `answerer` should have no model, since only quotes are wanted."""

    retriever: Retriever
    answerer: Answerer
    clock: Callable[[], datetime.date] = datetime.date.today

    def lookup(self, query_text: str) -> ToolResult:
        """What `lookup_knowledge` finds, with the units that name the code, or answer, as evidence.

        A document that is expired, not yet valid or not released is not cited: it is named in a note, and the result
        says that nothing was found.
        """
        hit = lookup(self.retriever.root, query_text)
        if not hit["found"]:
            return ToolResult(found=False)
        parsed = load(self.retriever.root, hit["source"])
        facts = parsed.facts
        if facts.status != RELEASED or not facts.valid_on(self.clock()):
            return ToolResult(found=False, notes=(Note("agent_not_valid", {"title": facts.title, "path": facts.path}),))
        named = anchors(query_text)
        chosen = _naming(parsed, named) if named else []
        if named and not chosen:
            # The index says more than the document does.
            return ToolResult(found=False)
        evidence = tuple(to_evidence(item) for item in chosen[:_MAX_UNITS])
        warned = tuple(to_evidence(item) for item in warnings(chosen[:1]))
        if not evidence:
            answered = [item for item in self._ask(query_text) if item.path == facts.path]
            evidence = tuple(answered[:_FEW])
        warned += self._cautions(evidence)
        return ToolResult(True, hit["content"], evidence=evidence, warnings=beside(warned, evidence))

    def search(self, query: str, cancelled: Cancelled = lambda: False) -> ToolResult:
        """The evidence that answers `query`; with codes in it, only what names them. Nothing when it is refused."""
        answer = self.answerer.ask(query, listener=Listener(cancelled=cancelled), limits=Filter(on=self.clock()))
        named = anchors(query)
        evidence = tuple(item for item in answer.evidence if all(names(item, name) for name in named))[:_FEW]
        if answer.refused or not evidence:
            near = ", ".join(item.title for item in answer.nearest)
            return ToolResult(found=False, notes=(Note("agent_nearest", {"titles": near}),) if near else ())
        text = "\n".join(item.plain for item in evidence)[:MAX_CONTENT]
        warned = answer.warnings + self._cautions(evidence)
        return ToolResult(True, text, evidence=evidence, warnings=beside(warned, evidence))

    def _cautions(self, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """What the cited documents say under a heading such as «警告»: it belongs to all that they tell to do."""
        found: list[Ranked] = []
        for path in dict.fromkeys(item.path for item in evidence):
            found += said_under_warnings(load(self.retriever.root, path))
        return tuple(to_evidence(item) for item in found[:_MAX_CAUTIONS])

    def _ask(self, question: str) -> tuple[Evidence, ...]:
        try:
            return self.answerer.ask(question, limits=Filter(on=self.clock())).evidence
        except AlmanacError:
            return ()


def names(evidence: Evidence, name: str) -> bool:
    """Whether `evidence` is about `name` (folded): it holds it, or a heading above it does."""
    return stands_in(name, folded(evidence.text)) or stands_in(
        name, folded(" ".join((evidence.title, *evidence.trail)))
    )


def _naming(parsed: Parsed, named: list[str]) -> list[Ranked]:
    """The units in which one of the codes stands, or a heading above them: rows first, then what names it itself."""
    found: list[tuple[int, Ranked]] = []
    for section in document_sections(parsed):
        under = _any(named, " ".join(section.trail))
        for unit in units(section):
            itself = _any(named, unit.text)
            if itself or under:
                order = 2 if not itself else unit.kind != "table"
                found.append((order, unranked(parsed, section, unit)))
    return [item for _, item in sorted(found, key=lambda pair: pair[0])]


def _any(named: list[str], text: str) -> bool:
    plain = folded(text)
    return any(stands_in(name, plain) for name in named)


def beside(warnings: Iterable[Evidence], evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Warnings that are not among the evidence already."""
    seen = {(item.path, item.lines) for item in evidence}
    return tuple(item for item in warnings if (item.path, item.lines) not in seen)
