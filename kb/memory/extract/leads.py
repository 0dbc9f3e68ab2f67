"""The words that lead to a value: what about the thing it is (name), and of which thing (subject)."""

from __future__ import annotations

import re

from kb.memory.extract.mentions import HAN, KnownNames
from kb.search.tokens import stem, stop_terms

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
HAN_TAIL = re.compile(
    r"(?:不[宜应能可会]|应当|必须|可以|一般|通常|控制在|稳定在|保持在|保持|维持在|设定为|设置为|设定在|调整?[至到为]|达到|等于|不得|不应|"
    r"合计|共计?|总计|约为|大约|左右|"
    r"应为|应在|(?<![对相供反响])应|须|需要|需|(?<!适)宜|可|能|会|将|为|是|达|约|有|在|于|按|至|到|从|各|了|以|(?<![使利采应作费])用|含|其|的|则|并|且|即|也|均|"
    r"都|已|由|和|与|及|"
    r"人民币|[:：=≈、\s(（“”\"])+$"
)
HAN_HEAD = re.compile(
    r"^(?:(?:、|[一二三四五六七八九十]{1,3}、|以后|此后|之后|(?:本|该)(?:机|设备|产品|装置|系统|仪器)|其中|其(?!余|他|它)|它们?的?|该|本|此|则|并|且|并且|同时|但|而|和|与|及|以及|另外|此外|然后|再|先|后|请|应当|应|须|必须|"
    r"需要?|要|可|每次|对于?|将|把|由|经|于|在|所有|全部|各)[,，]?\s?)+"
)
_NEXT_STEP = re.compile(
    rf"^(?P<np>[{HAN}A-Za-z0-9-]{{2,12}}?)(?P<verb>应当|应|须|必须|需要|需|可|(?<!适)宜|不得|至少|每(?!天|日|周|月|季|年|班|亩|公顷|株|头|只|吨|[立平]方米|千克|公斤|件|套|"
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
_LATIN_HEAD = re.compile(r"^(?:has|have|is|are|must|shall|should|be|with|a|an|the|may|can|will|at)\s+")
_OF = re.compile(
    r"^(?:the |a |an )?(?P<attr>[A-Za-z][\w /-]{1,40}?) (?:of|for|in(?= (?:the|this|an?|each|every)\b)) "
    r"(?P<subject>(?:the |this |an? |each |every )?[\w' /.-]{2,60})$",
    re.IGNORECASE,
)
# At a pressure of, with a capacity of: what stands there names the value.
_A_VALUE_OF = re.compile(
    r"(?:^|\s)(?:an?|the|its)\s(?P<np>(?:[A-Za-z-]+\s){0,2}[A-Za-z-]+)\s(?:of|is|are|amounts to|equals)(?: (?:up to|"
    r"at least|about))?$",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"^(?:the )?(?P<subject>[\w /.-]{2,40})['’]s (?P<attr>[\w /-]{2,40})$", re.IGNORECASE)
_LATIN_NEXT = re.compile(
    r"^(?P<np>(?:[\w/-]+ ){0,4}?[\w/-]+) (?P<verb>must|shall|should|may|can|will|is|are|was|has|have|had|requires?|"
    r"needs?|weighs?|runs?|holds?|delivers?|"
    r"provides?|consumes?|operates?|lasts?|uses?|produces?|measures?|carr(?:ies|y)|bears?|takes?|receives?|covers?|costs?|contains?|offers?|"
    r"supports?)(?: (?P<rest>.*))?$",
    re.IGNORECASE,
)
_SECOND_VERB = re.compile(
    r"^(?P<np>(?:(?:the|a|an|this|one|each) )?(?:[\w'’-]+ ){0,2}?[\w'’-]+) (?:(?:may|must|can|shall|will|should) )?"
    r"(?:is|are|has|begins?|starts?|ends?|runs?|makes?|needs?|uses?|takes?|gives?|weighs?|holds?|covers?|protects?|"
    r"costs?|works?|stands?|comes?) .*\b\d.* and (?P<verb>(?:is|has|are|\w{3,}s)\b)(?P<rest> .*)?$",
    re.IGNORECASE,
)
# Where a length leads to, and verbs whose object stands behind the value.
_WHERE = re.compile(
    r"(?:above|below|from|behind|away from|apart|deep|thick|tall)"
    r"(?: (?!(?:and|or|with|when|if|for|to|but)\b)[a-z]+){0,3}"
)
_WANTS_MORE = re.compile(
    r"(?:containing|contains?|holds?|burns?|consumes?|uses?|needs?|requires?|receives?|produces?)$", re.I
)
# Verbs and other words that may be said of anything, beside the stop words.
_SAID_OF_ALL = """
up within under above below between after before until till around than further another each every all both other more
less most least first last only then also use recommend keep need give given take taken make made get set allow expect
reach equal renew replace change come go stand enough beyond check ensure whether
"""
_HAN_EMPTY = re.compile(r"之后|以后|每次|首次|此时|其余|其中|再次|[升降约即到至在为是再后前每从由按共达则需用取可等于]")
_ARTICLES = re.compile(
    r"^(?:the|a|an|this|that|its|their|our|each|every|any|all|and|or|but|so|then|also|please|with|at|for|of|in|to|on|by|"
    r"from|only|not|be)\s+",
    re.IGNORECASE,
)


def joined(first: str, then: str) -> str:
    """Two parts of a name as one: Chinese side by side, others with a space between."""
    side_by_side = re.search(rf"[{HAN}]$", first) and re.match(rf"[{HAN}]", then)
    return f"{first}{'' if side_by_side else ' '}{then}".strip()


def is_attribute(words: str) -> bool:
    """Whether words name what is said of a thing, and not the thing."""
    return _ATTRIBUTE_END.search(words) is not None


def is_thin(name: str) -> bool:
    """Whether a name has no word that tells what is meant."""
    if re.search(rf"[{HAN}]", name):
        return not re.search(rf"[{HAN}]{{2}}", _HAN_EMPTY.sub("", name)) and not is_attribute(name)
    empty = stop_terms() | {stem(word) for word in _SAID_OF_ALL.split()}
    return "$" not in name and all(stem(word.lower()) in empty for word in re.findall(r"[A-Za-z]{2,}", name))


def lead_of(lead: str, known: KnownNames) -> tuple[str, str]:
    """Name and subject from the words that lead to a value."""
    lead = lead.strip()
    if not lead:
        return "", ""
    names = known.find(lead)
    subject = names[-1][2] if names and not _MEANS.search(lead[: names[-1][0]]) else ""
    if re.search(rf"[{HAN}]", lead):
        return _han_lead(lead, names, subject)
    return _latin_lead(lead, names, subject)


def _han_lead(lead: str, names: list[tuple[int, int, str]], subject: str) -> tuple[str, str]:
    words = HAN_TAIL.sub("", lead)
    if names:
        # What stands behind the last known name is said of it.
        rest = words[names[-1][1] :] if names[-1][1] <= len(words) else ""
        rest = re.sub(r"^\s?(?:型|系列)?(?:\([^)]*\))?", "", rest)
        rest = HAN_HEAD.sub("", re.sub(r"^的", "", rest.strip()))
        if rest:
            return rest.rpartition("的")[2] or rest, subject
        before = HAN_HEAD.sub("", words[: names[-1][0]])
        return (before.strip() + lead[names[-1][0] : names[-1][1]]).strip(), subject
    if "的" in words:
        about, _, name = words.rpartition("的")
        about = HAN_HEAD.sub("", about).strip(" ,，、")
        if name and 2 <= len(about) <= 14 and not re.search(r"[,，、。]|[了过着]", about):
            return HAN_HEAD.sub("", name) or name, about
        return name or words, ""
    following = _NEXT_STEP.match(HAN_HEAD.sub("", words))
    if following and not _ATTRIBUTE_END.search(following["np"]):
        rest = HAN_HEAD.sub("", HAN_TAIL.sub("", following["rest"])).strip()
        return rest or following["np"], following["np"]
    if following:
        return following["np"], ""
    return HAN_HEAD.sub("", words) or words, ""


# What follows is a means, and not what the sentence speaks of: communicates over SDI-12 with.
_MEANS = re.compile(r"\b(?:over|via|using|through|under|according to|per)\s$", re.IGNORECASE)
_VERB = re.compile(r"(?:run|last|weigh|cost|hold|reache|rise|fall|drop)s", re.IGNORECASE)


def without_tail(words: str) -> str:
    """Words without the verbs and prepositions at their end; a verb that begins the sentence (Run, Keep) stays."""
    while (shorter := _LATIN_TAIL.sub("", words.rstrip(" ,("))) != words:
        if not shorter.strip() and (words[:1].isupper() or _VERB.fullmatch(words)):
            break
        words = shorter
    return words


def _latin_lead(lead: str, names: list[tuple[int, int, str]], subject: str) -> tuple[str, str]:
    if second := _SECOND_VERB.match(lead):
        # The lease begins on 1 March and runs for 36 months: the second verb has the first one's subject.
        said = without_tail(f"{second['verb']}{second['rest'] or ''}")
        return f"{bare(second['np'])} {said or second['verb']}", subject
    of = _OF.match(without_tail(lead)) if lead.endswith((" is", " are")) and " with " not in lead else None
    if of and not re.search(r"\d|,", lead):
        # The price of the pump is: not what the pump is.
        return bare(of["attr"]), subject or bare(of["subject"])
    if named := _A_VALUE_OF.search(lead):
        owner = _LATIN_NEXT.match(bare(lead))
        about = bare(owner["np"]) if owner and not _LATIN_ATTRIBUTE_END.search(owner["np"]) else ""
        return bare(named["np"]), subject or about
    words = without_tail(lead)
    for pattern in (_POSSESSIVE, _OF):
        if match := pattern.match(words):
            return bare(match["attr"]), subject or bare(match["subject"])
    if names and names[-1][0] <= 6:
        rest = lead[names[-1][1] :].strip()
        rest = _worn(_LATIN_HEAD, _worn(_LATIN_TAIL, rest))
        return bare(rest) or bare(words), subject
    if match := _LATIN_NEXT.match(bare(lead)):
        np, rest = bare(match["np"]), _worn(_LATIN_TAIL, match["rest"] or "")
        rest = bare(re.sub(r"^(?:be|not|have|has)\s+", "", rest))
        if _LATIN_ATTRIBUTE_END.search(np):
            return np, subject
        said = rest or (
            match["verb"]
            if match["verb"].lower() not in ("is", "are", "has", "have", "must", "shall", "can", "may")
            else ""
        )
        return said or np, subject or np
    return bare(words), subject


def bare(words: str) -> str:
    """Words without signs at the ends, and without articles and prepositions in front."""
    return _worn(_ARTICLES, words.strip(" ,:()-\"“”'"))


def _worn(pattern: re.Pattern[str], words: str) -> str:
    """Words with all that `pattern` finds taken off, again and again, until nothing more comes off."""
    while (shorter := pattern.sub("", words)) != words:
        words = shorter
    return words


def completed(name: str, follow: str) -> str:
    """A name that says too little, with the words behind the value: 加入 20 升清水, use 20 litres of clean water."""
    if role := re.match(
        rf".{{0,12}}?(?:作为|支付|收取|缴纳|计收|扣除)(?P<a>[{HAN}]{{2,8}})|"
        rf"(?:of [\w ]{{2,30}} )?as (?:an? |the )?(?P<b>\w+(?: \w+)?)",
        follow,
    ):
        return f"{name} {role['a'] or role['b']}"
    if said := re.match(rf"(?:时|的)?(?:应当?|须|必须|需要?|要(?!求))(?P<deed>[{HAN}]{{2,10}})$", follow):
        return f"{name}{said['deed']}"
    if len(name.split()) == 1 and (said := re.match(r"(?:at|under|in|on) (?:[a-z]+ ){0,2}[a-z]+$", follow)):
        return f"{name} {said[0]}"
    if where := _WHERE.match(follow):
        return f"{name} {where[0].strip()}"
    if said := re.match(r"['’] (?P<noun>[a-z]+(?: [a-z]+)?)", follow):
        return f"{name} {said['noun']}"
    if said := re.match(rf"(?:以上|以下|左右|以内)?的(?P<noun>[{HAN}]{{2,6}})$", follow):
        # 120 m 的粪道: the noun is what has the value, unless it says what about it (2 mm 的误差).
        return f"{name}{said['noun']}" if is_attribute(said["noun"]) else f"{said['noun']}{name}"
    if re.fullmatch(rf"[{HAN}]{{4,8}}", follow) and not is_thin(follow):
        return f"{name}{follow.removeprefix('时')}"  # 按 2% 承担仓储费
    rest = re.sub(r"^(?:的|of |以内|内|以上|以下|左右|or more|or less)", "", follow).strip()
    rest = re.split(r"[()（）\d]|\b(?:and|or|at|with|in|on|when|if|per|for|from|after|before|by|to)\b", rest)[0].strip()
    if not rest or len(rest) > 30:
        return name
    if re.search(rf"[{HAN}]", rest):
        if len(name) <= 2 or name.startswith("每"):
            return f"{name}{rest}" if len(rest) <= 14 else name
    elif (len(name.split()) <= 1 and not _LATIN_ATTRIBUTE_END.search(name)) or _WANTS_MORE.search(name):
        return f"{name} {rest}".strip()
    return name
