"""Sentences of an instruction-tuned model, each with the number of its evidence: checked one by one, or replaced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.answer.checker import check_sentence, says_nothing_new
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

    A sentence that names no source is tried with each, one that only repeats the question is left out. A quote stands
    once; when nothing stays, the first is quoted.
    """
    parts: list[str] = []
    cited: list[int] = []
    replaced = kept = 0
    told = [(said, named) for said, named in sentences(written) if not says_nothing_new(said, question)]
    for sentence, named in told[:MOST_SENTENCES]:
        wanted = [named] if named is not None and 0 <= named < len(sources) else list(range(len(sources)))
        holding = next((place for place in wanted if _holds(sentence, sources[place], question)), None)
        if holding is None:
            replaced += 1
            said = sources[wanted[0]].quote if len(wanted) == 1 else sources[0].quote
            holding = wanted[0] if len(wanted) == 1 else 0
        else:
            kept += 1
            said = sentence
        if said not in parts:
            parts.append(said)
            cited.append(holding)
    if not kept:
        return Composed(sources[0].quote, (0,), replaced, 0)
    return Composed(_joined(parts), tuple(dict.fromkeys(cited)), replaced, kept)


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
