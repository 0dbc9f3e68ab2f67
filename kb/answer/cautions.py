"""Warnings that belong to the evidence: they come along though nobody asked for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.answer.evidence import Ranked, unranked
from kb.answer.units import Unit, units
from kb.search.sections import Section, document_sections
from kb.tree.document import Parsed

# A mark or signal word that a warning begins with, as labels have them; or what limits a use, wherever it stands.
_WARNING = re.compile(
    r"^\s*(?:>\s*)?(?:[-*]\s+)?(?:\*\*)?(?:!|！|⚠|注意|警告|危险|禁忌|安全提示|warning|caution|danger|note\b)|"
    r"仅适用于|仅限于?|只能用于|除外|不包括|安全间隔期|休药期|禁止|严禁|禁用|不得|切勿|"
    r"do not\b|must not\b|never\b|only if\b|only for\b|pre-harvest interval|re-entry|withdrawal",
    re.IGNORECASE,
)
# Headings below which everything warns or limits.
_HEADING = re.compile(
    r"警告|注意|禁忌|危险|安全间隔期|休药期|适用范围|"
    r"\b(?:warnings?|cautions?|dangers?|precautions?|(?:pre-harvest|withdrawal|re-entry) (?:intervals?|periods?))\b",
    re.IGNORECASE,
)
# How many come along for each unit: of its own section the nearest, and of the rest of its document.
_NEAR = 3
_OF_DOCUMENT = 2


def warnings(chosen: Sequence[Ranked]) -> list[Ranked]:
    """Warnings for the `chosen` units, each once, none of which is among them: those of their sections that stand
    nearest, then what their documents say above them or under a heading of warnings beside them."""
    seen = {(item.found.path, item.unit.start, item.unit.text) for item in chosen}
    found: list[Ranked] = []
    for best in chosen:
        inside = [unit for unit in units(best.found.section) if is_warning(unit)]
        near = sorted(
            (item for unit in inside if _key(item := _like(best, unit)) not in seen),
            key=lambda item: abs(item.unit.start - best.unit.start),
        )[:_NEAR]
        around = [item for item in _around(best) if _key(item) not in seen]
        added = [*sorted(near, key=lambda item: item.unit.start), *around[:_OF_DOCUMENT]]
        seen |= {_key(item) for item in added}
        found += added
    return found


def said_under_warnings(parsed: Parsed) -> Iterator[Ranked]:
    """All units under headings such as «警告»."""
    for section in document_sections(parsed):
        if _is_of_warnings(section):
            yield from (unranked(parsed, section, unit) for unit in units(section))


def is_warning(unit: Unit) -> bool:
    """Whether a sentence or item warns or limits; an image's description does not."""
    return unit.kind not in ("table", "code") and "](" not in unit.text and _WARNING.search(unit.text) is not None


def _around(best: Ranked) -> Iterator[Ranked]:
    """Warnings elsewhere in the document that hold for the section of `best`: its headings' own, and sections of
    warnings beside them."""
    trail = best.found.section.trail
    for section in document_sections(best.found.document):
        if section.trail == trail or not section.trail:
            continue
        above = section.trail == trail[: len(section.trail)]
        beside = _is_of_warnings(section) and section.trail[:-1] == trail[: len(section.trail) - 1]
        if above or beside:
            for unit in units(section):
                if beside or is_warning(unit):
                    yield unranked(best.found.document, section, unit)


def _is_of_warnings(section: Section) -> bool:
    return bool(section.trail) and _HEADING.search(section.trail[-1]) is not None


def _like(best: Ranked, unit: Unit) -> Ranked:
    return Ranked(best.found, unit, {}, best.score, best.place)


def _key(item: Ranked) -> tuple[str, int, str]:
    return (item.found.path, item.unit.start, item.unit.text)
