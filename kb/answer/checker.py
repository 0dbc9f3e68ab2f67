"""The checker: an answer's facts must stand in the evidence that it cites, or the quote takes its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.answer.opposites import keeps_direction, turns_round
from kb.answer.units import CLAUSE
from kb.search.quantities import Quantity, asks_quantity, folded, negations, quantities
from kb.search.tokens import stop_terms, terms

# Where the search for what a sentence rests on stops; a clause ends earlier (kb.answer.units.CLAUSE).
_SENTENCE = re.compile(r"[。！？；;\n]|(?<=[.!?])\s")
# What makes a bound of the number in its clause. Some words for less hold one for more (不超过), so they are looked for
# first.
_MORE = re.compile(
    r"超过|高于|大于|多于|不低于|不少于|至少|以上|起码|≥|>|"
    r"above|over|more than|greater than|exceed|at least|minimum|or more"
)
_LESS = re.compile(
    r"低于|小于|少于|不足|不超过|不高于|至多|以下|以内|最多|≤|<|"
    r"below|under|less than|fewer than|at most|maximum|up to|or less"
)
# Characters that join Chinese words and add nothing: particles, prepositions, classifiers, places and times.
_PARTICLES = frozenset("的地得了是在为与和及或并而且则其该这那应可需要用把被对于以由从到至时后前中内外上下等个次种")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer may be shown; `reason` names the first thing that does not match, '' when it may.

    Out of: empty, echo, no_number, number, code, negation, comparison, opposite, another's number, words.
    """

    reason: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.reason


def check(answer: str, evidence: str, question: str) -> Verdict:
    """Compare `answer` with the `evidence` that it cites.

    Every number with its unit, and both ends of every range, must stand in the evidence; codes too; the answer
    must deny as often as the part of the evidence it uses; its words must be one piece of the evidence, so that
    true words are not joined to a false sentence; and it must say more than the question does.
    """
    if not answer.strip():
        return Verdict("empty")
    if says_nothing_new(answer, question):
        return Verdict("echo")
    if asks_quantity(question) and quantities(evidence) and not quantities(answer):
        return Verdict("no_number")
    return Verdict(_changed_fact(answer, evidence) or ("" if is_piece(answer, evidence) else "words"))


def check_sentence(sentence: str, evidence: str, around: str) -> Verdict:
    """Compare a sentence in the model's own words with the `evidence` that it names.

    Its numbers with units, codes, denials, comparisons and their direction must be the evidence's, each number in a
    sentence of the evidence that speaks of the same; and every name and word that carries meaning must stand in the
    evidence or `around` it (question, title, headings).
    """
    said = list(terms(sentence))
    if not said:
        return Verdict("empty")
    if changed := _changed_fact(sentence, evidence, around) or _turned(sentence, evidence, around):
        return Verdict(changed)
    if any(_is_anothers(quantity, sentence, evidence, around) for quantity in quantities(sentence)):
        return Verdict("another's number")
    whole = f"{evidence} {around}"
    known = set(terms(evidence)) | set(terms(around)) | stop_terms()
    strange = any(term not in known and not _is_joint(term, whole) for term in said)
    return Verdict("words" if strange else "")


def _changed_fact(said: str, evidence: str, around: str = "") -> str:
    """Which of number, code and negation is not as in `evidence`, '' for none; a code may also stand `around` it."""
    present = quantities(evidence)
    # A bare number matches only a bare number: it may be a count, not a dose.
    if any(quantity not in present for quantity in quantities(said)):
        return "number"
    if not _codes(said) <= _codes(f"{evidence} {around}"):
        return "code"
    return "negation" if negations(said) != negations(_used_part(said, evidence)) else ""


def _turned(sentence: str, evidence: str, around: str) -> str:
    """Whether `sentence` compares the other way round ("comparison") or says a word's "opposite"; '' for neither."""
    if not _comparisons(sentence) <= _comparisons(evidence) or not keeps_direction(sentence, evidence, around):
        return "comparison"
    return "opposite" if turns_round(sentence, _used_part(sentence, evidence)) else ""


def _comparisons(text: str) -> set[tuple[str, Quantity]]:
    """Which numbers are compared, and in which direction: («超过», 10 分钟) is not («低于», 10 分钟)."""
    found: set[tuple[str, Quantity]] = set()
    for clause in CLAUSE.split(folded(text)):
        less = _LESS.search(clause)
        more = _MORE.search(_LESS.sub(" ", clause))
        for quantity in quantities(clause):
            found |= {("less", quantity)} if less else set()
            found |= {("more", quantity)} if more else set()
    return found


def _is_anothers(quantity: Quantity, sentence: str, evidence: str, around: str) -> bool:
    """Whether the evidence gives `quantity` of something else than `sentence` does.

    No sentence of the evidence with that quantity holds half of what is said beside what stands `around`; or a clause
    with another value in the same unit holds more of it than any with this one: «20 % were good, 7 % wet early» holds
    no «20 % were wet early».
    """
    said = _content(sentence) - set(terms(around))
    holding = [part for part in _SENTENCE.split(evidence) if quantity in quantities(part)]
    if said and not any(len(said & set(terms(part))) * 2 >= len(said) for part in holding):
        return True
    if not quantity.unit:
        return False
    said = _content(next(part for part in (*CLAUSE.split(sentence), sentence) if quantity in quantities(part)))
    own = rival = 0
    for part in CLAUSE.split(evidence):
        alike = [other for other in quantities(part) if other.unit == quantity.unit]
        shared = len(said & set(terms(part))) if alike else 0
        if quantity in alike:
            own = max(own, shared)
        else:
            rival = max(rival, shared)
    return rival > own


def _content(text: str) -> set[str]:
    """The terms of `text` that say what it is about: no stop words, no numbers."""
    return {term for term in terms(text) if not re.search(r"\d", term)} - stop_terms()


def _is_joint(term: str, text: str) -> bool:
    """Whether a term of Chinese characters only arose where the sentence joined words of `text`."""
    return bool(re.fullmatch(r"[\u3400-\u9fff]{1,2}", term)) and all(
        char in text or char in _PARTICLES for char in term
    )


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
