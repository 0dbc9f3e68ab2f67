"""Four voices, one ranking: path words, keywords, full text and meaning.

Each voice that is cheap to ask everywhere names candidates; then every voice says of every candidate a value of about
0..1, and the weighted sum orders them. Weights and the confidence curve are fitted by scripts/fit_search.py on the
open halves of public question sets; the starting point was path 0.4, keywords 0.3, number match 0.3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kb.search.postings import Floats, Ints
from kb.search.snapshot import Flags, Snapshot, Term

# Cosines of the embedder lie in 0.7..0.95; this maps them onto 0..1.
_COSINE_LOW = 0.75
_COSINE_SPAN = 0.18
# How many sections each voice may name.
CANDIDATES = 200
_NAMED_DOCUMENTS = 24
_SECTIONS_OF_NAMED = 40
# Terms in more than a tenth of the sections are only looked up where rarer ones were found.
_COMMON_SHARE = 10
_COMMON_LEAST = 2_000


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each voice counts, and the logistic curve from best score to confidence."""

    text: float = 1.0
    keywords: float = 0.25
    path: float = 0.15
    meaning: float = 1.2
    curve_offset: float = -3.0
    curve_text: float = 4.0
    curve_meaning: float = 3.5


@dataclass(frozen=True, slots=True)
class Voices:
    """What each voice says of a section, 0..1, and the weighted sum."""

    text: float
    keywords: float
    path: float
    meaning: float
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that may answer: its number in the snapshot, its document's row, and why."""

    section: int
    document: int
    voices: Voices


@dataclass(frozen=True, slots=True)
class Meaning:
    """The embedder's voice: `nearest` names about so many sections, `cosines` compares the ones it is given."""

    nearest: Callable[[int], Ints]
    cosines: Callable[[Ints], Floats]


def rank(
    snapshot: Snapshot, terms: list[str], passed: Flags, meaning: Meaning | None, top: int, weights: Weights
) -> list[Candidate]:
    """The best sections, best first, at most `top`; only those that `passed` and that some voice heard."""
    heard = voices(snapshot, terms, passed, meaning)
    score = (
        weights.text * heard.text
        + weights.keywords * heard.keywords
        + weights.path * heard.path
        + weights.meaning * heard.meaning
    )
    best = np.argsort(-score, kind="stable")[: max(top, 0)]
    return [
        Candidate(
            int(heard.sections[place]),
            int(snapshot.document_of[heard.sections[place]]),
            Voices(
                float(heard.text[place]),
                float(heard.keywords[place]),
                float(heard.path[place]),
                float(heard.meaning[place]),
                float(score[place]),
            ),
        )
        for place in best.tolist()
        if score[place] > 0
    ]


@dataclass(frozen=True, slots=True)
class Heard:
    """The candidate `sections` (rising numbers) and what each voice says of each."""

    sections: Ints
    text: Floats
    keywords: Floats
    path: Floats
    meaning: Floats


def voices(snapshot: Snapshot, terms: list[str], passed: Flags, meaning: Meaning | None) -> Heard:
    """Ask every voice about every section that one of them names and that `passed`."""
    known = [snapshot.term(term) for term in terms]
    keywords = fact_voice(snapshot, "k", terms)
    path = fact_voice(snapshot, "p", terms)
    named = [best_by_text(snapshot, known, passed, CANDIDATES), _best_by_facts(snapshot, keywords + path)]
    if meaning is not None:
        named.append(meaning.nearest(CANDIDATES))
    chosen = np.unique(np.concatenate(named))
    chosen = chosen[passed[chosen]]
    owners = snapshot.document_of[chosen]
    return Heard(
        chosen,
        text_voice(known, chosen),
        keywords[owners],
        path[owners],
        np.zeros(len(chosen), np.float32) if meaning is None else meaning_voice(meaning.cosines(chosen)),
    )


def best_by_text(snapshot: Snapshot, terms: list[Term], passed: Flags, count: int) -> Ints:
    """The `count` sections with the highest BM25 score among those that `passed`, in no order.

    Terms are added up over all sections, rare ones first. A common one can lift a section by its idf at most: once the
    rest together cannot lift a section without rarer terms to the first `count`, only those sections that still can
    are asked about the rest (the MaxScore idea, Turtle & Flood 1995).
    """
    limit = max(snapshot.sections // _COMMON_SHARE, _COMMON_LEAST)
    waiting = sorted((term for term in terms if term.count), key=lambda term: term.count)
    total = np.zeros(snapshot.sections, np.float32)
    places = np.zeros(0, np.int64)
    rest = sum(term.idf for term in waiting)
    while waiting:
        rest -= waiting[0].idf
        _add(waiting.pop(0), total)
        if waiting and waiting[0].count <= limit:
            continue
        places = np.flatnonzero(total)
        places = places[passed[places]]
        if len(places) > count:
            least = float(np.partition(total[places], -count)[-count])
            if least > rest:
                places = places[total[places] >= least - rest]
                break
    scores = total[places]
    for term in waiting:
        scores = scores + term.at(places) * np.float32(term.idf)
    if len(places) <= count:
        return places
    return places[np.argpartition(-scores, count)[:count]]


def _add(term: Term, total: Floats) -> None:
    """Add a term's weight to every section that holds it."""
    for base, posted in term.places:
        if posted.sections is None:
            total[base : base + posted.span] += posted.impacts * np.float32(term.idf / 255)
        else:
            total[posted.sections + np.int64(base) if base else posted.sections] += posted.impacts * np.float32(
                term.idf / 255
            )


def text_voice(terms: list[Term], sections: Ints) -> Floats:
    """BM25 of each of the `sections` (rising), over the highest score that any text could have: 0..1."""
    total = np.zeros(len(sections), np.float32)
    possible = sum(term.idf for term in terms)
    for term in terms:
        if term.count:
            total += term.at(sections) * np.float32(term.idf)
    return total / np.float32(possible) if possible else total


def fact_voice(snapshot: Snapshot, field: str, terms: list[str]) -> Floats:
    """For each document, which part (by idf) of those `terms` that any document's `field` knows its own has: 0..1.

    `field` is k (title, keywords, tags) or p (path). A word that no document's field knows says nothing about which
    one is meant.
    """
    total = np.zeros(len(snapshot.ids), np.float32)
    possible = 0.0
    for term in terms:
        rows = snapshot.documents_with(field, term)
        if len(rows):
            idf = np.log(1.0 + (len(total) - len(rows) + 0.5) / (len(rows) + 0.5))
            possible += idf
            total[rows] += np.float32(idf)
    return total / np.float32(possible) if possible else total


def _best_by_facts(snapshot: Snapshot, total: Floats) -> Ints:
    """The first sections of the documents whose title, keywords and path fit best."""
    rows = np.flatnonzero(total)
    if len(rows) > _NAMED_DOCUMENTS:
        rows = rows[np.argpartition(-total[rows], _NAMED_DOCUMENTS)[:_NAMED_DOCUMENTS]]
    sizes = np.minimum(snapshot.size[rows], _SECTIONS_OF_NAMED)
    if not sizes.sum():
        return np.zeros(0, np.int64)
    starts = np.repeat(snapshot.first[rows] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    sections: Ints = starts + np.arange(int(sizes.sum()))
    return sections


def meaning_voice(cosines: Floats) -> Floats:
    """Cosines on the scale of the other voices. Sections without a vector yet (0) count as an average one."""
    known = cosines != 0
    filled = np.where(known, cosines, cosines[known].mean() if known.any() else 0.0)
    return np.clip((filled - _COSINE_LOW) / _COSINE_SPAN, 0.0, 1.5).astype(np.float32)
