"""Values that replace others: 单价由 2180 元调整为 2240 元, the rent rises from GBP 48,000 to GBP 52,500."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb.memory.extract.values import Measure, kind_of

_CHANGED = (
    r"(?:rises?|rose|raised|increase[sd]?|reduce[sd]?|lower(?:s|ed)|change[sd]?|amended|cuts?|falls?|fell|drops?|"
    r"dropped|revised|adjusted|grows?|grew|extended|moved)"
)
_LATIN_OLD = re.compile(rf"\s?\b(?:(?:is|are|was|were|be|been|has|have) )*{_CHANGED} from\s?$", re.IGNORECASE)
_HAN_OLD = re.compile(r"(?:由|从|将)?(?:原(?:来|先|定)?的?|原)\s?$|[由从]\s?$")
_HAN_NEW = re.compile(
    r"\s?[,，]?(?:统一)?(?:调整|提高|提升|升高|上调|上升|增加|增|升|降低|降|下调|下降|减少|减|改|变更|修改|修订|"
    r"更改|延长|缩短)(?:为|到|至|成)"
)


def split_changes(text: str, values: list[Measure]) -> Iterator[Measure]:
    """`values` with what looks like a range, but is an old value and a new one, as two."""
    for value in values:
        two = re.fullmatch(r"(?P<old>.*\S)\s+to\s+(?P<new>.*\S)", value.text)
        if two is None or not _LATIN_OLD.search(text[: value.start]):
            yield value
            continue
        unit = value.unit
        same = unit if kind_of(unit) and unit not in two["old"] else ""
        old = f"{two['old']} {same}".strip()
        yield replace(value, end=value.start + two.end("old"), text=old)
        yield replace(value, start=value.start + two.start("new"), text=two["new"])


def is_old(text: str, value: Measure) -> bool:
    """Whether a value is the one that another takes the place of."""
    before = text[: value.start]
    if _LATIN_OLD.search(before):
        return True
    return _HAN_OLD.search(before) is not None and _HAN_NEW.match(text[value.end :]) is not None


def without_change(lead: str) -> str:
    """The words that lead to an old value without those of the change."""
    return _HAN_OLD.sub("", _LATIN_OLD.sub("", lead))
