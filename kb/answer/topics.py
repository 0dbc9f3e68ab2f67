"""What a question is about, word by word, and which of that the evidence does not name.

«牛腹泻蒙脱石散用多少» is not answered by what is said of pigs, "Gearbox oil capacity" not by the row of the engine:
one word of the question stands nowhere there, and it is the one that matters. Words that only ask, relate or measure
are left out: «播种深度» is answered by «播深 3 厘米», "rear tyre pressure" by "rear 3.2 bar".
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from kb.answer.kinds import measures
from kb.search.quantities import located, quantities
from kb.search.tokens import HAN, latin_words, stem, stop_terms

# Said of any thing: doing, having, being allowed, kinds, degrees, times, and what only asks.
_LIGHT_WORDS = """
来着 大概 请问 比较 合适 适宜 允许 容易 范围 原因 时候 负责 咋办 回事 怎么 如何 怎样 什么 为什么 是否 需要 应该 必须
开始 进行 情况 方法 办法 注意 意思 作用 影响 区别 之间 正常 一般 至少 至多 不超过 不低于 超过 超标 低于 高于 推荐 建议
规定 标准 要求 控制 重新 指标 默认 名称 类型 星期 今年 现在 告诉 知道 我家 老板
"""
_LIGHT_CHARACTERS = (
    "的地得了着过是在有为与和或及要能会可应该须需就都也还又再才只把被让给对从到向按时候后前内中里上下每各一个几多少大小高低长短"
    "深浅远近快慢久谁哪何什么样办做弄用放打施浇喝装修算吃喂加取存卖买看说叫请问您我你他它她们这那些种类型号量度值率数最比吗呢吧"
    "呀啊哦没不无非别勿莫来去成次第隔于以其之则若如所并但而且宜家老怎咋换"
)
_LIGHT_LATIN = """
need take use allow permit long big far high low deep large small old often make keep hold get give reach support last
run mean say show type kind sort value amount number quantity rate dose range limit maximum minimum max min recommend
require default normal correct right proper set start happen apply work control available time first second third after
before during per each every one only also still between within more less most least much many other same different way
reason cause effect name call safe ok okay possible best good own want like know find see go among under instead against
without until since change replace deliver provide contain consider
define describe kept held taken given fast slow level point
"""
_WORDS = re.compile("|".join(sorted(_LIGHT_WORDS.split(), key=len, reverse=True)))
_CHARACTERS = re.compile(f"[{_LIGHT_CHARACTERS}]")
_LIGHT_STEMS = frozenset(map(stem, _LIGHT_LATIN.split()))
_HAN_RUN = re.compile(f"[{HAN}]+")
# What is counted or chosen from («几台», "which box"): the answer need not say what it is one of.
_ASKED_OF = re.compile(rf"(?:多少|几)[{HAN}]|哪(?:[一几]?[个种类些台只头款]?)(?:品种|型号|[{HAN}])|^\W*which \w+")
# So much of the beginning two words share when one is made from the other (store, storage), and how alike two
# spellings of one are.
_STEM = 4
_ALIKE = 0.85
_LONGEST_INITIALS = 5
# Different words for one deed.
_ONE_DEED = (frozenset(map(stem, ("sow", "sown", "plant", "drill", "seed", "seeding"))),)
# A number without a unit tells which one is meant when it follows a name: «Captor 50», "alarm 14".
_WHICH_NUMBER = re.compile(r"\b(?P<name>[a-z]{3,}) (?P<number>\d+)(?![\d.,%])(?P<after>.{0,6})")


def unnamed(question: str, frame: str) -> list[str]:
    """The words of `question` that matter and do not stand in `frame` (both folded): for Chinese the characters in a
    row, for Latin the stems, and numbers that tell which one is meant. A word for a measure stands there with a
    quantity of that measure."""
    plain = _asked_of_things(question)
    for start, end, _ in sorted(located(plain), reverse=True):
        plain = f"{plain[:start]} {plain[end:]}"
    for measure in measures(frame):
        plain = measure.sub(" ", plain)
    there = set(latin_words(frame))
    short = _with_initials(latin_words(question), there)
    return [
        *_han_lacking(plain, frame),
        *(word for word in _latin_lacking(plain, there) if word not in short),
        *(number for number in _which_numbers(question) if not re.search(rf"(?<![\d.]){number}(?![\d.])", frame)),
    ]


def share(lacking: list[str], question: str) -> float:
    """How much of the words that matter in `question` (folded) is `lacking`, 0..1; a Chinese character is
    half a word."""
    plain = _asked_of_things(question)
    whole = sum(map(_size, _HAN_RUN.findall(_CHARACTERS.sub(" ", plain))))
    whole += sum(map(_matters, dict.fromkeys(latin_words(plain))))
    return min(sum(map(_size, lacking)) / max(whole, 0.5), 1.0)


def _asked_of_things(question: str) -> str:
    return _ASKED_OF.sub(" ", _WORDS.sub(" ", question))


def _which_numbers(question: str) -> list[str]:
    return [
        match["number"]
        for match in _WHICH_NUMBER.finditer(question)
        if _matters(stem(match["name"]))
        and not any(item.unit for item in quantities(f"{match['number']}{match['after']} 1 {match['name']}"))
    ]


def _size(word: str) -> float:
    return len(word) / 2 if _HAN_RUN.match(word) else 1.0


def _han_lacking(question: str, frame: str) -> Iterator[str]:
    for run in _HAN_RUN.findall(_CHARACTERS.sub(" ", question)):
        yield from "".join(char if char not in frame else " " for char in run).split()


def _latin_lacking(question: str, there: set[str]) -> Iterator[str]:
    for word in dict.fromkeys(latin_words(question)):
        if _matters(word) and word not in there and not any(_is_form(word, other) for other in there):
            yield word


def _matters(word: str) -> bool:
    """Whether a Latin stem names something."""
    return word.isalpha() and len(word) > 2 and word not in _LIGHT_STEMS and word not in stop_terms()


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
    if any(word in deed and other in deed for deed in _ONE_DEED):
        return True
    if word[:-1] == other[:-1] and {word[-1], other[-1:]} == {"f", "v"}:  # calf, calves
        return True
    if word in (f"{other}n", f"{other}en") or other in (f"{word}n", f"{word}en"):  # sow, sown
        return True
    return len(word) > _STEM and difflib.SequenceMatcher(None, word, other).ratio() >= _ALIKE
