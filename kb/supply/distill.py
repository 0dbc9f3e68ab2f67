"""From an event to the draft of a card: rules decide and cut sentences out; what the input does not say stays empty.

A model may word the conclusion, held to a grammar; its words count only when they add nothing: every number, code and
ban of them stands in the sentence that they come from. Every field says where in the input it comes from.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.search.normalise import normalise
from kb.search.quantities import negations, quantities
from kb.search.tokens import counted
from kb.supply.card import CONCLUSION_CHARACTERS, CardType, Confidence, Layer
from kb.supply.check_words import copies_title, says_nothing
from kb.supply.distill_decide import Decision, Reason, decide
from kb.supply.distill_meaning import Lessons
from kb.supply.distill_model import Judge, Opinion, Word
from kb.supply.distill_reading import Sentence, Span, codes, fields, is_finding, judged, sentences, spans
from kb.supply.events import Event, EventKind
from kb.supply.schema import ID_CHARACTERS
from kb.supply.store_new import AREA, Draft
from kb.texts import Lang, text

# Who said it and from when on: what may be left away before a rule.
_LEAD = re.compile(
    r"^(?:[^，。；,;:：]{1,14}[:：]\s*|[\u4e00-\u9fff]{1,6}[组员师医部](?:建议|要求|指出|认为)[，,:：]?\s*)?"
    r"(?:(?:以后|今后|从此|更正后|因此|所以)[，,]?\s*)?"
)
_CLAUSE = re.compile(r"[^，,；;。]+")
_MOST_STEPS = 3
_STEP_CHARACTERS = 60
_TITLE_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Distilled:
    """The decision about one event, and where it said yes the draft with the span that each field comes from."""

    event: Event
    decision: Decision
    reason: str
    draft: Draft | None = None
    evidence: tuple[tuple[str, Span], ...] = ()

    @property
    def area(self) -> str:
        """The folder below `cards/` that the event names; `inbox` where it names none."""
        named = self.event.fields.get("area")
        return named if isinstance(named, str) and AREA.fullmatch(named) else "inbox"


def distil(
    event: Event,
    owners: Sequence[str],
    lang: Lang,
    word: Word | None = None,
    judge: Judge | None = None,
    lessons: Lessons | None = None,
) -> Distilled:
    """Judge one event. `owners`: the roles that a card may belong to (none: any).

    `word`: a small model's part. `judge`: a bigger model decides instead of the rules and fills in the fields; its yes
    counts only where a finding of the event carries its conclusion, and so does each field. `lessons`: see `decide`.
    """
    opinion = judge(event) if judge is not None else None
    decision = decide(event, lessons)
    reason = text(lang, f"card_reason_{decision.reason.value}")
    if opinion is not None:
        decision, reason = _with_opinion(event, decision, opinion, lang)
    if not decision.save:
        return Distilled(event, decision, reason)
    maker = _Maker(event, decision, opinion)
    conclusion = maker.conclusion(word)
    named = event.fields.get("owner")
    owner = named if isinstance(named, str) and (named in owners or not owners) else ""
    draft = Draft(
        id=card_id(event),
        type=_type(event, decision),
        title=maker.title(),
        confidence=Confidence.LOW,
        scene=maker.scene(),
        repos=_named(event, "repository", "equipment", "field"),
        signals=codes(event)[:_MOST_STEPS],
        conclusion=conclusion,
        do=maker.steps(ban=False),
        dont=maker.steps(ban=True),
        source=_source(event),
        incident=maker.incident(),
        links=_links(event),
        owner=owner,
        layer=Layer.EVENT,
        comments=maker.comments(),
    )
    return Distilled(event, decision, reason, draft, tuple(maker.evidence))


def card_id(event: Event) -> str:
    """An id for the card of an event: its own, as far as it can be one, with a digest that keeps two apart."""
    bare = re.sub(r"[^a-z0-9]+", "-", event.id.lower()).strip("-")[: ID_CHARACTERS - 10].strip("-")
    digest = hashlib.sha256(event.id.encode()).hexdigest()[:6]
    return f"{bare or 'event'}-{digest}"


def _with_opinion(event: Event, decision: Decision, opinion: Opinion, lang: Lang) -> tuple[Decision, str]:
    """A model's decision: no is no; yes needs a finding that carries the conclusion."""
    if not opinion.save:
        return Decision(False, Reason.NOTHING), opinion.reason
    carrying = [
        one for one in sentences(event)
        if is_finding(one.span.source) and adds_nothing(opinion.conclusion, one.span.text)
    ]  # fmt: skip
    if not carrying:
        return Decision(False, Reason.UNSUPPORTED), text(lang, f"card_reason_{Reason.UNSUPPORTED.value}")
    others = [one for one in decision.rules if one not in carrying]
    kind = decision.reason if decision.save else Reason.RULE
    return Decision(True, kind, (*carrying, *others)), opinion.reason


class _Maker:
    """Fills the fields of one draft and remembers where each came from."""

    def __init__(self, event: Event, decision: Decision, opinion: Opinion | None) -> None:
        self._event = event
        self._opinion = opinion
        self._rules = decision.rules
        # A figure alone makes no step in a sentence that only meaning found.
        self._by_rules = decision.reason is not Reason.LESSON
        self._texts = dict(fields(event))
        self.evidence: list[tuple[str, Span]] = []

    def _from(self, field: str, span: Span) -> str:
        self.evidence.append((field, span))
        return span.text

    def conclusion(self, word: Word | None) -> str:
        """The best rule as one sentence that fits; empty when none can be cut to size without losing its sense."""
        if self._opinion is not None:
            self._from("conclusion", self._rules[0].span)
            return self._opinion.conclusion
        for rule in self._rules:
            span = _fitting(rule.span)
            if span is None:
                continue
            said = self._from("conclusion", span)
            worded = word(said) if word is not None else ""
            return worded if worded and adds_nothing(worded, said) else said
        return ""

    def title(self) -> str:
        """The event's own title, or the beginning of what was asked."""
        for source in ("title", "question", "request"):
            for span in spans(source, self._texts.get(source, "")):
                return self._from("title", span)[:_TITLE_CHARACTERS]
        return ""

    def scene(self) -> list[str]:
        """When to remember it: what went wrong or was asked, unless that is the title again."""
        title = self._texts.get("title", "")
        found: list[str] = []
        for source in ("question", "request", "incident"):
            for span in spans(source, self._texts.get(source, "")):
                if not copies_title(span.text, title) and len(span.text) <= _STEP_CHARACTERS:
                    found.append(self._from("applicable.scene", span))
        return found[:_MOST_STEPS]

    def incident(self) -> str:
        """What happened, of events that are incidents."""
        if self._event.kind is not EventKind.INCIDENT:
            return ""
        for source in ("incident", "request", "outcome"):
            for span in spans(source, self._texts.get(source, "")):
                return self._from("evidence.incident", span)
        return ""

    def steps(self, *, ban: bool) -> list[str]:
        """Clauses of the rules that say what to do, or (`ban`) what not to do, as they were written."""
        field = "dont" if ban else "do"
        found: list[str] = []
        for said in () if self._opinion is None else self._opinion.dont if ban else self._opinion.do:
            pieces = (span for one in self._rules for span in (one.span, *_clauses(one.span)))
            carrying = next((span for span in pieces if adds_nothing(said, span.text)), None)
            if carrying is not None:
                self._from(field, carrying)
                found.append(said)
        if found:
            return found[:_MOST_STEPS]
        for span in (span for rule in self._rules[:_MOST_STEPS] for span in _clauses(rule.span)):
            clause = judged(span)
            step = _is_step(clause, ban) and (clause.rule or self._by_rules)
            if step and len(found) < _MOST_STEPS and span.text not in found:
                found.append(self._from(field, span))
        return found

    def comments(self) -> list[str]:
        """Where each field comes from, for the reviewer."""
        return [f"{field} <- {span.source} {span.start}-{span.end}: {span.text}" for field, span in self.evidence]


def _is_step(clause: Sentence, ban: bool) -> bool:
    """Whether a clause is something to do, or (`ban`) not to do; a condition or a cause alone is neither."""
    if clause.ban is not ban or len(clause.span.text) > _STEP_CHARACTERS:
        return False
    told = clause.cause or clause.story or clause.correction or clause.span.text.endswith(("时", "后"))
    return ban or ((clause.rule or clause.numbers) and not told)


def _type(event: Event, decision: Decision) -> CardType:
    if event.kind is EventKind.QUESTION:
        return CardType.FAQ
    if decision.reason is Reason.CORRECTION:
        return CardType.DECISION
    if decision.reason is Reason.CAUSE or event.kind is EventKind.INCIDENT:
        return CardType.PITFALL
    return CardType.SPEC


def _fitting(span: Span) -> Span | None:
    """The sentence without its lead-in, cut after a clause to the length of a conclusion; None when nothing is left."""
    lead = _LEAD.match(span.text)
    start = lead.end() if lead else 0
    if len(span.text) - start <= CONCLUSION_CHARACTERS:
        return Span(span.source, span.start + start, span.end, span.text[start:])
    end = start
    for found in _CLAUSE.finditer(span.text, start):
        if found.end() - start > CONCLUSION_CHARACTERS:
            break
        end = found.end()
    cut = Span(span.source, span.start + start, span.start + end, span.text[start:end])
    return cut if cut.text and judged(cut).rule else None


def _clauses(span: Span) -> list[Span]:
    found = []
    lead = _LEAD.match(span.text)
    for clause in _CLAUSE.finditer(span.text, lead.end() if lead else 0):
        said = clause[0].strip()
        start = span.start + clause.start() + clause[0].index(said) if said else 0
        if said:
            found.append(Span(span.source, start, start + len(said), said))
    return found


def _named(event: Event, *names: str) -> list[str]:
    found: list[str] = []
    for name in names:
        value = event.fields.get(name)
        items = value if isinstance(value, list) else [value]
        found += [item.strip() for item in items if isinstance(item, str) and item.strip()]
    return list(dict.fromkeys(found))[:20]


def _source(event: Event) -> str:
    title = event.fields.get("title")
    return f"{event.kind} {event.id}" + (f": {' '.join(title.split())[:100]}" if isinstance(title, str) else "")


def _links(event: Event) -> list[str]:
    links = [f"event:{event.id}"]
    if event.requirement:
        links.append(f"req:{event.requirement}")
    request = event.fields.get("merge_request")
    if isinstance(request, (str, int)) and str(request).strip():
        links.append(f"mr:{str(request).strip()[:100]}")
    named = event.fields.get("links")
    links += [
        link.strip() for link in (named if isinstance(named, list) else []) if isinstance(link, str) and link.strip()
    ]
    return list(dict.fromkeys(links))[:20]


def adds_nothing(worded: str, said: str) -> bool:
    """Whether a model's words say no more and nothing else than the sentence: same figures, codes and bans."""
    if not worded.strip() or len(worded) > CONCLUSION_CHARACTERS or says_nothing(worded):
        return False
    before, after = quantities(said), quantities(worded)
    if any(one not in before for one in after) or (before and not after):
        return False
    if negations(worded) != negations(said):
        return False
    source = normalise(said)
    latin = re.findall(r"[a-z][a-z0-9_-]*\d[a-z0-9_-]*|[a-z]{2,}_[a-z_]+", normalise(worded))
    if any(code not in source for code in latin):
        return False
    known, used = counted(said), counted(worded)
    return bool(used) and sum((used & known).values()) >= 0.8 * sum(used.values())
