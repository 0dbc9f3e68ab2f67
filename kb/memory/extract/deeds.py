"""Values that are told by what is then done: every 500 hours, within 7 days, once 2 mm are reached."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.memory.extract.constraints import Limit
from kb.memory.extract.fronts import front_of
from kb.memory.extract.leads import HAN_HEAD, bare, is_attribute, is_thin, joined, lead_of
from kb.memory.extract.mentions import HAN, KnownNames
from kb.memory.extract.statement import LONGEST_NAME, Statement
from kb.memory.extract.values import Measure, is_unit, measures

_EACH = re.compile(rf"每[隔满]?(?P<by>[{HAN}]{{0,2}})$")
_ONCE = re.compile(r"[一1]\s?[次遍回]")
_COMPARISON = re.compile(r"\s?(?:低于|高于|超过|小于|大于|达到?|不足|少于|多于|处于|[≥≤<>]|在|为)?\s?$")
_TIME_LEAD = re.compile(r"(?:[后前起内自从满]|达到?)\s?$")
_ALTERNATIVE = re.compile(r"(?:or|and|but)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,，;；。:：]|\band (?=shall|must|should|may|is|are|has)")
_CONJUNCTION = re.compile(
    r"^(?:if|when|whenever|while|until|once|where|unless|as long as|provided that|in case)\b\s?(?:of )?", re.IGNORECASE
)
_LONGEST_EACH = 14


def each_of(lead: str, follow: str, known: KnownNames) -> tuple[str, str] | None:
    """Name and subject of 液压油应每 500 小时更换一次: what is done each time names the value.

    None where `lead` does not end with 每 or a deed that is counted (每打 500 捆), or nothing is done.
    """
    each = _EACH.search(lead)
    if each is None or (each["by"] and is_unit(each["by"])):
        return None
    name = re.split(r"\d", _ONCE.sub("", follow))[0].strip()
    before, about = lead_of(HAN_HEAD.sub("", lead[: each.start()]), known)
    if not name or len(name) > _LONGEST_EACH:
        return (before, about) if not each["by"] else None
    return name, about or ("" if is_attribute(before) or len(before) > 10 else before)


def with_deed(text: str, value: Measure, name: str, lead: str) -> str:
    """A stretch of time with what is done in it or after it: 签订后 7 日内，甲方支付; 累计运行 250 小时应更换润滑油."""
    if value.kind != "time" or not re.search(rf"[{HAN}]", name):
        return name
    rest = text[value.end :]
    within = _TIME_LEAD.search(lead.rstrip()) or text[value.start : value.end].endswith("内")
    if not within and not re.match(r"\s?(?:之?后|[应须需要可]|必须|方可)", rest):
        return name
    found = re.match(
        r"\s?(?:之?[内后]|以内)?[,，]?\s?(?:必须|方可|应当|[应须需要可])?(?P<deed>[^,，、。;；:：.!?\d]{2,14})", rest
    )
    deed = found["deed"].strip() if found else ""
    return name if deed in name else f"{name}{deed}"


def thresholds(
    text: str, conditions: tuple[Limit, ...], taken: list[tuple[int, int]], stated: list[Statement]
) -> Iterator[Statement]:
    """Quantities that stand in a condition: 压差达到 0.05 MPa 时反冲洗. What is then done names the value.

    Beside another value a condition goes with that one; its own quantity is told only where the condition names what is
    compared (blot with paper if the wind chill is below -10 °C). What lies in the `taken` spans (dates, names) is no
    quantity.
    """
    for limit in conditions:
        free = [(first - limit.start, last - limit.start) for first, last in taken if last > limit.start]
        inside = [item for item in measures(text[limit.start : limit.end], free) if item.kind]
        follow = text[limit.end :].lstrip(" ,，")
        deed = "" if _ALTERNATIVE.match(follow) else re.split("[,，;；。]", follow)[0]
        lead = _CLAUSE_END.split(text[: limit.start])[-1]
        clause = range(limit.start - len(lead), len(text) - len(follow) + len(deed))
        shared = any(item.start in clause for item in stated)
        lead = lead.strip()
        if not re.search(r"\w{2}", deed):
            deed, lead = lead, ""
        deed = bare(deed.strip(" ."))
        done = HAN_HEAD.sub("", deed) or deed
        for value in inside:
            compared = _compared(text[limit.start : limit.start + value.start], lead)
            if shared and is_thin(compared):
                continue
            name = _done_with(compared, done, shared)
            start, end = limit.start + value.start, limit.start + value.end
            beside = () if text[start:end].strip() == text[limit.start : limit.end].strip() else (limit,)
            if len(name) >= 2:
                yield Statement(
                    "", name[:LONGEST_NAME], text[start:end].strip(), value.unit, value.kind, start, end, beside,
                    threshold=True, loose=shared,
                )  # fmt: skip


def _compared(words: str, lead: str) -> str:
    """What a condition compares, from its words before the quantity, or those before the condition."""
    if re.search(rf"[{HAN}]", words + lead):
        front = HAN_HEAD.sub("", lead or _COMPARISON.sub("", re.split("[、或]", words)[-1]))
        return front if re.fullmatch(rf"[{HAN}]{{1,14}}", front) else ""
    return front_of(_CONJUNCTION.sub("", words))


def _done_with(compared: str, done: str, shared: bool) -> str:
    """The name of a threshold: what is compared, and what is then done."""
    return joined(compared, done) if shared or re.search(rf"[{HAN}]", compared + done) else done
