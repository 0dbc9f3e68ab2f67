"""What text begins with: bullets, numbers of items and headings, captions, notes."""

from __future__ import annotations

import re
from collections.abc import Iterable

_BULLETS = "•◦▪▫■□●○◆◇►▶➢➤✓✔❑❖·∙‣⁃–—*-"
BULLET = re.compile(rf"^([{_BULLETS}])\s+(?=\S)|^([•◦▪■□●○◆◇►▶➢➤✓✔❑❖‣⁃])(?=\S)")
# 1. 1) (1) （1） 1、 ① a) (a) iv. 第1步 Step 1:
NUMBER = re.compile(
    r"^(?:\d{1,3}[.)、．](?!\d)|[（(]\d{1,3}[)）]|[①-⑳]|[a-zA-Z][.)](?=\s)|[（(][a-zA-Z][)）]|[（(]?[ivx]{1,5}[.)）](?=\s))\s*(?=\S)"
)
# What stands alone before the text of an item when a wide gap follows it.
LONE_MARK = re.compile(
    rf"^(?:[{_BULLETS}]|\d{{1,3}}[.)、．]|[（(]\d{{1,3}}[)）]|[①-⑳]|[a-zA-Z][.)]|[（(][a-zA-Z][)）]|[（(]?[ivx]{{1,5}}[.)）]|"
    r"\d{1,2}(?:\.\d{1,2}){1,4}\.?|第[一二三四五六七八九十百\d]{1,4}[章节条款部分篇])$"
)
# 1.2 Title; 第三章; 一、; （一）; Chapter 2; Appendix A; Article 5
SECTION = re.compile(
    r"^(?:(?P<dots>\d{1,2}(?:\.\d{1,2}){0,5})(?:[.．、]?\s+|[．、])(?=\D)|(?P<deep>\d{1,2}(?:\.\d{1,2}){1,5})(?=[\u4e00-\u9fff])"
    r"|(?P<part>第[一二三四五六七八九十百零\d]{1,5}(?:部分|[篇编]))|(?P<chapter>第[一二三四五六七八九十百零\d]{1,5}章)"
    r"|(?P<section>第[一二三四五六七八九十百零\d]{1,5}节)|(?P<article>第[一二三四五六七八九十百零\d]{1,5}条)"
    r"|(?P<han>[一二三四五六七八九十]{1,3}[、．.])|(?P<han2>[（(][一二三四五六七八九十]{1,3}[)）])"
    r"|(?P<english>(?:Chapter|CHAPTER|Part|PART|Appendix|APPENDIX|Annex|ANNEX|附录|附件)\s*[\dA-ZIVX]{1,4}\b)"
    r"|(?P<article_en>(?:Article|ARTICLE|Section|SECTION|Clause|CLAUSE)\s+\d{1,3}(?:\.\d{1,2})*\b))"
)
CAPTION = re.compile(
    r"^(?:(?:续?[图表]|附[图表])\s*[\dA-Z一二三四五六七八九十]{1,3}(?:[-–.．][\dA-Z]{1,3})*|"
    r"(?:Figure|FIGURE|Fig\.|FIG\.|Table|TABLE|Tab\.|Exhibit|Listing|Algorithm)\s*[\dA-ZIVX]{1,4}(?:[-–.][\dA-Z]{1,3})*)"
    r"(?=[\s:：.．、(（]|$|[\u4e00-\u9fff])"
)
# ¹ text, * text, ① text, [1] text, 注1：text
NOTE = re.compile(r"^(?P<mark>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|[*†‡§]{1,3}|[①-⑳]|\[\d{1,3}\]|\d{1,2}(?=[\s.、)]))[.、)]?\s*(?=\S)")
ENDS_SENTENCE = re.compile(r"[.!?。！？；;:：…]['\"”’」』）)\]]*$")
LEADERS = re.compile(r"\s*(?:[.．·…‥]\s?){4,}\s*")
_DOWN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def plain_mark(mark: str) -> str:
    """A note's mark as a label: `¹` -> `1`, `①` -> `1`, `[2]` -> `2`; signs as names."""
    mark = mark.translate(_DOWN).strip("[]()（）. ")
    if len(mark) == 1 and "①" <= mark <= "⑳":
        return str(ord(mark) - ord("①") + 1)
    names = {"*": "star", "†": "dagger", "‡": "ddagger", "§": "section"}
    return "-".join(names.get(char, char) for char in mark) if not mark.isalnum() else mark


def section_level(text: str) -> int:
    """How deep the number of a heading says it is, 1..6; 0 where it has none."""
    found = SECTION.match(text)
    if found is None:
        return 0
    for group in ("dots", "deep"):
        if found[group]:
            return min(found[group].count(".") + 1, 6)
    levels = {"part": 1, "chapter": 1, "english": 1, "section": 2, "article": 2, "article_en": 2, "han": 1, "han2": 2}
    return next(level for name, level in levels.items() if found[name])


def levels_without_gaps(levels: Iterable[int]) -> list[int]:
    """Levels of headings without a step of more than one downwards, so that each hangs below its own parent; the first
    is 1, none is more than 6."""
    result: list[int] = []
    stack: list[int] = []
    for level in levels:
        while stack and stack[-1] >= level:
            stack.pop()
        stack.append(level)
        result.append(min(len(stack), 6))
    return result


def split_bullet(text: str) -> str | None:
    """The text behind a bullet, or None where there is none."""
    found = BULLET.match(text)
    return text[found.end() :].strip() if found else None
