"""A new card's file: every field in its order, with a word on what belongs there."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kb import fsio
from kb.errors import KnowledgeError
from kb.supply.card import CONCLUSION_CHARACTERS, VALID_DAYS, CardStatus, CardType, Confidence, Layer
from kb.supply.schema import ID_CHARACTERS, ID_PATTERN
from kb.supply.store import FOLDER
from kb.supply.store_edit import written
from kb.texts import Lang, text

AREA = re.compile(r"\w[\w-]{0,60}")
"""A folder below `cards/`."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of a card that is being written; empty where nothing is."""

    id: str
    type: CardType = CardType.PITFALL
    title: str = ""
    confidence: Confidence = Confidence.LOW
    scene: Sequence[str] = ()
    repos: Sequence[str] = ()
    signals: Sequence[str] = ()
    conclusion: str = ""
    do: Sequence[str] = ()
    dont: Sequence[str] = ()
    source: str = ""
    incident: str = ""
    links: Sequence[str] = ()
    owner: str = ""
    layer: Layer = Layer.SCENARIO
    comments: Sequence[str] = ()

    def render(self, today: datetime.date, lang: Lang) -> str:
        """The file's text: status draft, valid VALID_DAYS days from `today`, `comments` at its top."""

        def many(name: str, items: Sequence[str], indent: str = "") -> list[str]:
            if not items:
                return [f"{indent}{name}: []"]
            return [f"{indent}{name}:", *(f"{indent}  - {written(item)}" for item in items)]

        def one(name: str, value: str) -> str:
            return f"{name}: {written(value)}" if value else f"{name}:"

        until = today + datetime.timedelta(days=VALID_DAYS)
        hint = text(lang, "card_template_conclusion", limit=CONCLUSION_CHARACTERS)
        lines = [
            *(f"# {line}" for comment in self.comments for line in comment.splitlines() if line.isprintable()),
            one("id", self.id),
            f"type: {self.type}   # {' | '.join(CardType)}",
            one("title", self.title),
            f"status: {CardStatus.DRAFT}   # {' | '.join(CardStatus)}",
            f"confidence: {self.confidence}   # {' | '.join(Confidence)}",
            "applicable:",
            f"  # {text(lang, 'card_template_scene')}",
            *many("scene", self.scene, "  "),
            f"  # {text(lang, 'card_template_repos')}",
            *many("repos", self.repos, "  "),
            *many("signals", self.signals, "  "),
            f"# {hint}",
            one("conclusion", self.conclusion),
            *many("do", self.do),
            *many("dont", self.dont),
            "evidence:",
            "  " + one("source", self.source),
            "  " + one("incident", self.incident),
            f"  # {text(lang, 'card_template_links')}",
            *many("links", self.links, "  "),
            one("owner", self.owner),
            f"created_at: {today}",
            f"valid_until: {until}",
            f"layer: {self.layer}   # {' | '.join(Layer)}",
            "metrics: {injected: 0, adopted: 0, liked: 0}",
        ]
        return "\n".join(lines) + "\n"


def card_path(area: str, name: str) -> str:
    """`cards/<area>/<name>.yaml`; KnowledgeError when the two cannot be a folder and a card's name."""
    if not AREA.fullmatch(area):
        raise KnowledgeError("card_bad_area", area=area[:100])
    if not ID_PATTERN.fullmatch(name) or len(name) > ID_CHARACTERS:
        raise KnowledgeError("card_bad_name", value=name[:100], limit=ID_CHARACTERS)
    return f"{FOLDER}/{area}/{name}.yaml"


def write_new(root: Path, path: str, draft: Draft, today: datetime.date, lang: Lang) -> Path:
    """Write the file of a card that is not there yet; KnowledgeError when it is, or lies outside through a link."""
    target = root / path
    if not target.parent.resolve().is_relative_to(root.resolve()):
        raise KnowledgeError("path_outside", path=path)
    if target.exists() or target.is_symlink():
        raise KnowledgeError("card_exists", path=path)
    fsio.write_text(target, draft.render(today, lang))
    return target
