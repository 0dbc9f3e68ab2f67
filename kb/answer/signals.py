"""What speaks for a unit as the answer: cheap signals, each about 0..1, fitted by scripts/fit_answer.py."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from kb.answer.alternatives import Alternatives
from kb.answer.anchors import anchors, is_letter, shape, stands_in
from kb.answer.conditions import about, named_values
from kb.answer.demands import Demands
from kb.answer.opposites import says_the_contrary
from kb.answer.subjects import Subjects
from kb.answer.superlatives import Superlative
from kb.answer.topics import matters
from kb.answer.units import CLAUSE, LABEL, Unit, cells, has_bare_number, naming
from kb.search.keyness import Keyness
from kb.search.normalise import normalise
from kb.search.quantities import asks_quantity, folded, negations, quantities
from kb.search.retriever import Found
from kb.search.tokens import stop_terms, terms
from kb.search.translation import Translation
from kb.tree.document import language_of

_ASKS_WHEN = re.compile(
    r"什么时候|何时|哪[一]?年|哪天|几月|几号|几点|年份|日期|\bwhen\b|what (?:year|date|day|month|time)"
)
_ASKS_WHY = re.compile(r"为什么|为何|原因|怎么会|\bwhy\b|\bcauses?\b|\breasons?\b")
_ASKS_HOW = re.compile(r"怎么|如何|怎样|步骤|方法|怎么办|\bhow (?:do|to|can|should|does|is|are)\b")
_ASKS_WHO = re.compile(r"谁|哪[位个名]人|何人|\bwho\b|\bwhom\b|\bwhose\b")
_ASKS_WHERE = re.compile(r"哪里|哪儿|何处|在哪|什么地方|\bwhere\b")
_ASKS_WHAT = re.compile(r"是什么|什么是|什么意思|定义|含义|指的是|\bwhat (?:is|are|does)\b|\bmean\b|\bdefin")
# «阿莫西林剂量», "wheel nut torque": a question without a word that asks is for what stands under those words.
_ASKS_AT_ALL = re.compile(
    r"什么|谁|哪|怎|如何|吗|呢|何|咋|[是能可会]否|有无|(?P<does>[\u4e00-\u9fff])不(?P=does)|"
    r"[简论试描阐叙]述|说明|简要|列举|归纳|比较|分析|计算|求|\b(?:who|whom|whose|what|which|when|where|why|how)\b|"
    r"^\W*(?:is|are|do|does|did|can|could|may|must|should|was|were|will|has|have)\b"
)
_ASKS_VALUE = re.compile(r"\b(?:at|above|below|over|under|within|for|until|by) (?:what|which)\b")
_DATE = re.compile(
    r"\d{3,4}\s*年|\d{1,2}\s*月|世纪|年代|\b(?:1\d|20)\d\d\b|january|february|march|april|june|july|august|september|"
    r"october|november|december|century"
)
_CAUSE = re.compile(r"因为|由于|原因|导致|引起|所以|以致|因此|because|due to|caused?|result|therefore|since")
_MEANS = re.compile(r"方法|步骤|首先|然后|应当|应|可以|用|通过|\bby\b|\busing\b|\bshould\b|\bmust\b|\buse\b")
_DEFINES = re.compile(r"是指|指的是|称为|又称|即|是|叫|means|is an?\b|are\b|called|known as|refers? to|defined")
_FORBIDS = re.compile(
    r"不得|不要|不可|不宜|禁止|严禁|切勿|警告|时不|\bdo not\b|\bdon't\b|\bnever\b|\bmust not\b|\bavoid\b"
)
_ASKS_LEAVE = re.compile(
    r"能不能|可不可以|[能可]否|(?:能|可以?|要)[^,，]*吗|\b(?:may|can|could|should) (?:i|we|you|one)\b|\bsafe\b|"
    r"\ballowed\b|^\W*(?:may|can|should)\b"
)
# «能不能», «有没有» offer a choice and deny nothing.
_CHOICE = re.compile(r"(\w)[不没]\1")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-z]+")

NAMES = (
    "bias", "coverage", "rarest", "context", "missing", "run", "text", "meaning", "path", "first", "length", "short",
    "position", "table", "item", "elsewhere", "quantity", "when", "why", "how", "who", "where", "what", "echo",
    "before", "after", "similar", "denial", "forbids", "rowkey", "condition",
)  # fmt: skip


# A word that is less rare tells hardly one document from another.
RARE = 0.3
NO_SUBJECTS = Subjects()
OTHER_SUBJECT = 0.25
_LACKS = 0.1
# A term's rarity is 1 where no document holds it (`Retriever.term_weights`).
UNKNOWN_FROM = 0.999
_NEARBY = 0.7


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question wants, found once: its terms with their weights, the kinds of answer it asks for, whether it asks
    for what is not so, and whether for a value. `abroad` is the same for documents in the other language, `translation`
    its words there (None in the question's own)."""

    question: str
    plain: str
    lang: str
    wanted: Mapping[str, float]
    total: float
    rarest: frozenset[str]
    quantity: bool
    kinds: Mapping[str, bool]
    anchors: tuple[str, ...]
    subjects: Subjects
    demands: Demands
    values: tuple[tuple[Decimal, str], ...]
    denies: bool
    alternatives: Alternatives
    superlative: Superlative | None = None
    wants_value: bool = False
    translation: Translation | None = None
    abroad: Asked | None = None
    keyness: Keyness | None = None

    @classmethod
    def of(
        cls,
        question: str,
        wanted: Mapping[str, float],
        subjects: Subjects = NO_SUBJECTS,
        translated: tuple[Translation, Mapping[str, float]] | None = None,
        keyness: Keyness | None = None,
    ) -> Asked:
        """Read `question`; `wanted` maps its terms to their rarity (0..1), `subjects` are those it names, `translated`
        are its words in the other language and their rarity."""
        plain = normalise(question)
        kinds = {
            "when": _ASKS_WHEN, "why": _ASKS_WHY, "how": _ASKS_HOW, "who": _ASKS_WHO, "where": _ASKS_WHERE,
            "what": _ASKS_WHAT,
        }  # fmt: skip
        quantity = asks_quantity(question)
        demands = Demands.of(question, {term for term, rarity in wanted.items() if rarity >= UNKNOWN_FROM})
        asked = cls(
            question=question,
            plain=plain,
            lang=language_of(question),
            wanted=wanted,
            total=sum(wanted.values()) or 1.0,
            rarest=_rarest(wanted),
            quantity=quantity,
            kinds={name: bool(pattern.search(plain)) for name, pattern in kinds.items()},
            anchors=tuple(anchors(question)),
            subjects=subjects,
            demands=demands,
            values=named_values(question),
            denies=negations(_CHOICE.sub(" ", plain)) > 0,
            alternatives=Alternatives.of(question),
            superlative=Superlative.of(question),
            keyness=keyness,
            wants_value=quantity
            or bool(demands.kinds)
            or bool(_ASKS_VALUE.search(plain))
            or not _ASKS_AT_ALL.search(plain),
        )
        if translated is None:
            return asked
        translation, rarity = translated
        names = {word.said for word in translation.words if word.is_name}
        there = {
            word: rare for word, rare in rarity.items() if matters(word) and (rare < UNKNOWN_FROM or word in names)
        }
        total = sum(there.values()) or 1.0
        abroad = replace(
            asked,
            wanted=there,
            total=total,
            rarest=_rarest(there),
            demands=demands.across_languages(),
            translation=translation,
        )
        return replace(asked, abroad=abroad)

    def foreign(self, found: Found) -> bool:
        """Whether a section is in another language than the question; a document in that may hold one in this."""
        return found.document.facts.lang != self.lang and language_of(found.section.text) != self.lang

    def before(self, found: Found) -> Asked:
        """The question as a section is held against it: in the other language than the question's the words that are
        wanted are its own as they are said, where the dictionary knows them."""
        return self.abroad if self.abroad is not None and self.foreign(found) else self

    def names(self) -> frozenset[str]:
        """The words that are wanted and rare enough to tell one document from another; in the other language only those
        of which it says something that they are not told."""
        rare = frozenset(word for word, rarity in self.wanted.items() if rarity > RARE)
        if self.translation is None:
            return rare
        return rare.intersection(word.said for word in self.translation.words if word.is_name)

    def terms_in(self, text: str) -> frozenset[str]:
        """The terms of `text`, or for a document in the other language the words of the question that it tells."""
        found = frozenset(terms(text))
        return found if self.translation is None else self.translation.told(found)


def _rarest(wanted: Mapping[str, float]) -> frozenset[str]:
    """The rarest quarter of what is wanted."""
    ordered = sorted(wanted, key=lambda term: -wanted[term])
    return frozenset(ordered[: max(1, len(ordered) // 4)])


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit stands: its section, the terms of the headings above it and of the units before and after it.

    Folded: all headings (`heading`), the section's text (`around`), the nearest heading (`under`).
    """

    found: Found
    rank: int
    position: int
    heads: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]
    heading: str
    around: str
    under: str = ""

    @property
    def beside(self) -> frozenset[str]:
        """The terms of the units on both sides."""
        return self.before | self.after


def suited(asked: Asked, unit: Unit, place: Place) -> float:
    """How far the unit can be what is asked for at all: 1, or less where it is about another subject or lacks the
    values, or the kind of quantity, that the question demands; these must be the unit's own."""
    if asked.subjects.differ_from(place.found.path, f"{folded(unit.text)} {place.heading}"):
        return OTHER_SUBJECT
    if unit.kind == "table" and asked.subjects.row_differs(unit.text):
        return OTHER_SUBJECT
    if says_the_contrary(asked.question, unit.text):
        return OTHER_SUBJECT
    around = f"{folded(unit.context)} {place.heading}"
    beside = "" if unit.kind in ("table", "item") else place.around
    if asked.alternatives.differ_from(folded(unit.text), around, beside):
        return OTHER_SUBJECT
    bare = unit.kind == "table" and bool(asked.demands.kinds) and has_bare_number(unit)
    met = asked.demands.met_by(folded(unit.text), around, place.under, bare=bare)
    return 1.0 if met else _LACKS


def anchored(asked: Asked, unit: Unit, place: Place) -> float:
    """How far the unit has the names of the question: 1 all, else the factor its score is cut by."""
    if not asked.anchors or not names_lacked(asked, unit, place, nearby=False):
        return 1.0
    return _LACKS if names_lacked(asked, unit, place, nearby=True) else _NEARBY


def names_lacked(asked: Asked, unit: Unit, place: Place, *, nearby: bool) -> list[str]:
    """The names of the question that stand neither in the unit nor in the headings above it; with `nearby`, for prose,
    nor in its section. A row or an item speaks of what it names alone, and so does prose that names a thing of the same
    kind («LM39» is not what is said of KD71)."""
    own = folded(unit.text)
    where = f"{own} {place.heading} {folded(naming(unit))}"
    lacked = [anchor for anchor in asked.anchors if not stands_in(anchor, where)]
    if not lacked or not nearby or unit.kind in ("table", "item"):
        return lacked
    said = {shape(name) for name in anchors(own)}
    return [
        anchor for anchor in lacked if is_letter(anchor) or shape(anchor) in said or not stands_in(anchor, place.around)
    ]


def signals(asked: Asked, unit: Unit, place: Place, similarity: float) -> dict[str, float]:
    """The signals of `unit`; `similarity` is its cosine with the question (0 when not known)."""
    inside = asked.terms_in(unit.text)
    around = place.heads | asked.terms_in(unit.context)
    plain = normalise(unit.text)
    covered = _share(asked, inside)
    framed = _share(asked, around - inside)
    return {
        "bias": 1.0,
        "coverage": covered,
        "rarest": len(asked.rarest & inside) / len(asked.rarest) if asked.rarest else 0.0,
        "context": framed,
        "missing": 1.0 - _share(asked, inside | around | place.beside),
        "run": longest_run(asked.plain, plain) / max(len(asked.plain), 1),
        "text": place.found.voices.text,
        "meaning": place.found.voices.meaning,
        "path": place.found.voices.path,
        "first": 1.0 / (1.0 + place.rank),
        "length": min(math.log1p(len(unit.text)) / 6.0, 1.0),
        "short": float(len(unit.text) < 10),
        "position": 1.0 / (1.0 + place.position),
        "table": float(unit.kind == "table"),
        "item": float(unit.kind == "item"),
        "elsewhere": _elsewhere(asked, inside | around | place.beside),
        "quantity": _both(asked.quantity, bool(quantities(unit.text))),
        "when": _both(asked.kinds["when"], bool(_DATE.search(plain))),
        "why": _both(asked.kinds["why"], bool(_CAUSE.search(plain))),
        "how": _both(asked.kinds["how"], bool(_MEANS.search(plain))),
        "who": _both(asked.kinds["who"], bool(_NAME.search(unit.text))),
        "where": _both(asked.kinds["where"], bool(_NAME.search(unit.text)) or "位于" in plain),
        "what": _both(asked.kinds["what"], bool(_DEFINES.search(plain))),
        "echo": float(plain.rstrip().endswith(("?", "？"))),
        "before": _share(asked, place.before - inside),
        "after": _share(asked, place.after - inside),
        "similar": similarity,
        "denial": _both(asked.denies, bool(negations(unit.text))),
        "forbids": _forbids(asked, plain),
        "rowkey": _row_key(asked, unit),
        "condition": about(asked.values, unit),
    }


def _forbids(asked: Asked, plain: str) -> float:
    """1 where the unit only says what must not be done; 0 where the question asks for that, or for a value that another
    clause of the unit gives; -1 where it asks for leave, which such a unit answers."""
    if asked.denies or _FORBIDS.search(asked.plain) or not _FORBIDS.search(plain):
        return 0.0
    if _ASKS_LEAVE.search(asked.plain):
        return -1.0
    allowed = [clause for clause in CLAUSE.split(plain) if not _FORBIDS.search(clause)]
    return 0.0 if asked.quantity and any(map(quantities, allowed)) else 1.0


def _share(asked: Asked, present: set[str] | frozenset[str]) -> float:
    return sum(weight for term, weight in asked.wanted.items() if term in present) / asked.total


def _row_key(asked: Asked, unit: Unit) -> float:
    """For a table row: 1 when the question names what stands in its first cell, -1 when it does not. For an item that
    begins with a label: 1 when the question holds all of it. Else 0."""
    if unit.kind == "item":
        label = LABEL.match(unit.text)
        named = set(terms(label[1])) - stop_terms() if label and asked.translation is None else set()
        return float(bool(named) and named <= asked.wanted.keys())
    if unit.kind != "table":
        return 0.0
    return 1.0 if asked.terms_in(cells(unit.text)[0]) & asked.wanted.keys() else -1.0


def _elsewhere(asked: Asked, present: set[str] | frozenset[str]) -> float:
    """Rarity of the rarest word of the question that the tree knows but that stands nowhere near the unit.

    It is what the question is about, and other documents speak of it: this one does not.
    """
    return max(
        (weight for term, weight in asked.wanted.items() if weight < 0.999 and len(term) > 1 and term not in present),
        default=0.0,
    )


def _both(asked: bool, present: bool) -> float:
    """1 when the question asks for it and the unit has it, -1 when it asks and the unit has it not, else 0."""
    return 0.0 if not asked else (1.0 if present else -1.0)


def longest_run(question: str, text: str) -> int:
    """Length of the longest piece of `question` (letters, digits, Chinese) that stands in `text`."""
    best = 0
    for piece in re.findall(r"[\w]+(?: [a-z0-9]+)*", question):
        start = 0
        while start + best < len(piece):
            if piece[start : start + best + 1] in text:
                best += 1
            else:
                start += 1
    return best
