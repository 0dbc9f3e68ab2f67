"""An event's words as sentences with their places, and what each sentence is: a rule, a cause, a guess."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.search.normalise import normalise
from kb.search.quantities import quantities
from kb.supply.check_words import says_nothing
from kb.supply.events import Event

# Where people write what they found out, in the order in which it is looked for; a diff is code, not a finding.
_LESSONS = ("review", "comments", "outcome", "answer")
_CONTEXT = ("title", "request", "question", "incident")
_MOST_CHARACTERS = 20_000
_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]|\.(?=\s|$)|$)", re.DOTALL)

# A sentence that tells somebody what to do: a duty, a ban, an order of steps, a condition with what follows from it.
_BINDING = re.compile(
    r"必须|务必|要求.{1,16}(?:到|再|先|按)|不得|禁止|严禁|切勿|勿|不要|不可|不能|不许|不准|别(?![的人处墅名])|不再|"
    r"不[和与收用按喷加](?!了)|只[能许准用有在收]|[方才]可|才能|"
    r"一律|先.{1,40}(?:再|才|后|、.{1,20})|应当?[先按在从用]|应为|作废|改[用为成按]|换成|要[先按从用深慢在换]|"
    r"立即.{2,}|直到|不[少低高大小]于|不超过|(?:少于|超过|低于|高于|一旦|遇到).{1,24}(?:就|则|再|应|先|立即)|"
    r"每(?:次|天|周|月|隔|小时).{2,}|"
    r"[前时]先?(?:换|做|查|测|核对|清|关|停)|由.{1,12}(?:更换|处理|负责)|"
    r"\b(?:must|never|do not|don't|always|only|instead|at least|at most|at once|once the)\b|"
    r"\bnot (?:before|from|until)\b"
)
# English says what to do with the bare verb in front; with a condition or a figure behind it, it is a rule.
_ORDER = re.compile(
    r"^(?:then |first |please )?(?:keep|replace|use|check|discard|start|stop|change|clean|call|wait|put|fit|measure|"
    r"drain|fill|close|open|read|turn|remove|add|set|store|move|test|ask|rinse|flush|record|report|isolate)\b"
    r".*(?:\d|\b(?:before|after|until|when|whenever|if|once|every|each|unless)\b)"
)
# Something went wrong, or people did not agree: what may happen again.
_TROUBLE = re.compile(
    r"故障|停机|报警|爆|裂|漏|堵|坏|伤|死|病|错|有误|投诉|失败|失效|超时|烧|热点|发热|熄火|结蜡|不准|跳闸|触电|异响|噪声|"
    r"磨损|破碎|损耗|黑屏|黑心|药害|丢|冲走|返工|返修|险|不一致|频繁|反复|差点|事故|进灰|检出|异常|偏高|偏低|过期|堆积|"
    r"重复扣|腐烂|发霉|中毒|短路|"
    r"\b(?:fail\w*|fault\w*|broke\w*|damag\w+|crack\w*|leak\w*|complain\w*|ill|sick|lost|loss\w*|wrong|drift\w*|burn\w*|"
    r"burst|blocked|stuck|accident|injur\w+|duplicate\w*|different answers|down|timeout\w*|error\w*|died|dead|"
    r"spoil\w*|mould\w*|rot\w*)\b"
)
_BAN = re.compile(r"不得|禁止|严禁|切勿|不要|不可(?!避免)|不能|不许|\b(?:never|must not|do not|don't|not)\b")
_CAUSE = re.compile(
    r"原因(?!未|不明|待)|根因|因为|由于|导致|造成|引起|查明(?!原因)|所致|否则|以免|"
    r"\b(?:because|caused|root cause|due to|otherwise)\b|\bso that\b"
)
_GENERAL = re.compile(
    r"以后|今后|凡是|所有|一律|统一|每次|每台|每批|遇到|任何|\b(?:every|all|any|always|from now on|whenever)\b"
)
_CORRECTION = re.compile(
    r"不对|写错|有误|更正|应为|作废|\b(?:is wrong|was wrong|incorrect|no longer holds|correction)\b"
)
_GUESS = re.compile(
    r"可能(?!扣|会|重|使|炸)|也许|怀疑|或许|大概|估计|猜|不确定|好像|\b(?:maybe|perhaps|might|not sure|probably)\b"
)
# About people and errands, not about how work is done.
_ERRAND = re.compile(
    r"参加|请假|到货|已下单|通知|报名|培训|开会|周[一二三四五六日天末](?:前|之前)|下?个?月底前|"
    r"\b(?:meeting|deadline|by (?:mon|tues|wednes|thurs|fri)day)\b"
)
# What was, not what is to be done.
_STORY = re.compile(
    r"了|过(?![夜秤磅滤冬夏])|已|昨|上周|当时|没有?[^，。]{1,8}就|一共|共 ?\d|"
    r"\b(?:was|were|had|has|came|went|fell|rose|got|did|been|\w+ed)\b"
)
_CODE = re.compile(r"(?<![A-Za-z0-9-])(?:[A-Z]{1,4}-?\d{1,4}|ERR_[A-Z_]+|[A-Z]{2,}[A-Z0-9]*_[A-Z0-9_]+)(?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of an event: `source` names the field (`comments[1]`), `start` and `end` count characters in it."""

    source: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and what speaks from it. `rule`: it says what to do or not to do, and that concretely."""

    span: Span
    rule: bool
    ban: bool
    cause: bool
    general: bool
    correction: bool
    guess: bool
    errand: bool
    trouble: bool
    numbers: bool
    story: bool

    @property
    def instruction(self) -> bool:
        """Whether it may be an instruction without any word that says so: figures, and nothing told of the past."""
        return self.numbers and not self.story and not self.trouble

    @property
    def weight(self) -> int:
        """How much it looks like what should be remembered: only to choose among the rules of one event."""
        return 2 * self.numbers + 2 * self.general + self.ban + self.correction - self.cause - 2 * self.story


def fields(event: Event) -> Iterator[tuple[str, str]]:
    """The texts of an event by the names of their fields: findings first, then what it was about."""
    for name in (*_LESSONS, *_CONTEXT):
        value = event.fields.get(name)
        if isinstance(value, str):
            yield name, value[:_MOST_CHARACTERS]
        elif isinstance(value, list):
            for number, item in enumerate(value[:200]):
                if isinstance(item, str):
                    yield f"{name}[{number}]", item[:_MOST_CHARACTERS]


def is_finding(source: str) -> bool:
    """Whether a field holds what people found out, not what was asked of them."""
    return source.partition("[")[0] in _LESSONS


def sentences(event: Event) -> list[Sentence]:
    """All sentences of an event, in the order of `fields`."""
    return [judged(span) for source, text in fields(event) for span in spans(source, text)]


def findings(event: Event) -> list[Sentence]:
    """The sentences in which people say what they found out."""
    return [one for one in sentences(event) if is_finding(one.span.source)]


def spans(source: str, text: str) -> Iterator[Span]:
    """The sentences of one field."""
    for found in _SENTENCE.finditer(text):
        start, end = found.start(), found.end()
        while start < end and (text[start].isspace() or text[start] in "-*•"):
            start += 1
        while end > start and (text[end - 1].isspace() or text[end - 1] in "。！？!?.；;"):
            end -= 1
        if end > start:
            yield Span(source, start, end, text[start:end])


def judged(span: Span) -> Sentence:
    """What a sentence is."""
    said = normalise(span.text)
    rule = bool(_BINDING.search(said) or _ORDER.search(said)) and not says_nothing(span.text)
    return Sentence(
        span, rule, _BAN.search(said) is not None, _CAUSE.search(said) is not None, _GENERAL.search(said) is not None,
        _CORRECTION.search(said) is not None, _GUESS.search(said) is not None, _ERRAND.search(said) is not None,
        _TROUBLE.search(said) is not None,
        any(one.unit for one in quantities(span.text)), _STORY.search(said) is not None,
    )  # fmt: skip


def codes(event: Event) -> list[str]:
    """Error codes and part numbers that an event names, in the order of their first mention."""
    return list(dict.fromkeys(code for _, text in fields(event) for code in _CODE.findall(text)))
