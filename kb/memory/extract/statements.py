"""What a sentence states: of what (subject), what about it (name), and the value, with the conditions beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.memory.extract.carrying import Before, Place, carried
from kb.memory.extract.constraints import Limit
from kb.memory.extract.dates import DateFound
from kb.memory.extract.leads import HAN_HEAD, bare, completed, each_of, lead_of
from kb.memory.extract.mentions import HAN, KnownNames
from kb.memory.extract.values import Measure, measures

_KEY_VALUE = re.compile(r"^(?P<key>[^:：,，。;；!?=\n]{1,40}?)\s*(?:[:：]|\s=\s)\s*(?P<value>\S.*)$")
_MARKS = ",，;；。:：!?"
_LONGEST_NAME = 40
_LONGEST_VALUE = 300
_PLAIN_VALUE = re.compile(
    rf"^(?P<subject>[{HAN}A-Za-z0-9/ -]{{2,24}}?)的(?P<attr>[{HAN}A-Za-z]{{2,12}}?)(?:应?为|是|采用|选用|"
    rf"属于)(?P<value>[^,，。;；:：]{{1,60}})"
)
_NAMED_KIND = re.compile(
    rf"(?P<attr>[{HAN}]{{0,8}}(?:防护等级|绝缘等级|等级|方式|类型|材质|材料|颜色|语言|地点|地址|协议|介质|品牌|形式|"
    r"工艺|燃料|接口|账号|方法|标准))"
    r"(?:应?为|是|采用|选用|按照?|执行)(?P<value>[^,，。;；:：]{1,50})"
)
_LATIN_PLAIN = re.compile(
    r"^(?:the )(?P<attr>[a-z][\w /-]{2,40}?) of (?P<subject>[\w /.-]{2,50}?) (?:is|are|shall be|must be) "
    r"(?P<value>[^;]{2,100}?)[.]?$",
    re.IGNORECASE,
)
_LATIN_KIND = re.compile(
    r"^(?:the )?(?P<attr>[\w -]{0,30}?(?:material|colou?r|language|location|address|class|type|protocol|fuel|"
    r"currency|interface|medium|law|venue|grade|standard)) "
    r"(?:is|are|shall be|must be) (?P<value>[^;]{2,100}?)[.]?$",
    re.IGNORECASE,
)
_DEFINED = re.compile(
    rf"^[“\"「]?(?P<name>[{HAN}A-Za-z0-9 /-]{{2,24}}?)[”\"」]?(?:,?(?:本(?:合同|协议|规范|标准|文件)(?:中|"
    rf"所称)?)?)(?:是指|系指|指的是|,?指|定义为)(?!定|出|导|示|标|数|挥|派|南)(?P<value>.{{4,}})$"
)
_LATIN_DEFINED = re.compile(
    r"^[“\"]?(?P<name>[A-Z][\w /-]{1,40}?)[”\"]? (?:means|shall mean|refers to|is defined as) (?P<value>.{4,})$"
)
_CODE_VALUE = re.compile(
    r"(?<![A-Za-z])IP[X\d]\d[A-Z]?(?![A-Za-z0-9])|(?<![\w])(?:class|grade|level) [A-HIV\d]{1,3}\b|"
    r"[一二三四五ⅠⅡⅢⅣ]级(?=[,，。;；]|$)",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"^(?:注意?|提示|警告|说明|备注|例如?|示例|比如|note|warning|caution|example|e\.g\.|tip|important|https?|ftp)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """`start` to `end` is the value's place in the sentence; `subject` is a name, '' when the sentence gives none.

    `kind` is the kind of quantity, 'text' for words, 'definition' for a definition. `conditions` are limits beside it.
    A `threshold` is the value that a condition itself names.
    """

    subject: str
    name: str
    value: str
    unit: str
    kind: str
    start: int
    end: int
    conditions: tuple[Limit, ...] = ()
    threshold: bool = False


def statements(
    text: str, limits: list[Limit], dates: list[DateFound], known: KnownNames, heading: str = ""
) -> list[Statement]:
    """What a sentence (half width) states. `heading` names what a value without words beside it is about."""
    conditions = tuple(limit for limit in limits if limit.condition)
    found = list(_key_value(text, conditions, dates, known))
    if found:
        return found
    found += _defined(text)
    found += _measured(text, 0, len(text), conditions, dates, known, heading, "")
    found += _thresholds(text, conditions, found)
    taken = [(item.start, item.end) for item in found]
    for item in _plain(text, conditions):
        if not any(item.start < end and item.end > start for start, end in taken):
            found.append(item)
    return found


def _key_value(
    text: str, conditions: tuple[Limit, ...], dates: list[DateFound], known: KnownNames
) -> Iterator[Statement]:
    match = _KEY_VALUE.match(text)
    if match is None or re.search(r"\d\s?[:：]\d", text[match.end("key") - 1 : match.start("value") + 1]):
        return
    key, value = match["key"].strip(" \"“”'*"), match["value"].rstrip("。.;；,， ")
    if not re.search(rf"[{HAN}A-Za-z]", key) or _NO_KEY.match(key) or not value or value.startswith("//"):
        return
    if len(key.split()) > 7 or any(limit.start < match.end("key") for limit in conditions):
        return
    start = match.start("value")
    end = start + len(value)
    subjects = [(first, last, name) for first, last, name in known.find(key)]
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
    yield Statement(subject, name[:_LONGEST_NAME], value[:_LONGEST_VALUE], unit, kind, start, end, beside)
    if not single and values and (len(value) > 16 or len(values) > 1):
        yield from _measured(text, start, end, conditions, dates, known, key, subject)


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
    blocked = [(limit.start, limit.end) for limit in conditions] + [(date.start, date.end) for date in dates]
    blocked += [(start, end) for start, end, _ in known.find(text) if any(map(str.isdigit, text[start:end]))]
    values = [item for item in measures(text, blocked) if item.start >= first and item.end <= last]
    codes = [Measure(m.start(), m.end(), m[0], "", "code") for m in _CODE_VALUE.finditer(text, first, last)]
    before_end = first
    last_name, last_subject, thing = heading, subject, ""
    for value in sorted([*values, *codes], key=lambda item: item.start):
        begin = max(before_end, *(text.rfind(mark, first, value.start) + 1 for mark in _MARKS))
        lead = _without(text, begin, value.start, conditions)
        ends = [place for mark in _MARKS if (place := text.find(mark, value.end, last)) >= 0]
        ends += [limit.start for limit in conditions if limit.start >= value.end]
        follow = text[value.end : min(ends, default=last)].strip(" .")
        before_end = value.end
        ratio = re.fullmatch(r"\d+\s?[:：]\s?\d+", value.text)
        if not value.kind and not ratio and not _states_bare(lead, follow):
            continue
        named, about = each_of(lead, follow, known) if lead.endswith("每") else lead_of(lead, known)
        named = named if lead.endswith("每") else completed(named, follow)
        if re.fullmatch(r"[(（\s]*(?:即|合|约|或|折合|相当于)?", lead) and begin and text[begin - 1] not in _MARKS[:-1]:
            named = last_name  # 50 cm (20 in): the same once more
        about = "" if about.lower() in ("it", "they") else about
        here = Place(text, first, begin, value.start)
        named, thing, own = carried(named, here, lead, follow, Before(last_name, thing, bool(about)))
        name = _with_deed(text, value, named or last_name, text[begin : value.start])
        if not name:
            continue
        owner = about or ("" if own and not any(map(str.isdigit, last_subject)) else last_subject)
        if about:
            # 供应 HG-120 四台，总价…: what ends one clause is not what the next one is about.
            last_subject = about if _leads(lead, known) else ""
        last_name = named or last_name
        yield Statement(
            owner,
            name[:_LONGEST_NAME],
            text[value.start : value.end].strip(),
            value.unit,
            value.kind or "number",
            value.start,
            value.end,
            _beside(text, value, conditions),
        )


def _thresholds(text: str, conditions: tuple[Limit, ...], stated: list[Statement]) -> Iterator[Statement]:
    """Quantities that stand in a condition alone: 压差达到 0.05 MPa 时反冲洗. What is then done names the value.

    A condition beside another value goes with that one.
    """
    for limit in conditions:
        inside = measures(text[limit.start : limit.end])
        follow = text[limit.end :].lstrip(" ,，")
        deed = re.split("[,，;；。]", follow)[0]
        lead = re.split("[,，;；。]", text[: limit.start])[-1]
        clause = range(limit.start - len(lead), len(text) - len(follow) + len(deed))
        if len(inside) != 1 or not inside[0].kind or any(item.start in clause for item in stated):
            continue
        lead = lead.strip()
        if not re.search(r"\w{2}", deed):
            deed, lead = lead, ""
        deed = bare(deed.strip(" ."))
        name = HAN_HEAD.sub("", deed) or deed
        name = f"{HAN_HEAD.sub('', lead)}{name}" if re.search(rf"[{HAN}]", lead) else name
        start, end = limit.start + inside[0].start, limit.start + inside[0].end
        beside = () if text[start:end].strip() == text[limit.start : limit.end].strip() else (limit,)
        if len(name) >= 2:
            yield Statement(
                "", name[:_LONGEST_NAME], text[start:end].strip(), inside[0].unit, inside[0].kind, start, end, beside,
                threshold=True,
            )  # fmt: skip


def _leads(lead: str, known: KnownNames) -> bool:
    """Whether the words before a value begin with the name they are about."""
    names = known.find(lead)
    return not names or names[-1][0] <= 4


def _with_deed(text: str, value: Measure, name: str, lead: str) -> str:
    """A stretch of time with what is done in it or after it: 签订后 7 日内，甲方支付; 累计运行 250 小时应更换润滑油."""
    if value.kind != "time" or not re.search(rf"[{HAN}]", name):
        return name
    rest = text[value.end :]
    before = re.search(r"(?:[后前起内自从])\s?$", lead.rstrip())
    if not before and not re.match(r"\s?(?:之?后|[应须需要可]|必须|方可)", rest):
        return name
    found = re.match(
        r"\s?(?:之?[内后]|以内)?[,，]?\s?(?:必须|方可|应当|[应须需要可])?(?P<deed>[^,，。;；:：.!?\d]{2,"
        r"14})",
        rest,
    )
    deed = found["deed"].strip() if found else ""
    return name if deed in name else f"{name}{deed}"


def _states_bare(lead: str, follow: str) -> bool:
    """Whether a number without a unit is a value: the words before it say so (pH 6.5, 数量为 3, ratio of 1:500)."""
    return re.search(
        r"(?:[为是达]|[:：=]|等于|pH(?:\s?值)?|数量|编号|系数|比例?|总数|is|are|was|were|of|equals|ratio|to|score|index)\s?$",
        lead,
        re.IGNORECASE,
    ) is not None and not re.match(r"(?!per )[A-Za-z]", follow)


def _without(text: str, first: int, last: int, conditions: tuple[Limit, ...]) -> str:
    """The text from `first` to `last` without the conditions in it."""
    kept = []
    for place in range(first, last):
        if not any(limit.start <= place < limit.end for limit in conditions):
            kept.append(text[place])
    return "".join(kept).strip(" ,，")


def _beside(text: str, value: Measure, conditions: tuple[Limit, ...]) -> tuple[Limit, ...]:
    """The conditions that belong to a value: those before it, and those behind it up to a semicolon."""
    stop = min((place for mark in ";；。" if (place := text.find(mark, value.end)) >= 0), default=len(text))
    begin = max(text.rfind(mark, 0, value.start) for mark in ";；。")
    return tuple(limit for limit in conditions if begin < limit.start < stop)


def _defined(text: str) -> Iterator[Statement]:
    match = _DEFINED.match(text) or _LATIN_DEFINED.match(text)
    if match:
        value = match["value"].rstrip("。. ")
        start = match.start("value")
        yield Statement(
            match["name"].strip(), "definition", value[:_LONGEST_VALUE], "", "definition", start, start + len(value)
        )


def _plain(text: str, conditions: tuple[Limit, ...]) -> Iterator[Statement]:
    """Values that are words: the material of the casing is cast iron, 防护等级为 IP65."""
    for pattern in (_PLAIN_VALUE, _NAMED_KIND, _LATIN_PLAIN, _LATIN_KIND):
        for match in pattern.finditer(text):
            value = match["value"].strip(" .")
            subject = match["subject"].strip() if "subject" in pattern.groupindex else ""
            name = HAN_HEAD.sub("", match["attr"]).strip() or match["attr"]
            if (
                len(value) < 1
                or re.match(r"[不否]", value)
                or re.match(r"(?:not|required|recommended|allowed|important|necessary)\b", value)
            ):
                continue
            yield Statement(
                bare(subject),
                bare(name),
                value,
                "",
                "text",
                match.start("value"),
                match.start("value") + len(match["value"]),
                conditions,
            )
            return
