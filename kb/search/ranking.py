"""Four voices, one ranking: path words, keywords, full text and meaning.

Every voice gives each section a value of about 0..1; the document's score is that of its best section. Weights
and the confidence curve are fitted by scripts/fit_search.py on the open halves of public question sets; the
starting point was path 0.4, keywords 0.3, number match 0.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kb.search.postings import Floats
from kb.search.snapshot import K1, Flags, Snapshot

# Cosines of the embedder lie in 0.7..0.95; this maps them onto 0..1.
_COSINE_LOW = 0.75
_COSINE_SPAN = 0.18


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


def rank(
    snapshot: Snapshot,
    terms: list[str],
    passed: Flags,
    cosines: Floats | None,
    top: int,
    weights: Weights,
) -> list[Candidate]:
    """The best sections, best first, at most `top`; only those that `passed` and that some voice heard."""
    text = term_voice(snapshot, "", terms, saturating=True)
    keywords = term_voice(snapshot, "k", terms)
    path = term_voice(snapshot, "p", terms)
    meaning = np.zeros(snapshot.sections, np.float32) if cosines is None else meaning_voice(cosines)
    score = (
        weights.text * text + weights.keywords * keywords + weights.path * path + weights.meaning * meaning
    ).astype(np.float32)
    score[~passed] = 0.0
    count = min(top, snapshot.sections)
    if not count:
        return []
    best = np.argpartition(-score, count - 1)[:count]
    best = best[np.argsort(-score[best], kind="stable")]
    return [
        Candidate(
            int(section),
            int(snapshot.document_of[section]),
            Voices(*(float(values[section]) for values in (text, keywords, path, meaning, score))),
        )
        for section in best
        if score[section] > 0
    ]


def meaning_voice(cosines: Floats) -> Floats:
    """Cosines on the scale of the other voices. Sections without a vector yet (0) count as an average one."""
    known = cosines != 0
    filled = np.where(known, cosines, cosines[known].mean() if known.any() else 0.0)
    return np.clip((filled - _COSINE_LOW) / _COSINE_SPAN, 0.0, 1.5).astype(np.float32)


def term_voice(snapshot: Snapshot, field: str, terms: list[str], *, saturating: bool = False) -> Floats:
    """How well each section's `field` matches `terms`: matched idf over possible idf, 0..1.

    With `saturating`, BM25's term frequency part is used (its ceiling is 1 for every term); else presence counts.
    """
    total = np.zeros(snapshot.sections, np.float32)
    possible = 0.0
    for term in terms:
        places, frequency = snapshot.matches(field, term)
        idf = snapshot.idf(len(places))
        if field and not len(places):
            # A word that no keyword or path knows says nothing about which one is meant.
            continue
        possible += idf
        if saturating:
            part = frequency * (K1 + 1) / (frequency + snapshot.norms[places])
            total[places] += (idf / (K1 + 1)) * part
        else:
            total[places] += idf
    return total / possible if possible else total
