"""What a sentence states: of what (subject), what about it (name), and the value, with the conditions beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.memory.extract.constraints import Limit
from kb.memory.extract.dates import DateFound
from kb.memory.extract.mentions import HAN, KnownNames
from kb.memory.extract.values import Measure, measures

_KEY_VALUE = re.compile(r"^(?P<key>[^:：,，。;；!?=\n]{1,40}?)\s*(?:[:：]|\s=\s)\s*(?P<value>\S.*)$")
_MARKS = ",，;；。:：!?"
_LONGEST_NAME = 40
_LONGEST_VALUE = 300
# What ends in one of these is said of a thing, it is not the thing.
_ATTRIBUTE_END = re.compile(
    "(?:[量率度力压流值数期价额款金费距深长宽高重径厚速温湿比点限龄幅寿命法角距程位能]|时间|周期|间隔|等级|尺寸|范围|"
    "标准|条件|要求|方式|地点|日期|年限|次数|"
    "年份|型号|规格|材质|容量|功率|电压|电流|频率|重量|质量|面积|体积|密度|噪声|噪音|寿命|性能|强度|硬度|精度|误差|"
    "余量|用量|比例|占比|成本|预算|收入|产量|工期|质保期|保修期|预热)$"
)
_LATIN_ATTRIBUTE_END = re.compile(
    r"(?:power|voltage|current|frequency|weight|mass|length|width|height|depth|diameter|thickness|size|dimensions?|"
    r"capacity|volume|speed|"
    r"flow|rate|pressure|temperature|humidity|time|interval|period|duration|life|lifetime|age|distance|spacing|range|"
    r"level|number|quantity|"
    r"amount|price|cost|fee|charge|payment|budget|term|warranty|date|deadline|efficiency|accuracy|noise|torque|force|"
    r"load|density|concentration|dose|"
    r"dosage|ratio|percentage|share|content|yield|area|limit|threshold|tolerance|setpoint|setting|rating|consumption|"
    r"output|input|clearance|gap|"
    r"torque|displacement|resistance|altitude|radius|angle|value|minimum|maximum|total|sum|amount|penalty|discount|"
    r"deposit|notice|stock|head|lift)$",
    re.IGNORECASE,
)
_HAN_TAIL = re.compile(
    r"(?:应当|必须|可以|一般|通常|控制在|保持在|保持|维持在|设定为|设置为|设定在|调整?[至到为]|达到|等于|不得|不应|"
    r"合计|共计?|总计|约为|大约|左右|"
    r"应为|应在|应|须|需要|需|宜|可|能|会|将|为|是|达|约|有|在|于|按|至|到|从|各|了|以|用|含|其|的|则|并|且|即|也|均|"
    r"都|已|由|和|与|及|"
    r"人民币|[:：=≈、\s(（“”\"])+$"
)
_HAN_HEAD = re.compile(
    r"^(?:(?:其中|其|该|本|此|则|并|且|并且|同时|但|而|和|与|及|以及|另外|此外|然后|再|先|后|请|应当|应|须|必须|"
    r"需要?|要|可|每次|对于?|将|把|由|经|于|在|所有|全部|各)[,，]?\s?)+"
)
_NEXT_STEP = re.compile(
    rf"^(?P<np>[{HAN}A-Za-z0-9-]{{2,12}}?)(?P<verb>应当|应|须|必须|需要|需|可|宜|不得|至少|每(?!亩|公顷|株|头|只|吨|"
    r"升|台|人|次)|为(?!了)|是|在|不低于|不高于)(?P<rest>.*)$"
)
_LATIN_TAIL = re.compile(
    r"(?:^|\s)(?:is|are|was|were|be|been|must|shall|should|may|can|will|of|for|to|at|by|in|from|with|the|a|an|than|"
    r"equals?|set|kept?|"
    r"approximately|about|has|have|had|not|exceed|between|every|within|and|or|up|least|most|only|it|its|as|on|after|"
    r"maintained|limited|reach(?:es)?|rises?|falls?|drops?|runs?|lasts?|stands|amounts?|totals?|below|above|under|"
    r"over|than|another|each|per|"
    r"approx\.?|ca\.|min\.?|max\.?|no|less|more|:|=|\()$",
    re.IGNORECASE,
)
_OF = re.compile(
    r"^(?:the |a |an )?(?P<attr>[A-Za-z][\w /-]{1,40}?) (?:of|for|in) (?P<subject>(?:the |this |an? |each |every "
    r")?[\w' /.-]{2,60})$",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"^(?:the )?(?P<subject>[\w /.-]{2,40})['’]s (?P<attr>[\w /-]{2,40})$", re.IGNORECASE)
_LATIN_NEXT = re.compile(
    r"^(?P<np>(?:[\w/-]+ ){0,4}?[\w/-]+) (?P<verb>must|shall|should|may|can|will|is|are|was|has|have|had|requires?|"
    r"needs?|weighs?|runs?|holds?|delivers?|"
    r"provides?|consumes?|operates?|lasts?|uses?|produces?|measures?|carries|covers?|costs?|contains?|offers?|"
    r"supports?)(?: (?P<rest>.*))?$",
    re.IGNORECASE,
)
_ARTICLES = re.compile(
    r"^(?:the|a|an|this|that|its|their|our|each|every|any|all|and|or|but|then|also|please|with|at|for|of|in|to|on|by|"
    r"from|only|not|be)\s+",
    re.IGNORECASE,
)
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
    r"(?P<value>[^,;]{2,80}?)[.]?$",
    re.IGNORECASE,
)
_LATIN_KIND = re.compile(
    r"^(?:the )?(?P<attr>[\w -]{0,30}?(?:material|colou?r|language|location|address|class|type|protocol|fuel|"
    r"currency|interface|medium|law|venue|grade|standard)) "
    r"(?:is|are|shall be|must be) (?P<value>[^,;]{2,80}?)[.]?$",
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
    """

    subject: str
    name: str
    value: str
    unit: str
    kind: str
    start: int
    end: int
    conditions: tuple[Limit, ...] = ()


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
    taken = [(item.start, item.end) for item in found]
    for item in _plain(text, conditions):
        if not any(item.start < end and item.end > start for start, end in taken):
            found.append(item)
    return found


def _key_value(
    text: str, conditions: tuple[Limit, ...], dates: list[DateFound], known: KnownNames
) -> Iterator[Statement]:
    match = _KEY_VALUE.match(text)
    if match is None or (re.search(r"\d$", match["key"]) and re.match(r"\d\d\b", match["value"])):
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
    last_name, last_subject = heading, subject
    for value in sorted([*values, *codes], key=lambda item: item.start):
        begin = max(before_end, *(text.rfind(mark, first, value.start) + 1 for mark in _MARKS))
        lead = _without(text, begin, value.start, conditions)
        ends = [place for mark in _MARKS if (place := text.find(mark, value.end, last)) >= 0]
        ends += [limit.start for limit in conditions if limit.start >= value.end]
        follow = text[value.end : min(ends, default=last)].strip(" .")
        before_end = value.end
        if not value.kind and not _states_bare(lead, follow):
            continue
        named, about = _each(lead, follow, known) if lead.endswith("每") else _lead(lead, known)
        named = named if lead.endswith("每") else _completed(named, follow)
        if re.fullmatch(r"[(（\s]*(?:即|合|约|或|折合|相当于)?", lead) and begin and text[begin - 1] not in _MARKS[:-1]:
            named = last_name  # 50 cm (20 in): the same once more
        name = named or last_name
        if not name:
            continue
        last_name, last_subject = name, about or last_subject
        beside = _beside(text, value, conditions)
        written = text[value.start : value.end].strip()
        yield Statement(
            last_subject,
            name[:_LONGEST_NAME],
            written,
            value.unit,
            value.kind or "number",
            value.start,
            value.end,
            beside,
        )


def _states_bare(lead: str, follow: str) -> bool:
    """Whether a number without a unit is a value: the words before it say so (pH 6.5, 数量为 3, ratio of 1:500)."""
    return re.search(
        r"(?:[为是达]|[:：=]|等于|pH(?:\s?值)?|数量|编号|系数|比例?|总数|is|are|of|equals|ratio|to|score|index)\s?$",
        lead,
        re.IGNORECASE,
    ) is not None and not re.match(r"[A-Za-z]", follow[:1])


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


def _each(lead: str, follow: str, known: KnownNames) -> tuple[str, str]:
    """As `_lead` for 液压油应每 500 小时更换一次: what is done each time names the value."""
    name = re.sub(r"(?:[一1]\s?[次遍回])?$", "", follow).strip()
    before, about = _lead(lead[:-1], known)
    if not name or len(name) > 12:
        return before, about
    return name, about or ("" if _ATTRIBUTE_END.search(before) or len(before) > 10 else before)


def _lead(lead: str, known: KnownNames) -> tuple[str, str]:
    """Name and subject from the words that lead to a value."""
    lead = lead.strip()
    if not lead:
        return "", ""
    names = known.find(lead)
    subject = names[-1][2] if names else ""
    if re.search(rf"[{HAN}]", lead):
        return _han_lead(lead, names, subject)
    return _latin_lead(lead, names, subject)


def _han_lead(lead: str, names: list[tuple[int, int, str]], subject: str) -> tuple[str, str]:
    words = _HAN_TAIL.sub("", lead)
    if names:
        # What stands behind the last known name is said of it.
        rest = words[names[-1][1] :] if names[-1][1] <= len(words) else ""
        rest = re.sub(r"^(?:型|系列)?(?:\([^)]*\))?", "", rest)
        rest = _HAN_HEAD.sub("", re.sub(r"^的", "", rest.strip()))
        if rest:
            return rest.rpartition("的")[2] or rest, subject
        before = _HAN_HEAD.sub("", words[: names[-1][0]])
        return (before.strip() + lead[names[-1][0] : names[-1][1]]).strip(), subject
    if "的" in words:
        about, _, name = words.rpartition("的")
        about = _HAN_HEAD.sub("", about).strip(" ,，、")
        if name and 2 <= len(about) <= 14 and not re.search(r"[,，、。]|[了过着]", about):
            return _HAN_HEAD.sub("", name) or name, about
        return name or words, ""
    following = _NEXT_STEP.match(_HAN_HEAD.sub("", words))
    if following and not _ATTRIBUTE_END.search(following["np"]):
        rest = _HAN_HEAD.sub("", _HAN_TAIL.sub("", following["rest"])).strip()
        return rest or following["np"], following["np"]
    if following:
        return following["np"], ""
    return _HAN_HEAD.sub("", words) or words, ""


def _latin_lead(lead: str, names: list[tuple[int, int, str]], subject: str) -> tuple[str, str]:
    words = lead
    while (shorter := _LATIN_TAIL.sub("", words.rstrip(" ,("))) != words:
        words = shorter
    for pattern in (_POSSESSIVE, _OF):
        if match := pattern.match(words):
            return _bare(match["attr"]), subject or _bare(match["subject"])
    if names and names[-1][0] <= 6:
        rest = lead[names[-1][1] :].strip()
        while (shorter := _LATIN_TAIL.sub("", rest)) != rest:
            rest = shorter
        while (
            shorter := re.sub(r"^(?:has|have|is|are|must|shall|should|be|with|a|an|the|may|can|will|at)\s+", "", rest)
        ) != rest:
            rest = shorter
        return _bare(rest) or _bare(words), subject
    if match := _LATIN_NEXT.match(_bare(lead)):
        np, rest = _bare(match["np"]), match["rest"] or ""
        while (shorter := _LATIN_TAIL.sub("", rest)) != rest:
            rest = shorter
        rest = _bare(re.sub(r"^(?:be|not|have|has)\s+", "", rest))
        if _LATIN_ATTRIBUTE_END.search(np):
            return np, subject
        said = rest or (
            match["verb"]
            if match["verb"].lower() not in ("is", "are", "has", "have", "must", "shall", "can", "may")
            else ""
        )
        return said or np, subject or np
    return _bare(words), subject


def _bare(words: str) -> str:
    words = words.strip(" ,:()-\"“”'")
    while (shorter := _ARTICLES.sub("", words)) != words:
        words = shorter
    return words


def _completed(name: str, follow: str) -> str:
    """A name that says too little, with the words behind the value: 加入 20 升清水, use 20 litres of clean water."""
    bare = re.sub(r"^(?:的|of |以内|内|以上|以下|左右|or more|or less)", "", follow).strip()
    bare = re.split(r"[()（）\d]|\b(?:and|or|at|with|in|on|when|if|per|for|from|after|before|by|to)\b", bare)[0].strip()
    if not bare or len(bare) > 30:
        return name
    if re.search(rf"[{HAN}]", bare):
        if len(name) <= 2 or name.startswith("每"):
            return f"{name}{bare}" if len(bare) <= 14 else name
    elif len(name.split()) <= 1 and not _LATIN_ATTRIBUTE_END.search(name):
        return f"{name} {bare}".strip()
    return name


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
            name = _HAN_HEAD.sub("", match["attr"]).strip() or match["attr"]
            if (
                len(value) < 1
                or re.match(r"[不否]", value)
                or re.match(r"(?:not|required|recommended|allowed|important|necessary)\b", value)
            ):
                continue
            yield Statement(
                _bare(subject),
                _bare(name),
                value,
                "",
                "text",
                match.start("value"),
                match.start("value") + len(match["value"]),
                conditions,
            )
            return
