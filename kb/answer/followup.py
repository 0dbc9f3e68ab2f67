"""Follow-up questions: «那玉米呢？», "and in dry soil?" become whole questions, from what was asked before.

By rules, so that the same follow-up is always resolved the same way and can be shown: what it names takes the place of
its like in the question before (followup_counterparts), what has no like there is added to it, and what points back
(followup_anaphora) is told the name that it stands for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.answer.followup_anaphora import asks, circumstance, names_nothing, only_asks, pronoun, without_asking
from kb.answer.followup_counterparts import codes, counterpart, leading, led_by, plural
from kb.answer.subjects import KnownSubjects, places
from kb.search.normalise import normalise
from kb.search.tokens import question_terms
from kb.tree.document import language_of

# A longer question stands alone, however it begins.
_MAX_WORDS = 14
# How a follow-up begins and ends. «那个», «那时» point back, and begin none.
_BEGINS = r"那么?(?![个种些样时年月天])|然后|还有|以及|如果是?|要是|换成|改成|改用|对于?|而|和|且"
_BEGINS_LATIN = r"what (?:about|if|of)|how about"
_JOINS_LATIN = r"and|but|or|then|so"
_PREPOSITIONS = r"in|for|at|on|with|without|under|when|if|after|before"
_ENDS = r"呢|又如何|又怎样|怎么样"
_OPENS = re.compile(
    rf"^(?:{_BEGINS})|^(?:{_JOINS_LATIN}|{_BEGINS_LATIN})\b|^(?:{_PREPOSITIONS})\b",
    re.IGNORECASE,
)
_CLOSES = re.compile(rf"(?:{_ENDS})[？?。!！]*$")
_LEADS = re.compile(rf"^(?:{_BEGINS})\s*|^(?:(?:{_JOINS_LATIN})\s+)?(?:(?:{_BEGINS_LATIN})\s+)?(?=\S)", re.IGNORECASE)
_TAILS = re.compile(rf"(?:{_ENDS})?[\s？?。!！.]*$")
# What is written small where it no longer begins the question.
_LED = re.compile(rf"^(?:{_PREPOSITIONS.title()}|The)\b")
# What is left of «the maize», «a 30 kg one» once the name has taken its place.
_EMPTY = re.compile(r"\b(?:the|an?|ones?|instead)\b|[的，,]", re.IGNORECASE)
_INSTEAD = re.compile("(?:那么?|要是|如果)?(?:换成|改成|改用)")
# The question word of an English question, which another one can take the place of.
_ASKING = re.compile(
    r"^(?:(?:for|at|in|on) )?(?:how(?: (?!is|are|was|were|do|does|did|can|could|should|will|would|may|must)[a-z]+)?|"
    r"what|when|where|which|who|why)\b",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile("[每各一这那本该]")
# Names with no more than this between them are one: «calibrate a boom sprayer».
_BETWEEN = re.compile(r"(?:\s|的|\b(?:an?|the|of)\b)*")
# A Chinese name goes on to the word that says what kind of thing it is: 番茄 in 番茄脐腐病.
_KIND = re.compile(r"[\u4e00-\u9fff]{0,5}?[病虫螨症机泵器阀剂]")


@dataclass(frozen=True, slots=True)
class Session:
    """What was asked so far in one conversation, oldest first, each as it was resolved."""

    questions: tuple[str, ...] = ()

    def after(self, resolved: str) -> Session:
        """The session once `resolved` was asked; the last few questions are enough."""
        return Session((*self.questions[-7:], resolved))


def resolve(question: str, session: Session | None, known: KnownSubjects) -> str:
    """`question` as a whole question: itself, unless it leans on the one before it in `session`."""
    if session is None or not session.questions or len(question_terms(_stripped(question))) > _MAX_WORDS:
        return question
    before, text = session.questions[-1], _stripped(question)
    goes_on = _OPENS.search(question.strip()) is not None or _CLOSES.search(question.strip()) is not None
    if not asks(text):
        return _gone_on(question.strip(), text, before, known) if goes_on else question
    if only_asks(text):
        return _asked_of(text, before)
    whole = _LEADS.sub("", question.strip(), count=1)
    if circumstance(text):
        return _told(before, whole)
    if pronoun(text, before, known) or names_nothing(text, known):
        return _named(whole, before, known)
    return question


def _stripped(question: str) -> str:
    """What a follow-up names: without the words that only lead to it."""
    return _LEADS.sub("", _TAILS.sub("", question.strip()), count=1).strip(" ，,")


def _gone_on(question: str, text: str, before: str, known: KnownSubjects) -> str:
    """`before` with what `text` only names: «那玉米呢», "and in dry soil?", «它的保修期呢»."""
    if circumstance(text):
        return _told(before, text)
    if pronoun(text, before, known):
        return _named(text, before, known)
    pair = counterpart(text, before, known)
    if (
        pair is None
        and (_INSTEAD.match(question) or _stands_for_unknown(text, before, known))
        and (name := leading(before))
    ):
        pair = (0, len(text)), name
    text = _LED.sub(lambda led: led[0].lower(), text)
    changed, rest = before, text
    if pair is not None:
        (start, end), (first, last) = pair
        changed = before[:first] + text[start:end] + before[last:]
        rest = text[:start] + text[end:]
    rest = " ".join(_EMPTY.sub(" ", rest).split())
    if len(rest) < 2 or normalise(rest) in normalise(changed):
        return changed
    if language_of(before) == "zh":
        return f"{text}，{before}"
    return f"{before.rstrip('?？. ')} {text}?"


def _stands_for_unknown(text: str, before: str, known: KnownSubjects) -> bool:
    """Whether `text` is a known subject, and `before` begins with a name and holds no known one: «甘蔗怎么施肥»."""
    whole = (0, len(text)) in places(text, known.names)
    return whole and not places(before, known.names) and _NO_SUBJECT.match(before) is None


def _asked_of(text: str, before: str) -> str:
    """`before` asked again with other asking words: «为什么», "how often?"."""
    asked = _ASKING.match(before)
    if asked and text.isascii():
        return f"{text} {before[asked.end() :].strip()}"
    return _told(before, text)


def _told(before: str, text: str) -> str:
    """`text` with all that `before` asked about."""
    about = re.sub(r"\s+(?=[\u4e00-\u9fff])", "", " ".join(without_asking(before.strip(" ？?。.")).split()))
    return f"{about}：{text}" if language_of(text) == "zh" else f"{text.rstrip('?？. ')} ({about})?"


def _named(text: str, before: str, known: KnownSubjects) -> str:
    """`text` about the subject of `before`; where `before` names none that is known, its own words are added."""
    subject = _subject(before, known)
    if subject is None:
        return _told(before, text)
    start, end = subject
    name = before[start : end + len(plural(before[end:]))]
    if before[:start].lower().endswith("the "):
        name = f"the {name}"
    found = pronoun(text, before, known)
    if found is None and len(re.findall(r"[\u4e00-\u9fff]", without_asking(before[:start]))) > 1:
        return _told(before, text)
    if found is None:
        return f"{name} {text}" if name.isascii() else f"{name}{text}"
    return text[: found.start()] + _like(found[0], name) + text[found.end() :]


def _subject(before: str, known: KnownSubjects) -> tuple[int, int] | None:
    """Where the name of what `before` is about stands: its first code with the names beside it, else its first name."""
    names = sorted({*codes(before), *places(before, known.names)})
    if not names:
        return None
    start, end = (codes(before) or names)[0]
    start = led_by(before, start)
    for first, last in reversed(names):
        if last <= start and _BETWEEN.fullmatch(before[last:start]):
            start = first
    for first, last in names:
        if first >= end and _BETWEEN.fullmatch(before[end:first]):
            end = last
    kind = _KIND.match(before, end) if re.match(r"[\u4e00-\u9fff]", before[end - 1 : end]) else None
    return (start, kind.end()) if kind and not asks(kind[0]) else (start, end)


def _like(pronoun: str, name: str) -> str:
    """`its` becomes a name that owns."""
    return f"{name}'s" if pronoun.lower() in ("its", "their") else name
