"""Things that documents set side by side: the first cells of a table's rows, the labels of a list's items.

What is said of one is not said of another: «玉米每小时降水多少» is not answered by a sentence about rice where a table
has a row for either, «烂尾病» not by what is said of 烂鳃病.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from kb.answer.subjects import Names, mentioned
from kb.answer.topics import matters
from kb.answer.units import LABEL, Unit, cells, naming
from kb.search.quantities import folded, quantities
from kb.search.tokens import HAN

_LONGEST = 16
_IN_BRACKETS = re.compile(r"[（(][^（()）]*[)）]")
# So many characters before the ending tell one name from another.
_TELLING = 2


@dataclass(frozen=True, slots=True)
class _Group:
    """The names of one table or list; `ending` is the character that all end with, if it is Chinese, else ''."""

    names: frozenset[str]
    ending: str


@dataclass(frozen=True, slots=True)
class Siblings:
    """For one question: `pairs` of the names of a group that it holds and of those that it does not, `fresh` names that
    it has and no group has, each with a pattern for names of its kind."""

    names: Names
    pairs: tuple[tuple[frozenset[str], frozenset[str]], ...]
    fresh: tuple[tuple[str, re.Pattern[str]], ...]

    @classmethod
    def of(cls, question: str, sections: Iterable[Sequence[Unit]]) -> Siblings:
        """Read `question` against the units of the sections that were found for it."""
        groups = list(dict.fromkeys(group for units in sections for group in _groups(units)))
        names = Names((name, name) for group in groups for name in group.names)
        held = mentioned(question, names)
        pairs = [(group.names & held, group.names - held) for group in groups if group.names & held]
        plain = folded(question)
        fresh = {} if held else dict(pair for group in groups for pair in _fresh(plain, group))
        return cls(names, tuple(dict.fromkeys(pairs)), tuple(fresh.items()))

    def differ_from(self, unit: Unit, heading: str, section: str) -> bool:
        """Whether `unit`, under the `heading`, speaks of others alone of those beside what is asked about, or its whole
        `section` does (both folded)."""
        if not (self.pairs or self.fresh):
            return False
        text = folded(unit.text)
        around = f"{text} {folded(naming(unit))} {heading}"
        for name, kind in self.fresh:
            if name not in around and kind.search(text if name in section else section):
                return True
        if not self.pairs:
            return False
        said = mentioned(text, self.names)
        told = mentioned(around, self.names) if said else said
        return any(said & others and not told & held for held, others in self.pairs)


def _groups(units: Sequence[Unit]) -> Iterator[_Group]:
    """The tables and lists of a section, each with two names at least."""
    for (kind, _), members in groupby(units, lambda unit: (unit.kind, unit.context)):
        if kind not in ("table", "item"):
            continue
        said = (cells(unit.text)[0] if kind == "table" else _label(unit) for unit in members)
        names = frozenset(name for text in said if _is_name(name := _IN_BRACKETS.sub("", folded(text)).strip(" *")))
        if len(names) > 1:
            ends = {name[-1] for name in names}
            han = len(ends) == 1 and re.fullmatch(f"[{HAN}]", next(iter(ends))) is not None
            yield _Group(names, ends.pop() if han else "")


def _label(unit: Unit) -> str:
    found = LABEL.match(unit.text)
    return found[1] if found else ""


def _is_name(text: str) -> bool:
    """Whether a cell or label can be the name of a thing: no sentence, no value."""
    return 1 < len(text) <= _LONGEST and matters(text) and not any(item.unit for item in quantities(text))


def _fresh(question: str, group: _Group) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The names that `question` has of the kind of `group` which are none of its names."""
    if group.ending:
        for named in re.finditer(rf"[{HAN}]{{{_TELLING}}}{group.ending}(?P<next>.?)", question):
            if all(map(matters, named[0][:_TELLING])) and not matters(named["next"]):
                yield named[0][: _TELLING + 1], re.compile(rf"[{HAN}]{group.ending}")
