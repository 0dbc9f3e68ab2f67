"""What a value takes over from what stands before it in its sentence: a name said once for two values, a part."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.memory.extract.leads import bare, is_attribute
from kb.memory.extract.mentions import HAN

_AGAIN = re.compile(r"(?:for|in|on|at|during)\b[\w\s-]{2,40}?,? (?:and|or|but)(?: to| at| of| by)?$", re.IGNORECASE)
_FOR = re.compile(
    r"(?:for|on|at(?= [a-z]+s\b)) (?!(?:at|each|every|up|about|the (?:first|next|last))\b)[a-z-]+"
    r"(?: (?!(?:and|or|to|of|within|at)\b)[a-z-]+){0,2}"
)
# A part at the front of what is said of it: 饮水器|流速, 隔膜泵机油|更换; and what may be said without naming it again.
_THING_FRONT = re.compile(
    rf"(?![该本此再加接开关调换拆装取放移中])(?P<thing>[{HAN}]{{1,8}}(?:器|机|泵|阀|箱|罐|轮|轴|链|带|滤芯|机油|油|液|仪|灯|槽|管|网|池|头|刀|板|栏|帘|膜|塔|炉|柜|站|室|棚|带|座|架))"
    rf"(?![压温位量度径距数油道线片])(?P<rest>[{HAN}]{{1,10}})"
)
_ASIDE = re.compile(
    rf"(?:以后|此后|之后)?(?P<rest>(?<=后)[{HAN}]{{2,8}}|[{HAN}]{{0,4}}"
    r"(?:高度|宽度|深度|长度|重量|功率|间距|直径|容量|厚度|压力|温度|转速|流量|寿命))"
)
_SIZE = re.compile(r"(?P<first>long|wide|high|deep|thick|tall),? (?:and|by)$", re.IGNORECASE)
# A clause of its own that names nothing: then every 100 hours, until 4 °C is reached.
_ONLY_LINK = re.compile(
    r"(?:(?:and|or|but|then|again|later|thereafter|afterwards|once|every|each|to|at|until|till|up|from|down)\b\s?)+",
    re.IGNORECASE,
)
# What a sentence begins with: The condenser fan has, Amoxicillin, given by mouth, is.
_AUXILIARY = r"is|are|was|were|must|shall|should|may|can|will|has|have|does|do"
_FRONT = re.compile(
    rf"(?:(?:the|an?|one|each|every|this) (?P<thing>[\w-]+(?: [\w-]+){{0,3}}?)(?:,[^,]*,)? "
    rf"(?:{_AUXILIARY}|[a-z]{{3,}}s)\b|"
    rf"(?P<bare>[\w-]+(?: [\w-]+){{0,3}}?)(?:,[^,]*,)? (?:{_AUXILIARY})\b)",
    re.IGNORECASE,
)
# A clause or a phrase that goes on about it: delivering 0.7 litres, followed by 14 days, at a height of 30 cm.
_CONTINUES = re.compile(
    r"(?:[a-z]+ing|[a-z]+ed|given|kept|held|set|built|payable)\b|"
    r"(?:and |at |with |for |by |in )(?:an?|the) [a-z -]+ of$"
)
_AGAIN_VERB = re.compile(rf"(?:{_AUXILIARY})\b")
_HEAD = re.compile(
    r"(?:the |an? )?(?P<np>[\w-]+(?: [\w-]+){0,3}?) (?:at|for|with|of|in|under|above|below|from|between|within|on)\b",
    re.IGNORECASE,
)
# A clause that begins with its verb, behind an aside: The tank, made of steel, holds 900 litres.
_VERB_FIRST = re.compile(
    r"(?:holds?|weighs?|has|have|is|are|needs?|runs?|uses?|measures?|covers?|costs?|lasts?|takes?)\b", re.IGNORECASE
)
_FOR_HOW_LONG = re.compile(r"^(?!and\b)(?:[a-z]+ ){0,2}for$")
_PREPOSITION = re.compile(r"(?:and )?(?:at|with|contains?|containing)")
_NOUN = re.compile(r"(?P<noun>[a-z]+(?: (?!and\b|or\b|with\b|at\b|of\b|for\b|in\b|on\b|is\b|are\b)[a-z]+)?)")
_LONGEST_DEED = 4
_LONGEST_FRONT = 4
# Two sides of one thing: 结果期白天 25 ℃，夜间 13 ℃.
_SIDES = (
    "白天 夜间|白天 夜晚|白昼 夜间|日 夜|进气 排气|前端 后端|前轮 后轮|左侧 右侧|上部 下部|上限 下限|内侧 外侧|"
    "最高 最低|最大 最小|"
    "进口 出口|入口 出口|夏季 冬季|公 母|高温 低温|空载 满载|干 湿|新 旧"
)
_SIDED = [tuple(sides) for pair in _SIDES.split("|") for sides in (pair.split(), pair.split()[::-1])]
_HAN_FRONT = re.compile(
    rf"(?![该本此其除当若如在每])(?P<np>[{HAN}]{{2,8}}?)(?:应|须|需|宜|在|采用|选用|使用|由|为|是|可|(?<![后时前外中下内])[,，])"
)
_LONGEST_ATTRIBUTE = 4
_LONGEST_ASIDE = 8
# A clause that points back to its sentence's thing, and one that begins without a subject of its own.
_POINTED = re.compile(r"(?:其(?:余|中)?|它们?)的?")
_NO_SUBJECT = re.compile(r"一般|通常|应|宜|须|需|可|不得|不宜|高于|低于|距离?|约|为")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: at `start` of `text`, its words from `begin` on, its sentence or cell from `first` on."""

    text: str
    first: int
    begin: int
    start: int

    @property
    def goes_on(self) -> bool:
        """Whether its clause follows another one of the sentence."""
        return self.begin > 0 and self.text[self.begin - 1] in ",，"

    @property
    def after_mark(self) -> bool:
        """Whether a mark stands before its words."""
        return self.begin > 0 and self.text[self.begin - 1] in ",，;；。:：!"

    @property
    def behind_colon(self) -> bool:
        """Whether its words follow a colon."""
        return self.begin > 0 and self.text[self.begin - 1] in ":："

    @property
    def bracketed(self) -> str:
        """The words before an open bracket in which the value stands; '' outside brackets."""
        opened = max(self.text.rfind(mark, self.first, self.start) for mark in "(（")
        if opened < 0 or any(mark in self.text[opened : self.start] for mark in ")）"):
            return ""
        return re.split("[,，;；。:：]", self.text[self.first : opened])[-1].strip()


@dataclass(frozen=True, slots=True)
class Before:
    """What was said before: the last value's name, the part it was about; `owned`: this value names its own thing.

    `subject` is the known thing that the sentence speaks of.
    """

    name: str
    thing: str
    owned: bool
    subject: str = ""


def carried(named: str, place: Place, lead: str, follow: str, before: Before) -> tuple[str, str, bool]:
    """The value's name, the part that it is about ('' for none), and whether its own words name that part."""
    if re.search(rf"[{HAN}]", named or lead or before.name):
        named = _han_brackets(named, place, before)
        return _han(named, place, before)
    return _latin(named, place, lead, follow, before), before.thing, False


def _said_before(place: Place) -> str:
    """The clauses of the sentence before the one in which the value stands."""
    return place.text[place.first : place.begin]


def _han_brackets(named: str, place: Place, before: Before) -> str:
    own_words = place.text[place.begin : place.start].strip()
    if before.name and named != before.name and own_words[:1] in ("(", "（"):
        return f"{before.name}{named.strip('(（')}"
    return place.bracketed or named if not named.strip("(（ ") else named


def _han(named: str, place: Place, before: Before) -> tuple[str, str, bool]:
    front = _THING_FRONT.match(place.text[place.first :])
    thing = before.thing or (front["thing"] if front else "")
    pointed = _POINTED.match(place.text[place.begin : place.start].strip())
    if thing and place.goes_on and (pointed or _NO_SUBJECT.match(named)):
        # 水泵流量 20 L/min，其扬程为 8 m; 饮水器高度随日龄调整，一般高于鸡背 5 厘米
        return f"{thing}{named.removeprefix(pointed[0]) if pointed else named}", thing, False
    for side, other in _SIDED:
        if place.goes_on and named.startswith(other) and (at := before.name.find(side)) >= 0:
            rest = before.name[len(side) :] if at == 0 and named == other else ""
            return f"{before.name[:at]}{named}{rest}", before.thing, False
    if place.goes_on and len(named) > 1 and (again := before.name.find(named)) > 0:
        return before.name[again:], before.thing, False  # 首次 50 小时更换机油，以后每 300 小时更换
    own = _THING_FRONT.match(named)
    if own:
        return named, own["thing"], True
    if front and not place.goes_on and re.match("[把将]", place.text[place.begin : place.start].strip()):
        return f"{front['thing']}{named}", front["thing"], False  # 制冷罐应在 2 小时内把奶温降到 4 ℃
    if len(named) > 1 and named in before.name and named != before.name and not place.goes_on:
        return before.name, before.thing, False  # 种子用 55 ℃ 温水浸泡 15 分钟
    if not place.goes_on or before.owned or not re.match(f"[{HAN}]", named):
        return named, before.thing, False
    if (shared := before.name.find(named[:2], 1)) > 1:
        return f"{before.name[:shared]}{named}", before.thing, False  # 种蛋保存温度 15 ℃，保存时间不超过 7 天
    if before.thing and (pure := _ASIDE.fullmatch(named)):
        return f"{before.thing}{pure['rest']}", before.thing, False  # 饮水器流速为 0.8 升，安装高度 25 厘米
    if thing and is_attribute(named) and len(named) <= _LONGEST_ASIDE:
        return f"{thing}{named}", thing, False  # 电机绝缘等级 F 级，允许运行时间 4000 小时
    if len(named) <= _LONGEST_ATTRIBUTE and is_attribute(named) and not re.search(r"\d", _said_before(place)):
        said = _HAN_FRONT.match(place.text[place.first :])
        return f"{said['np']}{named}" if said else named, before.thing, False  # 追肥在雨前进行，用量 8 公斤
    if thing and len(named) <= _LONGEST_DEED:
        return f"{thing}{named}", thing, False  # 滤网每班清洗一次，每 500 小时更换
    return named, before.thing, False


def _front(place: Place, lead: str) -> str:
    """What the sentence began with, where the words before a value go on about it and name nothing; else ''."""
    sentence = place.text[place.first :]
    if place.begin > place.first and not place.goes_on and _AGAIN_VERB.match(lead):
        head = _HEAD.match(sentence)  # Sound pressure at a distance of 10 m does not exceed 48 dB
        return head["np"] if head else ""
    if place.begin == place.first or not (_CONTINUES.match(lead) or (place.goes_on and _VERB_FIRST.match(lead))):
        return ""
    found = _FRONT.match(sentence)
    thing = (found["thing"] or found["bare"]) if found else bare(sentence.partition(",")[0])
    if thing.lower() in ("it", "they", "this", "there") or re.search(r"\d", thing):
        return ""
    return thing if len(thing.split()) <= _LONGEST_FRONT else ""


def _latin(named: str, place: Place, lead: str, follow: str, before: Before) -> str:
    if _PREPOSITION.fullmatch(lead) and (noun := _NOUN.match(follow)):
        return noun["noun"]  # at 14.2 % moisture
    if lead == "at" and before.name and not place.goes_on:
        return f"{before.name} at"  # delivers 5 L/min at 3 bar
    if _ONLY_LINK.fullmatch(lead):
        # Change the oil after the first 20 hours, then every 100 hours: what is done stands in front.
        part = place.text[max(place.first, place.text.rfind(";", 0, place.start) + 1) : place.start]
        deed = bare(re.split(r"[,;]|\b(?:after|before|when|if|at|for)\b", part)[0])
        said = deed and not _ONLY_LINK.fullmatch(deed) and not any(map(str.isdigit, deed))
        return deed if said else before.name
    suffix = _FOR.match(follow)
    if before.name and not place.goes_on and place.begin > place.first and _FOR_HOW_LONG.search(lead):
        return before.name  # is dosed at 15 mg per kg body weight for 5 days
    if before.name and _AGAIN.match(lead):
        # 120 bar for dry hay and to 90 bar for silage: the same once more, for something else.
        return f"{before.name.partition(' for ')[0]} {suffix[0]}" if suffix else before.name
    if before.name and (size := _SIZE.fullmatch(lead)):
        return f"{before.name.removesuffix(size['first']).strip()} {follow.split(' ')[0]}"  # 12 m long and 2 m high
    if before.name and named != before.name and place.text[place.begin : place.start].strip()[:1] in ("(", "（"):
        return f"{before.name} {named.strip('(（')}".strip()
    if re.search(r"\band (?:an?|the)$", lead) and (noun := _NOUN.match(follow)):
        return noun["noun"]  # a 12 m boom and a 900 litre tank
    if not named and not lead.strip("(（ ") and place.bracketed:
        return bare(place.bracketed)  # Gearbox oil (SAE 90, 1.8 litres)
    if not before.subject and (front := _front(place, lead)):
        rest = _AGAIN_VERB.sub("", named).strip()
        return f"{front} {rest}".strip()
    named = re.sub(r"^(?:it|they) ", "", named, flags=re.IGNORECASE)
    return f"{named or before.name} {suffix[0]}" if suffix else named
