"""The checker: an answer's facts must stand in the evidence that it cites, or the quote takes its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.answer.opposites import keeps_direction, turns_round
from kb.answer.units import CLAUSE
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
    present, stated = quantities(evidence), quantities(answer)
    if asks_quantity(question) and present and not stated:
        return Verdict(False, "no_number")
    # A bare number matches only a bare number: it may be a count, not a dose.
    if any(quantity not in present for quantity in stated):
        return Verdict(False, "number")
    if not _codes(answer) <= _codes(evidence):
        return Verdict(False, "code")
    if negations(answer) != negations(_used_part(answer, evidence)):
        return Verdict(False, "negation")
    return Verdict(True) if is_piece(answer, evidence) else Verdict(False, "words")


def check_sentence(sentence: str, evidence: str, around: str) -> Verdict:
    """Compare a sentence in the model's own words with the `evidence` that it names.

    Its numbers with units, codes, denials, comparisons and their direction must be the evidence's, each number in a
    sentence of the evidence that speaks of the same; and every name and word that carries meaning must stand in the
    evidence or `around` it (question, title, headings).
    """
    said = list(terms(sentence))
    if not said:
        return Verdict(False, "empty")
    present, stated = quantities(evidence), quantities(sentence)
    if any(quantity not in present for quantity in stated):
        return Verdict(False, "number")
    if not _codes(sentence) <= _codes(f"{evidence} {around}"):
        return Verdict(False, "code")
    if negations(sentence) != negations(_used_part(sentence, evidence)):
        return Verdict(False, "negation")
    if not _comparisons(sentence) <= _comparisons(evidence) or not keeps_direction(sentence, evidence, around):
        return Verdict(False, "comparison")
    if turns_round(sentence, _used_part(sentence, evidence)):
        return Verdict(False, "opposite")
    if any(_another_s(quantity, sentence, evidence) for quantity in stated):
        return Verdict(False, "another's number")
    if not all(_bound(quantity, sentence, evidence, around) for quantity in stated):
        return Verdict(False, "another's number")
    known = set(terms(evidence)) | set(terms(around)) | stop_terms()
    strange = any(term not in known and not _joined(term, f"{evidence} {around}") for term in said)
    return Verdict(not strange, "words" if strange else "")


_SENTENCE = re.compile(r"[。！？；;\n]|(?<=[.!?])\s")
_MORE = re.compile(
    r"超过|高于|大于|多于|不低于|不少于|至少|以上|起码|≥|>|"
    r"above|over|more than|greater than|exceed|at least|minimum|or more"
)
_LESS = re.compile(
    r"低于|小于|少于|不足|不超过|不高于|至多|以下|以内|最多|≤|<|"
    r"below|under|less than|fewer than|at most|maximum|up to|or less"
)


def _comparisons(text: str) -> set[tuple[str, Quantity]]:
    """Which numbers are compared, and in which direction: («超过», 10 分钟) is not («低于», 10 分钟)."""
    found: set[tuple[str, Quantity]] = set()
    for clause in CLAUSE.split(folded(text)):
        less = _LESS.search(clause)
        more = _MORE.search(_LESS.sub(" ", clause)) if less else _MORE.search(clause)
        for quantity in quantities(clause):
            found |= {("less", quantity)} if less else set()
            found |= {("more", quantity)} if more else set()
    return found


def _bound(quantity: Quantity, sentence: str, evidence: str, around: str) -> bool:
    """Whether a sentence of the evidence that holds `quantity` speaks of what the sentence says it of."""
    given = set(terms(around)) | stop_terms()
    said = {term for term in terms(sentence) if term not in given and not re.search(r"\d", term)}
    if not said:
        return True
    holding = [part for part in _SENTENCE.split(evidence) if quantity in quantities(part)]
    return any(len(said & set(terms(part))) * 2 >= len(said) for part in holding)


def _another_s(quantity: Quantity, sentence: str, evidence: str) -> bool:
    """Whether a clause of the evidence with another value in the same unit speaks more of what the sentence says:
    «20 % were good, 7 % wet early» holds no «20 % were wet early»."""
    if not quantity.unit:
        return False
    clause = next(part for part in (*CLAUSE.split(sentence), sentence) if quantity in quantities(part))
    said = {term for term in terms(clause) if not re.search(r"\d", term)} - stop_terms()
    own = rival = 0
    for part in CLAUSE.split(evidence):
        alike = [other for other in quantities(part) if other.unit == quantity.unit]
        shared = len(said & set(terms(part))) if alike else 0
        if quantity in alike:
            own = max(own, shared)
        elif alike:
            rival = max(rival, shared)
    return rival > own


def _joined(term: str, text: str) -> bool:
    """Whether Chinese characters only arose where the sentence joined words of the evidence."""
    return bool(re.fullmatch(r"[\u3400-\u9fff]{1,2}", term)) and all(
        char in text or char in _PARTICLES for char in term
    )


_PARTICLES = frozenset("的地得了是在为与和及或并而且则其该这那应可需要用把被对于以由从到至时后前中内外上下等个次种")


def _codes(text: str) -> set[str]:
    """Part numbers and codes: letters and digits in one word."""
    return {
        word
        for word in re.findall(r"[a-z0-9]+(?:[-_./][a-z0-9]+)*", folded(text))
        if re.search(r"[a-z]", word) and re.search(r"\d", word)
    }


def _used_part(answer: str, evidence: str) -> str:
    """The sentences of the evidence that share most with the answer: where its denials are looked for."""
    wanted = set(terms(answer))
    parts = [part for part in _SENTENCE.split(evidence) if part.strip()]
    used = [part for part in parts if len(wanted & set(terms(part))) * 2 > len(wanted)]
    return " ".join(used) if used else evidence


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
