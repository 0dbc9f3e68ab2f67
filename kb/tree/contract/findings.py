"""What a check reports: where, which rule, how serious, and the repair if there is a safe one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from kb.texts import Lang, text

_NONE: Mapping[str, str] = MappingProxyType({})


class Severity(StrEnum):
    """An error breaks the contract; a warning should be looked at; a note is only said."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters `start`..`end` (from 0) of line `line` (from 1) by `text`, which may hold `\\n`."""

    line: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault. `line` counts from 1 (0: the whole file); the text is `rule_<rule>` of kb.texts, `_` for `-`.

    A param `reason` is itself a key of kb.texts and is filled with the others. `edits` repair it; `recode` says that
    the repair is to store the file as UTF-8.
    """

    path: str
    line: int
    rule: str
    severity: Severity = Severity.ERROR
    params: Mapping[str, str] = field(default_factory=lambda: _NONE)
    edits: tuple[Edit, ...] = ()
    recode: bool = False

    @property
    def fixable(self) -> bool:
        """Whether `almanac check --fix` repairs it."""
        return bool(self.edits) or self.recode

    def message(self, lang: Lang) -> str:
        """The plain reason, in `lang`."""
        params = dict(self.params)
        if "reason" in params:
            params["reason"] = text(lang, params.pop("reason"), **params)
        return text(lang, f"rule_{self.rule.replace('-', '_')}", **params)


@dataclass(frozen=True, slots=True)
class Check:
    """A check of something beside the documents (repository, manifest, databases, backups) for `almanac check --all`.

    `run` returns what it found, nothing when all is well; an AlmanacError that it raises is reported as a finding.
    """

    name: str
    run: Callable[[], Iterable[Finding]]
