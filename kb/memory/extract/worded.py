"""Values that are words: the material of the casing is cast iron, 防护等级为 IP65, "Term" means …."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.memory.extract.constraints import Limit
from kb.memory.extract.leads import HAN_HEAD, bare
from kb.memory.extract.mentions import HAN
from kb.memory.extract.statement import LONGEST_VALUE, Statement

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
_MADE = re.compile(
    r"^(?:the |its )?(?P<subject>[\w-]+(?: [\w-]+){0,3}?) (?:is|are) (?P<attr>made (?:of|from)|coated with|covered "
    r"with|filled with|driven by|fuelled by) (?P<value>(?:(?! and (?:is|has|are|have)\b)[^,;.\d]){2,60})",
    re.IGNORECASE,
)
_HAN_MADE = re.compile(
    rf"^(?P<subject>[{HAN}]{{2,10}}?)(?P<attr>采用|由|用|选用)(?P<value>[^,，。;；:：\d]{{2,20}}?)(?:制成|制造|制作|材质)"
)
_DEFINED = re.compile(
    rf"^[“\"「]?(?P<name>[{HAN}A-Za-z0-9 /-]{{2,24}}?)[”\"」]?(?:,?(?:本(?:合同|协议|规范|标准|文件)(?:中|"
    rf"所称)?)?)(?:是指|系指|指的是|,?指|定义为)(?!定|出|导|示|标|数|挥|派|南)(?P<value>.{{4,}})$"
)
_LATIN_DEFINED = re.compile(
    r"^[“\"]?(?P<name>[A-Z][\w /-]{1,40}?)[”\"]? (?:means|shall mean|refers to|is defined as) (?P<value>.{4,})$"
)


def defined(text: str) -> Iterator[Statement]:
    match = _DEFINED.match(text) or _LATIN_DEFINED.match(text)
    if match:
        value = match["value"].rstrip("。. ")
        start = match.start("value")
        yield Statement(
            match["name"].strip(), "definition", value[:LONGEST_VALUE], "", "definition", start, start + len(value)
        )


def plain_values(text: str, conditions: tuple[Limit, ...]) -> Iterator[Statement]:
    """Values that are words: the material of the casing is cast iron, 防护等级为 IP65."""
    for pattern in (_PLAIN_VALUE, _NAMED_KIND, _LATIN_PLAIN, _LATIN_KIND, _MADE, _HAN_MADE):
        for match in pattern.finditer(text):
            value = match["value"].strip(" .")
            subject = match["subject"].strip() if "subject" in pattern.groupindex else ""
            name = HAN_HEAD.sub("", match["attr"]).strip() or match["attr"]
            if (
                len(value) < 1
                or re.match(r"[不否](?!锈)", value)
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
