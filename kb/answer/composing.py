"""Sentences of an instruction-tuned model, each with the number of its evidence: checked one by one, or replaced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.answer.checker import check_sentence, says_nothing_new
from kb.search.quantities import asks_quantity, quantities
from kb.search.sections import split_sentences

_MARK = re.compile(r"\s*[\[［【(（](\d{1,2})[\]］】)）]")
_LEADING = re.compile(r"^\s*(?:(?:[-*•]|\d{1,2}[.)、](?!\d)|answer:|答案?[:：]|回答[:：])\s*)+", re.IGNORECASE)
MOST_SENTENCES = 4


@dataclass(frozen=True, slots=True)
class Source:
    """What a sentence may rest on: the evidence as read by the model, and the words around it (title, headings)."""

    text: str
    around: str
    quote: str


@dataclass(frozen=True, slots=True)
class Composed:
    """Checked text, the places of the sources it cites (from 0), and how many sentences gave way to a quote."""

    text: str
    cited: tuple[int, ...]
    replaced: int
    kept: int


def compose(written: str, sources: Sequence[Source], question: str) -> Composed:
    """Check what the model wrote against `sources`; each sentence stays, or the quote of its source takes its place.

    A sentence that names no source is tried with each; one that asks, or that only repeats question and headings, is
    left out. The first source answers: where the first sentence rests on another, its quote comes before. A quote
    stands once; when nothing stays, or no number though one was asked for, the first is quoted.
    """
    heads = " ".join((question, *(source.around for source in sources)))
    told = [(said, named) for said, named in sentences(written) if not _idle(said, heads)]
    checked = [_checked(said, named, sources, question) for said, named in told[:MOST_SENTENCES]]
    kept = [part for part in checked if part.own]
    gave_way = len(checked) - len(kept)
    owed = asks_quantity(question) and quantities(sources[0].text)
    if not kept or (owed and not any(quantities(part.text) for part in kept)):
        return Composed(sources[0].quote, (0,), gave_way or len(kept), 0)
    if checked[0].source:
        checked.insert(0, _Part(sources[0].quote, 0, own=False))
    said = dict.fromkeys(part.text for part in checked)
    return Composed(_joined(list(said)), tuple(dict.fromkeys(part.source for part in checked)), gave_way, len(kept))


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence of the model's `own`, or the quote in its place, with the place of its source."""

    text: str
    source: int
    own: bool


def _checked(sentence: str, named: int | None, sources: Sequence[Source], question: str) -> _Part:
    wanted = [named] if named is not None and 0 <= named < len(sources) else list(range(len(sources)))
    for place in wanted:
        if _holds(sentence, sources[place], question):
            return _Part(sentence, place, own=True)
    instead = wanted[0] if len(wanted) == 1 else 0
    return _Part(sources[instead].quote, instead, own=False)


def _idle(sentence: str, heads: str) -> bool:
    """Whether a sentence asks, or says nothing that question and headings (`heads`) do not."""
    return sentence.endswith(("?", "？")) or says_nothing_new(sentence, heads)


def _holds(sentence: str, source: Source, question: str) -> bool:
    return check_sentence(sentence, source.text, f"{question} {source.around}").passed


def sentences(written: str) -> list[tuple[str, int | None]]:
    """The sentences of `written` without list marks, each with the source it names (from 0) or None."""
    found: list[tuple[str, int | None]] = []
    for line in written.splitlines():
        for piece, _ in split_sentences(_LEADING.sub("", line)):
            marks = _MARK.findall(piece)
            text = _MARK.sub("", piece).strip()
            if not re.search(r"\w", text):
                # A mark after the full stop belongs to the sentence before it.
                if marks and found and found[-1][1] is None:
                    found[-1] = (found[-1][0], int(marks[0]) - 1)
                continue
            found.append((text, int(marks[0]) - 1 if marks else None))
    return found


def _joined(parts: list[str]) -> str:
    text = ""
    for part in parts:
        glue = "" if not text or re.search(r"[\u3000-\u9fff\uff00-\uffef]$", text) else " "
        text += glue + part
    return text
