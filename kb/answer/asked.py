"""The question as evidence is held against it: its terms by rarity, what it asks for, names and demands; read once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from kb.answer.alternatives import Alternatives
from kb.answer.anchors import anchors
from kb.answer.conditions import named_values
from kb.answer.demands import Demands
from kb.answer.subjects import Subjects
from kb.answer.superlatives import Superlative
from kb.answer.topics import matters
from kb.search.keyness import Keyness
from kb.search.normalise import normalise
from kb.search.quantities import asks_quantity, negations
from kb.search.retriever import Found
from kb.search.tokens import terms
from kb.search.translation import Translation
from kb.tree.document import language_of

# The kinds of answer that a question can ask for, each by the words that ask for it.
_ASKS = {
    "when": re.compile(
        r"什么时候|何时|哪[一]?年|哪天|几月|几号|几点|年份|日期|\bwhen\b|what (?:year|date|day|month|time)"
    ),
    "why": re.compile(r"为什么|为何|原因|怎么会|\bwhy\b|\bcauses?\b|\breasons?\b"),
    "how": re.compile(r"怎么|如何|怎样|步骤|方法|怎么办|\bhow (?:do|to|can|should|does|is|are)\b"),
    "who": re.compile(r"谁|哪[位个名]人|何人|\bwho\b|\bwhom\b|\bwhose\b"),
    "where": re.compile(r"哪里|哪儿|何处|在哪|什么地方|\bwhere\b"),
    "what": re.compile(r"是什么|什么是|什么意思|定义|含义|指的是|\bwhat (?:is|are|does)\b|\bmean\b|\bdefin"),
}
# «阿莫西林剂量», "wheel nut torque": a question without a word that asks is for what stands under those words.
_ASKS_AT_ALL = re.compile(
    r"什么|谁|哪|怎|如何|吗|呢|何|咋|[是能可会]否|有无|(?P<does>[\u4e00-\u9fff])不(?P=does)|"
    r"[简论试描阐叙]述|说明|简要|列举|归纳|比较|分析|计算|求|\b(?:who|whom|whose|what|which|when|where|why|how)\b|"
    r"^\W*(?:is|are|do|does|did|can|could|may|must|should|was|were|will|has|have)\b"
)
_ASKS_VALUE = re.compile(r"\b(?:at|above|below|over|under|within|for|until|by) (?:what|which)\b")
# «能不能», «有没有» offer a choice and deny nothing.
_CHOICE = re.compile(r"(\w)[不没]\1")

# A word that is less rare tells hardly one document from another.
RARE = 0.3
# A term's rarity is 1 where no document holds it (`Retriever.term_weights`).
UNKNOWN_FROM = 0.999
NO_SUBJECTS = Subjects()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question wants, found once.

    `plain` is the question normalised; `wanted` are its terms with their rarity (0..1), `total` the sum of those (never
    0), `rarest` the rarest quarter of them; `kinds` are the kinds of answer that it asks for (when, why, how, who,
    where, what). `quantity`: it asks for a number; `wants_value`: for a value, be it a number or not; `denies`: for
    what is not so. `anchors` are its codes and numbered things, `values` those it names, each with its unit. `abroad`
    is the same question for documents in the other language, where `translation` are its words (None in its own).
    """

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
    synonyms: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        question: str,
        wanted: Mapping[str, float],
        subjects: Subjects = NO_SUBJECTS,
        translated: tuple[Translation, Mapping[str, float]] | None = None,
        keyness: Keyness | None = None,
        synonyms: Mapping[str, frozenset[str]] | None = None,
    ) -> Asked:
        """Read `question`; `wanted` maps its terms to their rarity (0..1), `subjects` are those it names, `translated`
        are its words in the other language and their rarity there, `keyness` how far its words are of the field,
        `synonyms` its words with others that mean the same."""
        plain = normalise(question)
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
            kinds={kind: bool(asks.search(plain)) for kind, asks in _ASKS.items()},
            anchors=tuple(anchors(question)),
            subjects=subjects,
            demands=demands,
            values=named_values(question),
            denies=negations(_CHOICE.sub(" ", plain)) > 0,
            alternatives=Alternatives.of(question),
            superlative=Superlative.of(question),
            keyness=keyness,
            synonyms=synonyms or {},
            wants_value=quantity
            or bool(demands.kinds)
            or bool(_ASKS_VALUE.search(plain))
            or not _ASKS_AT_ALL.search(plain),
        )
        return asked if translated is None else replace(asked, abroad=asked._said_abroad(*translated))

    def _said_abroad(self, translation: Translation, rarity: Mapping[str, float]) -> Asked:
        """The question by the words of its `translation`, of which `rarity` (0..1) tells how rare each is there."""
        names = {word.said for word in translation.words if word.is_name}
        there = {
            word: rare for word, rare in rarity.items() if matters(word) and (rare < UNKNOWN_FROM or word in names)
        }
        return replace(
            self,
            wanted=there,
            total=sum(there.values()) or 1.0,
            rarest=_rarest(there),
            demands=self.demands.across_languages(),
            translation=translation,
        )

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
