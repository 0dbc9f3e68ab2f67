"""Units of documents as a person or a model reads them: rows with their columns, without marks of Markdown and HTML."""

from __future__ import annotations

import re

from kb.answer.units import cells
from kb.search.tokens import HAN

_HAN = re.compile(f"[{HAN}]")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)、])\s*\S")
# Marks for looks; other words in angle brackets are the document's own.
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|sub|sup|span|font|small|mark|kbd|p|div|center)(?:\s[^<>\n]*)?>", re.IGNORECASE
)


def readable(unit_text: str, context: str, kind: str) -> str:
    """A unit as prose for a person or a model: a table row becomes `header: cell; header: cell`, with the marks of
    its language; a nested item comes behind the items above it, a clause behind the opening of its sentence."""
    if kind in ("paragraph", "quote"):
        opening = context.rsplit("\n", 1)[-1]
        return _plain_markdown(opening + unit_text if opening.rstrip().endswith((":", "：")) else unit_text)
    if kind == "item":
        above = [line for line in context.split("\n") if _ITEM.match(line)]
        return "".join(_joined(line) for line in above) + _plain_markdown(unit_text)
    if kind != "table":
        return _plain_markdown(unit_text)
    header = cells(context.split("\n")[-1]) if context else []
    values = cells(unit_text)
    colon, semicolon = ("：", "；") if _HAN.search(context + unit_text) else (": ", "; ")
    if len(header) != len(values):
        return _plain_markdown(semicolon.join(values))
    named = (f"{name}{colon}{value}" for name, value in zip(header, values, strict=True) if value)
    return _plain_markdown(semicolon.join(named))


def _joined(line: str) -> str:
    """The line of an item above, as the beginning of a sentence."""
    text = _plain_markdown(line)
    return text if text.endswith(("：", ":")) and not text.isascii() else f"{text.rstrip(':')}: "


def _without_tags(text: str) -> str:
    """Without HTML marks for looks; a raised digit behind a digit stays apart from it (10^5 is not 105)."""
    text = re.sub(r"\s*<br\s*/?>\s*", " ", text, flags=re.IGNORECASE)
    return _TAG.sub("", re.sub(r"(?<=\d)<sup>(?=[-−\d])", "^", text, flags=re.IGNORECASE))


def _plain_markdown(text: str) -> str:
    if "<" in text:
        text = _without_tags(text)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])\*(?![\s*])([^*\n]+)(?<!\s)\*(?![\w*])", r"\1", text)  # not the `*` of a product
    return re.sub(r"^\s*(?:[-*+•]|\d{1,3}[.)、]|#{1,6}|>)\s+", "", text, flags=re.MULTILINE).strip()
