"""Follow-up questions: «那玉米呢？», "and in dry soil?" become whole questions, from what was asked before.

By rules, so that the same follow-up is always resolved the same way and can be shown: what it names takes the place of
its like in the question before (kb.answer.likes); what has no like there is added to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.answer.likes import codes, likes, plural
from kb.answer.subjects import KnownSubjects, places
from kb.search.normalise import normalise
from kb.search.tokens import question_terms
from kb.tree.document import language_of

_MAX_WORDS = 14
_OPENS = re.compile(
    r"^(?:那么?|然后|还有|以及|如果|要是|换成|改成|对于?|而|和|且)|"
    r"^(?:and|but|or|then|so|what (?:about|if|of)|how about)\b|"
    r"^(?:in|for|at|on|with|without|under|when|if|after|before)\b",
    re.IGNORECASE,
)
_CLOSES = re.compile(r"(?:呢|又如何|又怎样|怎么样)[？?。!！]*$")
_PRONOUN = re.compile(
    r"它们?|这[个种样]|那[个种样]|此时|这时|其中|该(?:药|病|机|期|品种)|\b(?:it|its|they|them|their|this|that|these|those|one)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"什么|多少|几[^乎]|怎[么样]|如何|为何|为什么|哪|谁|何时|是否|吗[？?]?$|能不能|可不可以|"
    r"^(?:(?:in|at|on|for|from|to|by|with) )?(?:what|when|where|which|who|whom|whose|why|how)\b|"
    r"^(?:is|are|was|were|do|does|did|can|could|should|may|might|must|will|would)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"^(?:那么?|然后|还有|以及|如果是?|要是|换成|改成|对于?|而|和|且)\s*|"
    r"^(?:(?:and|but|or|then|so)\s+)?(?:(?:what about|what if|how about|what of)\s+)?(?:(?:for|the)\s+)?(?=\S)",
    re.IGNORECASE,
)
_TAILS = re.compile(r"(?:呢|又如何|又怎样|怎么样)?[\s？?。!！.]*$")


@dataclass(frozen=True, slots=True)
class Session:
    """What was asked so far in one conversation, oldest first, each as it was resolved."""

    questions: tuple[str, ...] = ()

    def after(self, resolved: str) -> Session:
        """The session once `resolved` was asked; the last few questions are enough."""
        return Session((*self.questions[-7:], resolved))


def resolve(question: str, session: Session | None, known: KnownSubjects) -> str:
    """`question` as a whole question: itself, unless it leans on the one before it in `session`."""
    if session is None or not session.questions:
        return question
    before = session.questions[-1]
    if _points_back(question, known):
        return _named(question, before, known)
    if _goes_on(question):
        return _instead(_stripped(question), before, known)
    return question


def _points_back(question: str, known: KnownSubjects) -> bool:
    """Whether `question` asks something of a thing that it does not name: by a pronoun, or by no name at all."""
    text = _stripped(question)
    if len(question_terms(text)) > _MAX_WORDS or not _ASKS.search(text):
        return False
    if _PRONOUN.search(text):
        return True
    bare = _ASKS.sub("", text)
    return len(re.findall(r"[\u4e00-\u9fff]", bare)) <= 3 and _only_han(bare) and not places(text, known.names)


def _only_han(text: str) -> bool:
    return re.search(r"[A-Za-z0-9]", text) is None and re.search(r"[\u4e00-\u9fff]", text) is not None


def _goes_on(question: str) -> bool:
    """Whether `question` only names what is to be put into the one before: «那玉米呢», "and in dry soil?"."""
    text = question.strip()
    if len(question_terms(text)) > _MAX_WORDS or not (_OPENS.search(text) or _CLOSES.search(text)):
        return False
    # "in which month …" asks by itself.
    return not _ASKS.search(_stripped(text))


def _stripped(question: str) -> str:
    """What a follow-up names: without the words that only lead to it."""
    return _LEADS.sub("", _TAILS.sub("", question.strip()), count=1).strip(" ，,")


def _instead(named: str, before: str, known: KnownSubjects) -> str:
    """`before` with what `named` says in the place of its like, or added to it."""
    pair = likes(named, before, known)
    changed, rest = before, named
    if pair is not None:
        (start, end), (first, last) = pair
        changed = before[:first] + named[start:end] + before[last:]
        rest = (named[:start] + named[end:]).strip(" 的，,")
    if len(rest) < 2 or normalise(rest) in normalise(changed):
        return changed
    if language_of(before) == "zh":
        return f"{named}，{before}"
    return f"{before.rstrip('?？. ')} {named}?"


def _named(question: str, before: str, known: KnownSubjects) -> str:
    """`question` about the subject of `before`; where `before` names none that is known, its own words are added."""
    subjects = codes(before) or places(before, known.names)
    text = question.strip()
    if not subjects:
        about = _ASKS.sub(" ", before.strip(" ？?。.")).strip()
        return f"{about}：{text}" if language_of(text) == "zh" else f"{text.rstrip('?？. ')} ({about})?"
    start, end = subjects[0]
    name = before[start : end + len(plural(before[end:]))]
    if before[:start].lower().endswith("the "):
        name = f"the {name}"
    if not _PRONOUN.search(text):
        return f"{name} {text}" if name.isascii() else f"{name}{text}"
    return _PRONOUN.sub(lambda found: _like(found[0], name), text, count=1)


def _like(pronoun: str, name: str) -> str:
    """`its` becomes a name that owns."""
    return f"{name}'s" if pronoun.lower() in ("its", "their") else name
