"""The checker: an answer's facts must stand in the evidence that it cites, or the quote takes its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.answer.quantities import Quantity, asks_quantity, negations, quantities
from kb.search.normalise import normalise
from kb.search.tokens import stop_terms, terms

@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer may be shown; `reason` names the first thing that does not match, '' when it may."""

    passed: bool
    reason: str = ""


def check(answer: str, evidence: str, question: str) -> Verdict:
    """Compare `answer` with the `evidence` that it cites.

    Every number with its unit, and both ends of every range, must stand in the evidence; codes too; the answer
    must deny as often as the part of the evidence it uses; its words must be one piece of the evidence, so that
    true words are not joined to a false sentence; and it must say more than the question does.
    """
    if not answer.strip():
        return Verdict(False, "empty")
    if says_nothing_new(answer, question):
        return Verdict(False, "echo")
    if asks_quantity(question) and quantities(evidence) and not quantities(answer):
        return Verdict(False, "no_number")
    present = quantities(evidence)
    for quantity in quantities(answer):
        if not any(_same(quantity, known) for known in present):
            return Verdict(False, "number")
    for code in _codes(answer):
        if code not in normalise(evidence):
            return Verdict(False, "code")
    if negations(answer) != negations(_used_part(answer, evidence)):
        return Verdict(False, "negation")
    return Verdict(True) if is_piece(answer, evidence) else Verdict(False, "words")


def _same(quantity: Quantity, known: Quantity) -> bool:
    """Same unit (or none written in the answer) and the same values; one end of a range is not the range."""
    if quantity.unit and quantity.unit != known.unit:
        return False
    if not quantity.unit and known.unit and len(quantity.values) == 1:
        # A bare number may be a count in the answer and a dose in the evidence: it must match as written.
        return False
    return quantity.values == known.values


def _codes(text: str) -> list[str]:
    """Part numbers and codes: letters and digits in one word."""
    return [
        word
        for word in re.findall(r"[a-z0-9]+(?:[-_./][a-z0-9]+)*", normalise(text))
        if re.search(r"[a-z]", word) and re.search(r"\d", word)
    ]


def _used_part(answer: str, evidence: str) -> str:
    """The clauses of the evidence that share most with the answer: where its denials are looked for."""
    wanted = set(terms(answer))
    clauses = [clause for clause in re.split(r"[。！？；;\n]|(?<=[.!?])\s", evidence) if clause.strip()]
    used = [clause for clause in clauses if len(wanted & set(terms(clause))) * 2 > len(wanted)]
    return " ".join(used) if used else evidence


def is_piece(answer: str, evidence: str) -> bool:
    """Whether `answer` is one unbroken piece of `evidence`, apart from white space and closing marks."""
    wanted, whole = _bare(answer), _bare(evidence)
    return bool(wanted) and wanted in whole


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", normalise(text)).strip("。．.!?！？；;，,：:“”\"'")


def says_nothing_new(answer: str, question: str) -> bool:
    """Whether every term of the answer is one of the question's own."""
    asked = set(terms(question)) | stop_terms()
    return all(term in asked for term in terms(answer))
