"""What people read, in Chinese and English: messages, labels and hints, looked up by key."""

from __future__ import annotations

from typing import Literal

from kb.texts import en, tui_en, tui_zh, zh

Lang = Literal["en", "zh"]

CATALOGS: dict[Lang, dict[str, str]] = {
    "en": en.TEXTS | tui_en.TEXTS,
    "zh": zh.TEXTS | tui_zh.TEXTS,
}


def text(lang: Lang, key: str, **params: object) -> str:
    """The text of `key` in `lang`, filled with `params`.

    Raises KeyError for an unknown key: a missing text is a fault of the program, not of its user.
    """
    template = CATALOGS[lang][key]
    return template.format(**params) if params else template


def language_of_locale(*values: str | None) -> Lang:
    """Chinese when the first set value names a Chinese locale (`zh_CN.UTF-8`), else English."""
    for value in values:
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
