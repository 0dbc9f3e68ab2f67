"""CC-CEDICT, a Chinese-English dictionary (CC BY-SA 4.0, https://www.mdbg.net/chinese/dictionary?page=cc-cedict)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MOST_WORDS = 4

# `traditional simplified [pinyin] /meaning; meaning/meaning/`
_ENTRY = re.compile(r"(?P<traditional>\S+) (?P<word>\S+) \[[^\]]*\] /(?P<meanings>.*)/\s*")
_CHINESE = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff]+")
_HOLDS_CHINESE = re.compile("[\u3400-\u9fff]")
# What says something about the word, not what it means.
_REMARK = re.compile(
    r"variant of|^(?:see|same as|abbr\.|used in|also (?:pr|written)|old name|Taiwan pr|surname|CL|classifier)(?![a-z])"
)
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\]]*\]")
_LEADING = re.compile(r"^(?:to be|to|a|an|the) ")
_ENGLISH_WORD = re.compile(r"[a-z0-9]+")
_FORMULA = re.compile(r"[a-z]+\d\w*")
_PLACEHOLDERS = frozenset(("sth", "sb", "etc", "esp", "eg", "ie"))


@dataclass(frozen=True, slots=True)
class Entry:
    """A Chinese word (simplified characters) and what it `means`, usual meanings first."""

    word: str
    means: tuple[str, ...]


def meanings(written: str) -> Iterator[str]:
    """The short English phrases in the meanings of an entry, in order: lower case, without articles, remarks in
    brackets and sentences (phrases of more than MOST_WORDS words)."""
    for meaning in re.split("[/;]", written):
        text = meaning.strip()
        if not text or _REMARK.search(text):
            continue
        text = _IN_BRACKETS.sub(" ", text)
        if _HOLDS_CHINESE.search(text):
            continue
        words = _ENGLISH_WORD.findall(_LEADING.sub("", text.strip().lower().replace("'s ", " ")))
        words = [word for word in words if word not in _PLACEHOLDERS and not _FORMULA.fullmatch(word)]
        if 0 < len(words) <= MOST_WORDS:
            yield " ".join(words)


def entries(lines: Iterable[str]) -> Iterator[Entry]:
    """The entries of the file's `lines`; one word may come again."""
    for line in lines:
        entry = _ENTRY.fullmatch(line)
        if entry is not None and _CHINESE.fullmatch(entry["word"]):
            yield Entry(entry["word"], tuple(meanings(entry["meanings"])))
