"""Packs: which cards an agent is given for which tasks. `packs/<name>.yaml` in the knowledge root.

name: Crop advice
subscribers: [agronomy-agent]          # "*": every agent
match: {repos: [field-north], task_types: [advice]}   # empty: any
includes:
  - {query: fertiliser timing, types: [spec, pitfall], top_k: 5}
  - {cards: [soybean-r5-potash]}       # pinned: always in the block
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.errors import AlmanacError
from kb.supply.card import CardType
from kb.supply.schema import ID_PATTERN, Finding, line_of
from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError, Value
from kb.tree.textfile import read_text

FOLDER = "packs"
EVERYBODY = "*"
TOP_K = 5
MOST_K = 50
_MOST_BYTES = 64 * 1024
_FIELDS = ("name", "subscribers", "match", "includes", "budget")
_MATCH = ("repos", "task_types")
_INCLUDE = ("query", "types", "top_k", "cards")
_BUDGET = range(100, 100_001)


@dataclass(frozen=True, slots=True)
class Include:
    """One line of a pack: the `top_k` cards nearest to the task (and to `query`) of some types, or pinned `cards`."""

    query: str = ""
    types: tuple[CardType, ...] = ()
    top_k: int = TOP_K
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack. Empty `repos` and `task_types` fit every task; `budget` is in tokens, None for the injector's own."""

    path: str
    name: str
    subscribers: tuple[str, ...]
    repos: tuple[str, ...] = ()
    task_types: tuple[str, ...] = ()
    includes: tuple[Include, ...] = ()
    budget: int | None = None

    def fits(self, agent: str, repo: str, task_type: str) -> bool:
        """Whether `agent` subscribes to it for such a task. A task that does not say which agent, repository or type
        it has fits only packs that do not ask for it; but a task without an agent fits every subscription."""
        subscribed = not agent or EVERYBODY in self.subscribers or _among(agent, self.subscribers)
        return subscribed and _among(repo, self.repos or (repo,)) and _among(task_type, self.task_types or (task_type,))


ANYTHING = Pack("", "", (EVERYBODY,), includes=(Include(),))
"""Where no pack fits: the cards nearest to the task."""


@dataclass(frozen=True, slots=True)
class PackSet:
    """All usable packs in the order of their paths, and what is wrong with the others' files."""

    packs: tuple[Pack, ...]
    findings: tuple[Finding, ...]

    def fitting(self, agent: str, repo: str, task_type: str) -> tuple[Pack, ...]:
        """The packs for a task, those made for its repository or type first; ANYTHING where there is none."""
        found = [pack for pack in self.packs if pack.fits(agent, repo, task_type)]
        found.sort(key=lambda pack: -bool(pack.repos) - bool(pack.task_types))
        return tuple(found) or (ANYTHING,)


def _among(value: str, names: Sequence[str]) -> bool:
    return value.casefold() in {name.casefold() for name in names}


def read_packs(root: Path) -> PackSet:
    """The packs of a knowledge root. A broken file is a finding and costs its own pack only."""
    packs: list[Pack] = []
    findings: list[Finding] = []
    for path in _files(root):
        try:
            if not (root / path).resolve().is_relative_to(root.resolve()):
                raise AlmanacError("path_outside", path=path)
            if (root / path).stat().st_size > _MOST_BYTES:
                raise AlmanacError("pack_too_large", limit=_MOST_BYTES)
            written = read_text(root / path).text
            reader = _Reader(path, written)
            pack = reader.pack()
        except AlmanacError as error:
            findings.append(Finding(path, 0, error.key, error.params))
        except OSError as error:
            findings.append(Finding(path, 0, "unreadable", {"path": path, "reason": error.strerror or str(error)}))
        else:
            findings += reader.findings
            if pack is not None:
                packs.append(pack)
    return PackSet(tuple(packs), tuple(findings))


def _files(root: Path) -> Iterator[str]:
    top = root / FOLDER
    if top.is_dir():
        for name in sorted(entry.name for entry in top.iterdir()):
            if name.endswith(".yaml") and not name.startswith("."):
                yield f"{FOLDER}/{name}"


class _Reader:
    """Reads one pack, collecting findings."""

    def __init__(self, path: str, written: str) -> None:
        self.path = path
        self.written = written
        self.findings: list[Finding] = []

    def pack(self) -> Pack | None:
        try:
            fields = frontmatter.parse(self.written)
        except FrontMatterError as error:
            params = {"reason": error.reason, "detail": error.detail}
            self.findings.append(Finding(self.path, max(error.line - 1, 1), "card_yaml", params))
            return None
        self._known(fields, _FIELDS, "")
        match = fields.get("match") or {}
        if not isinstance(match, dict):
            self._report("match", "pack_not_mapping", field="match", names=", ".join(_MATCH))
            match = {}
        self._known(match, _MATCH, "match.")
        subscribers = self._names(fields, "subscribers")
        if not subscribers:
            self._report("subscribers", "pack_missing", field="subscribers")
        includes = self._includes(fields.get("includes"))
        found = Pack(
            self.path,
            frontmatter.as_text(fields.get("name")) or Path(self.path).stem,
            subscribers,
            self._names(match, "repos"),
            self._names(match, "task_types"),
            includes,
            self._number(fields, "budget", _BUDGET),
        )
        return None if self.findings else found

    def _report(self, place: str, key: str, /, **params: object) -> None:
        self.findings.append(Finding(self.path, line_of(self.written, place), key, params))

    def _known(self, fields: Mapping[str, Value], names: Sequence[str], prefix: str) -> None:
        for name in fields:
            if name not in names:
                self._report(name, "pack_unknown_field", field=f"{prefix}{name}", names=", ".join(names))

    def _names(self, fields: Mapping[str, Value], field: str) -> tuple[str, ...]:
        value = fields.get(field)
        if isinstance(value, dict):
            self._report(field, "pack_not_list", field=field)
        return tuple(frontmatter.as_list(value))

    def _number(self, fields: Mapping[str, Value], field: str, allowed: range) -> int | None:
        written = frontmatter.as_text(fields.get(field)).strip()
        if not written:
            return None
        if not re.fullmatch(r"\d{1,7}", written, re.ASCII) or int(written) not in allowed:
            self._report(field, "pack_bad_number", field=field, value=written[:40], low=allowed[0], high=allowed[-1])
            return None
        return int(written)

    def _includes(self, value: Value | None) -> tuple[Include, ...]:
        if not isinstance(value, list) or not value:
            self._report("includes", "pack_missing", field="includes")
            return ()
        return tuple(self._include(item) for item in value)

    def _include(self, item: Value) -> Include:
        if not isinstance(item, dict):
            self._report("includes", "pack_not_mapping", field="includes", names=", ".join(_INCLUDE))
            return Include()
        self._known(item, _INCLUDE, "includes.")
        cards = self._names(item, "cards")
        for card in cards:
            if not ID_PATTERN.fullmatch(card):
                self._report("includes", "pack_bad_card", value=card[:100])
        types: list[CardType] = []
        for name in self._names(item, "types"):
            try:
                types.append(CardType(name))
            except ValueError:
                self._report("includes", "pack_bad_type", value=name[:100], names=", ".join(CardType))
        top_k = self._number(item, "top_k", range(1, MOST_K + 1))
        query = frontmatter.as_text(item.get("query")).strip()
        return Include(query, tuple(types), 0 if cards and not query and not types else top_k or TOP_K, cards)
