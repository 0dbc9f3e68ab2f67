"""Whether the documents answer at all: what speaks for and against the best evidence, and the chance that it is right.

The score that orders units compares them with each other; it says little about a question whose words stand in a
document that does not answer it (another name, another year, a denial). Weights: kb.answer.weights, fitted by
scripts/fit_answer.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

from kb.answer.evidence import Ranked
from kb.answer.signals import Asked
from kb.search.quantities import folded, negations
from kb.search.tokens import HAN, terms

NAMES = (
    "bias", "score", "similar", "nearest", "confidence", "coverage", "lacks", "rarest_lacked", "section_lacks",
    "section_rarest_lacked", "name_lacked", "number_lacked", "denial_differs", "denied", "fresh_name", "elsewhere",
    "unknown", "unknown_character", "vicinity_lacks",
)  # fmt: skip
_NAME = re.compile(r"(?<!^)\b(?:[A-Z][a-z]+|[A-Z]{2,})\b")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_PAIR = re.compile(f"[{HAN}]{{2}}")
# Not those that only ask, or stand for a name (什么时候, 多久, 谁, 那, 它).
_CHARACTER = re.compile(f"(?![候久多谁啥咋何哪几那这吗呢吧嘛请您你我它他她们])[{HAN}]")
# A term's rarity is 1 where no document holds it (`Retriever.term_weights`).
_KNOWN_BELOW = 0.999


def facts(asked: Asked, ranked: Sequence[Ranked]) -> dict[str, float]:
    """What is known of the best of `ranked` as an answer to `asked`: each about 0..1, by the names of NAMES.

    `similar` and `nearest` (the best cosine of any unit) are 0 without an embedder. `unknown` is the share of the
    question's words that no document holds, `unknown_character` whether a Chinese character is such; `vicinity_lacks`
    is the share of those which stand neither in the unit nor in the headings above it and the units beside it. A number
    is not lacked by a table row whose range holds it. ValueError when nothing is ranked.
    """
    if not ranked:
        raise ValueError("nothing was found")
    best = ranked[0]
    text, around = best.unit.text, best.place.around
    inside = set(terms(text)) | set(best.place.heads)
    section = set(terms(best.found.section.text)) | set(best.place.heads)
    vicinity = inside | set(terms(best.unit.context)) | best.place.beside
    lacked = [term for term in asked.wanted if term not in inside]
    section_lacked = [term for term in asked.wanted if term not in section]
    names = [name.lower() for name in _NAME.findall(asked.question)]
    numbers = _NUMBER.findall(folded(asked.question))
    here = set(_NUMBER.findall(around))
    mentioned = asked.question.lower()
    denied = negations(asked.question) > 0
    unknown = {term for term, rarity in asked.wanted.items() if rarity >= _KNOWN_BELOW}
    in_range = best.signals.get("condition", 0.0) > 0.0
    return {
        "bias": 1.0,
        "score": math.log(max(best.score, 1e-4) / (1.0 - min(best.score, 0.9999))) / 4.0,
        "similar": best.signals.get("similar", 0.0),
        "nearest": max(item.signals.get("similar", 0.0) for item in ranked),
        "confidence": best.found.confidence,
        "coverage": best.signals.get("coverage", 0.0),
        "lacks": sum(asked.wanted[term] for term in lacked) / asked.total,
        "rarest_lacked": max((asked.wanted[term] for term in lacked), default=0.0),
        "section_lacks": sum(asked.wanted[term] for term in section_lacked) / asked.total,
        "section_rarest_lacked": max((asked.wanted[term] for term in section_lacked), default=0.0),
        "name_lacked": float(any(name not in around for name in names)),
        "number_lacked": float(not in_range and any(number not in here for number in numbers)),
        "denial_differs": float(denied != (negations(text) > 0)),
        "denied": float(denied),
        "fresh_name": float(any(name.lower() not in mentioned for name in _NAME.findall(text))),
        "elsewhere": best.signals.get("elsewhere", 0.0),
        "unknown": _share_of_words(asked, unknown.__contains__),
        "unknown_character": float(any(_CHARACTER.fullmatch(term) for term in unknown)),
        "vicinity_lacks": _share_of_words(asked, lambda term: term not in vicinity),
    }


def _share_of_words(asked: Asked, counts: Callable[[str], bool]) -> float:
    """The share (by rarity) of the question's words that `counts`; Chinese characters stand for words here, since most
    pairs of them stand nowhere."""
    words = [term for term in asked.wanted if not _PAIR.fullmatch(term)]
    total = sum(asked.wanted[term] for term in words)
    return sum(asked.wanted[term] for term in words if counts(term)) / total if total else 0.0


def chance(known: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """How likely the best evidence answers, 0..1: the logistic curve over `known` facts."""
    total = sum(weight * known[name] for name, weight in weights.items())
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, total))))
