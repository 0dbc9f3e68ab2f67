"""A piece of a document as plain words, every character of which still knows its place in the document's text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from kb.search.sections import split_sentences

_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_DROPPED = re.compile(r"\*\*|__|`|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|<br\s*/?>|\\(?=[|*_#`])")
_LINE_START = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_BULLET = re.compile(
    r"^[ \t]*(?:[-*+•·●■◆][ \t]+|\d{1,3}(?:\.\d{1,3})*[.)]?[ \t]+|\d{1,3}、|[（(](?:\d{1,3}|[a-z]{1,3})[)）][ \t]*|"
    r"[a-z][.)][ \t]+|[①-⑳][ \t]*)(?:\[[ xX]\][ \t]+)?",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"\s*(?:[（(](?:\d{1,2}|[a-zA-Z]|[ivx]{1,4}|[一二三四五六七八九十]{1,3})[)）]|[一二三四五六七八九十]{1,3}、)\s*(?=\S)"
)
_HAN_LIKE = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
_LABELLED = re.compile(
    r"[^\s:：,，。;；()（）][^:：,，。;；()（）\n]{0,24}(?:[(（][^:：,，。;；()（）\n]{1,16}[)）]\s?)?[:：]\s?(?!//)\S"
)
# Reading takes longer than in proportion: what is longer than any sentence is cut.
LONGEST_SENTENCE = 1000
_MAY_CUT = re.compile(r"[,，、](?=[^\d\s])|(?<=[^\d\s]) (?=[^\d\s])")
_SPACES = re.compile(r"[ \t\u3000]+")


@dataclass(frozen=True, slots=True)
class Written:
    """`shown` is the text without markup, `plain` the same folded to half width, character by character.

    `places[n]` is where character `n` stands in the document's text.
    """

    shown: str
    plain: str
    places: tuple[int, ...]

    def part(self, start: int, end: int) -> Written:
        """The characters from `start` to `end`, white space at the ends left out."""
        while start < end and self.plain[start].isspace():
            start += 1
        while end > start and self.plain[end - 1].isspace():
            end -= 1
        return Written(self.shown[start:end], self.plain[start:end], self.places[start:end])

    def span(self, start: int = 0, end: int | None = None) -> tuple[int, int]:
        """Where the characters from `start` to `end` stand in the document's text."""
        end = len(self.places) if end is None else end
        if not self.places or start >= end:
            place = self.places[min(start, len(self.places) - 1)] if self.places else 0
            return place, place
        return self.places[start], self.places[end - 1] + 1

    def sentences(self) -> list[Written]:
        """The sentences, in order."""
        found: list[Written] = []
        place = 0
        for sentence, _ in split_sentences(self.shown):
            piece = self.part(place, place + len(sentence))
            found += piece.shorter() if len(piece.plain) > LONGEST_SENTENCE else [piece] if piece.plain else []
            place += len(sentence)
        return found

    def shorter(self) -> list[Written]:
        """A sentence without end in pieces, cut where no number stands; whole where there is no such place."""
        pieces, start = [], 0
        for cut in _MAY_CUT.finditer(self.plain):
            if cut.end() - start > LONGEST_SENTENCE:
                pieces.append(self.part(start, cut.end()))
                start = cut.end()
        return [*pieces, self.part(start, len(self.plain))]


def fold(char: str) -> str:
    """A character in half width, when that is one character too."""
    if char.isascii():
        return char
    plain = unicodedata.normalize("NFKC", char)
    return plain if len(plain) == 1 else char


def written(text: str, start: int, *, item: bool = False) -> Written:
    """The words of a piece of Markdown that begins at `start` of its document; the marker of a list `item` is dropped.

    Lines of a paragraph are joined: by nothing between Chinese characters, by a space elsewhere.
    """
    keep = [True] * len(text)

    def drop(first: int, last: int) -> None:
        keep[first:last] = [False] * (last - first)

    if item and (bullet := _BULLET.match(text)):
        drop(0, bullet.end())
    if numbering := _NUMBERING.match(text):
        drop(0, numbering.end())
    for found in _LINE_START.finditer(text):
        drop(*found.span())
    for found in _LINK.finditer(text):
        drop(found.start(), found.start(1))
        drop(found.end(1), found.end())
    for found in _DROPPED.finditer(text):
        drop(*found.span())
    shown: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if not keep[place]:
            continue
        if char == "\n" or char in " \t\u3000\xa0":
            if shown and shown[-1] != " ":
                shown.append(" ")
                places.append(start + place)
            if char == "\n" and shown:
                shown[-1] = "\n"
            continue
        shown.append(char)
        places.append(start + place)
    return _joined(shown, places)


def _ends_line(before: str, after: str) -> bool:
    """Whether a line break means one: a line is a label with its value (主持：…, Date: …), or the next one is."""
    line = before.rpartition("\n")[2]
    following = after.partition("\n")[0]
    return bool(_LABELLED.match(following)) or (bool(_LABELLED.match(line)) and bool(re.search(r"[。.;；]$", line)))


def _joined(shown: list[str], places: list[int]) -> Written:
    """Line feeds taken away or made spaces."""
    kept: list[int] = []
    for number, char in enumerate(shown):
        if char == "\n" and not _ends_line("".join(shown[:number]), "".join(shown[number + 1 :])):
            before = shown[number - 1] if number else ""
            after = shown[number + 1] if number + 1 < len(shown) else ""
            if not before or not after or (_HAN_LIKE.match(before) and _HAN_LIKE.match(after)):
                continue
            shown[number] = " "
        kept.append(number)
    text = "".join(shown[number] for number in kept)
    whole = Written(text, "".join(map(fold, text)), tuple(places[number] for number in kept))
    return whole.part(0, len(text))


def squeeze(text: str) -> str:
    """White space folded to single spaces, none at the ends."""
    return _SPACES.sub(" ", text.replace("\n", " ")).strip()
