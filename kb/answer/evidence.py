"""Choosing the evidence: which units of the found sections answer the question, and how sure that is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from kb.answer.asked import RARE, Asked
from kb.answer.conditions import other_cases
from kb.answer.kinds import tells_kind
from kb.answer.place import Place
from kb.answer.prompt_injection import speaks_to_program
from kb.answer.prose import readable
from kb.answer.siblings import Siblings
from kb.answer.signals import signals
from kb.answer.suiting import OTHER_SUBJECT, anchored, suited
from kb.answer.topics import share, share_of, unnamed
from kb.answer.units import AMOUNT, CLAUSE, LABEL, Unit, naming, spoken_of, units, whole
from kb.answer.weights import LEXICAL, WITH_SIMILARITY, WITHOUT_SIMILARITY, chance
from kb.search.quantities import folded, quantities
from kb.search.ranking import Voices
from kb.search.retriever import Found
from kb.search.sections import Section, split_sentences
from kb.search.tokens import terms
from kb.tree.document import Parsed, language_of

Similar = Callable[[list[str]], list[float]]

# How many units are looked at closer, by words and by meaning, and how many characters of each are compared: a vector
# takes some 20 ms, and evidence has to stand within 300 ms.
CLOSER = 6
# So many more of the other language, from so many of the best sections.
_FOREIGN, _FOREIGN_SECTIONS = 8, 2
_COMPARED = 240
# How far a block that speaks to a program is trusted beside one that does not.
_COMMANDED = 0.1
# How far one is trusted where a word of the question that matters stands nowhere in its section.
_UNNAMED = 0.5
# The share of a question's words that tells another thing, where a value is asked for (a dose of another animal does
# harm) and where not.
_OF_VALUE = 0.12
_OF_OTHER = 0.34
_SILENT = Voices(0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
_EXCEPTED = re.compile(r"\bnot (?:for|in|on|with)\b|\bexcept|除[^，。；]{1,14}外|不适用|不用于|\bexclud", re.IGNORECASE)
_SENTENCES = ("paragraph", "quote", "item")
_NO_MEASURE = {"", "次", "time", "times"}
_IMAGE_ONLY = re.compile(r"^\s*!\[[^\]]*\]\([^)]*\)\s*$")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A unit with its section, its signals, its score (0..1) and its place.

    `factor` is what the score was cut by for names and demands of the question that the unit does not meet, `suits` the
    part of it that is not for names. `unnamed` is the share of the question's words that matter which neither the unit,
    nor the headings above it, nor its section name; 0 where so little is lacked that it may be told in other words.
    """

    found: Found
    unit: Unit
    signals: Mapping[str, float]
    score: float
    place: Place
    factor: float = 1.0
    suits: float = 1.0
    unnamed: float = 0.0

    @property
    def prose(self) -> str:
        """The unit as a person or a model reads it."""
        return readable(self.unit.text, self.unit.context, self.unit.kind)


def unranked(parsed: Parsed, section: Section, unit: Unit) -> Ranked:
    """A unit that nobody searched for, as if it had been found."""
    holder = Found(parsed, section, _SILENT, 1.0)
    return Ranked(holder, unit, {}, 1.0, Place(holder, 0, 0, frozenset(), frozenset(), frozenset(), "", ""))


def rank(asked: Asked, found: list[Found], similar: Similar | None = None) -> list[Ranked]:
    """All units of the found sections, best first; one that only announces what follows is weighed by its own words and
    comes with what it announces.

    The best few are looked at closer, since that costs milliseconds each: whether they name what the question is about
    and, where `similar` gives the cosines of texts with the question, how near they are to it.
    """
    weights = LEXICAL if similar is None else WITHOUT_SIMILARITY
    ranked = sorted(_all_units(asked, found, weights), key=lambda item: -item.score)
    best, rest = ranked[:CLOSER], ranked[CLOSER:]
    if similar is not None and best:
        # What answers in the other language may do so in words that the dictionary does not know.
        away = {place for place, section in enumerate(found[:_FOREIGN_SECTIONS]) if asked.foreign(section)}
        others = [item for item in rest if item.place.rank in away][:_FOREIGN]
        moved = set(map(id, others))
        best, rest = [*best, *others], [item for item in rest if id(item) not in moved]
        cosines = similar([item.prose[:_COMPARED] for item in best])
        best = [_with_similarity(item, cosine) for item, cosine in zip(best, cosines, strict=True)]
    again = sorted((_looked_at(asked, item) for item in best), key=lambda item: -item.score)
    lowest = again[-1].score if again else 0.0
    return [_whole(item) for item in (*again, *(replace(item, score=min(item.score, lowest)) for item in rest))]


def _looked_at(asked: Asked, item: Ranked) -> Ranked:
    """`item` with its score cut where a word of the question that matters does not stand there."""
    unit, place = item.unit, item.place
    abroad = asked.foreign(item.found)
    asked = asked.before(item.found)
    if not abroad and any(
        language_of(text) != asked.lang for text in (item.found.document.facts.title, f"{unit.context} {unit.text}")
    ):
        return item
    named = f" {naming(unit)}" if unit.kind == "table" else ""
    around = f"{unit.led} {unit.context} {place.heading}{named}"
    said = spoken_of(unit.text) if asked.wants_value and unit.kind in _SENTENCES else [unit.text]
    frames = [folded(f"{text} {around}") for text in said]
    lacked = min(_lacking(asked, item, frame) for frame in frames)
    if lacked:
        beside = place.around if unit.kind == "table" else folded(_beside(asked, unit, item.found.section))
        lacked = min(lacked, *(_lacking(asked, item, frame, beside) for frame in frames))
    if not lacked:
        return item
    return replace(item, score=item.score * _UNNAMED, factor=item.factor * _UNNAMED, unnamed=lacked)


def _beside(asked: Asked, unit: Unit, section: Section) -> str:
    """What a section says around `unit` that may tell what this is about: not its tables, whose rows and columns speak
    for themselves, nor sentences that give a value of the same measure, or of the kind asked for, which have their
    subjects for themselves, nor the subjects of other values, nor what is excepted; nothing, where an item has a label,
    which says what it is about."""
    if unit.kind == "item" and LABEL.match(unit.text):
        return ""
    own = {quantity.unit for quantity in quantities(unit.text)} - _NO_MEASURE
    sentences = (text for block in section.blocks if block.kind != "table" for text in _whole_sentences(block.text))
    others = (
        text.replace(unit.text, " ") if unit.text in text else _behind_values(text)
        for text in sentences
        if unit.text in text
        or not (
            own.intersection(quantity.unit for quantity in quantities(text))
            or any(tells_kind(kind, folded(text)) for kind in asked.demands.kinds)
        )
    )
    return "\n".join(clause for text in others for clause in CLAUSE.split(text) if not _EXCEPTED.search(clause))


def _behind_values(text: str) -> str:
    """`text` from its first value on, all of it where it has none: what stands before has that value."""
    value = AMOUNT.search(text)
    return text[value.start() :] if value else text


def _whole_sentences(text: str) -> Iterator[str]:
    """The sentences of `text`; a semicolon ends none, since what follows may leave out what stands before."""
    begun = ""
    for piece, _ in split_sentences(text):
        begun += piece
        if not piece.rstrip().endswith((";", "；")):
            yield begun
            begun = ""
    if begun:
        yield begun


def _lacking(asked: Asked, item: Ranked, frame: str, beside: str = "") -> float:
    """The share of the question's rare words that `frame`, and what stands `beside`, lack, where it is so much that the
    evidence may be about something else, else 0: reasons and ways are told in other words, long questions have some of
    their own."""
    if asked.kinds["why"] or asked.kinds["how"]:
        return 0.0
    asking = asked.subjects.left_of(folded(asked.question), item.found.path, f"{frame} {beside}")
    if asked.superlative is not None:
        asking = asked.superlative.left_of(asking)
    least = _OF_VALUE if asked.wants_value else _OF_OTHER
    if asked.translation is not None:
        untold = asked.names() - asked.terms_in(f"{frame} {beside}")
        lacked = share_of({word: word in untold for word in asked.wanted if word in asking}, frame)
    else:
        lacking = unnamed(asking, frame, beside, asked.synonyms)
        lacked = share([word for word in lacking if word[0].isdigit() or _is_rare(asked, word)], asking)
    return lacked if lacked >= least else 0.0


def _is_rare(asked: Asked, word: str) -> bool:
    return any(asked.wanted.get(part, 1.0) > RARE for part in terms(word))


def _whole(item: Ranked) -> Ranked:
    return replace(item, unit=whole(item.unit)) if item.unit.led else item


def _all_units(question: Asked, found: list[Found], weights: Mapping[str, float]) -> Iterator[Ranked]:
    # Who asks what such words mean is told; who says them beside asking for a value is not heard either.
    about_commands = speaks_to_program(question.question) and not question.wants_value
    cuts = [[unit for unit in units(section.section) if not _IMAGE_ONLY.match(unit.text)] for section in found]
    siblings = Siblings.of(question.question, cuts)
    for number, (section, cut) in enumerate(zip(found, cuts, strict=True)):
        heading = " ".join((section.document.facts.title, *section.section.trail))
        asked = question.before(section)
        heads = asked.terms_in(heading)
        plain_heading = folded(heading)
        under = folded(section.section.trail[-1]) if section.section.trail else ""
        around = folded(section.section.text)
        known = [asked.terms_in(unit.text) for unit in cut]
        others = _other_rows(asked, cut) if asked.wants_value or asked.superlative else set()
        commanded = [] if about_commands else _commanded(section.section)
        for position, unit in enumerate(cut):
            before = known[position - 1] if position else frozenset()
            after = known[position + 1] if position + 1 < len(known) else frozenset()
            place = Place(section, number, position, heads, before, after, plain_heading, around, under)
            values = signals(asked, unit, place, 0.0)
            suits = suited(asked, unit, place)
            if position in others or (asked.translation is None and siblings.differ_from(unit, plain_heading, around)):
                suits *= OTHER_SUBJECT
            if any(start <= unit.start <= end for start, end in commanded):
                suits *= _COMMANDED
            factor = suits * anchored(asked, unit, place)
            yield Ranked(section, unit, values, factor * chance(values, weights), place, factor, suits)


def _other_rows(asked: Asked, cut: list[Unit]) -> set[int]:
    """The places of those rows of tables that are about another case than the question names."""
    found: set[int] = set()
    question = folded(asked.question)
    places = [place for place, unit in enumerate(cut) if unit.kind == "table"]
    for _, rows in groupby(places, key=lambda place: cut[place].context):
        table = list(rows)
        units_of = [cut[place] for place in table]
        others = other_cases(question, units_of)
        if asked.superlative is not None:
            others |= asked.superlative.others(units_of)
        found |= {table[place] for place in others}
    return found


def _commanded(section: Section) -> list[tuple[int, int]]:
    """The lines of the blocks that speak to a program: what stands beside such a sentence belongs to it."""
    return [(block.start, block.end) for block in section.blocks if speaks_to_program(block.text)]


def _with_similarity(item: Ranked, cosine: float) -> Ranked:
    values = {**item.signals, "similar": (cosine - 0.8) / 0.1}
    return replace(item, signals=values, score=item.factor * chance(values, WITH_SIMILARITY))
