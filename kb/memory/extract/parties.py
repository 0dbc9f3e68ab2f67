"""Who is called what: the parties of contracts, 以下简称, hereinafter, abbreviations in brackets, also known as."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.memory.extract.mentions import HAN, mentions, organisation_start, person_names
from kb.memory.schema import EntityType

_HAN_ROLES = (
    "甲方|乙方|丙方|丁方|买方|卖方|供方|需方|出租方|承租方|委托方|受托方|发包方|承包方|出卖人|买受人|出租人|承租人|"
    "委托人|受托人|贷款人|借款人|"
    "发包人|承包人|服务方|采购方|采购人|供应方|供货方|购货方|中标人|许可方|被许可方|转让方|受让方|保证人|担保人|"
    "用人单位|劳动者|投保人|保险人|定作方|承揽方|合作方"
)
_LATIN_ROLES = (
    "Buyer|Seller|Supplier|Customer|Client|Contractor|Subcontractor|Landlord|Tenant|Licensor|Licensee|Lessor|Lessee|"
    "Party [A-D]|"
    "Employer|Employee|Vendor|Purchaser|Service Provider|Provider|Consultant|Owner|Lender|Borrower|Distributor|"
    "Manufacturer|Company|Agent|Principal"
)
_LABELLED = re.compile(
    rf"(?:^|[\s,，;；。])(?P<role>{_HAN_ROLES})\s?(?:[(](?P<also>[^()]{{2,16}})[)])?\s?[:：]\s?(?P<name>[^,，;；"
    rf":：]{{2,60}})"
)
_LABELLED_LATIN = re.compile(
    rf"^(?:The\s)?(?P<role>{_LATIN_ROLES})\s?(?:[(][\"'“]?(?:the\s)?(?P<also>[^()\"”]{{2,"
    rf"24}})[\"'”]?[)])?\s?:\s?(?P<name>[A-Z][^;:]{{2,80}})"
)
_CALLED = re.compile(
    r"[(,，\s](?:在?(?:以下|下文|后文|下称)(?:中)?(?:统|均)?(?:简称|称|(?<=下称)|(?=[“「『《]))|统?简称)(?:为|作)?\s?[“\"'「『《]?"
    r"(?P<alias>[^”\"'」』》)）,，。;；“]{1,20})(?:[”\"'」』》]?(?:\s?(?:或|、|/|and|"
    r"or)\s?[“\"'「『](?P<alias2>[^”\"'」』)，]{1,20})[”\"'」』])?)"
)
_QUOTED_ROLE = re.compile(
    r"\s?[(](?:(?:hereinafter|hereafter|henceforth)?,?\s?(?:collectively\s)?(?:referred to as|called|known as|"
    r"together)?,?\s?)"
    r"(?:the\s)?[\"'“”](?:the\s)?(?P<alias>[A-Z][\w .&-]{0,30}?)[\"'”“](?:\s?or\s?(?:the\s)?[\"'“](?P<alias2>[^\"”]{2"
    r",30})[\"'”])?[)]"
)
_HEREINAFTER = re.compile(
    r",?\s?[(]?(?:hereinafter|hereafter)(?:\s(?:referred to as|called))?\s(?:the\s)?[\"'“]?(?P<alias>[A-Z][\w -]{1,"
    r"30}?)[\"'”]?(?=[),.;]|$)"
)
_BRACKETED = re.compile(r"(?P<name>[^()]{2,60}?)\s?[(](?P<alias>[^()]{2,24})[)]")
_ALSO = re.compile(
    rf"(?P<name>[{HAN}A-Za-z0-9-]{{2,16}}?)[(,，]?\s?(?:又称|又名|也称|亦称|也叫|俗称|别名|别称)(?:为|作|"
    rf"是)?\s?[:：]?[“\"]?(?P<alias>[{HAN}A-Za-z0-9-]{{2,14}})"
)
_ALSO_LATIN = re.compile(
    r"(?P<name>[A-Za-z][\w -]{2,40}?),?\s?[(]?(?:also (?:known as|called|referred to as)|a\.?k\.?a\.?|abbreviated(?: "
    r"as| to)?)\s(?:the\s)?[\"“']?(?P<alias>[A-Za-z][\w -]{1,30}?)[\"”']?(?=[),.;]|\s(?:is|are|was|has|can|must)\b|$)"
)
_NOT_ALSO = re.compile(r"盖章|签章|签字|公章|全称|单位|姓名|章|以下|简称|\d{4}")
_TAIL = re.compile(
    r"\s?(?:[(](?:公章|盖章|签章|签字|章)[)].*|(?:地址|住所|法定代表人|联系人|电话|统一社会信用代码|签字|盖章).*)$"
)
_BETWEEN = re.compile(
    r"(?:between|by and between|made between)[:\s]+(?P<a>[A-Z].{2,160}?),?\s+and\s+(?P<b>[A-Z].{2,120}?)(?=[.;]|,? "
    r"(?:for|whereby|dated|on|effective|concerning|is made|sets)\b|$)"
)


@dataclass(frozen=True, slots=True)
class Called:
    """A text says that `name` is called `alias`. `local` where only this document does (a contract's role).

    `span` is where the statement stands, `role` is set where `alias` is the role of a party.
    """

    name: str
    type: EntityType
    alias: str
    reason: str
    span: tuple[int, int]
    local: bool = False
    role: bool = False


def called(text: str) -> list[Called]:
    """Every statement in a sentence (half width) that one name stands for another."""
    found: list[Called] = []
    for item in _statements(text):
        name, alias = item.name.strip(" ,，:：“”\"'"), item.alias.strip(" ,，:：“”\"'")
        if len(name) >= 2 and len(alias) >= 1 and name.lower() != alias.lower() and len(name) <= 80:
            found.append(Called(name, item.type, alias, item.reason, item.span, item.local, item.role))
    return found


def _statements(text: str) -> Iterator[Called]:
    yield from _labelled(text)
    for match in _CALLED.finditer(text):
        before = _name_before(text, match.start())
        if before is None:
            continue
        for alias in (match["alias"], match["alias2"]):
            if alias:
                alias = alias.strip()
                role = re.fullmatch(_HAN_ROLES, alias) is not None
                yield Called(*before, alias, "memory_alias_called", match.span(), role or alias[:1] in "本该此我", role)
    for pattern in (_QUOTED_ROLE, _HEREINAFTER):
        for match in pattern.finditer(text):
            before = _latin_before(text, match.start())
            if before:
                # the "Carrier" of Dale Transport Limited, and not its short name
                role = re.fullmatch(_LATIN_ROLES, match["alias"]) is not None or (
                    before[1] is EntityType.ORGANISATION
                    and not match["alias"].isupper()
                    and not set(match["alias"].lower().split()) & set(re.findall(r"\w+", before[0].lower()))
                )
                local = role or not match["alias"].isupper()
                if role and before[1] is EntityType.THING:
                    before = before[0], EntityType.ORGANISATION
                yield Called(*before, match["alias"], "memory_alias_called", match.span(), local, role)
    for match in _BRACKETED.finditer(text):
        yield from _bracketed(text, match)
    for pattern in (_ALSO, _ALSO_LATIN):
        for match in pattern.finditer(text):
            name = re.sub(r"^(?:The|the|A|a|An|an)\s", "", match["name"])
            yield Called(name, EntityType.THING, match["alias"], "memory_alias_also", match.span())


def _labelled(text: str) -> Iterator[Called]:
    for match in (*_LABELLED.finditer(text), *_LABELLED_LATIN.finditer(text)):
        name = _TAIL.sub("", match["name"]).strip(" .。")
        quoted = re.match(r"(?P<n>[^(]{2,60}?)\s?[(]", name)
        name = (quoted["n"] if quoted else name).strip()
        if not name or re.fullmatch(rf"{_HAN_ROLES}|[_\s/—-]+", name) or len(name.split()) > 9:
            continue
        known = [mention for mention in mentions(name) if mention.type is EntityType.ORGANISATION]
        if known and known[0].start <= 1:
            whole = known[0].end >= len(name) - 1 or name[known[0].end :].lstrip()[:1] in (",", "，")
            kind, name = EntityType.ORGANISATION, known[0].name if whole else name
        else:
            kind = EntityType.PERSON if person_names(name) == [(0, len(name))] else EntityType.ORGANISATION
        yield Called(name, kind, match["role"], "memory_alias_party", match.span(), True, True)
        also = match["also"]
        if also and not _NOT_ALSO.search(also):
            yield Called(name, kind, also, "memory_alias_party", match.span(), True, True)


def _name_before(text: str, place: int) -> tuple[str, EntityType] | None:
    """The name that ends just before `place`: one told by its form, else the words back to the last mark."""
    before = text[:place].rstrip(" (,，")
    for mention in reversed(mentions(before)):
        if mention.end >= len(before) - 1:
            return mention.name, mention.type
    run = re.search(r"[^,，。;；:：、()“”\"\s][^,，。;；:：()“”\"]{1,39}$", before)
    if run is None:
        return None
    start = len(before) - len(run[0])
    if before.endswith(("公司", "厂", "局", "中心", "集团", "研究所", "大学")):
        cut = organisation_start(before, start, len(before))
        start = start if cut is None else cut
        return before[start:], EntityType.ORGANISATION
    name = re.sub(r"^(?:本|该|由|与|和|及|对|将|根据|按照|关于)", "", run[0]).strip()
    return (name, EntityType.THING) if name else None


def _latin_before(text: str, place: int) -> tuple[str, EntityType] | None:
    """The capitalised words before `place`, a company's address in between left out."""
    before = text[:place].rstrip(" ,(")
    known = [mention for mention in mentions(before) if mention.type is EntityType.ORGANISATION]
    if known and "(" not in before[known[-1].end :] and len(before) - known[-1].end < 120:
        return known[-1].name, known[-1].type
    run = re.search(r"(?:[A-Z0-9][\w&'./-]*\s?|(?:of|and|for|the)\s){1,8}$", before)
    if run is None:
        return None
    name = re.sub(r"^(?:(?:The|the|and|of|for|And|Between|By|This)\s)+", "", run[0]).strip()
    return (name, EntityType.THING) if name else None


def _bracketed(text: str, match: re.Match[str]) -> Iterator[Called]:
    """An abbreviation in brackets: its letters are the name's initials, or a Latin one stands behind a Chinese name."""
    alias = match["alias"].strip()
    name = match["name"].rstrip()
    if re.fullmatch(r"[A-Z][A-Za-z]{0,2}[A-Z][A-Z0-9]{0,5}|[A-Z]{2,7}", alias):
        words = re.findall(r"[A-Za-z][\w'-]*", name)
        for count in range(2, min(len(words), 8) + 1):
            chosen = words[-count:]
            initials = "".join(word[0] for word in chosen if word.lower() not in ("of", "and", "for", "the", "in"))
            if initials.upper() == alias.upper() and chosen[0][0].isalpha():
                first = name.rfind(chosen[0], 0, len(name) - sum(len(word) for word in chosen[1:]))
                yield Called(name[first:], EntityType.THING, alias, "memory_alias_initials", match.span())
                return
        run = re.search(rf"(?<![{HAN}])[{HAN}]{{3,10}}$", name)
        if run and not re.search("[是为的与和或在由每应须需]", run[0]):
            yield Called(run[0], EntityType.THING, alias, "memory_alias_bracket", match.span())
    elif re.fullmatch(rf"[{HAN}]{{2,8}}", alias):
        before = _name_before(text, match.start("alias") - 1)
        if before and before[1] is EntityType.ORGANISATION and _stands_in_order(alias, before[0]):
            yield Called(*before, alias, "memory_alias_bracket", match.span())


def _stands_in_order(short: str, long: str) -> bool:
    """Whether the characters of `short` stand in `long` in this order."""
    place = 0
    for char in short:
        place = long.find(char, place) + 1
        if not place:
            return False
    return True


def parties_between(text: str) -> list[str]:
    """The names in "between X and Y", in order."""
    found: list[str] = []
    for match in _BETWEEN.finditer(text):
        for side in ("a", "b"):
            rest = text[match.start(side) :]
            known = [item.name for item in mentions(rest) if item.type is EntityType.ORGANISATION and item.start <= 1]
            name = known[0] if known else re.split(r"\s?[(]|,\s", match[side])[0].strip(" ,")
            if name:
                found.append(name)
    return found
