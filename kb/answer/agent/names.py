"""Recognising names in text: order numbers, error codes, trace ids.

Kinds are declared by masks, not by regular expressions, so that a rules file can never make matching slow: `#` is a run
of digits, `*` a run of letters, digits and underscores, everything else stands for itself (case does not matter).
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass

_RUNS = {"#": r"[0-9]{1,32}", "*": r"[A-Za-z0-9_]{1,64}"}
# What may stand between a word such as «order» and the number it announces.
_BETWEEN = r"[\s:：=#\"'“”「」《》]{0,4}[是为]?[\s\"'“”]{0,2}"
# What stands between names of a list that one word announces («订单123、124和125»).
_AND = re.compile(r"\s{0,2}(?:[、,，和与及跟&/]|\band\b|\bor\b)\s{0,2}", re.IGNORECASE)
MAX_WILDCARDS = 3


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of name: its `masks`, tried in order; words one of which must stand before it (none: it stands anywhere);
    its least length in characters; and the masks of names that need no such word (`bare`)."""

    name: str
    masks: tuple[str, ...]
    after: tuple[str, ...] = ()
    at_least: int = 1
    bare: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.masks or any(not mask or _wildcards(mask) > MAX_WILDCARDS for mask in (*self.masks, *self.bare)):
            raise ValueError(f"{self.name}: a mask is empty or has more than {MAX_WILDCARDS} of # and *")
        anywhere = self.bare if self.after else (*self.masks, *self.bare)
        if any(_wildcards(mask) == len(mask) for mask in anywhere):
            raise ValueError(f"{self.name}: a mask of # and * alone needs words before it")


def _wildcards(mask: str) -> int:
    return sum(mask.count(run) for run in _RUNS)


def _masks(masks: tuple[str, ...]) -> str:
    any_of = "|".join("".join(_RUNS.get(char) or re.escape(char) for char in mask) for mask in masks)
    # A code ends where no letter, digit or joined part follows: ERR_TIME is not in ERR_TIMEOUT, E-1 not in E-1-2.
    return rf"(?:{any_of})(?![A-Za-z0-9_]|-[A-Za-z0-9])"


@functools.lru_cache(maxsize=64)
def _listable(kind: Kind) -> re.Pattern[str]:
    return re.compile(f"(?P<name>{_masks(kind.masks)})", re.IGNORECASE)


@functools.lru_cache(maxsize=64)
def _pattern(kind: Kind) -> re.Pattern[str]:
    anywhere = kind.bare if kind.after else (*kind.masks, *kind.bare)
    starts: list[str] = []
    if kind.after:
        words = "|".join(re.escape(word) for word in sorted(kind.after, key=len, reverse=True))
        # «orders-1» is not the order «s-1»: letters do not run on from the word into the name.
        apart = r"(?:(?<![A-Za-z])|(?![A-Za-z_]))"
        starts.append(rf"(?<![A-Za-z])(?:{words}){_BETWEEN}{apart}")
    if anywhere:
        # Behind the words: `err_code=X` names X.
        starts.append(rf"(?<![A-Za-z0-9_])(?={_masks(anywhere)})")
    return re.compile(f"(?:{'|'.join(starts)})(?P<name>{_masks((*kind.bare, *kind.masks))})", re.IGNORECASE)


def names_in(kind: Kind, text: str) -> list[str]:
    """The names of `kind` in `text`, each once, as written (full-width characters made narrow)."""
    plain = unicodedata.normalize("NFKC", text)
    found: dict[str, str] = {}
    for match in _pattern(kind).finditer(plain):
        for name in (match["name"], *_listed(kind, plain, match)):
            # `err_code` announces a code and is none.
            if len(name) >= kind.at_least and name.casefold() not in kind.after:
                found.setdefault(name.casefold(), name)
    return list(found.values())


def _listed(kind: Kind, plain: str, first: re.Match[str]) -> list[str]:
    """The names that go on from `first` in a list; each built like it, since «order 123, 5 days ago» names one."""
    names: list[str] = []
    end = first.end()
    while kind.after and (joint := _AND.match(plain, end)):
        more = _listable(kind).match(plain, joint.end())
        if more is None or _shape(more["name"]) != _shape(first["name"]):
            break
        names.append(more["name"])
        end = more.end()
    return names


def _shape(name: str) -> str:
    return re.sub("[A-Za-z]", "a", re.sub(r"[0-9]", "9", name))


def holds(text: str, name: str) -> bool:
    """Whether `name` stands in `text` as a whole: 123 neither in 1234 nor in 10:00:00.123."""
    if re.search(r"[A-Za-z0-9]", name) is None:
        return name.casefold() in text.casefold()
    return _whole(name.casefold()).search(text.casefold()) is not None


@functools.lru_cache(maxsize=256)
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z0-9_])(?<![0-9][.:,/-]){re.escape(name)}(?![a-z0-9_]|[.:/-][a-z0-9])")
