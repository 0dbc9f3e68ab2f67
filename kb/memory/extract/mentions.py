"""Names in running text: product models, standards, organisations, people; and where known names stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kb.memory.schema import EntityType

HAN = "\u4e00-\u9fff"
_STANDARD = re.compile(
    r"(?<![A-Za-z0-9])(?!GBP)(?:GB(?:/T|/Z)?|NY(?:/T)?|LS(?:/T)?|JB(?:/T)?|HG(?:/T)?|DB\d\d(?:/T)?|SN(?:/T)?|SL(?:/T)?|"
    r"QB(?:/T)?|YY(?:/T)?|"
    r"DL(?:/T)?|ISO(?:/IEC|/TS|/TR)?|IEC|EN(?:\sISO)?|DIN(?:\sEN)?|ASTM|ASABE|ANSI|BS(?:\sEN)?|JIS|IEEE|UL)"
    r"\s?[A-Z]{0,2}\s?\d{2,6}(?:[.-]\d{1,4})*(?::\d{4})?(?![A-Za-z0-9])"
)
_MODEL = re.compile(
    r"(?<![A-Za-z0-9_./\\-])(?=[A-Z0-9/.-]*[A-Z])(?=[A-Za-z/.-]*\d)[A-Z][A-Za-z]{0,7}(?:[-/. "
    r"]?\d[A-Za-z0-9]*)(?:[-/.][A-Za-z0-9]+){0,3}"
    r"(?![A-Za-z0-9_%])|(?<![A-Za-z0-9_./-])\d{1,4}[A-Z]{1,5}-?\d{1,5}(?:\.\d+)?[A-Z]*(?![A-Za-z0-9_])"
)
# Codes of letters and a number that are no models: versions, units' powers, headings, growth stages, shares of a day.
_NO_MODEL = re.compile(
    r"(?:V|v|Ver|Rev|No|Fig|Tab|Sec|Ch|Q|R|S|P|PM|CO|N|DN|PN|H|pH|IP|T|D|A|B|C|E|F|M|X|Y)[. ]?\d{1,2}(?:\.\d+)*|PM2\.5|"
    r"[A-Z]{1,2}\d|"
    r"(?:Page|Table|Figure|Section|Step|Clause|Article|Chapter|Part|Item|Annex|Line|Phase|Stage|Class|Grade|Type|"
    r"Level|Room|Day|Week|Year|May|March|June|"
    r"July|April|August|January|Q)[ ]?\d.*|[A-Z][a-z]+ \d.*|(?:19|20)\d\dQ[1-4]|(?:RMB|USD|EUR|CNY|GBP|ISO|GB|PH)[ "
    r"]?[\d.]+"
)
# One of several of a kind: 2#机组, 3号仓.
_NUMBERED = re.compile(
    rf"(?<![\dA-Za-z第.])(?:\d{{1,3}}|[一二三四五六七八九十]{{1,2}})\s?(?:#|号)(?:[{HAN}]{{0,3}}?(?:机组|电机|水泵|泵站|泵|风机|仓|罐|炉|塔|"
    r"圈舍|鸡舍|猪舍|牛舍|大棚|棚|温室|变压器|压缩机|锅炉|烘干机|干燥机|机|井|池|库))(?!关|会|动|械)"
)
_MODEL_LABEL = re.compile(
    r"(?:型号|机型|规格型号|model|type|part (?:no|number)\.?|p/n|件号|料号|编号|series)\s*[:：]?\s*$", re.IGNORECASE
)

_ORG_END = (
    "股份有限公司|有限责任公司|有限公司|集团公司|分公司|公司|集团|研究院|研究所|大学|学院|合作社|合作联社|农场|银行|"
    "出版社|协会|委员会|事务所|"
    "管理局|农业局|农业农村局|监督局|推广站|推广中心|服务中心|检测中心|试验站|种业|制造厂|机械厂|总厂"
)
_ORG = re.compile(rf"[{HAN}A-Za-z0-9()·]{{2,30}}?(?:{_ORG_END})(?![{HAN}]{{0,1}}(?:章|员工|负责人))")
# What cannot belong to a company's name: the name begins behind it.
_ORG_STOP = re.compile(
    "以下简称|委托|通知|要求|隶属|根据|按照|依据|关于|购买|采购自|就职于|任职于|位于|属于|来自|负责人|代表|甲方|乙方|"
    "丙方|买方|卖方|供方|需方|供应商|制造商|生产商|用户|承包商|"
    "[与和及由向为是在对给将于经被从至到让请把即系或的等了该本我贵各某两其]|(?:一|两|三|几|多|数)家|(?:子|母|"
    "外国)(?=公司)"
)
# An office of a place: 松原市农业农村局.
_OFFICE = re.compile(rf"[{HAN}]{{1,8}}?(?:省|市|县|区|州|旗)[{HAN}]{{1,8}}?(?:局|厅|站|中心|委员会)(?![{HAN}]?长)")
_LATIN_ORG = re.compile(
    r"(?<![A-Za-z])(?:(?:[A-Z][A-Za-z0-9&'-]*|of|and|&|de)\s+){0,6}[A-Z][A-Za-z0-9&'-]*,?\s+"
    r"(?:Co\.,?\s?Ltd\.?|Company Limited|GmbH(?: & Co\. KG)?|Ltd\.?|Limited|LL[CP]|Inc\.?|Corporation|Corp\.?|Company|"
    r"PLC|plc|AG|AB|A/S|Oyj?|S\.A\.|B\.?V\.?|N\.V\.|S\.?p\.?A\.?|S\.?r\.?l\.?|K\.K\.|Pvt\.? Ltd\.?|Pty Ltd\.?|"
    r"Institute|University|Cooperative|Bank|Association|Laboratory|Laboratories|Authority|Agency|Ministry|Foundation|"
    r"Group|Partners)(?![A-Za-z])"
)
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭"
    "陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史"
    "陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚"
    "符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁房蒲滕屈"
    "饶解牟艾尤时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙"
    "荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝"
)
_TITLES = (
    "总经理|副总经理|总监|董事长|经理|主任|副主任|工程师|总工程师|主管|组长|队长|站长|场长|厂长|科长|处长|部长|院长|"
    "所长|研究员|农艺师|高级农艺师|"
    "兽医师|兽医|技术员|教授|博士|先生|女士|同志|主席|书记|社长|会计|出纳|班长"
)
_HAN_PERSON = re.compile(
    rf"(?<![{HAN}])(?P<name>[{_SURNAMES}][{HAN}]{{1,2}}?)(?=\s?[(](?:{_TITLES})|(?:{_TITLES}))|"
    rf"(?:{_TITLES})(?P<after>[{_SURNAMES}][{HAN}]{{1,2}}?)(?=负责|汇报|提出|介绍|表示|说明|主持|宣布|要求|认为|建议|"
    r"指出|[,、。；;:：()\s]|与|和|在|于|将|对|$)"
)
SHORT_PERSON = re.compile(
    rf"(?<![{HAN}])(?P<surname>[{_SURNAMES}])(?P<title>总|工|经理|主任|老师|博士|教授|科长|处长|部长|书记|院长|厂长|"
    rf"场长)(?![{HAN}]?(?:师|程|人|作|具|业))"
)
_LATIN_PERSON = re.compile(
    r"(?<![A-Za-z])(?:Mr|Ms|Mrs|Dr|Prof)\.?\s(?P<name>[A-Z][a-z'-]+(?:\s[A-Z]\.)?(?:\s[A-Z][a-z'-]+)?)"
)
_LATIN_NAME = re.compile(r"(?:[A-Z]\.\s?){0,2}[A-Z][a-z'’-]+(?:\s(?:[A-Z]\.|[A-Z][a-z'’-]+|van|de|von)){0,3}")
_HAN_NAME = re.compile(rf"[{_SURNAMES}][{HAN}]{{1,2}}|(?:欧阳|上官|司马|诸葛|司徒|夏侯)[{HAN}]{{1,2}}")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text from `start` to `end`."""

    start: int
    end: int
    name: str
    type: EntityType


def mentions(text: str) -> list[Mention]:
    """Names that can be told by their form, in order, none inside another. `text` is in half width."""
    found: list[Mention] = []
    for start, end, kind in _candidates(text):
        if all(end <= known.start or start >= known.end for known in found):
            found.append(Mention(start, end, text[start:end], kind))
    return sorted(found, key=lambda mention: mention.start)


def _candidates(text: str) -> Iterator[tuple[int, int, EntityType]]:
    for match in _LATIN_ORG.finditer(text):
        start = (
            match.start()
            + len(match[0])
            - len(re.sub(r"^(?:The|And|Of|By|Between|With|For|In|of|and|de|&)\s+", "", match[0]))
        )
        if len(match[0][start - match.start() :].split()) >= 2:
            yield start, match.end(), EntityType.ORGANISATION
    for match in _ORG.finditer(text):
        begin = organisation_start(text, match.start(), match.end())
        if begin is not None:
            yield begin, match.end(), EntityType.ORGANISATION
    for match in _OFFICE.finditer(text):
        begin = organisation_start(text, match.start(), match.end())
        if begin is not None:
            yield begin, match.end(), EntityType.ORGANISATION
    for match in _STANDARD.finditer(text):
        yield match.start(), match.end(), EntityType.STANDARD
    for match in _MODEL.finditer(text):
        labelled = _MODEL_LABEL.search(text[max(0, match.start() - 16) : match.start()])
        if labelled or _is_model(match[0]):
            yield match.start(), match.end(), EntityType.PRODUCT
    for match in _NUMBERED.finditer(text):
        yield match.start(), match.end(), EntityType.THING
    for match in _HAN_PERSON.finditer(text):
        group = "name" if match["name"] else "after"
        yield match.start(group), match.end(group), EntityType.PERSON
    for match in _LATIN_PERSON.finditer(text):
        yield match.start("name"), match.end("name"), EntityType.PERSON


def _is_model(code: str) -> bool:
    if _NO_MODEL.fullmatch(code) or re.fullmatch(r"[A-Z]-\d{1,2}", code):
        return False
    digits = sum(char.isdigit() for char in code)
    letters = sum(char.isalpha() for char in code)
    if digits == 1:
        return re.fullmatch(r"[A-Z]{2,5}-\d[A-Z]{1,3}", code) is not None  # PV-8K
    return digits >= 2 and letters >= 1 and not re.fullmatch(r"\d+[A-Z]{1,3}", code)


def organisation_start(text: str, start: int, end: int) -> int | None:
    """Where an organisation's name that ends at `end` begins; None when nothing of a name is left."""
    name = text[start:end]
    tail = re.search(rf"(?:{_ORG_END})$", name)
    limit = len(name) - (len(tail[0]) if tail else 0)
    cut = 0
    for stop in _ORG_STOP.finditer(name[:limit]):
        # 和平农场, 中和公司: a stop is a part of the name when too little would stand behind it.
        if limit - stop.end() >= 2:
            cut = stop.end()
        elif stop.start() == cut and stop[0][0] in "该本我贵各某两其":
            return None
    core = name[cut:limit]
    if (
        len(core) < 2
        or "公司" in core[:-1]
        or not re.search(rf"[{HAN}A-Za-z]", core)
        or core.count("(") != core.count(")")
    ):
        return None
    return start + cut


def person_names(text: str) -> list[tuple[int, int]]:
    """The names in a list of people (张三、李四(组长), Anna Lee and J. Smith): start and end of each."""
    found: list[tuple[int, int]] = []
    text = re.sub(rf"(?<=[{HAN})])\s(?=[{HAN}])", "、", text)
    for piece in re.finditer(
        r"[^、,;；，\s/&()（）]+(?:\s(?!and\b)[^、,;；，\s/&()（）]+)*(?=[^)）]*(?:[(（]|$))", text
    ):
        name = re.sub(rf"(?:{_TITLES})$|^(?:and|等)\s?|等$", "", piece[0])
        start = piece.start() + piece[0].find(name) if name else piece.start()
        for part in re.finditer(r"(?:(?!\sand\s).)+", name):
            value = part[0].strip()
            if value.startswith("and "):
                value = value[4:]
            place = start + name.find(value)
            if value and (_HAN_NAME.fullmatch(value) or (_LATIN_NAME.fullmatch(value) and " " in value)):
                found.append((place, place + len(value)))
    return found


class KnownNames:
    """Names looked for in a text all at once; the longest that stands at a place counts."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """`names` are pairs of a name and what it stands for."""
        self._by_start: dict[str, list[tuple[str, str]]] = {}
        for name, target in names:
            plain = name.lower()
            if len(plain) >= 2:
                self._by_start.setdefault(plain[:2], []).append((plain, target))
        for known in self._by_start.values():
            known.sort(key=lambda pair: -len(pair[0]))

    def find(self, text: str) -> list[tuple[int, int, str]]:
        """Start, end and target of each known name in `text`, in order."""
        plain = text.lower()
        if len(plain) != len(text):
            plain = text
        found: list[tuple[int, int, str]] = []
        place = 0
        while place < len(plain) - 1:
            for name, target in self._by_start.get(plain[place : place + 2], ()):
                if plain.startswith(name, place) and _whole(plain, place, place + len(name)):
                    found.append((place, place + len(name), target))
                    place += len(name)
                    break
            else:
                place += 1
        return found


def _whole(text: str, start: int, end: int) -> bool:
    """Whether a Latin name stands there as a word of its own (a plural s may follow)."""

    def latin(char: str) -> bool:
        return char.isascii() and char.isalnum()

    if start and latin(text[start]) and latin(text[start - 1]):
        return False
    if not latin(text[end - 1]):
        return True
    rest = text[end : end + 2]
    return not rest or not latin(rest[0]) or (rest[0] == "s" and not (len(rest) > 1 and latin(rest[1])))
