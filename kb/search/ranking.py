"""Five voices, one ranking: path words, keywords, full text, meaning, and numbers where one is asked for.

Each voice that is cheap to ask everywhere names candidates; then every voice says of every candidate a value of about
0..1, the weighted sum orders them, and the few best get a closer look (`closer`). Weights are fitted by
scripts/fit_search.py on the open halves of public question sets; the starting point was path 0.4, keywords 0.3, number
match 0.3. Those sets have neutral titles and paths, so the weights of keywords and path are set by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from kb.search.abroad import Abroad
from kb.search.closer import Closeness
from kb.search.keys import Keys, fact_keys
from kb.search.matching import Matches
from kb.search.postings import Floats, Ints
from kb.search.pruning import best_by_text
from kb.search.snapshot import Flags, Snapshot, Term
from kb.search.tokens import HAN
from kb.search.vectors import products

# Cosines of the embedder lie in 0.7..0.95; this maps them onto 0..1.
_COSINE_LOW = 0.75
_COSINE_SPAN = 0.18
# How many standard deviations above the mean cosine count as 1.
_APART_SPAN = 5.0
# A BM25 sum that counts as 1 for `strength`.
_STRONG = 50.0
# A section that holds so much of a question (by idf) speaks its language, whatever its document's is; half can be its
# codes and names alone.
_SPOKEN = 0.7
# A word in so few sections names them all.
_RARE = 20
# How many sections each voice may name.
CANDIDATES = 200
_NAMED_DOCUMENTS = 24
_SECTIONS_OF_NAMED = 40
# Codes and part numbers: letters and digits together, or a long number.
_CODE = re.compile(r"[a-z].*\d|\d.*[a-z]|\d{4}")
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts.

    Of the text: `strength` (BM25 as it is), `beside` (over the best section's), `covered` (by idf, how much of what the
    tree knows of the question is there), `latin` (BM25 of Latin words and codes alone), `named` (how many of the rare
    codes and part numbers in the question are there). Of meaning: `whole` (the
    section's vector), `detail` (its nearest chunk), and how far both stand out among all (`whole_apart`,
    `detail_apart`). On a closer look: `sentence`, `number`, `held`, `joined`, `brief` (see closer.Closeness).
    """

    strength: float
    beside: float
    covered: float
    latin: float
    named: float
    keywords: float
    path: float
    whole: float
    detail: float
    whole_apart: float
    detail_apart: float
    sentence: float
    number: float
    held: float
    joined: float
    brief: float

    @property
    def text(self) -> float:
        """What the text voice can reach."""
        return self.strength + self.beside + self.covered + self.latin + self.named


# For documents in the question's language; for those in the other one, where words are few and meaning is most, and
# where a dictionary translates them; and for both while there is no embedder. Those of the translated ones are what
# fits times .75: of two documents that say the same the one in the question's language comes first (of the Chinese
# questions on device-faq in both languages that find one of the two first, .96 find their own; .54 without).
SAME_LANGUAGE = Weights(
    strength=0.223, beside=0.28, covered=0.295, latin=0.038, named=0.2, keywords=0.1, path=0.1,
    whole=0.0, detail=0.137, whole_apart=0.323, detail_apart=0.596, sentence=0.221, number=0.329,
    held=0.09, joined=0.11, brief=0.269,
)  # fmt: skip
OTHER_LANGUAGE = Weights(
    strength=0.0, beside=0.219, covered=0.087, latin=0.0, named=0.2, keywords=0.1, path=0.1,
    whole=0.121, detail=0.0, whole_apart=1.075, detail_apart=0.165, sentence=0.0, number=0.042,
    held=0.0, joined=0.014, brief=0.198,
)  # fmt: skip
TRANSLATED = Weights(
    strength=0.0, beside=0.392, covered=0.048, latin=0.0, named=0.15, keywords=0.075, path=0.075,
    whole=0.076, detail=0.0, whole_apart=0.367, detail_apart=0.381, sentence=0.217, number=0.053,
    held=0.0, joined=0.0, brief=0.18,
)  # fmt: skip
TRANSLATED_WORDS = Weights(
    strength=0.109, beside=0.418, covered=0.053, latin=0.109, named=0.15, keywords=0.075, path=0.075,
    whole=0.0, detail=0.0, whole_apart=0.0, detail_apart=0.0, sentence=0.369, number=0.3,
    held=0.0, joined=0.0, brief=0.408,
)  # fmt: skip
WORDS_ALONE = Weights(
    strength=0.526, beside=0.412, covered=0.159, latin=0.282, named=0.2, keywords=0.1, path=0.1,
    whole=0.0, detail=0.0, whole_apart=0.0, detail_apart=0.0, sentence=0.344, number=0.28,
    held=0.208, joined=0.128, brief=0.343,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Voices:
    """What each voice says of a section, about 0..1, and the weighted sum."""

    text: float
    keywords: float
    path: float
    meaning: float
    number: float
    score: float


SILENT = Voices(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that may answer: its number in the snapshot, its document's row, and why, under these `weights`;
    `foreign`: it is in the other language than the question."""

    section: int
    document: int
    weights: Weights
    voices: Voices
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class Sense:
    """One vector of the question among all: `nearest` names about so many sections; `cosines` gives for sections the
    cosine of the whole and of the nearest chunk (0 where there is no vector yet); `mean_cosine` and `spread` are those
    of all."""

    nearest: Callable[[int], Ints]
    cosines: Callable[[Ints], tuple[Floats, Floats]]
    mean_cosine: float
    spread: float


@dataclass(frozen=True, slots=True)
class Meaning:
    """The embedder's voice: `own` on documents in the question's language, `other` on those in the other one."""

    own: Sense
    other: Sense


@dataclass(frozen=True, slots=True)
class Question:
    """A question before a snapshot: its language, its terms, and its words in the other language (None where nobody
    translates)."""

    lang: str
    known: Mapping[str, Term]
    abroad: Abroad | None = None


def rank(snapshot: Snapshot, question: Question, passed: Flags, meaning: Meaning | None, top: int) -> list[Candidate]:
    """The best sections, best first, at most `top`; only those that `passed` and that some voice heard."""
    heard = ask(snapshot, question, passed, meaning)
    own = WORDS_ALONE if meaning is None else SAME_LANGUAGE
    other = _weights_abroad(meaning, question.abroad) or own
    foreign = heard.foreign & (other is not own)
    text, score = weigh(heard, own)
    if foreign.any():
        text, score = (np.where(foreign, *pair) for pair in zip(weigh(heard, other), (text, score), strict=True))
    # Between languages all cosines are low: there only standing out says something.
    sense = np.where(foreign, heard.whole_apart, heard.detail)
    best = np.argsort(-score, kind="stable")[: max(top, 0)]
    columns = (heard.sections, heard.owners, foreign, text, heard.keywords, heard.path, sense, score)
    return [
        Candidate(section, document, other if away else own, Voices(said, words, path, meant, 0.0, total), away)
        for section, document, away, said, words, path, meant, total in zip(
            *(column[best].tolist() for column in columns), strict=True
        )
        if total > 0
    ]


def _weights_abroad(meaning: Meaning | None, abroad: Abroad | None) -> Weights | None:
    """The weights for sections in the other language; None where nothing can tell them from others."""
    if abroad is not None:
        return TRANSLATED_WORDS if meaning is None else TRANSLATED
    return None if meaning is None else OTHER_LANGUAGE


def closer_voices(candidate: Candidate, close: Closeness) -> Voices:
    """The voices of a candidate after a closer look."""
    weights = candidate.weights
    number = close.value.score if close.value else 0.0
    gained = (
        weights.sentence * close.sentence
        + weights.number * number
        + weights.held * close.held
        + weights.joined * close.joined
        + weights.brief * close.brief
    )
    return replace(candidate.voices, number=number, score=candidate.voices.score + gained)


@dataclass(frozen=True, slots=True)
class Heard:
    """The candidate `sections` (rising numbers), the rows of their documents, and each part of each voice.

    `foreign` marks sections in the other language than the question's; where the question is translated, `strength`,
    `beside`, `covered` and `keywords` say of them what its words in that language find.
    """

    sections: Ints
    owners: Ints
    foreign: Flags
    strength: Floats
    beside: Floats
    covered: Floats
    latin: Floats
    named: Floats
    keywords: Floats
    path: Floats
    whole: Floats
    detail: Floats
    whole_apart: Floats
    detail_apart: Floats


def weigh(heard: Heard, weights: Weights) -> tuple[Floats, Floats]:
    """The voice of the text (about 0..1) and the score of each candidate."""
    text = (
        weights.strength * heard.strength
        + weights.beside * heard.beside
        + weights.covered * heard.covered
        + weights.latin * heard.latin
        + weights.named * heard.named
    )
    meaning = (
        weights.whole * heard.whole
        + weights.detail * heard.detail
        + weights.whole_apart * heard.whole_apart
        + weights.detail_apart * heard.detail_apart
    )
    score = text + meaning + weights.keywords * heard.keywords + weights.path * heard.path
    return text / max(weights.text, 1e-9), score


def ask(snapshot: Snapshot, question: Question, passed: Flags, meaning: Meaning | None) -> Heard:
    """Ask every voice about every section that one of them names and that `passed`."""
    terms = list(question.known.values())
    matches = Matches(snapshot, terms)
    keywords, path = fact_voices(snapshot, np.array([term.key for term in terms], np.uint64))
    nominated = [best_by_text(matches, passed, CANDIDATES), _best_by_facts(snapshot, keywords + path, passed)]
    # In a long section a word weighs little, however rare it is: where a rare one stands is always looked at.
    nominated += [snapshot.standing(term) for term in terms if 0 < term.count <= _RARE]
    away = ~snapshot.spoken(question.lang)
    if meaning is not None:
        nominated += [
            sense.nearest(CANDIDATES) for sense, there in ((meaning.own, ~away), (meaning.other, away)) if there.any()
        ]
    abroad = question.abroad if away.any() else None
    told = Matches(snapshot, abroad.terms) if abroad is not None else matches
    if abroad is not None:
        nominated.append(best_by_text(told, passed & away[snapshot.document_of], CANDIDATES))
    chosen = np.unique(np.concatenate(nominated))
    chosen = chosen[passed[chosen]]
    owners = snapshot.document_of[chosen].astype(np.int64)
    total, covered, latin, named = _text(list(question.known), matches, chosen)
    possible = np.float32(max(sum(term.idf for term in terms if term.count), 1e-9))
    # A document in the other language may hold a passage in the question's own: then its words speak for it.
    spoken = covered / np.float32(max(sum(term.idf for term in terms), 1e-9))
    foreign = away[owners] & (spoken < _SPOKEN)
    beside, covered = total / max(total.max(initial=0.0), np.float32(1e-9)), covered / possible
    keywords, path = keywords[owners], path[owners]
    if abroad is not None and foreign.any():
        total[foreign], covered[foreign] = abroad.text(told, chosen[foreign])
        beside[foreign] = total[foreign] / max(total[foreign].max(), np.float32(1e-9))
        keywords[foreign] = np.maximum(keywords[foreign], abroad.facts(snapshot, owners[foreign]))
    whole, detail, whole_apart, detail_apart = _meaning(meaning, chosen, foreign)
    return Heard(
        sections=chosen,
        owners=owners,
        foreign=foreign,
        strength=total / np.float32(_STRONG),
        beside=beside,
        covered=covered,
        latin=latin / possible,
        named=named,
        keywords=keywords,
        path=path,
        whole=whole,
        detail=detail,
        whole_apart=whole_apart,
        detail_apart=detail_apart,
    )


def _text(terms: list[str], matches: Matches, sections: Ints) -> tuple[Floats, Floats, Floats, Floats]:
    """For each of the `sections` its BM25 sum, the idf of the terms it holds, the BM25 sum of Latin terms, and which
    part (by idf) of the question's rare codes it holds."""
    idf, weights = matches.idf, matches.weights(sections)
    latin = np.array([_HAN.match(term) is None for term in terms], bool)
    codes = np.array(
        [
            bool(found.count) and found.count <= _RARE and wanted and _CODE.search(term) is not None
            for term, found, wanted in zip(terms, matches.terms, latin.tolist(), strict=True)
        ],
        bool,
    )
    held = weights > 0
    named = products(held[codes].T, idf[codes]) / max(idf[codes].sum(), np.float32(1e-9))
    return products(weights.T, idf), products(held.T, idf), products(weights[latin].T, idf[latin]), named


def _meaning(meaning: Meaning | None, sections: Ints, foreign: Flags) -> tuple[Floats, Floats, Floats, Floats]:
    """Whole and detail on the scale of the other voices, and how far each stands out."""
    values = np.zeros((4, len(sections)), np.float32)
    if meaning is not None:
        for sense, there in ((meaning.own, ~foreign), (meaning.other, foreign)):
            if there.any():
                values[:, there] = _sensed(sense, sections[there])
    return values[0], values[1], values[2], values[3]


def _sensed(sense: Sense, sections: Ints) -> Floats:
    """Whole, detail, and how far both stand out, shape (4, sections).

    Sections without a vector yet count as the average of the others that were named.
    """
    scaled: list[Floats] = []
    apart: list[Floats] = []
    for cosines in sense.cosines(sections):
        known = cosines != 0
        filled = np.where(known, cosines, cosines[known].mean() if known.any() else 0.0).astype(np.float32)
        scaled.append(np.clip((filled - _COSINE_LOW) / _COSINE_SPAN, 0.0, 1.5))
        apart.append(np.clip((filled - sense.mean_cosine) / max(sense.spread, 1e-3) / _APART_SPAN, 0.0, 2.0))
    return np.stack((*scaled, *apart))


def fact_voices(snapshot: Snapshot, terms: Keys) -> tuple[Floats, Floats]:
    """For each document, which part (by idf) of those `terms` that any document's own words know its own have, 0..1: of
    its keywords (title, keywords, tags) and of its path.

    A word that no document's own words know says nothing about which one is meant.
    """
    documents, count = len(snapshot.ids), len(terms)
    places, rows = snapshot.holders(np.concatenate((fact_keys("k", terms), fact_keys("p", terms))))
    counts = np.bincount(places, minlength=2 * count)
    idf = np.log(1.0 + (documents - counts + 0.5) / (counts + 0.5))
    weights, of_path = idf[places], places >= count
    idf[counts == 0] = 0
    voices: list[Floats] = []
    for chosen, possible in ((~of_path, idf[:count].sum()), (of_path, idf[count:].sum())):
        total = np.bincount(rows[chosen], weights[chosen], documents).astype(np.float32)
        voices.append(total / np.float32(possible) if possible else total)
    return voices[0], voices[1]


def _best_by_facts(snapshot: Snapshot, total: Floats, passed: Flags) -> Ints:
    """The first sections of the documents that passed and whose title, keywords and path fit best."""
    rows = np.flatnonzero((total > 0) & (snapshot.size > 0))
    rows = rows[passed[snapshot.first[rows]]]
    if len(rows) > _NAMED_DOCUMENTS:
        rows = rows[np.argpartition(-total[rows], _NAMED_DOCUMENTS)[:_NAMED_DOCUMENTS]]
    sizes = np.minimum(snapshot.size[rows], _SECTIONS_OF_NAMED)
    if not sizes.sum():
        return np.zeros(0, np.int64)
    starts = np.repeat(snapshot.first[rows] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    sections: Ints = starts + np.arange(int(sizes.sum()))
    return sections
