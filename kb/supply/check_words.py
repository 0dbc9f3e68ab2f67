"""Two judgements about a card's words: does a situation only repeat the title, does the conclusion say anything."""

from __future__ import annotations

import re

from kb.search.normalise import normalise
from kb.search.tokens import HAN, terms

# Words that sound like advice and leave open what to do. What is left without them is what a conclusion says.
_VAGUE_ZH = (
    "注意 重视 关注 加强 做好 认真 确保 保证 安全 及时 合理 适当 规范 提高 相关 有关 情况 工作 问题 管理 处理 操作 "
    "使用 事项 妥善 谨慎 小心 仔细 科学 正确 按照 根据 要求 规定 进行 措施 必要 应该 应当 需要 务必 尽量 一定 有效 "
    "落实 到位 意识 效果"
)
_VAGUE_EN = (
    "be is are aware careful carefully pay attention take care ensure make sure properly correctly safe safely safety "
    "important appropriate appropriately relevant issues issue problem problems handle handled handling follow rules "
    "rule good best practice practices always should must need needs improve manage management situation work use used "
    "with and or the a an of to in for on when as it this that all any please required necessary measures"
)
# A condition, an order of steps, a ban: what makes a judgement one that can be carried out.
_BINDING_ZH = re.compile(
    "先.{0,30}[再后才]|不得|禁止|严禁|不要|不可|不能|切勿|[才方]可|才能|之前|之后|[前后]不|立即|直到|否则|只[有能用]|改[用为成]"
)
_BINDING_EN = re.compile(
    r"\b(?:before|after|until|unless|never|only|not|don't|first|then|instead|without|at least|at most|within|if)\b"
)
_NUMBER = re.compile(r"[0-9]")
_HAN_CHARACTER = re.compile(rf"[{HAN}]")
_WORD = re.compile(r"[a-z][a-z'-]+")
# How much must be left: Chinese characters, an English word counting as two; less with a condition, order or ban.
_ENOUGH_BOUND = 4
_ENOUGH = 8
# A situation whose terms are nearly all the title's says nothing about when to remember the card.
_SAME = 0.8


def says_nothing(conclusion: str) -> bool:
    """Whether a conclusion leaves open what to do.

    It says something when it holds a number or a code, or when enough words are left after vague ones (care, attention,
    ensure, 注意, 加强, 做好, …) were taken away: 8 Chinese characters (an English word counts as two), 4 where a
    condition, an order of steps or a ban stands in it.
    """
    said = normalise(conclusion)
    if _NUMBER.search(said):
        return False
    bound = bool(_BINDING_ZH.search(said) or _BINDING_EN.search(said))
    for word in _VAGUE_ZH.split():
        said = said.replace(word, " ")
    left = len(_HAN_CHARACTER.findall(said)) + 2 * len(set(_WORD.findall(said)) - set(_VAGUE_EN.split()))
    return left < (_ENOUGH_BOUND if bound else _ENOUGH)


def copies_title(scene: str, title: str) -> bool:
    """Whether a situation is the title again: one text inside the other, or 4 of 5 different terms the same."""
    first, second = _bare(scene), _bare(title)
    if not first or not second:
        return False
    if first in second or second in first:
        return min(len(first), len(second)) * 2 > max(len(first), len(second))
    these, those = set(terms(scene)), set(terms(title))
    return bool(these and those) and len(these & those) / len(these | those) >= _SAME


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", normalise(text))
