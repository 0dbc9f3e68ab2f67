"""What speaks for a unit as the answer: cheap signals, each about 0..1, fitted by scripts/fit_answer.py."""

from __future__ import annotations

import math
import re
from collections.abc import Set as AbstractSet

from kb.answer.asked import UNKNOWN_FROM, Asked
from kb.answer.conditions import about
from kb.answer.place import Place
from kb.answer.units import CLAUSE, LABEL, Unit, cells
from kb.search.normalise import normalise
from kb.search.quantities import MONTHS, negations, quantities
from kb.search.tokens import stop_terms, terms

# «may» is a verb as well.
_DATE = re.compile(
    r"\d{3,4}\s*年|\d{1,2}\s*月|世纪|年代|\b(?:1\d|20)\d\d\b|century|"
    + "|".join(month for month in MONTHS if month != "may")
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
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-z]+")

NAMES = (
    "bias", "coverage", "rarest", "context", "missing", "run", "text", "meaning", "path", "first", "length", "short",
    "position", "table", "item", "elsewhere", "quantity", "when", "why", "how", "who", "where", "what", "echo",
    "before", "after", "similar", "denial", "forbids", "rowkey", "condition",
)  # fmt: skip


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


def _share(asked: Asked, present: AbstractSet[str]) -> float:
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


def _elsewhere(asked: Asked, present: AbstractSet[str]) -> float:
    """Rarity of the rarest word of the question that the tree knows but that stands nowhere near the unit.

    It is what the question is about, and other documents speak of it: this one does not.
    """
    known = ((term, rarity) for term, rarity in asked.wanted.items() if rarity < UNKNOWN_FROM and len(term) > 1)
    return max((rarity for term, rarity in known if term not in present), default=0.0)


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
