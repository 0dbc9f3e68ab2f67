"""Whether the documents answer at all: what speaks for and against the best evidence, and the chance that it is right.

The score that orders units compares them with each other; it says little about a question whose words stand in a
document that does not answer it (another name, another year, a denial). Weights: kb.answer.weights, fitted by
scripts/fit_answer.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from kb.answer.anchors import stands_in
from kb.answer.asked import RARE, UNKNOWN_FROM, Asked
from kb.answer.evidence import Ranked
from kb.answer.kinds import tells_kind
from kb.answer.suiting import names_lacked
from kb.answer.units import AMOUNT
from kb.answer.weights import chance
from kb.search.keyness import Keyness
from kb.search.quantities import folded, negations
from kb.search.tokens import HAN, terms

NAMES = (
    "bias", "score", "similar", "nearest", "confidence", "coverage", "lacks", "rarest_lacked", "section_lacks",
    "section_rarest_lacked", "name_lacked", "number_lacked", "undenied", "fresh_name", "elsewhere", "unknown",
    "unknown_character", "vicinity_lacks", "code_lacked", "code_share", "code_apart", "code_held", "surest", "path",
    "quantity_lacked", "unnamed", "outside",
)  # fmt: skip
_NAME = re.compile(r"(?<!^)\b(?:[A-Z][a-z]+|[A-Z]{2,})\b")
# Not those inside a code, which are looked at as a whole.
_NUMBER = re.compile(r"(?<![a-z0-9_.\-])\d+(?:[.,]\d+)*(?!x)")
# What counts items («（2）», «3、»).
_COUNTS_ITEMS = re.compile(r"^\W*\d+[.、)](?!\d)|\(\d+\)", re.MULTILINE)
_PAIR = re.compile(f"[{HAN}]{{2}}")
# Not those that only ask, or stand for a name (什么时候, 多久, 谁, 那, 它).
_CHARACTER = re.compile(f"(?![候久多谁啥咋何哪几那这吗呢吧嘛请您你我它他她们])[{HAN}]")
# From the word that asks for a thing, where a clause begins, to a denial, no other clause between them.
_ASKS_WHAT_IS_NOT = re.compile(
    r"(?:^|[,;:.?!])\W*(?:(?:in|on|at|by|of|for|from|to|with|under|against) )?"
    r"(?:who|whom|whose|what|which|(?:when|where)(?= (?:is|are|was|were|do|did|ha[sd]|have|ca|could|should|must|w)))"
    r"(?:(?!\b(?:that|which|whom?|whose|if|when|where|while|because|but|and|or|to|so|as|than)\b)[^,;:?])*?"
    r"(?:\b(?:not|never|cannot)\b|n't\b)"
)


# The chance that a question is of the documents' field, from its keyness: slope and offset on nats a word, with so many
# words more that say nothing, since one word tells little. `scripts/fit_answer.py --answers` fits them on answerable
# questions and those of other sets; the offset is one higher than fitted, for questions that are asked of an
# encyclopedia in common words. From `_SURELY` on a question is of the field.
_OF_THE_FIELD = {"bias": -2.5, "keyness": 2.8}
_KEYNESS_WORDS = 20
_SURELY = 0.7
# A few documents do not show what words their field has: with so many sections half of it counts.
_HALF_KNOWN = 300


def facts(asked: Asked, ranked: Sequence[Ranked]) -> dict[str, float]:
    """What is known of the best of `ranked` as an answer to `asked`: each about 0..1, by the names of NAMES.

    `similar` and `nearest` (the best cosine of any unit) are 0 without an embedder; `surest` is the best confidence of
    any section, `path` how much of the question the document's path says, by the taxonomy in both languages. `unknown`
    is the share of the question's words that no document holds, `unknown_character` whether a Chinese character is
    such; `vicinity_lacks` is the share of those which stand neither in the unit nor in the headings above it and the
    units beside it. A number is not lacked by a table row whose range holds it. Codes and numbered things
    (kb.answer.anchors) count by rarity, since one that half of the documents name says little: `code_lacked` is the
    rarest that the evidence lacks, `code_share` what all such make up of the question, `code_apart` the rarest that
    only the section names, `code_held` the rarest that the unit itself names. `quantity_lacked`: a number is asked for
    and the unit has none. `undenied`: what is not so is asked for, and the unit denies nothing. `outside`: how
    far the question is of another field than the documents, by its words and by meaning. `unnamed` is told at
    kb.answer.evidence.Ranked.
    ValueError when nothing is ranked.
    """
    if not ranked:
        raise ValueError("nothing was found")
    best = ranked[0]
    asked = asked.before(best.found)
    text, around = best.unit.text, best.place.around
    inside = asked.terms_in(text) | best.place.heads
    section = asked.terms_in(best.found.section.text) | best.place.heads
    vicinity = inside | asked.terms_in(best.unit.context) | best.place.beside
    lacked = [term for term in asked.wanted if term not in inside]
    section_lacked = [term for term in asked.wanted if term not in section]
    names = [name.lower() for name in _NAME.findall(asked.question)]
    numbers = _NUMBER.findall(folded(asked.question))
    here = set(_NUMBER.findall(around))
    mentioned = asked.question.lower()
    # Names and demands have facts of their own, so the score counts as it was before they cut it.
    score = min(max(best.score / max(best.factor, 1e-4), 1e-4), 0.9999)
    unknown = {term for term, rarity in asked.wanted.items() if rarity >= UNKNOWN_FROM}
    nearest = max(item.signals.get("similar", 0.0) for item in ranked)
    in_range = best.signals.get("condition", 0.0) > 0.0
    return {
        "bias": 1.0,
        "score": math.log(score / (1.0 - score)) / 4.0,
        "similar": best.signals.get("similar", 0.0),
        "nearest": nearest,
        "confidence": best.found.confidence,
        "surest": max(item.found.confidence for item in ranked),
        "path": best.found.voices.path,
        "quantity_lacked": float(best.signals.get("quantity", 0.0) < 0.0),
        "coverage": best.signals.get("coverage", 0.0),
        "lacks": sum(asked.wanted[term] for term in lacked) / asked.total,
        "rarest_lacked": max((asked.wanted[term] for term in lacked), default=0.0),
        "section_lacks": sum(asked.wanted[term] for term in section_lacked) / asked.total,
        "section_rarest_lacked": max((asked.wanted[term] for term in section_lacked), default=0.0),
        "name_lacked": float(any(name not in around for name in names)),
        "number_lacked": float(not in_range and any(number not in here for number in numbers)),
        "undenied": float(asks_what_is_not(asked.plain) and not negations(text)),
        "fresh_name": float(any(name.lower() not in mentioned for name in _NAME.findall(text))),
        "elsewhere": best.signals.get("elsewhere", 0.0),
        "unknown": _share_of_words(asked, unknown.__contains__),
        "unknown_character": float(any(_CHARACTER.fullmatch(term) for term in unknown)),
        "vicinity_lacks": _share_of_words(asked, lambda term: term not in vicinity),
        "unnamed": best.unnamed,
        "outside": _outside(asked.keyness) * max(0.0, 1.0 - nearest),
        **_codes(asked, best),
    }


def keyness_fact(keyness: Keyness) -> float:
    """What `keyness` counts for: nats a word, less for few words."""
    return keyness.nats / (keyness.words + _KEYNESS_WORDS)


def _outside(keyness: Keyness | None) -> float:
    """How far a question's words speak for another field than the documents', 0..1; 0 where nothing is known."""
    if keyness is None:
        return 0.0
    inside = chance({"bias": 1.0, "keyness": keyness_fact(keyness)}, _OF_THE_FIELD)
    return (1.0 - min(1.0, inside / _SURELY)) * keyness.sections / (keyness.sections + _HALF_KNOWN)


def asks_what_is_not(question: str) -> bool:
    """Whether an English `question` (normalised) denies what it says of the thing that it asks for ("When was it not
    signed?"); a denial in another clause only describes ("What can I do when the pump does not start?")."""
    return _ASKS_WHAT_IS_NOT.search(question) is not None


def _codes(asked: Asked, best: Ranked) -> dict[str, float]:
    rarity = {code: _rarity(asked, code) for code in asked.anchors}
    apart = names_lacked(asked, best.unit, best.place, nearby=False)
    lacked = names_lacked(asked, best.unit, best.place, nearby=True)
    parts = {part for code in asked.anchors for part in terms(code)}
    others = sum(asked.wanted[term] for term in _words(asked) if term not in parts)
    return {
        "code_lacked": max((rarity[code] for code in lacked), default=0.0),
        "code_share": sum(rarity[code] for code in lacked) / ((sum(rarity.values()) + others) or 1.0),
        "code_apart": max((rarity[code] for code in apart if code not in lacked), default=0.0),
        "code_held": max((rarity[code] for code in rarity if stands_in(code, folded(best.unit.text))), default=0.0),
    }


def other_name(asked: Asked, best: Ranked) -> bool:
    """Whether the evidence is about another thing than the one that the question names by a rare code or number: none
    of those stands there, or, for a table row, not all do."""
    rare = {code for code in asked.anchors if _rarity(asked, code) > RARE}
    lacked = rare.intersection(names_lacked(asked, best.unit, best.place, nearby=True))
    return bool(lacked) and (best.unit.kind == "table" or lacked == rare)


def other_value(asked: Asked, ranked: Sequence[Ranked]) -> bool:
    """Whether the best evidence gives a value, but of another thing than asked for: a value is asked for and a word of
    the question that matters stands neither there nor in its section; or it is for other conditions than the question
    names, or its section tells by conditions, none of which is that one."""
    best = ranked[0]
    own = best.signals.get("condition", 0.0)
    if own == 0.0 and _tells_other_cases(ranked):
        return True
    told = any(tells_kind(kind, folded(best.unit.text)) for kind in asked.demands.kinds)
    if not (told or gives_value(best.unit.text)):
        return False
    unnamed = asked.wants_value and best.unnamed > 0.0
    return unnamed or own < 0.0 or _section_differs(asked, best) or _not_compared(asked, best)


def _not_compared(asked: Asked, best: Ranked) -> bool:
    """Whether the question is which of several has the most, and the evidence neither says it nor compares."""
    superlative = asked.superlative
    return superlative is not None and best.unit.kind != "table" and not superlative.said_in(folded(best.unit.text))


def _section_differs(asked: Asked, best: Ranked) -> bool:
    """Whether the section of `best` names others alone of what the question names: a year, a month, a period."""
    return asked.wants_value and asked.alternatives.differ_from(best.place.around, best.place.heading)


def gives_value(text: str) -> bool:
    """Whether `text` holds a number that is no part of a code and counts no items."""
    return AMOUNT.search(_COUNTS_ITEMS.sub(" ", folded(text))) is not None


def _tells_other_cases(ranked: Sequence[Ranked]) -> bool:
    """Whether the best evidence is a sentence of a section whose rows or items are for other conditions, none for the
    one that the question names."""
    best = ranked[0]
    cases = [
        item.signals.get("condition", 0.0)
        for item in ranked
        if item.unit.kind in ("table", "item") and item.place.around == best.place.around
    ]
    return best.unit.kind not in ("table", "item") and bool(cases) and min(cases) < 0.0 >= max(cases)


def _rarity(asked: Asked, code: str) -> float:
    """How rare a code is in the tree, 0..1; a numbered thing («病害55») is no term of its own and counts as rare."""
    return asked.wanted.get(code, 1.0)


def _share_of_words(asked: Asked, counts: Callable[[str], bool]) -> float:
    """The share (by rarity) of the question's words that `counts`."""
    words = _words(asked)
    total = sum(asked.wanted[term] for term in words)
    return sum(asked.wanted[term] for term in words if counts(term)) / total if total else 0.0


def _words(asked: Asked) -> list[str]:
    """The question's terms without pairs of Chinese characters, most of which stand nowhere; in the other language all
    are words."""
    return [term for term in asked.wanted if asked.translation is not None or not _PAIR.fullmatch(term)]
