"""Words that limit: only, except, if, unless, not. Where they stand in a sentence and how far they reach."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.memory.schema import ConstraintKind

_CLAUSE = r"[^,，。;；!?\n]"
# Where an English condition ends; 5 ml when dipping and 10 ml when spraying are two.
_LATIN_END = r"[,;]|:\s|\.(?!\d)|$|\s(?:and|but|or) \d[^,;]{1,20}\b(?:when|if|for|before|after|during)\b"
_AT = "(?<!小)时"  # 2 小时 is a stretch of time
# What is compared to a value, and what then has to be done: 厚度小于 2 mm 应更换. 不得超过 2 mm only bounds.
_COMPARED = r"(?<![不得能应可宜须])(?:低于|高于|超过|小于|大于|达到|不足|少于|多于|≥|≤)"
_DEED = r"(?<!\d)\s?(?:应当?|须|需要?|必须|要|则|就|即|不要|不得|不能|禁止|严禁|方可)(?![求超大高多低小少])"
# What is compared, in front of a comparison.
_MEASURED = re.compile(r"[\u4e00-\u9fff\d. ]{1,20}$")
# Conditions: the span is the condition itself.
_CONDITIONS: tuple[tuple[ConstraintKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (ConstraintKind.UNLESS, rf"除非{_CLAUSE}{{2,60}}"),
        (ConstraintKind.EXCEPT, rf"除(?:了)?(?!草|虫|锈|尘|湿|霜|去|以|外){_CLAUSE}{{1,40}}?(?:之外|以外|外)"),
        (ConstraintKind.ONLY, rf"(?:只有|仅|只)(?:在|当){_CLAUSE}{{2,40}}?(?:{_AT}|下|情况下|后)?(?=[,，]|才|方可|$|[。"
                              rf";；])|只有{_CLAUSE}{{2,40}}?(?=才|方可|[,，])"),
        (ConstraintKind.IF, rf"(?:当|若|如果|如遇|倘若|假如|一旦|遇有|遇到?){_CLAUSE}{{2,40}}?(?:{_AT}|的情况下|情况下|"
                            r"的话|者|(?=[,，则]))"),
        (ConstraintKind.IF, rf"(?<![例比诸])如(?![下何图表前上今此果遇]|例|有需要){_CLAUSE}{{2,40}}?(?:{_AT}|的|者|(?="
                            r"[,，则]))"),
        (ConstraintKind.IF, rf"{_COMPARED}\s?{_CLAUSE}{{1,16}}?(?:的话?(?=[,，应须必需要不则可])|(?={_DEED}))"),
        (ConstraintKind.IF, rf"(?<![存现正旨所])在\s?\d{_CLAUSE}{{2,24}}?(?:之间|范围内?)(?:时|的)?(?=[,，])"),
        (ConstraintKind.IF, rf"在?(?:低于|高于|超过|小于|大于|达到|达|不足|少于|多于|≥|≤|<|>|处于)\s?{_CLAUSE}{{1,"
                            rf"24}}?(?:{_AT}|的情况下|情况下|条件下|的条件下|环境中|环境下|的环境下|的{_CLAUSE}{{1,"
                            rf"8}}?(?:下|中|时|内))"),
        (ConstraintKind.IF, rf"(?:(?<![存现正旨所])在|于){_CLAUSE}{{1,30}}?(?:的情况下|情况下|的条件下|条件下|环境下|"
                            rf"环境中|状态下|期间|时期|{_AT}(?!间|代|长|候|刻|效|机)|季节|地区|之?前|"
                            r"之?后)(?![进端级期方者序勤备面门续轮桥])"),
        (ConstraintKind.IF, rf"^{_CLAUSE}{{2,20}}?(?:{_AT}|的情况下|情况下|条件下|环境下|之前|之后|以后|以前|期间)(?=[,"
                            r"，])"),
        (ConstraintKind.IF, r"^(?:\w{2,10}?)(?:前|后|时)(?=应|须|必须|需|要|先|不得|再|,|，)"),
        (ConstraintKind.UNLESS, r"\bunless\b(?:[^,.;]|\.\d){2,100}"),
        (ConstraintKind.ONLY, r"\bonly (?:if|when|after|before|while|in|during|at|with|under)\b(?:[^,.;]|\.\d){2,100}"),
        (ConstraintKind.EXCEPT, r"\b(?:except(?: for| that| when| in| where)?|excepting|excluding|with the exception "
                                r"of|other than|apart from)\b(?:[^,.;]|\.\d){2,80}"),
        (ConstraintKind.IF, r"\b(?:if|when|whenever|provided that|in (?:the )?case of|in the event (?:of|that)|as "
                            rf"long as|in case)\b[^,;]{{2,100}}?(?={_LATIN_END})"),
        (ConstraintKind.IF, r"\b(?:(?:at|in) (?:an? |the )?(?:\w+ ){0,2}(?:temperatures?|altitudes?|humidity|speeds?|"
                            r"pressures?|loads?|weather|conditions?|environments?|winter|summer) (?:below|above|"
                            r"under|over|of|between|exceeding|from|down to|higher than|lower than)\b"
                            r"(?:[^,;]|,(?=\d)){2,50}?)(?=,(?!\d)|;|\.(?!\d)|$)"),
        (ConstraintKind.IF, r"(?<!\bstay )(?<!\bdrop )(?<!\bfall )(?<!\bsink )(?<!\brise )"
                            r"(?<!\bbe )(?<!\bis )(?<!\bare )(?<!\bkept )(?<!\bkeep )(?<!\bremain )"
                            r"\b(?:below|above|under|over) [-−]?\d+(?:\.\d+)?\s?(?:°|℃|%|m\b|bar|MPa|kPa|V\b|km/h|"
                            r"hPa|degrees)[A-Za-z]?(?: (?:of )?[a-z]+){0,2}(?=[,;.]|$| the| a| use| you| preheat)"),
        (ConstraintKind.IF, r"\b(?:once|where) (?:the |its )(?:[^,.;]|\.\d){2,100}"),
        (ConstraintKind.IF, r"^(?:(?:at|in|on|during|between|above|below|under) (?:(?! (?:is|are|was|were|must|"
                            r"shall|should|may|can|will|has|have)\b)(?:[^,;.]|\.\d)){2,60}|"
                            r"(?:after|before) (?:[^,;.]|\.\d){2,60})(?=,\s)"),
        (ConstraintKind.IF, r"\b(?:before|after|during|while|until)\b (?:\w+ing\b|the |each |every |first |any |a "
                            rf")(?:[^,.;]|\.\d){{0,160}}?(?={_LATIN_END})"),
    )
)  # fmt: skip
# Limits whose whole clause is the limit.
_LIMITS: tuple[tuple[ConstraintKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (ConstraintKind.NOT, r"不适用(?:于)?|不得用于|不用于|不可用于|不能用于|不(?:适合|适宜|宜)用?于?|\bnot "
                             r"(?:suitable|intended|approved|designed|valid|applicable|recommended|to be used|for "
                             r"use)\b|\bdoes not apply\b|\bnot for\b"),
        (ConstraintKind.EXCEPT, r"除外|不(?:包括|包含|含|涵盖|在此限|受此限)|不在[^,，。;；]{1,12}(?:范围|之列)|"
                                r"例外|但书|另有(?:约定|规定)的?除?外?|"
                                r"\b(?:not includ(?:ed|ing)|does not (?:include|cover)|do not include|is not covered|"
                                r"are not covered|outside the scope|not within the scope|"
                                r"is excluded|are excluded|exclud(?:es|ing)|not covered)\b"),
        (ConstraintKind.ONLY, r"(?:仅|只|专)(?:适用|用|限|供|对|能|可|允许|在|针对|面向|接受|负责|支持|需)|仅限|限于|"
                              r"限在|限(?:用于)?\S{1,10}使用|\bonly\b|\bsolely\b|\bexclusively\b|\b(?:is |are |be "
                              r")?(?:limited|restricted|confined) to\b"),
        (ConstraintKind.NOT, r"不得|严禁|禁止|禁用|切勿|请勿|勿|不要|不可(?![避或])|不准|不许|不允许|不能|不应|不宜|"
                             r"避免|\b(?:must|shall|should|may|can|will) not\b|\bcannot\b|\bdo not\b|\bdon't\b|"
                             r"\bnever\b|\bprohibited\b|\bforbidden\b|\bnot permitted\b|\bnot allowed\b|\bavoid\b"),
    )
)  # fmt: skip
# Compared before it in the same breath: 间隙超过 1 mm、磨损超过 2 mm 的.
_BESIDE = re.compile(
    rf"[\u4e00-\u9fff]{{1,12}}{_COMPARED}\s?\d[^,，。;；:：、]{{0,12}}[、或]\s?[\u4e00-\u9fff]{{0,12}}$"
)
_STARTS_COMPARED = re.compile(r"在?(?:低于|高于|超过|小于|大于|达|不足|少于|多于|≥|≤|<|>|处于|\s?\d)")
# 不得超过 30 ℃ bounds a value; that is what the value's own bound says.
_ONLY_BOUND = re.compile(
    r"不(?:得|能|应|可|宜|准|允许)?(?:超过|大于|高于|多于|低于|小于|少于|早于|晚于|迟于)|(?:must|shall|should|may|"
    r"can|will) not exceed|cannot exceed|not (?:be )?(?:more|less|later|earlier|greater|fewer) than",
    re.IGNORECASE,
)
# What a table says where a column has nothing to tell of a row.
_NOTHING_TO_TELL = re.compile(r"不适用|not applicable", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit from `start` to `end` of a sentence; `condition` when it is only a condition of what stands beside."""

    kind: ConstraintKind
    start: int
    end: int
    condition: bool


def limits(text: str) -> list[Limit]:
    """The limits in a sentence (half width), in order, the outermost where one holds another."""
    found: list[Limit] = []
    for kind, pattern in _CONDITIONS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if _STARTS_COMPARED.match(match[0]):
                start -= len(_front(text, start))
            while end > start and text[end - 1] in " ,，":
                end -= 1
            if text[start:end].isascii() and start == 0 and end >= len(text) - 1 and re.search(r"\d", text):
                continue  # When folded the trailer stands 3.9 m high: all that is said
            if end - start >= 2 and _free(found, start, end):
                found.append(Limit(kind, start, end, True))
    for kind, pattern in _LIMITS:
        for match in pattern.finditer(text):
            if kind is ConstraintKind.NOT and _ONLY_BOUND.match(text, match.start()):
                continue
            start, end = clause_around(text, match.start(), match.end())
            if _NOTHING_TO_TELL.fullmatch(text[start:end].strip()):
                continue
            inside = [limit for limit in found if limit.start <= match.start() < limit.end]
            if not inside and not any(limit.start == start and not limit.condition for limit in found):
                found.append(Limit(kind, start, end, False))
    return sorted(found, key=lambda limit: (limit.start, limit.end))


def _front(text: str, start: int) -> str:
    """What is compared: the words of the clause before `start`, as long as they are not too many."""
    if beside := _BESIDE.search(text[:start]):
        return beside[0]
    before = re.split(r"[,，;；。:：!?、()（）\n]", text[:start])[-1]
    found = _MEASURED.search(before)
    front = found[0].lstrip("0123456789. ") if found else ""
    return "" if re.search(r"[应须不]|^(?:号|型)", front) else front


def _free(found: list[Limit], start: int, end: int) -> bool:
    return all(end <= limit.start or start >= limit.end for limit in found)


def clause_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause that holds `start` to `end`: back to a mark, forward to one; a short lead-in joins."""
    first = max((text.rfind(mark, 0, start) for mark in ",，;；:：。"), default=-1) + 1
    if first and text[first - 1] in ",，" and start - first <= 1:
        # "运费,除外": the words before belong to it.
        first = max((text.rfind(mark, 0, first - 1) for mark in ",，;；:：。"), default=-1) + 1
    ends = [place for mark in ";；。" if (place := text.find(mark, end)) >= 0]
    last = min(ends, default=len(text))
    if last == len(text) and text[last - 1 : last] == ".":
        last -= 1
    while first < last and text[first] in " ,，":
        first += 1
    return first, last
