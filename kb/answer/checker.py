"""The checker: an answer's facts must stand in the evidence that it cites, or the quote takes its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.answer.bounds import claims, spelled
from kb.answer.contrasts import beside, mixes
from kb.answer.opposites import changes_duty, keeps_direction, turns_round
from kb.search.quantities import MONTHS, Quantity, asks_quantity, folded, negations, quantities
from kb.search.tokens import stop_terms, terms

# Where the search for what a sentence rests on stops.
_SENTENCE = re.compile(r"[。！？；;\n]|(?<=[.!?])\s")
# Denials are counted, however they are worded.
_DENYING = "never not cannot 不得 不能 不要 不可 不应 禁止 严禁 切勿"
_DATE = re.compile(
    rf"(?:\b(?P<before>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?\b(?P<month>{'|'.join(MONTHS)})\b"
    r"(?: (?P<after>\d{1,4})(?:st|nd|rd|th)?)?(?:,? (?P<year>\d{4}))?"
)
# Else «may» is a verb.
_IN_MAY = re.compile(r"(?:^|[.!?;:,(])\s*$|\b(?:in|by|until|till|from|before|after|since|of|early|mid|late)[ -]$")
# Characters that join Chinese words and add nothing: particles, prepositions, classifiers, places and times.
_PARTICLES = frozenset("的地得了是在为与和及或并而且则其该这那应可需要用把被对于以由从到至时后前中内外上下等个次种")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer may be shown; `reason` names the first thing that does not match, '' when it may.

    Out of: empty, echo, no_number, number, code, negation, date, comparison, opposite, duty, mixed, another's number,
    words.
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
    sentence, evidence = spelled(sentence), spelled(evidence)
    said = list(terms(sentence))
    if not said:
        return Verdict("empty")
    if changed := _changed_fact(sentence, evidence, around) or _turned(sentence, evidence, around):
        return Verdict(changed)
    if mixes(sentence, evidence):
        return Verdict("mixed")
    if any(_is_anothers(quantity, sentence, evidence, around) for quantity in quantities(sentence)):
        return Verdict("another's number")
    whole = f"{evidence} {around}"
    known = {*terms(whole), *stop_terms(), *terms(_DENYING)}
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
    """What `sentence` says otherwise than the parts of the evidence which it rests on: "date", "negation" in one part,
    "comparison" the other way round, a word's "opposite", "duty" for leave; '' for none."""
    if not _dates(sentence) <= _dates(evidence):
        return "date"
    parts = list(beside(sentence, evidence))
    if any(_denies_otherwise(*pair) for pair in parts):
        return "negation"
    if not claims(sentence) <= claims(evidence) or not keeps_direction(sentence, evidence, around):
        return "comparison"
    if turns_round(sentence, _used_part(sentence, evidence)):
        return "opposite"
    return "duty" if any(all(changes_duty(part, other) for other in others) for part, others in parts) else ""


def _denies_otherwise(part: str, others: list[str]) -> bool:
    """Whether a part of a sentence denies what all `others` affirm, or the other way round."""
    return all(bool(negations(part)) != bool(negations(other)) for other in others)


def _dates(text: str) -> set[tuple[str, str]]:
    """The months that `text` names in English, alone and with each number that belongs to them."""
    found: set[tuple[str, str]] = set()
    for match in _DATE.finditer(folded(text)):
        numbers = [number for number in match.group("before", "after", "year") if number]
        if match["month"] != "may" or numbers or _IN_MAY.search(match.string, 0, match.start("month")):
            found |= {(match["month"], number) for number in ("", *numbers)}
    return found


def _is_anothers(quantity: Quantity, sentence: str, evidence: str, around: str) -> bool:
    """Whether no sentence of the evidence with `quantity` holds half of what is said beside what stands `around`."""
    said = _content(sentence) - set(terms(around))
    holding = [part for part in _SENTENCE.split(evidence) if quantity in quantities(part)]
    return bool(said) and not any(len(said & set(terms(part))) * 2 >= len(said) for part in holding)


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
