"""What people read, in Chinese and English: messages, labels and hints, looked up by key."""

from __future__ import annotations

import os
from types import ModuleType
from typing import Literal

from kb.texts import (
    agent_en,
    agent_zh,
    contract_en,
    contract_zh,
    desktop_en,
    desktop_zh,
    device_en,
    device_zh,
    en,
    kiosk_en,
    kiosk_zh,
    ledger_en,
    ledger_zh,
    mcp_en,
    mcp_zh,
    memory_en,
    memory_zh,
    reading_en,
    reading_zh,
    recovery_en,
    recovery_zh,
    supply_en,
    supply_zh,
    system_zh,
    tui_en,
    tui_zh,
    update_en,
    update_zh,
    versions_en,
    versions_zh,
    zh,
)

Lang = Literal["en", "zh"]

# One pair of modules a room, so that a text stands near those it is read with.
_ROOMS: dict[Lang, tuple[ModuleType, ...]] = {
    "en": (
        en,
        tui_en,
        agent_en,
        versions_en,
        contract_en,
        desktop_en,
        recovery_en,
        supply_en,
        ledger_en,
        mcp_en,
        memory_en,
        reading_en,
        update_en,
        kiosk_en,
        device_en,
    ),
    "zh": (
        zh,
        tui_zh,
        agent_zh,
        versions_zh,
        contract_zh,
        desktop_zh,
        recovery_zh,
        supply_zh,
        ledger_zh,
        mcp_zh,
        memory_zh,
        reading_zh,
        update_zh,
        kiosk_zh,
        device_zh,
    ),
}
CATALOGS: dict[Lang, dict[str, str]] = {
    lang: {key: value for room in rooms for key, value in room.TEXTS.items()} for lang, rooms in _ROOMS.items()
}


def text(lang: Lang, key: str, **params: object) -> str:
    """The text of `key` in `lang`, filled with `params`.

    A `reason` that is a key of front matter is filled in too; one that the system gave is said in `lang`. Raises
    KeyError for an unknown key: a missing text is a fault of the program, not of its user.
    """
    template = CATALOGS[lang][key]
    reason = params.get("reason")
    if isinstance(reason, str):
        if reason.startswith("fm_") and reason in CATALOGS[lang]:
            params["reason"] = CATALOGS[lang][reason].format(**{"detail": "", **params})
        else:
            params["reason"] = system_reason(lang, reason)
    return template.format(**params) if params else template


def system_reason(lang: Lang, said: str) -> str:
    """What the system `said` of a failed call (`os.strerror`), in `lang`; anything else as it is."""
    if lang == "en":
        return said
    return next((words for number, words in system_zh.REASONS.items() if os.strerror(number) == said), said)


def language_of_locale(*values: str | None) -> Lang:
    """Chinese when the first set value names a Chinese locale (`zh_CN.UTF-8`), else English."""
    for value in values:
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
