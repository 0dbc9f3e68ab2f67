"""The checker: an answer's facts must stand in the evidence that it cites, or the quote takes its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.search.quantities import Quantity, asks_quantity, folded, negations, quantities
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
    if not _codes(answer) <= _codes(evidence):
        return Verdict(False, "code")
    if negations(answer) != negations(_used_part(answer, evidence)):
        return Verdict(False, "negation")
    return Verdict(True) if is_piece(answer, evidence) else Verdict(False, "words")


def _same(quantity: Quantity, known: Quantity) -> bool:
    """The same values, unit and kind. A bare number matches only a bare number: it may be a count, not a dose."""
    return quantity == known


def _codes(text: str) -> set[str]:
    """Part numbers and codes: letters and digits in one word."""
    return {
        word
        for word in re.findall(r"[a-z0-9]+(?:[-_./][a-z0-9]+)*", folded(text))
        if re.search(r"[a-z]", word) and re.search(r"\d", word)
    }


def _used_part(answer: str, evidence: str) -> str:
    """The clauses of the evidence that share most with the answer: where its denials are looked for."""
    wanted = set(terms(answer))
    clauses = [clause for clause in re.split(r"[。！？；;\n]|(?<=[.!?])\s", evidence) if clause.strip()]
    used = [clause for clause in clauses if len(wanted & set(terms(clause))) * 2 > len(wanted)]
    return " ".join(used) if used else evidence


class Follower:
    """Follows a growing answer: as soon as it leaves the evidence, it can no longer pass and may stop."""

    def __init__(self, evidence: str) -> None:
        self._whole = _bare(evidence)

    def follows(self, partial: str) -> bool:
        """Whether the text so far stands in the evidence as one piece."""
        return _bare(partial) in self._whole


def is_piece(answer: str, evidence: str) -> bool:
    """Whether `answer` is one unbroken piece of `evidence`, apart from white space and closing marks.

    The piece must not begin or end inside a word or number, nor leave out what changes the number at its edge
    (a sign, `零下`, `半`, the other end of a range).
    """
    wanted, whole = _bare(answer), _bare(evidence)
    place = whole.find(wanted) if wanted else -1
    while place >= 0:
        before, after = whole[:place], whole[place + len(wanted) :]
        if not _cuts(before, wanted) and not _cuts_end(wanted, after):
            return True
        place = whole.find(wanted, place + 1)
    return False


def _cuts(before: str, piece: str) -> bool:
    if re.search(r"[a-z0-9]$", before) and re.match(r"[a-z0-9]", piece):
        return True
    return bool(re.match(r"\d", piece) and re.search(r"(?:[-−~～./:^]|至|到|零下|负)\s?$", before))


def _cuts_end(piece: str, after: str) -> bool:
    if re.search(r"[a-z0-9]$", piece) and re.match(r"[a-z0-9]", after):
        return True
    return bool(re.match(r"\s?(?:半|[-−~～/:^.]\s?\d|[·/][a-z\u4e00-\u9fff])", after))


def _bare(text: str) -> str:
    """One spelling without closing marks; white space only where it separates Latin words or numbers."""
    line = re.sub(r"\s+", " ", folded(text))
    line = re.sub(r"(?<=[^a-z0-9]) | (?=[^a-z0-9])", "", line)
    return line.strip("。．.!?！？；;，,：:“”\"' ")


def says_nothing_new(answer: str, question: str) -> bool:
    """Whether every term of the answer is one of the question's own."""
    asked = set(terms(question)) | stop_terms()
    return all(term in asked for term in terms(answer))
