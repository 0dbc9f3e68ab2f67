"""What a sentence states: of what (subject), what about it (name), and the value, with the conditions beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb.memory.extract.candidates import candidates
from kb.memory.extract.constraints import Limit
from kb.memory.extract.dates import DateFound
from kb.memory.extract.deeds import thresholds
from kb.memory.extract.leads import joined
from kb.memory.extract.mentions import HAN, KnownNames
from kb.memory.extract.naming import stated
from kb.memory.extract.statement import LONGEST_NAME, LONGEST_VALUE, Statement
from kb.memory.extract.values import measures
from kb.memory.extract.worded import defined, plain_values

_BRACKET_LABEL = re.compile(r"^【(?P<key>[^】\n]{1,20})】[:：]?\s*(?P<value>\S.*)$")
_KEY_VALUE = re.compile(r"^(?P<key>[^:：,，。;；!?=\n]{1,40}?)\s*(?:[:：]|\s=\s)\s*(?P<value>\S.*)$")
_LONGEST_LABEL = 30
_NO_LABEL = re.compile(
    r"(?:主要|技术|基本|规格)*(?:参数|规格|要求|指标|性能|内容|数据)|(?:technical )?(?:data|specifications?|ratings?|"
    r"parameters?|requirements?)",
    re.IGNORECASE,
)
# What ends like a sentence before its colon is no label: 会议听取了…的汇报：
_CLAUSE = re.compile(r"了|(?:如下|以下|决定|表示|指出|认为|要求|强调|汇报|报告)$")
_NO_KEY = re.compile(
    r"^(?:注意?|提示|警告|说明|备注|例如?|示例|比如|note|warning|caution|example|e\.g\.|tip|important|https?|ftp)$",
    re.IGNORECASE,
)


def statements(
    text: str, limits: list[Limit], dates: list[DateFound], known: KnownNames, heading: str = ""
) -> list[Statement]:
    """What a sentence (half width) states. `heading` names what a value without words beside it is about."""
    conditions = tuple(limit for limit in limits if limit.condition)
    busy = [(date.start, date.end) for date in dates] + _coded(text, known)
    found = list(_key_value(text, conditions, dates, known))
    if found:
        for item in thresholds(text, conditions, busy, found[1:]):
            found.append(replace(item, name=_labelled(found[0].name, item.name)))
        return found
    found += defined(text)
    found += _measured(text, 0, len(text), conditions, dates, known, heading, "")
    found += thresholds(text, conditions, busy, found)
    taken = [(item.start, item.end) for item in found]
    for item in plain_values(text, conditions):
        if not any(item.start < end and item.end > start for start, end in taken):
            found.append(item)
    return found


def _coded(text: str, known: KnownNames) -> list[tuple[int, int]]:
    """Where known names with digits in them stand: those are no quantities."""
    return [(start, end) for start, end, _ in known.find(text) if any(map(str.isdigit, text[start:end]))]


def _key_value(
    text: str, conditions: tuple[Limit, ...], dates: list[DateFound], known: KnownNames
) -> Iterator[Statement]:
    match = _BRACKET_LABEL.match(text) or _KEY_VALUE.match(text)
    if match is None or re.search(r"\d\s?[:：]\d", text[match.end("key") - 1 : match.start("value") + 1]):
        return
    key, value = match["key"].strip(" \"“”'*"), match["value"].rstrip("。.;；,， ")
    if not re.search(rf"[{HAN}A-Za-z]", key) or _NO_KEY.match(key) or not value or value.startswith("//"):
        return
    if len(key.split()) > 7 or any(limit.start < match.end("key") for limit in conditions):
        return
    start = match.start("value")
    end = start + len(value)
    if _CLAUSE.search(key):
        yield from _measured(text, start, end, conditions, dates, known, "", "")
        return
    # 粮温传感器 below the heading 传感器 is a thing of its own.
    subjects = [
        (first, last, name) for first, last, name in known.find(key)
        if not (first and last == len(key) and re.match(f"[{HAN}]", key[first - 1]))
    ]  # fmt: skip
    subject = subjects[0][2] if subjects else ""
    name = key
    if subjects:
        first, last, _ = subjects[0]
        rest = (key[:first] + key[last:]).strip(" 的'’s-—")
        rest = re.sub(r"^(?:的|型|of )|(?: of| for)(?: the)?$", "", rest).strip()
        name = rest or key
    values = measures(text[start:end], [(date.start - start, date.end - start) for date in dates if date.end > start])
    beside = tuple(limit for limit in conditions if limit.start >= start)
    single = len(values) == 1 and values[0].end - values[0].start >= len(value) - 3
    unit, kind = (values[0].unit, values[0].kind or "text") if single else ("", "text")
    yield Statement(subject, name[:LONGEST_NAME], value[:LONGEST_VALUE], unit, kind, start, end, beside)
    if not single and values and (len(value) > 12 or len(values) > 1):
        for item in _measured(text, start, end, conditions, dates, known, key, subject):
            yield item if item.subject and item.subject != subject else replace(item, name=_labelled(name, item.name))


def _labelled(label: str, name: str) -> str:
    """What a value is called below a label: 碱洗：水温 75 ℃; Valve clearance: inlet 0.3 mm."""
    if name.lower().startswith(label.lower()) or _NO_LABEL.fullmatch(label) or len(label) > _LONGEST_LABEL:
        return name
    return joined(label, name)[:LONGEST_NAME]


def _measured(
    text: str,
    first: int,
    last: int,
    conditions: tuple[Limit, ...],
    dates: list[DateFound],
    known: KnownNames,
    heading: str,
    subject: str,
) -> Iterator[Statement]:
    """Quantities between `first` and `last`, each with the words that lead to it."""
    blocked = [(date.start, date.end) for date in dates] + _coded(text, known)
    return stated(text, first, candidates(text, first, last, conditions, blocked), known, heading, subject)
