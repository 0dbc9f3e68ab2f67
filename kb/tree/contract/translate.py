"""From the names that people give files to the names of the contract: `大豆/生长阶段.md` -> `…/soybean/growth_stage`.

Words come from the taxonomy, places from the folders that are already there. Nothing is guessed: a word that neither
knows is named, so that a person can add it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kb.errors import KnowledgeError
from kb.tree.contract.naming import MAX_LEVELS
from kb.tree.taxonomy import Taxonomy, path_word

_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)年?版?")
_REVISION = re.compile(r"(?<![a-z])v\s?(\d{1,3})(?!\d)(?:\.\d+)*|第(\d{1,3})版")
_NOISE = re.compile(r"修订版|修订|终稿|最终版|final|版$")
_SNAKE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_BETWEEN = re.compile(r"[\s_\-·—、，,.（）()\[\]【】《》“”的与和及]+")
# Chinese has no spaces between words: 播 种 is 播种.
_SPREAD = re.compile(r"(?<=[\u2e80-\uffff]) (?=[\u2e80-\uffff])")
_RUNS = re.compile(r"[a-z0-9]+|[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Edition:
    """Year and revision as a file name says them; None where it does not."""

    year: int | None = None
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """What is known: for each name (folded) its path words, and the folders of the tree.

    `proposed` are folders of another tree, looked at when this one has none of that name.
    """

    words: dict[str, list[str]]
    folders: frozenset[str]
    items: frozenset[str] = field(default=frozenset())
    proposed: frozenset[str] = field(default=frozenset())

    @classmethod
    def of(cls, taxonomies: Sequence[Taxonomy], documents: Iterable[str], other: Iterable[str] = ()) -> Words:
        """From taxonomies (the first that knows a name counts) and the documents of this tree and of another."""
        words: dict[str, list[str]] = {}
        for taxonomy in taxonomies:
            words = _by_name(taxonomy) | words
        folders, items = _places(documents)
        proposed, _ = _places(other)
        return cls(words, folders, items, proposed)

    # -- one name --------------------------------------------------------------------------------------------------

    def word(self, name: str, likely: Iterable[str] = ()) -> str:
        """The path word for one name; of several, one of `likely`, else the one that is shown by it.

        Raises KnowledgeError naming the words that are not known.
        """
        return "_".join(self.pieces(name, likely))

    def pieces(self, name: str, likely: Iterable[str] = ()) -> list[str]:
        """As `word`, one word for each known name that `name` is put together from."""
        plain = folded(name)
        if plain in self.words:
            return [self._choose(plain, likely)]
        snake = _BETWEEN.sub("_", plain).strip("_")
        if snake.isascii() and _SNAKE.fullmatch(snake):
            return [snake]
        plain = _SPREAD.sub("", plain)
        pieces: list[str] = []
        missing: list[str] = []
        for run in (run for part in _BETWEEN.split(plain) if part for run in _RUNS.findall(part)):
            if run.isascii() and _SNAKE.fullmatch(run):
                pieces.append(run)
            else:
                found, unknown = self._cut(run)
                pieces += [self._choose(one, likely) for one in found]
                missing += unknown
        if missing or not pieces:
            raise KnowledgeError("words_unknown", words="、".join(missing or [name]), name=name)
        return pieces

    def _choose(self, name: str, likely: Iterable[str]) -> str:
        candidates = self.words[name]
        wanted = set(likely)
        return next((word for word in candidates if word in wanted), candidates[0])

    def _cut(self, text: str) -> tuple[list[str], list[str]]:
        """`text` as known names with as few characters left over as can be; what is left over."""
        longest = max(map(len, self.words), default=0)
        # best[i]: (characters left over, number of names, names, left over pieces) for text[:i].
        best: list[tuple[int, int, tuple[str, ...], tuple[str, ...]]] = [(0, 0, (), ())]
        for end in range(1, len(text) + 1):
            left, count, names, rest = best[end - 1]
            joins = bool(rest) and best[end - 1][0] > 0 and text[: end - 1].endswith(rest[-1])
            grown = (*rest[:-1], rest[-1] + text[end - 1]) if joins else (*rest, text[end - 1])
            options = [(left + 1, count, names, grown)]
            for start in range(max(0, end - longest), end):
                if text[start:end] in self.words:
                    left, count, names, rest = best[start]
                    options.append((left, count + 1, (*names, text[start:end]), rest))
            best.append(min(options, key=lambda one: (one[0], one[1])))
        return list(best[-1][2]), list(best[-1][3])

    # -- a place ---------------------------------------------------------------------------------------------------

    def place(self, folders: Sequence[str], into: str | None = None) -> str:
        """The folder for documents that lie in `folders` (as people call them), below `into` when that is given.

        KnowledgeError when words are missing, or when the tree has no such folder or several.
        """
        names = {folder.rsplit("/", 1)[-1] for folder in (*self.folders, *self.proposed)}
        parts = [self.word(folder, names) for folder in folders]
        if into is not None:
            return "/".join([*into.strip("/").split("/"), *parts])
        if not parts:
            raise KnowledgeError("place_unknown", name="/".join(folders) or ".")
        whole = "/".join(parts)
        if whole in self.folders or len(parts) >= MAX_LEVELS - 1 or parts[0] in self._domains():
            return whole
        found = _ending(self.folders, parts) or _ending(self.proposed, parts)
        if len(found) == 1:
            return found[0]
        if found:
            raise KnowledgeError("place_ambiguous", name="/".join(folders), places=", ".join(found))
        raise KnowledgeError("place_unknown", name="/".join(folders))

    def _domains(self) -> set[str]:
        return {folder.split("/", 1)[0] for folder in self.folders}


def _by_name(taxonomy: Taxonomy) -> dict[str, list[str]]:
    """Path words by what people call them; those that are shown by a name come before those that may be called so."""
    spoken = [(word, names) for word, languages in taxonomy.names.items() for names in languages.values()]
    shown = [(word, name) for word, names in spoken for name in names[:1]]
    called = [(word, name) for word, names in spoken for name in names[1:]]
    known: dict[str, list[str]] = {}
    for word, name in (*shown, *called):
        found = known.setdefault(folded(name), [])
        if word not in found:
            found.append(word)
    return known


def _places(documents: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The folders and item words of documents whose paths keep the contract."""
    folders: set[str] = set()
    items: set[str] = set()
    for path in documents:
        parts = path.split("/")
        if all(part.isascii() for part in parts):
            folders.update("/".join(parts[:length]) for length in range(1, len(parts)))
            items.add(path_word(parts[-1]))
    return frozenset(folders), frozenset(items)


def _ending(folders: Iterable[str], parts: Sequence[str]) -> list[str]:
    """The folders that end in all of `parts`; else those that end in the first, with the rest below."""
    known = sorted(folders)
    whole = "/".join(parts)
    found = [folder for folder in known if f"/{folder}".endswith(f"/{whole}")]
    return found or ["/".join([one, *parts[1:]]) for one in known if f"/{one}".endswith(f"/{parts[0]}")]


def folded(name: str) -> str:
    """One spelling of a name: half-width, lower case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).lower().split())


def split_edition(stem: str) -> tuple[str, Edition]:
    """A file's stem without year, revision and remarks about them; and what they say."""
    plain = folded(stem)
    year = _YEAR.search(plain)
    if year is not None:
        plain = plain[: year.start()] + " " + plain[year.end() :]
    # After the year, or `_v2` would not begin a word.
    revision = _REVISION.search(plain.replace("_", " "))
    if revision is not None:
        plain = plain[: revision.start()] + " " + plain[revision.end() :]
    plain = _NOISE.sub(" ", plain).strip(" _-")
    number = int(revision[1] or revision[2]) if revision is not None else None
    return " ".join(plain.split()), Edition(int(year[1]) if year is not None else None, number)
