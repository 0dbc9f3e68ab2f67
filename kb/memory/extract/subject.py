"""What a document as a whole is about, from its title; and what a heading says its section is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.memory.extract.mentions import HAN, mentions
from kb.memory.schema import EntityType

_HAN_KIND = re.compile(
    r"(?:安装|使用|操作|维护|维修|保养|产品|技术|用户|调试|简明|快速|设备|作业)*(?:与|和|及|、)?(?:安装|使用|操作|"
    r"维护|维修|保养|产品|技术|用户|调试|简明|快速|安全)*"
    r"(?:说明书|说明|手册|规格书|规格表|规范|规程|指南|指导书|参数表|数据表|白皮书|数据手册|样本|须知|标准|规格|参数|"
    r"要点|简介|清单|卡)(?:\s?[(（][^()（）]*[)）])?$"
)
_LATIN_KIND = re.compile(
    r"[\s:,–-]*(?:(?:user|operator|operating|operation|installation|maintenance|service|technical|instruction|owner|"
    r"product|quick start|safety|repair|"
    r"workshop|reference|and|&|['’]?s['’]?)[\s'’]*)*(?:manual|guide|handbook|data ?sheet|specifications?|"
    r"instructions?|white ?paper|brochure|leaflet|overview|sheet)"
    r"(?:\s?[(].*[)])?$",
    re.IGNORECASE,
)
_DOCUMENT_KIND = re.compile(
    r"合同|协议|纪要|会议记录|备忘录|报告|通知|公告|计划|方案|订单|章程|标书|招标|投标|\b(?:contract|agreement|"
    r"minutes|memorandum|report|notice|plan|order|meeting|amendment|invoice|policy|addendum|lease|proposal|record)\b",
    re.IGNORECASE,
)
# Titles that many documents bear: they name none of them.
_BARE_TITLE = re.compile(
    r"(?:(?:设备|产品|货物|农产品|技术|工程|软件|系统)?(?:采购|买卖|销售|购销|租赁|服务|委托|承包|供货|施工|劳动|"
    r"维护|维保|技术服务|运输|仓储|框架|补充)*(?:合同|协议)(?:书)?(?:\s?[(（].*[)）])?|(?:周|月|年度|项目|"
    r"工作)?(?:例会|会议)?(?:会议)?(?:纪要|记录)|"
    r"(?:(?:purchase|supply|sales?|service|lease|rental|maintenance|framework|consulting|equipment|master|contract|"
    r"employment|licen[cs]e)\s?(?:and )?)*(?:contract|agreement)|(?:meeting )?minutes(?: of (?:the )?meeting)?|"
    r"amendment(?: no\.? ?\d+)?|(?:quick |technical |data ?)*(?:sheet|specification|manual|report)|补充协议|订单)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:合同|协议|订单|文件|项目|报告|会议|文档)?(?:编号|号码|号)\s?[:：]\s?(?P<han>[A-Za-z0-9][A-Za-z0-9/_.\-—〔〕"
    r"\[\]()（）]{2,30})|"
    r"(?:contract|agreement|lease|order|invoice|permit|policy|licen[cs]e|certificate|document|report|reference|ref|"
    r"project)\.?\s?(?:no|number|nr|#|id|"
    r"ref)\.?\s?:?\s?(?P<latin>[A-Z0-9][A-Za-z0-9/_.-]{2,30})",
    re.IGNORECASE,
)
_COMPONENT = re.compile(
    r"(?:泵|机|阀|电机|马达|系统|装置|总成|发动机|变速箱|油箱|水箱|电控箱|控制柜|仪|仪表|传感器|轴承|滤芯|滤清器|"
    r"电池|管路|风机|压缩机|减速机|锅炉|喷头|喷嘴|刀片|履带|轮胎|蓄电池|输送带|料斗|[器罐箱塔炉槽])$"
)
_LATIN_COMPONENT = re.compile(
    r"\b(?:pumps?|motor|engine|valves?|system|sensors?|gearbox|battery|filters?|tank|assembly|compressor|fan|"
    r"bearings?|boom|nozzles?|controller|dryer|"
    r"conveyor|hopper|cooler|heater|burner|inverter|generator|transmission|brakes?|clutch|tyres?|tires?|radiator|"
    r"alternator|circuit|unit)$",
    re.IGNORECASE,
)
# Bin 1, Chamber A3: one of several, unless it counts the document's own parts.
_NUMBERED = re.compile(
    r"(?!(?:page|table|figure|fig|section|step|clause|article|chapter|part|item|annex|appendix|schedule|line|phase|"
    r"stage|class|grade|type|level|day|week|month|year|question|note|option|example|rule|point|lesson|module|version)\b)"
    r"[a-z]+(?: [a-z]+)? (?:no\. ?)?[a-z]?\d{1,3}[a-z]?",
    re.IGNORECASE,
)
# 3WPZ-700, 三号泵站, 2号机: a number that belongs to a name is none of a chapter.
_HEADING_NUMBER = re.compile(
    r"^(?:第?[一二三四五六七八九十百\d]+(?:[章节条款部分][、.．\s:：]*|[、.．\s:：]+)|\d{1,2}(?=[\u4e00-\u9fff])(?![号月日年级台档段组路层季期#])|[(（][一二三四五六七八九十\d]+[)）]\s*|"
    r"\d+(?:\.\d+)*[.、\s]\s*|(?:section|chapter|clause|article|part|appendix|annex)\s+[\dA-Z.]+[:.\s-]*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Subject:
    """The thing a document is about: its `name`, other names of it, and those that only this document uses."""

    name: str
    type: EntityType
    aliases: tuple[str, ...] = ()
    local: tuple[str, ...] = ()


def subject_of(title: str, opening: str, doc_id: str, parties: tuple[str, ...] = ()) -> Subject:
    """What a document is about. `opening` is its first text, where a contract's number may stand."""
    bare = bare_heading(title) or title or doc_id
    number = document_number(f"{title}\n{opening}")
    if _DOCUMENT_KIND.search(bare):
        local = ("本合同", "本协议", "this agreement", "this contract", "the agreement", "the contract")
        if not _BARE_TITLE.fullmatch(bare.strip()):
            return Subject(bare, EntityType.DOCUMENT, (number,) if number else (), (*local, *_this(bare)))
        if number:
            return Subject(number, EntityType.DOCUMENT, (f"{bare} {number}",), (bare, *local))
        told = " / ".join(parties[:2]) or doc_id
        return Subject(f"{bare} ({told})", EntityType.DOCUMENT, (), (bare, *local))
    name = _strip_kind(bare)
    models = [found for found in mentions(name) if found.type is EntityType.PRODUCT]
    if len(models) == 1:
        model = models[0].name
        rest = re.sub(r"^(?:型号?|系列|series|model)?\s*|\s+$", "", name[models[0].end :], flags=re.IGNORECASE).strip(
            " -–:·"
        )
        front = re.sub(r"(?:型号|model)$", "", name[: models[0].start], flags=re.IGNORECASE).strip(" -–:·")
        noun = rest or front
        aliases = tuple(dict.fromkeys(x for x in (name, f"{model}{noun}", f"{model} {noun}") if noun and x != model))
        return Subject(model, EntityType.PRODUCT, aliases, _nouns(noun))
    if _BARE_TITLE.fullmatch(name):
        return Subject(f"{name} ({doc_id})", EntityType.DOCUMENT, (), (name,))
    aliases = (bare,) if name != bare else ()
    if name == bare and number:
        return Subject(name, EntityType.DOCUMENT, (*aliases, number), (*_nouns(name), *_this(bare)))
    return Subject(name, EntityType.THING, aliases, (*_nouns(name), *_this(bare)))


def _this(title: str) -> tuple[str, ...]:
    """How a document speaks of itself: 本办法, this manual."""
    kind = re.search(
        r"(?:办法|规程|标准|规范|规定|细则|通知|公告|手册|说明书|制度|方案|指南|条例)$",
        re.sub(r"\s?[(（].*$", "", title),
    )
    return (f"本{kind[0]}",) if kind else ()


def _nouns(name: str) -> tuple[str, ...]:
    """The words that stand for the thing inside its own document: 热风机, the dryer."""
    found = []
    if re.fullmatch(rf"[{HAN}]{{2,10}}", name):
        found.append(name)
        if len(name) >= 4 and _COMPONENT.search(name):
            found += [name[-2:], name[-3:]]
    elif re.fullmatch(r"[A-Za-z][\w -]+", name):
        words = name.split()
        if words and _LATIN_COMPONENT.search(words[-1]):
            found += [name, words[-1]]
    return tuple(dict.fromkeys(found))


def _strip_kind(title: str) -> str:
    for pattern in (_HAN_KIND, _LATIN_KIND):
        stripped = pattern.sub("", title).strip(" -–:·的之")
        if stripped and stripped != title and len(stripped) >= 2:
            return stripped
    return title


def document_number(text: str) -> str:
    """The number that a document gives itself (合同编号：HT-2024-015), '' when none."""
    match = _NUMBER.search(text[:1500])
    found = (match["han"] or match["latin"] or "").rstrip(".-") if match else ""
    return found if any(char.isdigit() for char in found) else ""


def bare_heading(heading: str) -> str:
    """A heading without its chapter number."""
    bare = _HEADING_NUMBER.sub("", heading.strip()).strip()
    return bare or heading.strip()


def is_component(heading: str) -> bool:
    """Whether a heading names a part or a machine, and not a topic."""
    if re.search(rf"[{HAN}]", heading):
        return (
            len(heading) <= 10
            and _COMPONENT.search(heading) is not None
            and not re.search("[的与和及、如何怎]", heading)
        )
    if _NUMBERED.fullmatch(heading):
        return True
    return (
        len(heading.split()) <= 4
        and _LATIN_COMPONENT.search(heading) is not None
        and not re.match(
            r"(?:how|what|why|when|the|using|checking|cleaning|replacing|starting|operating|installing|about)\b",
            heading,
            re.IGNORECASE,
        )
    )
