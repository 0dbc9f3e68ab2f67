"""The text that a new document begins with, from Almanac or from Obsidian's own templates."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError
from kb.tree.walk import TEMPLATES

OBSIDIAN_FILE = f"{TEMPLATES}/knowledge.md"

_FRONT_MATTER = """\
---
title: {title}
version: {version}
author: {author}
date_created: {day}
date_updated: {day}
source:
valid_from: {day}
valid_to:
tags: {tags}
keywords: []
references: []
status: draft
owner: {author}
reviewer:
affected_agents: []
type: {type}
---
"""
_BODIES = {
    "zh": "# {title}\n\n一句话说明：本文回答什么问题，适用于什么对象。\n\n"
    "## 要点\n\n- 每条只写一个事实，数字带单位。\n",
    "en": "# {title}\n\nIn one sentence: which question this answers, and for what.\n\n## Facts\n\n"
    "- One fact a line, numbers with their unit.\n",
}


@dataclass(frozen=True, slots=True)
class NewDocument:
    """What is known of a document before it is written; `lang` is zh or en."""

    title: str
    version: str
    lang: str
    tags: Sequence[str] = field(default=())
    author: str = ""
    type: str = "guide"


def text_of(new: NewDocument, day: datetime.date) -> str:
    """The document's first text: front matter that keeps the contract, and a body to be written over."""
    head = _FRONT_MATTER.format(
        title=_scalar(new.title),
        version=new.version,
        author=_scalar(new.author) if new.author else "",
        day=day.isoformat(),
        tags="[" + ", ".join(_scalar(tag, listed=True) for tag in new.tags) + "]",
        type=new.type,
    )
    lines = (line.rstrip() for line in head.split("\n"))
    return "\n".join(lines) + "\n" + _BODIES[new.lang].format(title=new.title)


def obsidian_template(lang: str) -> str:
    """A file for Obsidian's core plug-in «Templates», which fills in title and date."""
    today = '"{{date:YYYY-MM-DD}}"'
    head = _FRONT_MATTER.format(
        title='"{{title}}"', version='"{{date:YYYY}}_v1"', author="", day=today, tags="[]", type="guide"
    )
    lines = (line.rstrip() for line in head.split("\n"))
    return "\n".join(lines) + "\n" + _BODIES[lang].format(title="{{title}}")


def _scalar(value: str, *, listed: bool = False) -> str:
    """`value` as YAML writes it, as a field or as an item of a list: plain where that reads back the same."""
    line, wanted = (f"x: [{value}]", [value]) if listed else (f"x: {value}", value)
    try:
        plain = frontmatter.parse(f"{line}\n") == {"x": wanted}
    except FrontMatterError:
        plain = False
    return value if plain else json.dumps(value, ensure_ascii=False)
