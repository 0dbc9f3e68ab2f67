"""What a question is about, word by word, and which of that the evidence does not name.

«牛腹泻蒙脱石散用多少» is not answered by what is said of pigs, "Gearbox oil capacity" not by the row of the engine:
one word of the question stands nowhere there, and it is the one that matters. Words that only ask, relate or measure
are left out: «播种深度» is answered by «播深 3 厘米», "rear tyre pressure" by "rear 3.2 bar".
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from kb.answer.measures import measure_words
from kb.search.quantities import Quantity, located, quantities
from kb.search.tokens import HAN, latin_words, stem, stop_terms

# Said of any thing: doing, having, being allowed, kinds, degrees, times, and what only asks.
_LIGHT_WORDS = """
来着 大概 请问 比较 合适 适宜 允许 容易 范围 原因 时候 负责 咋办 回事 怎么 如何 怎样 什么 为什么 是否 需要 应该 必须
开始 进行 情况 方法 办法 注意 意思 作用 影响 区别 之间 正常 一般 至少 至多 不超过 不低于 超过 超标 低于 高于 推荐 建议
规定 标准 要求 控制 公式 代表 表示 重新 指标 默认 名称 类型 星期 今年 现在 告诉 知道 我家 老板 上限 下限 适合
"""
_LIGHT_CHARACTERS = (
    "的地得了着过是在有为与和或及要能会可应该须需就都也还又再才只把被让给对从到向按时候后前内中里上下每各一个几多少大小高低长短"
    "深浅远近快慢久谁哪何什么样办做弄用放打施浇喝装修算吃喂加取存卖买看说叫请问您我你他它她们这那些种类型号量度值率数最比吗呢吧"
    "呀啊哦没不无非别勿莫来去成次第隔于以其之则若如所并但而且宜家老怎咋换含占完交付"
)
_LIGHT_LATIN = """
need take use allow permit long big far high low deep large small old often make keep hold get give reach support last
run mean say show type kind sort value amount number quantity rate dose range limit maximum minimum max min recommend
require default normal correct right proper set start happen apply work control available time first second third after
before during per each every one only also still between within more less most least much many other same different way
reason cause effect name call safe ok okay possible best good own want like know find see go among under instead against
without until since change replace deliver provide contain consider
define describe fast slow level point sell buy pay threshold beyond till stay valid last long formula equation
"""
_WORDS = re.compile("|".join(sorted(_LIGHT_WORDS.split(), key=len, reverse=True)))
_CHARACTERS = re.compile(f"[{_LIGHT_CHARACTERS}]")
_LIGHT_STEMS = frozenset(map(stem, _LIGHT_LATIN.split()))
_HAN_RUN = re.compile(f"[{HAN}]+")
# What is counted or chosen from («几台», "which box"): the answer need not say what it is one of.
_ASKED_OF = re.compile(
    rf"提前(?=[几多])|(?:多少|几)[{HAN}]|哪(?:[一几]?[个种类些台只头款]?)(?:品种|型号|[{HAN}])|^\W*which \w+"
)
# So much of the beginning two words share when one is made from the other (store, storage), and how alike two
# spellings of one are.
_STEM = 4
_ALIKE = 0.85
_LONGEST_INITIALS = 5
# A suffix without a meaning of its own (管子), but for the words of a plant (种子, 子叶).
_SUFFIX = re.compile(r"(?<=[\u4e00-\u9fff])(?<![种孢卵松瓜果])子(?![粒叶实房代])")
# Different words for one deed or state.
_SAME = tuple(
    frozenset(map(stem, group.split()))
    for group in (
        "sow plant drill seed seeding",
        "cool chill refrigerate",
        "fix repair mend",
        "rinse wash clean flush",
        "feed fodder food ration",
        "forbid prohibit ban",
        "unite merge combine join",
        "remove dismantle detach",
        "error fault failure alarm",
        "fever temperature",
        "diarrhoea diarrhea scour scours",
        "shut close",
        "spray apply application",
        "warranty guarantee",
        "cost price",
    )
)
_SAME_HAN = tuple(
    frozenset(group.split()) for group in ("烧 热", "坏 损", "泻 痢", "喂 饲 投", "修 维", "买 购", "捕 捞")
)
_ALSO_HAN = {one: group - {one} for group in _SAME_HAN for one in group}
# Irregular forms that no stem joins.
_IRREGULAR = """
sown sow, paid pay, sold sell, bought buy, kept keep, held hold, fed feed, fought fight, bred breed, froze freeze,
frozen freeze, broke break, broken break, drove drive, driven drive, worn wear, wore wear, torn tear, shorn shear, shook
shake, shaken shake, drew draw, drawn draw,
drank drink, drunk drink, ate eat, eaten eat, grew grow, grown grow, lost lose,
left leave, lit light, spoilt spoil, burnt burn, teeth tooth, feet foot, mice mouse, geese goose, oxen ox,
calves calf, wrote write, written write, fell fall, fallen fall, born bear, done do, did do, made make, given give,
gave give, taken take, took take, known know, shown show, went go, gone go, said say, told tell, meant mean, ran run
"""
_FORMS = {stem(form): stem(base) for form, base in (pair.split() for pair in _IRREGULAR.split(","))}
_NONE_ALIKE: Mapping[str, frozenset[str]] = {}
# A number without a unit tells which one is meant when it follows a name: «Captor 50», "alarm 14", "firmware 3.5".
_WHICH_NUMBER = re.compile(r"\b(?P<name>[a-z]{2,}) (?P<number>\d+(?:\.\d+)?)(?![\d.,%])(?P<after>.{0,6})")


def unnamed(
    question: str, frame: str, beside: str = "", synonyms: Mapping[str, frozenset[str]] = _NONE_ALIKE
) -> list[str]:
    """The words of `question` that matter and do not stand in `frame` (all folded): for Chinese the characters in a
    row, for Latin the stems, and numbers that tell which one is meant. A word for a measure stands there with a
    quantity of that measure, a word of which one of its `synonyms` does. Words may also stand `beside`, a character of
    a longer Chinese word with its neighbour (油压 is not named by 油)."""
    plain = _SUFFIX.sub(" ", _asked_of_things(question))
    for start, end, _ in sorted(located(plain), reverse=True):
        plain = f"{plain[:start]} {plain[end:]}"
    for measure in measure_words(frame):
        plain = measure.sub(" ", plain)
    there = set(latin_words(f"{frame} {beside}"))
    for word, others in synonyms.items():
        if word in plain and any(_says(frame, there, other) for other in others):
            plain = plain.replace(word, " ")
    short = _with_initials(latin_words(question), there)
    return [
        *_han_lacking(plain, frame, beside),
        *(word for word in _latin_lacking(plain, there) if word not in short),
        *(number for name, number in _which_numbers(question) if not _numbered(name, number, f"{frame} {beside}")),
    ]


def share(lacking: list[str], question: str) -> float:
    """How much of the words that matter in `question` (folded) is `lacking`, 0..1; a Chinese character is
    half a word."""
    plain = _asked_of_things(question)
    whole = sum(map(_size, _HAN_RUN.findall(_CHARACTERS.sub(" ", plain))))
    whole += sum(map(_matters, dict.fromkeys(latin_words(plain))))
    return min(sum(map(_size, lacking)) / max(whole, 0.5), 1.0)


def share_of(words: Mapping[str, bool], frame: str) -> float:
    """How much of the `words` that matter, by size, is lacked; they say whether each one is. Measures of which `frame`
    (folded) has a quantity do not matter."""
    light = measure_words(frame)
    sizes = {word: _size_of(word, light) for word in words}
    return sum(sizes[word] for word, lacked in words.items() if lacked) / max(sum(sizes.values()), 0.5)


def matters(word: str) -> bool:
    """Whether a word or phrase names something, or is a code: not what only asks, relates or measures."""
    return _size_of(_ASKED_OF.sub(" ", word), ()) > 0 or any(char.isdigit() for char in word)


def _size_of(word: str, light: Iterable[re.Pattern[str]]) -> float:
    """How much a word or phrase that matters counts: a Chinese character as half a word."""
    for pattern in light:
        word = pattern.sub(" ", word)
    plain = _CHARACTERS.sub(" ", _WORDS.sub(" ", word))
    return sum(map(_size, _HAN_RUN.findall(plain))) + sum(map(_matters, latin_words(plain)))


def _says(frame: str, there: set[str], word: str) -> bool:
    """Whether a text says a word that matters: `frame` a Chinese one, its stems `there` a Latin one."""
    return matters(word) and (there.issuperset(latin_words(word)) if word.isascii() else word in frame)


def _asked_of_things(question: str) -> str:
    return _ASKED_OF.sub(" ", _WORDS.sub(" ", question))


def _which_numbers(question: str) -> list[tuple[str, str]]:
    """Names with the number that tells which one is meant."""
    return [
        (match["name"], match["number"])
        for match in _WHICH_NUMBER.finditer(question)
        if _names(stem(match["name"]))
        and not any(item.unit for item in quantities(f"{match['number']}{match['after']} 1 {match['name']}"))
    ]


def _numbered(name: str, number: str, frame: str) -> bool:
    """Whether `number` stands in `frame`: behind `name` where that is followed by numbers there."""
    behind = re.findall(rf"\b{re.escape(name)}s?\W{{1,3}}(\d+(?:\.\d+)?(?:\s?[-–~]\s?\d+)?)", frame)
    said = quantities(" , ".join(behind) or frame)
    return any(_holds(item, Decimal(number)) for item in said if not item.unit)


def _holds(item: Quantity, number: Decimal) -> bool:
    """Whether `number` is one of a quantity's, or within its range."""
    return number in item.values or (item.join == "-" and min(item.values) <= number <= max(item.values))


def _size(word: str) -> float:
    return len(word) / 2 if _HAN_RUN.match(word) else 1.0


def _han_lacking(question: str, frame: str, beside: str) -> Iterator[str]:
    lacking = _CHARACTERS.sub(" ", question)
    for run in _HAN_RUN.finditer(lacking):
        word = run[0]
        pairs = [word[max(place - 1, 0) : place + 1] for place in range(len(word) + 1)]
        yield from "".join(
            " "
            if any(one in frame for one in _meant(char))
            or any(pair in beside for pair in pairs[place : place + 2] if len(pair) > 1 or len(word) == 1)
            else char
            for place, char in enumerate(word)
        ).split()


def _meant(char: str) -> frozenset[str]:
    """A Chinese character with those that stand for the same."""
    return frozenset(char) | _ALSO_HAN.get(char, frozenset())


def _latin_lacking(question: str, there: set[str]) -> Iterator[str]:
    for word in dict.fromkeys(latin_words(question)):
        if _matters(word) and word not in there and not any(_is_form(word, other) for other in there):
            yield word


def _matters(word: str) -> bool:
    """Whether a Latin stem names something; of two letters it may be anything."""
    return len(word) > 2 and _names(word)


def _names(word: str) -> bool:
    return word.isalpha() and (_LIGHT_STEMS | stop_terms()).isdisjoint((word, _FORMS.get(word, word)))


def _with_initials(asked: list[str], there: set[str]) -> set[str]:
    """The words of `asked` that stand in a row whose initials are `there` (re-entry interval: REI)."""
    rows = (
        asked[start : start + size]
        for size in range(2, _LONGEST_INITIALS + 1)
        for start in range(len(asked) - size + 1)
    )
    return {word for row in rows if "".join(word[0] for word in row) in there for word in row}


def _is_form(word: str, other: str) -> bool:
    """Whether two stems are forms, or spellings, of one word, or words for one deed."""
    if len(word) >= _STEM and other.startswith(word[:_STEM]):
        return True
    word, other = _FORMS.get(word, word), _FORMS.get(other, other)
    if word == other or any(word in group and other in group for group in _SAME):
        return True
    return len(word) > _STEM and difflib.SequenceMatcher(None, word, other).ratio() >= _ALIKE
