"""From the text of a card's file to a Card, or to findings that say what is wrong and in which line."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from kb.supply.card import (
    CONCLUSION_CHARACTERS,
    VALID_DAYS,
    Applicable,
    Card,
    CardEvidence,
    CardStatus,
    CardType,
    Confidence,
    Layer,
    Metrics,
)
from kb.texts import Lang, text
from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError, Value

ID_PATTERN = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
ID_CHARACTERS = 80
# In the order in which a card is written.
FIELDS = (
    "id", "type", "title", "status", "confidence", "applicable", "conclusion", "do", "dont", "evidence", "owner",
    "created_at", "valid_until", "layer", "metrics",
)  # fmt: skip
_INNER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "applicable": ("scene", "repos", "signals"),
        "evidence": ("source", "incident", "links"),
        "metrics": ("injected", "adopted", "liked"),
    }
)
# What a draft may still leave open: the distiller writes nothing that its input does not say.
_OPEN_IN_DRAFTS = frozenset({"title", "conclusion", "owner", "applicable.scene"})
_MOST_ITEMS = 100
_MOST_CHARACTERS = 4000

E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to say about a card's file.

    `line` counts from 1 (0: the whole file), `key` names a text of kb.texts that `params` fill in. A warning asks
    for a person's judgement; anything else is an error.
    """

    path: str
    line: int
    key: str
    params: Mapping[str, object] = field(default_factory=dict)
    warning: bool = False

    def text(self, lang: Lang) -> str:
        """What to tell a person."""
        params = dict(self.params)
        if self.key == "card_yaml":
            params["reason"] = text(lang, str(params["reason"]), detail=params["detail"])
        return text(lang, self.key, **params)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file gave: a card unless an error makes it unusable, and what there is to say about it."""

    card: Card | None
    findings: tuple[Finding, ...]


def parse_card(path: str, written: str) -> Reading:
    """The card in `written`; `path` is where it lies below the knowledge root. Never raises for what a file holds."""
    try:
        fields = frontmatter.parse(written)
    except FrontMatterError as error:
        # frontmatter counts the line of `---` that a card does not have.
        params = {"reason": error.reason, "detail": error.detail}
        return Reading(None, (Finding(path, max(error.line - 1, 1), "card_yaml", params),))
    return _Reader(path, written, fields).read()


def line_of(written: str, field: str) -> int:
    """The line, from 1, on which `field` (`owner`, `evidence.links`) stands in a card's text; 0 when it does not."""
    outer, _, inner = field.partition(".")
    found = re.search(rf"^(['\"]?){re.escape(outer)}\1[ \t]*:", written, re.MULTILINE)
    if found is None:
        return 0
    line = written.count("\n", 0, found.start()) + 1
    if not inner:
        return line
    below = re.compile(rf"^[ \t]+(['\"]?){re.escape(inner)}\1[ \t]*:", re.MULTILINE).search(written, found.end())
    following = re.compile(r"^\S", re.MULTILINE).search(written, found.end())
    if below is None or (following is not None and following.start() < below.start()):
        return line
    return written.count("\n", 0, below.start()) + 1


class _Reader:
    """Reads one mapping, collecting findings."""

    def __init__(self, path: str, written: str, fields: dict[str, Value]) -> None:
        self.path = path
        self.written = written
        self.fields = fields
        self.findings: list[Finding] = []
        self.usable = True

    def read(self) -> Reading:
        if not self.fields:
            self.error("", "card_empty")
            return Reading(None, tuple(self.findings))
        self.unknown_fields()
        identifier = self.identifier()
        kind = self.choice("type", CardType)
        status = self.choice("status", CardStatus)
        confidence = self.choice("confidence", Confidence)
        layer = self.choice("layer", Layer)
        draft = status is CardStatus.DRAFT
        title = self.one("title", draft)
        applicable = self.applicable(draft)
        conclusion = self.one("conclusion", draft)
        if len(conclusion) > CONCLUSION_CHARACTERS:
            self.report("conclusion", "card_conclusion_long", length=len(conclusion), limit=CONCLUSION_CHARACTERS)
        evidence = self.evidence()
        owner = self.one("owner", draft)
        created, until = self.dates()
        metrics = self.metrics()
        do, dont = self.many("do"), self.many("dont")
        card = None
        if self.usable and kind and status and confidence and layer and created and until:
            card = Card(
                self.path, identifier, kind, title, status, confidence, applicable, conclusion, do, dont, evidence,
                owner, created, until, layer, metrics,
            )  # fmt: skip
        return Reading(card, tuple(sorted(self.findings, key=lambda finding: finding.line)))

    def error(self, place: str, key: str, /, **params: object) -> None:
        """An error that leaves no usable card."""
        self.usable = False
        self.report(place, key, **params)

    def report(self, place: str, key: str, /, **params: object) -> None:
        """An error that leaves the card usable."""
        self.note(place, key, params, False)

    def warn(self, place: str, key: str, /, **params: object) -> None:
        self.note(place, key, params, True)

    def note(self, place: str, key: str, params: Mapping[str, object], warning: bool) -> None:
        line = line_of(self.written, place) if place else 0
        self.findings.append(Finding(self.path, line, key, params, warning))

    def value(self, field: str) -> Value | None:
        """The value of `field` or `outer.inner`; None when there is none."""
        outer, _, inner = field.partition(".")
        value = self.fields.get(outer)
        if not inner:
            return value
        return value.get(inner) if isinstance(value, dict) else None

    def unknown_fields(self) -> None:
        for name, value in self.fields.items():
            known = _INNER.get(name)
            if name not in FIELDS:
                self.warn(name, "card_unknown_field", field=name)
            elif known is not None and isinstance(value, dict):
                for inner in (f"{name}.{inner}" for inner in value if inner not in known):
                    self.warn(inner, "card_unknown_field", field=inner)
            elif known is not None and value:
                self.error(name, "card_not_mapping", field=name, names=", ".join(known))

    def identifier(self) -> str:
        written = self.one("id", False)
        if written and (not ID_PATTERN.fullmatch(written) or len(written) > ID_CHARACTERS):
            self.error("id", "card_bad_id", value=written[:100], limit=ID_CHARACTERS)
        return written

    def choice(self, field: str, kinds: type[E]) -> E | None:
        written = self.one(field, False)
        if not written:
            return None
        try:
            return kinds(written)
        except ValueError:
            self.error(field, "card_bad_choice", field=field, value=written[:100], choices=", ".join(kinds))
            return None

    def one(self, field: str, open_in_draft: bool) -> str:
        """One text that must be there; a draft may leave some open."""
        written = self.written_as_text(field)
        if written == "":
            if open_in_draft and field in _OPEN_IN_DRAFTS:
                self.warn(field, "card_open", field=field)
            else:
                self.error(field, "card_missing", field=field)
        return written or ""

    def optional(self, field: str) -> str:
        return self.written_as_text(field) or ""

    def written_as_text(self, field: str) -> str | None:
        """One text, '' where nothing is written; None, and an error, where it is a list or a mapping."""
        value = self.value(field)
        if isinstance(value, (list, dict)):
            self.error(field, "card_not_text", field=field)
            return None
        return self.bounded(field, re.sub(r"\s+", " ", value or "").strip())

    def many(self, field: str) -> tuple[str, ...]:
        """A list of texts; one text counts as a list of one."""
        value = self.value(field)
        if value is None or value == "":
            return ()
        items = value if isinstance(value, list) else [value]
        texts = [re.sub(r"\s+", " ", item).strip() for item in items if isinstance(item, str)]
        if len(texts) < len(items):
            self.error(field, "card_not_list", field=field)
        if len(items) > _MOST_ITEMS:
            self.error(field, "card_too_many", field=field, limit=_MOST_ITEMS)
        return tuple(self.bounded(field, item) for item in texts if item)

    def bounded(self, field: str, value: str) -> str:
        if len(value) > _MOST_CHARACTERS:
            self.error(field, "card_too_long", field=field, limit=_MOST_CHARACTERS)
        return value

    def applicable(self, draft: bool) -> Applicable:
        found = Applicable(
            self.many("applicable.scene"), self.many("applicable.repos"), self.many("applicable.signals")
        )
        if not found.scene and draft:
            self.warn("applicable", "card_open", field="applicable.scene")
        elif not found.scene:
            self.error("applicable", "card_missing", field="applicable.scene")
        return found

    def evidence(self) -> CardEvidence:
        if not self.fields.get("evidence"):
            self.error("evidence", "card_missing", field="evidence")
            return CardEvidence("")
        source = self.one("evidence.source", False)
        links = self.many("evidence.links")
        if not links:
            self.error("evidence", "card_missing", field="evidence.links")
        return CardEvidence(source, self.optional("evidence.incident"), links)

    def date(self, field: str) -> datetime.date | None:
        written = self.optional(field)
        try:
            return datetime.date.fromisoformat(written) if written else None
        except ValueError:
            self.error(field, "card_bad_date", field=field, value=written[:40])
            return None

    def dates(self) -> tuple[datetime.date | None, datetime.date | None]:
        created, until = self.date("created_at"), self.date("valid_until")
        if created is None and not self.optional("created_at"):
            self.error("created_at", "card_missing", field="created_at")
        if until is None and not self.optional("valid_until"):
            proposal = (created or datetime.date.today()) + datetime.timedelta(days=VALID_DAYS)
            self.error("valid_until", "card_no_end", days=VALID_DAYS, date=proposal)
        if created and until and until < created:
            self.error("valid_until", "card_ends_before", created=created, until=until)
        return created, until

    def metrics(self) -> Metrics:
        counts: dict[str, int] = {}
        for name in _INNER["metrics"]:
            written = self.optional(f"metrics.{name}")
            if written and not re.fullmatch(r"\d{1,12}", written, re.ASCII):
                self.error(f"metrics.{name}", "card_bad_count", field=f"metrics.{name}", value=written[:40])
            else:
                counts[name] = int(written or 0)
        return Metrics(**counts)
