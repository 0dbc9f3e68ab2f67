"""A dictionary in a file of sorted lines, looked up where it lies: nothing of it is read beforehand.

Each line is a word or phrase, a tab, its meanings in the other language separated by semicolons, a tab, and the words
of the other language whose meaning holds it beside other words (see scripts/fetch_dictionary.py).
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass

from kb.config import ModelFile
from kb.errors import AlmanacError


@dataclass(frozen=True, slots=True)
class Entry:
    """What a word `means`, usual meanings first, and the words of the other language that it `helps` to explain."""

    means: tuple[str, ...]
    helps: tuple[str, ...]


class Dictionary:
    """The dictionary in `source`. Safe to call from several threads."""

    def __init__(self, source: ModelFile) -> None:
        """Map the file. AlmanacError when it cannot be read, is empty or shorter than it should be."""
        before = source.offset % mmap.ALLOCATIONGRANULARITY
        try:
            with source.path.open("rb") as file:
                self._data = mmap.mmap(
                    file.fileno(), source.size + before, access=mmap.ACCESS_READ, offset=source.offset - before
                )
        except OSError as error:
            raise AlmanacError("unreadable", path=str(source.path), reason=error.strerror or str(error)) from error
        except ValueError as error:
            raise AlmanacError("dictionary_damaged", name=source.name) from error
        self._begin, self._end = before, before + source.size

    def look_up(self, word: str) -> Entry | None:
        """The entry of `word`, English in lower case; None where there is none."""
        wanted = word.encode("utf-8", "replace") + b"\t"
        low, high = self._begin, self._end
        while low < high:
            middle = (low + high) // 2
            begin = max(self._data.rfind(b"\n", low, middle) + 1, low)
            end = self._data.find(b"\n", begin, high)
            end = high if end < 0 else end
            line = self._data[begin:end]
            if line.startswith(wanted):
                return _entry(line[len(wanted) :].decode("utf-8", "replace"))
            if line < wanted:
                low = end + 1
            else:
                high = begin
        return None

    def look_up_english(self, phrase: str) -> Entry | None:
        """The entry of an English word or phrase together with those of what its last word is a form of."""
        *others, last = phrase.split(" ")
        forms = (" ".join((*others, form)) for form in (last, *stems(last)))
        found = [entry for form in forms if (entry := self.look_up(form))]
        if not found:
            return None
        return Entry(
            tuple(word for entry in found for word in entry.means),
            tuple(word for entry in found for word in entry.helps),
        )


def _entry(columns: str) -> Entry:
    means, _, helps = columns.partition("\t")
    return Entry(*(tuple(filter(None, column.split(";"))) for column in (means, helps)))


def stems(word: str) -> Iterator[str]:
    """What an English `word` may be the plural, past or -ing form of, by regular spelling."""
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    for ending in ("s", "es", "d", "ed", "ing", "ly"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        yield stem
        if ending in ("ed", "ing"):
            yield f"{stem}e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]
            if stem[-1] == "i":
                yield f"{stem[:-1]}y"
