"""What a question demands of its answer beside its words: values that it names, and the kind of quantity that it wants.

«Which tank holds 250 L?»: a sentence about 200 L is no answer, however alike the rest is. «What does the pump weigh?»:
a sentence that gives its pressure is none either. A value counts only where the question asks which thing has
it; kinds are told in kb.answer.kinds. A question that is nothing but a figure
(«50%», «20.04») is answered by what holds that very figure. What is said of another stage («分蘖期», "heading stage")
or of another recipient («用于猪») than the question names is no answer either.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, replace
from decimal import Decimal

from kb.answer.kinds import Kind, kinds_asked, says_kind
from kb.search.quantities import Quantity, folded, located, quantities
from kb.search.tokens import stem, words

_WHICH = re.compile(
    r"\bwhich\b|\bwhat (?!is\b|are\b|does\b|do\b)\w+ (?:holds?|has|have|takes?|contains?|needs?)\b|哪(?!一?[里儿年天])"
)
# A period, an age or a share of time says when; bounds and years are met by other values than the named one.
_TIMES = re.compile(r"年|月|周|天|日|时|分|秒|岁|second|sec|minute|min|hour|hr|h$|day|week|month|year|time|^s$|^ms$")
_HAS = re.compile(
    r"(?:\b(?:holds?|has|have|contains?|takes?|carr(?:y|ies)|needs?|weighs?|uses?|costs?|with)\s+(?:exactly\s+|only\s+)?"
    r"|哪[^，。？?]{0,8}?(?:装|有|含|放|盛|带|用|需要?|重|存)[着了]?\s*)(?P<number>\d+(?:\.\d+)?)(?![\d.,%-])"
)
# What such a number counts: «holds 2 games», 装3个玩具.
_COUNTED = re.compile(
    r" (?P<latin>[a-z]{3,})|\s?[个只台件把盒袋瓶]\s?(?P<han>[\u4e00-\u9fff]{1,4}?)(?=$|[?？。，,的]|和)"
)
# «哪一种», «哪5个», «哪两年» say how many are asked for; other Chinese numerals are as often words (一般, 三环唑).
_HAN_NUMBER = re.compile(r"哪\s?\d+|[零〇一二两三四五六七八九十]")
# A bare figure has a unit, a decimal point or three digits: «7» alone says nothing.
_BARE = re.compile(r"\s*[-−]?(?:\d+(?:\.\d+)?\s*[^\d\s，。？?]{1,6}|\d+\.\d+|\d{3,})\s*[?？。]?\s*")
_BOUNDS = re.compile(
    r"不得?超过|不高于|不低于|不大于|不小于|不少于|至少|至多|最多|最少|最高|最低|以上|以下|以内|之间|超过|高于|低于|大于|小于|[<>≤≥＜＞]|"
    r"up to|at least|at most|more than|less than|below|above|over|under|between|exceed|maximum|minimum|max\b|min\b"
)
# «追多少钾肥», «how much nitrogen does maize need»: the thing whose amount is asked for, without words of its class.
_MUCH = re.compile(
    r"多少(?P<han>[\u4e00-\u9fff]{1,5}?)(?=[?？。，,\s]|才|最|合适|为宜|比较|$)|"
    r"^\W*(?:\w+ ){0,2}how much (?P<latin>[a-z]+) (?:do|does|should|must|can|is (?:needed|required)|to)\b"
)
_CLASS = re.compile(
    r"^(?:公斤|千克|毫克|克|吨|市斤|斤|两|毫升|升|立方米?|方|倍|粒|株|袋|枚|片|头份?)|[肥料药剂的量液钱]"
)
# A stage or term that has a name («返青期», «休药期», "tillering stage"); not one of time in general («同期»).
_OF_TIME = "时日长短定周星学分预到过同近早晚延"
_PART = "[前中后初盛末始]?"
_NO_NAME = "growth|early|late|first|second|next|last|final|which|what|each|this|that|the|some"
_STAGE = re.compile(
    rf"(?P<han>(?![什哪这那各整本该]|一个|几个|每个|生育)[\u4e00-\u9fff](?![{_OF_TIME}])[\u4e00-\u9fff]){_PART}期|"
    rf"\b(?!(?:{_NO_NAME})\b)(?P<latin>[a-z]{{4,}}) stages?\b"
)
_ANY_STAGE = re.compile(rf"[\u4e00-\u9fffa-z0-9]{_PART}(?<![{_OF_TIME}])期|\b[a-z]{{4,}} stages?\b")
_FOR = re.compile(r"用于(?P<whom>[\u4e00-\u9fff]{1,2})")
_NO_THING = frozenset(
    re.findall(
        r"\w+",
        "times time money more less of it this that we i you one and or for per in percent euros dollars yuan eur usd",
    )
)


@dataclass(frozen=True, slots=True)
class Demands:
    """What the answer must hold: `values` as decimals, and the `kinds` of quantity, one of which must be given.

    `thing` is what an amount is asked of, or what a named number counts, for Chinese the characters any of which tells
    it, '' for none; `figure` is the whole question where that is a figure. `stages` and `recipients` are the names of
    those that the question is about («分蘖», stems of English words; «猪»).
    """

    values: frozenset[Decimal] = frozenset()
    kinds: tuple[Kind, ...] = ()
    thing: str = ""
    figure: Quantity | None = None
    stages: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()

    @classmethod
    def of(cls, question: str, unknown: Container[str] = ()) -> Demands:
        """Read `question`; `unknown` are terms that no document holds, which tell where a Chinese word cannot end."""
        plain = folded(question)
        alone = quantities(plain) if _BARE.fullmatch(plain) else []
        if len(alone) == 1 and not _says_more(plain):
            return cls(figure=alone[0])
        kinds = kinds_asked(plain)
        thing = _asked_thing(plain) if any(kind.is_amount for kind in kinds) else _counted_thing(plain)
        return cls(
            _named_values(plain),
            kinds,
            thing,
            stages=tuple(_stage(match, unknown) for match in _STAGE.finditer(plain)),
            recipients=tuple(
                match["whom"][0] if match["whom"] in unknown else match["whom"] for match in _FOR.finditer(plain)
            ),
        )

    def across_languages(self) -> Demands:
        """What can be asked of a document in the other language: values and kinds of quantity, not words."""
        return replace(self, thing="", stages=(), recipients=())

    def met_by(self, text: str, around: str, under: str = "", *, bare: bool = False) -> bool:
        """Whether the unit `text` (folded), with the headings and table head `around` it, can be an answer.

        `under` is the nearest heading; `bare` says that it has a number of which nothing tells the unit.
        """
        return (
            self._figure_in(text, around)
            and self._thing_in(f"{text} {around}")
            and self._values_in(text)
            and self._stage_in(text, around, under)
            and all(any(char in f"{text} {around}" for char in whom) for whom in self.recipients)
            and (not self.kinds or any(says_kind(kind, text, around, bare=bare) for kind in self.kinds))
        )

    def _figure_in(self, text: str, around: str) -> bool:
        """Whether the figure stands in `text`; its unit may be that of a table's column or be left out."""
        figure = self.figure
        return figure is None or any(
            set(figure.values) <= set(item.values)
            and (figure.unit in ("", item.unit) or (not item.unit and figure.unit in around))
            for item in quantities(text)
        )

    def _thing_in(self, text: str) -> bool:
        thing = self.thing
        if thing.isascii():
            return stem(thing) in {stem(word) for word in words(text)} if thing else True
        return any(char in text for char in thing)

    def _stage_in(self, text: str, around: str, under: str) -> bool:
        """Whether `text` is about one of the stages, or neither it nor the heading that it stands under names any."""
        if not self.stages or _ANY_STAGE.search(f"{text} {under}") is None:
            return True
        return any(stage in f"{text} {around}" for stage in self.stages)

    def _values_in(self, text: str) -> bool:
        if not self.values or _BOUNDS.search(text):
            return True
        found = quantities(text)
        exact = {value for quantity in found for value in quantity.values}
        ranges = [quantity.values for quantity in found if quantity.join == "-"]
        return all(value in exact or any(low <= value <= high for low, high in ranges) for value in self.values)


def _says_more(question: str) -> bool:
    """Whether something stands behind the unit of a figure («2024年住宿标准»)."""
    return any(unit and re.search(r"\w", question[end:]) for _, end, unit in located(question))


def _stage(match: re.Match[str], unknown: Container[str]) -> str:
    """What tells a stage: «苗期» where the character before it belongs to another word («番茄苗期»)."""
    if not match["han"]:
        return stem(match["latin"])
    return match["han"] if match["han"] not in unknown else match[0][1:]


def _named_values(question: str) -> frozenset[Decimal]:
    """The values that the question says its answer has."""
    plain = _HAN_NUMBER.sub(" ", question)
    measured = [item for item in quantities(plain) if item.unit and not _TIMES.search(item.unit)]
    if not _WHICH.search(question) or _BOUNDS.search(plain):
        return frozenset()
    found = {value for item in measured if not item.join for value in item.values}
    return frozenset(found | {Decimal(match["number"]).normalize() for match in _HAS.finditer(plain)})


def _counted_thing(question: str) -> str:
    """What the number that the asked thing has counts in `question`; '' where that is a unit, or nothing."""
    held = _HAS.search(question) if _WHICH.search(question) else None
    found = _COUNTED.match(question, held.end()) if held else None
    if held is None or found is None:
        return ""
    latin = found["latin"] or ""
    is_unit = latin in _NO_THING or any(item.unit and latin for item in quantities(f"{held['number']} {latin}"))
    return "" if is_unit else latin or found["han"]


def _asked_thing(question: str) -> str:
    """What an amount is asked of in `question`; '' where only its class is named (多少药) or nothing."""
    found = _MUCH.search(question)
    if found is None:
        return ""
    latin = found["latin"] or ""
    return _CLASS.sub("", found["han"]) if found["han"] else "" if latin in _NO_THING else latin
