"""Relations that a sentence states between names it holds: who makes, supplies, leads, replaces, consists of what."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from kb.memory.extract.mentions import HAN, person_names

_HAN_VERBS = (
    "生产|制造|供应|供货|提供|销售|经销|代理|收购|采购|购买|租赁|承租|出租|运营|管理|负责|承建|承包|研制|研发|开发|"
    "设计|主持|取代|替代|代替|兼容|适配|"
    "符合|遵守|执行|采用|通过|获得|取得|隶属于|属于|委托|聘请|任命|授权|合作|控股|收编|合并|配备|配有|搭载|装有|使用|"
    "连接|安装|维护|检验|检测|验收|批准|审核|"
    "起草|发布|签署|支持|依据|参照|拥有|持有|担任"
)
_ACTIVE = re.compile(
    r"^(?:[,，]?\s?(?:已|已经|将|应|须|可|正式|共同|独家|现|全面|统一|继续|目前|直接|负责|具体|型|系列|牌|"
    rf"[(][^()]{{1,20}}[)]))*\s?(?P<verb>{_HAN_VERBS})(?:了|过|的?是)?\s?$"
)
_PASSIVE_VERB = re.compile(
    rf"^\s?(?:公司|有限公司)?(?:负责|统一|独家|共同|直接|联合)?\s?(?P<verb>{_HAN_VERBS}|主办|承办|编制|出品|提出|"
    r"归口|汇报|记录|支付|承担|运输|配送|保管|编写|组织)"
)
_LATIN_VERBS = (
    r"manufactures|makes|produces|supplies|provides|delivers|sells|distributes|buys|purchases|leases|rents|operates|"
    r"manages|owns|acquired|acquires|"
    r"develops|designed|designs|replaces|supersedes|requires|uses|supports|contains|includes|appoints|appointed|"
    r"employs|represents|controls|drives|"
    r"leads|heads|chairs|chaired|approved|approves|audits|inspects|maintains|installed|installs|powers|feeds|cools|"
    r"protects|monitors|"
    r"complies with|conforms to|meets|is compatible with|is compliant with|is certified to|is a subsidiary of|is "
    r"part of|belongs to|reports to|works for|"
    r"is responsible for|is connected to|connects to|is mounted on|is located in|is based in|is replaced by|is "
    r"superseded by|"
    r"is manufactured by|is made by|is produced by|is supplied by|was supplied by|is delivered by|is provided by|is "
    r"owned by|is operated by|is managed by|is driven by|"
    r"is maintained by|is distributed by|is led by|is chaired by|was chaired by|was manufactured by|was installed by|"
    r"is controlled by|is approved by|was approved by|was designed by|is designed by|"
    r"are manufactured by|are supplied by|are made by|fits|serves|accepts"
)
_LATIN_ACTIVE = re.compile(
    r"^,?\s?(?:(?:pump|motor|unit|series|model|controller|valve|sensor|dryer|tractor|engine|device|system|"
    rf"[(][^()]{{1,30}}[)]),?\s)?(?:(?:shall|will|also|now|exclusively|fully|currently|has|must|may)\s)*"
    rf"(?P<verb>{_LATIN_VERBS}|supply|manufacture|deliver|provide|comply with|sell|purchase|replace|maintain|install|"
    r"lease|appoint)\s(?:the\s|a\s|an\s|its\s|all\s|international standard\s|standard\s)?$",
    re.IGNORECASE,
)
_HAN_PARTS = re.compile(
    r"(?:主要)?(?:由(?P<a>[^,，。;；]{3,80}?)(?:等)?(?:组成|构成)|(?:包括|包含|含有|配备|附带)(?P<b>[^,，。;；"
    r"]{3,80}))"
)
_LATIN_PARTS = re.compile(
    r"\b(?:consists? of|comprises?|is composed of|is made up of|includes?:?)\s(?P<a>[^.;]{3,120})", re.IGNORECASE
)
# What stands around a part's name: an article, and how many there are (…和控制柜四部分组成).
_NO_PART = re.compile(r"^(?:an?|the|its|one|two)\s|(?:等?[\d一二两三四五六七八九十]+[个大]?(?:部分|部件)|等)$|[.。]$")
# Predicates, each with the labels whose value is the name of its object.
_LABELS = """
制造商: 制造商, 生产厂家, 生产厂商, 生产商, 制造单位, 生产企业, 生产单位, 厂家
供应商: 供应商, 供货商, 供货单位
经销商: 经销商
代理商: 代理商
品牌: 品牌
客户: 客户
采购人: 采购人, 采购单位
招标人: 招标人, 招标单位
中标人: 中标人, 中标单位, 成交供应商
代理机构: 代理机构, 招标代理机构, 采购代理机构
业主: 业主
建设单位: 建设单位
施工单位: 施工单位
监理单位: 监理单位
设计单位: 设计单位
使用单位: 使用单位
主管部门: 主管部门
归口单位: 归口单位
起草单位: 起草单位
发布单位: 发布单位
编制单位: 编制单位
检测机构: 检测机构, 检验机构
认证机构: 认证机构
开户行: 开户行, 开户银行
主办单位: 主办单位
承办单位: 承办单位
联系人: 联系人
负责人: 负责人, 项目负责人
项目经理: 项目经理
法定代表人: 法定代表人, 法人代表
授权代表: 授权代表
委托代理人: 委托代理人
主持人: 主持人, 主持, 会议主持
记录人: 记录人, 记录, 会议记录
参会人员: 参会人员, 参加人员, 出席人员, 与会人员, 出席, 参会人, 参会, 参加人
缺席: 缺席, 缺席人员, 请假
列席: 列席, 列席人员
审核人: 审核, 审核人
审批人: 审批人
批准人: 批准, 批准人
编制人: 编制, 编制人
责任人: 责任人
作者: 作者
操作员: 操作员
检验员: 检验员
执行标准: 执行标准, 适用标准, 产品标准, 标准
引用标准: 引用标准
适用机型: 适用机型, 适用型号, 配套机型
manufacturer: manufacturer, made by, producer
supplier: supplier, vendor
distributor: distributor
dealer: dealer
customer: customer
client: client
owner: owner
contractor: contractor
contact: contact, contact person
responsible: person in charge, responsible, responsible person
project manager: project manager
chair: chair, chairperson, chaired by, chairman
minutes by: minutes, minutes by, minutes taken by, recorder, secretary, note taker
attendee: attendees, present, participants, attended by, in attendance
absent: absent, apologies
author: author, prepared by
approved by: approved by
reviewed by: reviewed by
inspector: inspected by, inspector
standard: standard, standards, applicable standard, applicable standards, complies with
bank: bank
brand: brand
represented by: represented by
fits: compatible models, fits, compatible with
"""
# Those of them that people hold.
_HELD_BY_PEOPLE = """
联系人, 负责人, 项目经理, 法定代表人, 授权代表, 委托代理人, 主持人, 记录人, 参会人员, 缺席, 列席, 审核人, 审批人,
批准人, 编制人, 责任人, 作者, 操作员, 检验员, contact, responsible, project manager, chair, minutes by, attendee,
absent, author, approved by, reviewed by, inspector, represented by
"""
PEOPLE = frozenset(predicate.strip() for predicate in _HELD_BY_PEOPLE.split(","))


@dataclass(frozen=True, slots=True)
class Stated:
    """A relation in a sentence: names as written, `start` to `end` is where the words stand."""

    subject: str
    predicate: str
    object: str
    start: int
    end: int
    confidence: float = 0.9


@functools.cache
def _predicates() -> dict[str, str]:
    """Label -> predicate."""
    rows = (line.partition(": ") for line in _LABELS.replace(",\n  ", ", ").strip().split("\n"))
    return {label: predicate for predicate, _, labels in rows for label in labels.split(", ")}


def label_predicate(label: str) -> str:
    """The predicate of a label whose value is a name; '' for other labels."""
    plain, found = re.sub(r"\s?[(（].*?[)）]|[\s:：]+$", "", label).strip(), _predicates()
    return next((found[name] for name in (plain, plain.lower(), re.sub(r"\s", "", plain)) if name in found), "")


def label_before(text: str) -> str:
    """The predicate of a label that ends `text` and names what follows (采购人为, the manufacturer is); else ''."""
    found = re.search(rf"(?:^|[,，;；。、])\s?(?P<han>[{HAN}]{{2,8}})[为是系]\s?$", text) or re.search(
        r"(?:^|[,;.] )(?:its |the )?(?P<latin>[a-z][a-z ]{2,24}) (?:is|are)(?: the)?\s$", text, re.IGNORECASE
    )
    return label_predicate(found.group(found.lastgroup or 0)) if found else ""


def labelled_people(text: str) -> list[tuple[int, int]]:
    """The people behind a label that people hold (参会人员：张伟、李娜): start and end of each name."""
    label = re.match(r"[^:：]{2,24}[:：]\s?", text)
    if label is None or label_predicate(label[0]) not in PEOPLE:
        return []
    return [(label.end() + start, label.end() + end) for start, end in person_names(text[label.end() :])]


def stated(text: str, names: list[tuple[int, int, str]], acceptable: Callable[[str], bool]) -> list[Stated]:
    """The relations between the known `names` (start, end, entity) of a sentence in half width.

    `acceptable` says whether words may name a part in "X consists of A, B and C".
    """
    found: list[Stated] = []
    for number, (before, after) in enumerate(pairwise(names)):
        between = text[before[1] : after[0]]
        if before[2] == after[2] or len(between) > 40:
            continue
        if number and re.search(r"[向给为对从跟同]\s?$", text[names[number - 1][1] : before[0]]):
            # 乙方向甲方供应水泵: who gives stands before the one who gets.
            found += _between(text, names[number - 1], after, between)
            continue
        opens = names[0] if number and names[0][0] <= 4 and names[0][2] != after[2] else None
        found += _between(text, before, after, between, opens)
    found += _parts(text, names, acceptable)
    return found


def _between(
    text: str,
    before: tuple[int, int, str],
    after: tuple[int, int, str],
    between: str,
    first: tuple[int, int, str] | None = None,
) -> Iterator[Stated]:
    match = _ACTIVE.match(between) or _LATIN_ACTIVE.match(between)
    joined = re.match(rf"(?:{_HAN_VERBS}|[^,，]{{0,10}})[,，](?:并|且|同时|并且)?|,?\s(?:and|but)\s(?:it\s)?", between)
    if match is None and joined and first is not None:
        # X 由 Y 生产，符合 Z: what follows the comma is said of X again.
        match = _ACTIVE.match(between[joined.end() :]) or _LATIN_ACTIVE.match(f" {between[joined.end() :]}")
        before = first if match else before
    negative = re.search(r"[不未非无]|\bnot\b|\bno\b|n't", between) or re.search(r"[不未]$|\bnot\s$", text[: before[0]])
    if match and not negative and not _asks_or_limits(text):
        yield Stated(before[2], match["verb"].lower(), after[2], before[0], after[1])
        return
    passive = re.fullmatch(rf"\s?(?:型|系列)?[{HAN}]{{0,8}}?(?:应|须|将|可|统一|全部|均|现)?由\s?", between)
    if passive and not negative:
        verb = _PASSIVE_VERB.match(text[after[1] :])
        if verb:
            yield Stated(after[2], verb["verb"], before[2], before[0], after[1] + verb.end())


def _asks_or_limits(text: str) -> bool:
    """A question or a condition states nothing."""
    return (
        re.search(r"[?？吗]$|^(?:若|如果|如|除非|当)|^(?:if|unless|whether|when)\b", text.strip(), re.IGNORECASE)
        is not None
    )


def _parts(text: str, names: list[tuple[int, int, str]], acceptable: Callable[[str], bool]) -> Iterator[Stated]:
    for pattern, predicate in ((_HAN_PARTS, "组成"), (_LATIN_PARTS, "includes")):
        for match in pattern.finditer(text):
            owners = [name for name in names if name[1] <= match.start()]
            lead = text[(owners[-1][1] if owners else 0) : match.start()]
            if not owners or len(lead) > 14 or re.search(r"[,，。;；不的]|\bnot\b", lead):
                continue
            group = "a" if match["a"] else "b"
            for piece in re.finditer(r"[^、,;，；]+", match[group]):
                for part in re.split(r"(?:以?及|和|与|\band\b|\bor\b)", piece[0]):
                    name = _NO_PART.sub("", part.strip()).strip()
                    if acceptable(name):
                        start = match.start(group) + piece.start() + piece[0].find(name)
                        yield Stated(owners[-1][2], predicate, name, owners[-1][0], start + len(name), 0.8)


def named_values(predicate: str, value: str, names: list[tuple[int, int, str]]) -> list[tuple[str, bool]]:
    """The names in a label's value, each with whether it is a person's: known names, and people where they belong."""
    asides = [match.span() for match in re.finditer(r"[(（][^()（）]*[)）]", value)]
    names = [name for name in names if not any(start <= name[0] < end for start, end in asides)]
    found = [(name, False) for _, _, name in names]
    if predicate in PEOPLE:
        spans = [(start, end) for start, end, _ in names]
        for start, end in person_names(value):
            if all(end <= first or start >= last for first, last in spans):
                found.append((value[start:end], True))
    elif not found and 2 <= len(value) <= 40 and not re.search(r"[。;；,，:：]|\d{5}", value):
        found.append((value.strip(" ."), False))
    return found
