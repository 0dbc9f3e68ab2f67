"""Whether an event is worth a card. Most are not: the answer is no unless something speaks for yes.

Yes: a rule was found and its cause is known; a rule with figures, or one for all cases, was agreed on; something that
was believed was corrected; a question was asked again and again. No: nothing was found out, it is still open, it held
for this once, it is a guess, or it is an errand. Where rules find nothing, meaning may (`distill_meaning`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from kb.search.normalise import normalise
from kb.supply.check_words import says_nothing
from kb.supply.distill_meaning import ENOUGH, Lessons, chance
from kb.supply.distill_reading import Sentence, fields, is_finding, sentences
from kb.supply.events import Event, EventKind

OFTEN = 3
"""A question that was asked this often without an answer is worth a card though nobody knows the answer yet."""
REASON_CHARACTERS = 30
_OPEN = re.compile(
    r"未查明|没查出|尚未查|还在查|待查|继续观察|搁置|结论未定|暂不决定|未上线|未解决|下.{0,2}再议|"
    r"\b(?:still unknown|undecided|not released|on hold)\b"
)
_SETTLED = re.compile(r"已查明|查明是|原因已|\broot cause\b")
_ONCE = re.compile(r"仅本次|只此一次|临时|\b(?:one-off|this time only|temporar(?:y|ily))\b")


class Reason(StrEnum):
    """Why, as a key of kb.texts (`card_reason_<value>`), at most REASON_CHARACTERS characters in each language."""

    CAUSE = "cause"
    RULE = "rule"
    CORRECTION = "correction"
    ANSWERED = "answered"
    UNANSWERED = "unanswered"
    LESSON = "lesson"
    NOTHING = "nothing"
    OPEN = "open"
    ONCE = "once"
    RARE = "rare"
    KNOWN = "known"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether to save, why, and the sentences that carry the rule, the best first (empty where nobody knows yet)."""

    save: bool
    reason: Reason
    rules: tuple[Sentence, ...] = ()


def decide(event: Event, lessons: Lessons | None = None) -> Decision:
    """SHOULD_SAVE for one event; `lessons` looks at what the rules see nothing in."""
    found = sentences(event)
    told = [one for one in found if is_finding(one.span.source)]
    decision = _by_rules(event, found, told)
    if lessons is not None and told and decision.reason in (Reason.NOTHING, Reason.RARE, Reason.UNANSWERED):
        return _by_meaning(event, lessons, told) or decision
    return decision


def _by_meaning(event: Event, lessons: Lessons, told: Sequence[Sentence]) -> Decision | None:
    """Yes where the findings read like a lesson and a sentence can carry it."""
    weights = lessons.weigh(told)
    if chance(weights) < ENOUGH:
        return None
    order = sorted(range(len(told)), key=lambda number: -weights[number])
    carrying = [one for one in (told[number] for number in order if weights[number] > 0) if _carries(one)]
    reason = Reason.ANSWERED if event.kind is EventKind.QUESTION else Reason.LESSON
    return Decision(True, reason, tuple(carrying)) if carrying else None


def _carries(one: Sentence) -> bool:
    return not (one.guess or one.errand or says_nothing(one.span.text))


def _by_rules(event: Event, found: Sequence[Sentence], told: Sequence[Sentence]) -> Decision:
    trouble = any(one.trouble for one in found if one.span.source != "outcome")
    usable = [one for one in told if not one.guess and not one.errand]
    rules = [one for one in usable if one.rule]
    if not rules and trouble:
        # What people write last after trouble, with figures, is what they will do from now on, though no word says so.
        rules = [one for one in reversed(usable) if one.instruction and one.span.source != "outcome"]
    rules.sort(key=lambda one: -one.weight)
    if event.kind is EventKind.QUESTION:
        return _about_question(event, rules)
    text = normalise("\n".join(text for _, text in fields(event)))
    if _ONCE.search(text):
        return Decision(False, Reason.ONCE)
    if _OPEN.search(text) and not _SETTLED.search(text):
        return Decision(False, Reason.OPEN)
    return _about_work(told, rules, trouble)


def _about_question(event: Event, rules: Sequence[Sentence]) -> Decision:
    if event.fields.get("answered") is True:
        return Decision(False, Reason.KNOWN)
    if rules:
        return Decision(True, Reason.ANSWERED, tuple(rules))
    asked = event.fields.get("asked")
    often = isinstance(asked, int) and asked >= OFTEN
    return Decision(often, Reason.UNANSWERED if often else Reason.RARE)


def _about_work(told: Sequence[Sentence], rules: Sequence[Sentence], trouble: bool) -> Decision:
    if not rules:
        return Decision(False, Reason.NOTHING)
    if any(one.correction for one in told):
        return Decision(True, Reason.CORRECTION, tuple(rules))
    if trouble or any(one.cause and not one.guess for one in told):
        return Decision(True, Reason.CAUSE, tuple(rules))
    if any(one.general for one in rules) and any(one.numbers or one.ban for one in rules):
        return Decision(True, Reason.RULE, tuple(rules))
    return Decision(False, Reason.NOTHING)
