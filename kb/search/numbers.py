"""The fifth voice: where a question asks for a number, a quantity of the kind asked for near the question's words.

What is read out is the document's own writing (`3-5 cm`, `0.3%`, `每亩30克`), never converted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from kb.search.normalise import normalise
from kb.search.quantities import asks_quantity, located
from kb.search.sections import Block, Section, split_sentences
from kb.search.tokens import terms

ANY = "any"
_KINDS = {
    "length": "厘米 毫米 微米 公里 米 cm mm m km μm ft in feet foot inch inches metre metres meter meters",
    "mass": "公斤 千克 毫克 微克 克 斤 两 吨 kg g mg μg t lb oz pound pounds gram grams ounce ounces",
    "volume": "毫升 升 立方米 ml l dl hl m3 gal gallon gallons litre litres liter liters pt qt",
    "area": "亩 公顷 平方米 ha hm2 m2 km2 ac acre acres",
    "share": "% ‰ percent 倍 倍液 ppm mg/l g/l mg/kg g/kg ml/l",
    "time": "天 日 周 个月 月 年 小时 分钟 秒 秒钟 日龄 周龄 月龄 "
    "h min s d day days week weeks month months year years hour hours minute minutes second seconds hr hrs",
    "temperature": "℃ °c °f 度 degrees",
    "pressure": "mpa kpa pa bar mbar psi 兆帕 千帕",
    "money": "元",
    "times": "次 times",
}
_KIND_OF = {unit: kind for kind, units in _KINDS.items() for unit in units.split()}
_ASKED = (
    (
        "time",
        r"几[天年月日周]|多少[天年月日周]|多久|多长时间|几个月|几小时|多少小时|间隔期|休药期|"
        r"how long|how (?:many|often) (?:days?|weeks?|months?|years?|hours?|minutes?)|\binterval\b",
    ),
    (
        "length",
        r"多[深高宽厚远]|几厘米|多少厘米|几米|多少米|深度|高度|宽度|厚度|间距|株距|行距|"
        r"how (?:deep|high|wide|thick|far|tall)|\b(?:depth|spacing|distance|height|width|thickness)\b",
    ),
    ("temperature", r"温度|多少度|几度|多热|多冷|how (?:hot|cold|warm)|\btemperature\b"),
    ("pressure", r"压力|气压|\bpressure\b"),
    (
        "share",
        r"浓度|比例|百分之|几倍|多少倍|稀释|含量|湿度|"
        r"percent|\bconcentration\b|\bratio\b|\bshare\b|\bhumidity\b",
    ),
    ("mass", r"几公斤|多少公斤|几斤|多少斤|几克|多少克|多少吨|多重|重量|how heavy|\bweight\b"),
    ("money", r"多少钱|几块钱|价格"),
    ("times", r"几次|多少次|how (?:many times|often)"),
)
_PER = re.compile(
    r"(?:每(?:100|千|百|万)?[亩株公顷头只升吨克斤袋瓶袋]{1,2}|亩|株)(?:地|水)?(?:施用|用量|施|用|追施|撒施)?(?:为|约)?\s*$"
)
_BEFORE = 12
_NUMERAL = re.compile(r"[\d一二两三四五六七八九十百千半]")
# How many sentences or rows of a block are read, and how long one may be.
_MOST = 400
_LONGEST = 2_000
# How much a word counts that stands in the headings only, beside one that stands in the sentence itself.
_IN_HEADINGS = 0.5


@dataclass(frozen=True, slots=True)
class Value:
    """A quantity as the document writes it, and how much of the question stands around it (0..1)."""

    text: str
    score: float


def asked_kinds(question: str) -> frozenset[str]:
    """The kinds of quantity that a question may mean; empty when it asks for no number, ANY when for some number."""
    plain = normalise(question)
    kinds = frozenset(kind for kind, pattern in _ASKED if re.search(pattern, plain))
    return kinds or (frozenset((ANY,)) if asks_quantity(question) else frozenset())


def best_value(section: Section, kinds: frozenset[str], wanted: Mapping[str, float]) -> Value | None:
    """The quantity of one of these `kinds` in `section` that stands nearest to the `wanted` terms (with weights)."""
    total = sum(wanted.values())
    if not kinds or not total:
        return None
    heads = set(terms(" ".join(section.trail)))
    best: Value | None = None
    for context, sentence in _sentences(section):
        found = [(start, end) for start, end, unit in located(sentence) if _fits(unit, kinds)]
        if not found:
            continue
        inside = set(terms(f"{context} {sentence}"))
        score = sum(
            weight if term in inside else _IN_HEADINGS * weight
            for term, weight in wanted.items()
            if term in inside or term in heads
        )
        if score > 0 and (best is None or score / total > best.score):
            start, end = _nearest(sentence, found, wanted)
            best = Value(_written(sentence, start, end), min(score / total, 1.0))
    return best


def _fits(unit: str, kinds: frozenset[str]) -> bool:
    """Whether a unit is of a kind that was asked for: the first part of a compound counts (kg/ha is a mass)."""
    if not unit:
        return False
    if ANY in kinds:
        return True
    first = re.split(r"[/·*]", unit)[0]
    return _KIND_OF.get(unit) in kinds or _KIND_OF.get(first) in kinds


def _sentences(section: Section) -> Iterator[tuple[str, str]]:
    """Pieces of a section that may hold a value, each with what it has to be read with (a table's header)."""
    for block in section.blocks:
        if block.kind == "table":
            yield from islice(_rows(block), _MOST)
        else:
            for sentence, _ in split_sentences(block.text)[:_MOST]:
                if len(sentence) <= _LONGEST and _NUMERAL.search(sentence):
                    yield "", sentence


def _rows(block: Block) -> Iterator[tuple[str, str]]:
    header, _, *rows = block.text.split("\n")
    for row in rows:
        yield header, row


def _nearest(sentence: str, found: list[tuple[int, int]], wanted: Mapping[str, float]) -> tuple[int, int]:
    """The span that stands nearest to the question's words in a sentence with several."""
    if len(found) == 1:
        return found[0]
    plain = sentence.lower()
    places = [(plain.find(term), weight) for term, weight in wanted.items() if len(term) > 1 and term in plain]
    if not places:
        return found[0]
    # What a value belongs to mostly stands before it: a word behind counts for a farther one.
    return min(
        found,
        key=lambda span: sum(
            weight * (span[0] - place if place <= span[0] else 2 * (place - span[0])) for place, weight in places
        ),
    )


def _written(sentence: str, start: int, end: int) -> str:
    """The value as it is written, with the `每亩` before it."""
    per = _PER.search(sentence[max(0, start - _BEFORE) : start])
    return " ".join(((per[0] if per else "") + sentence[start:end]).split())
