"""ECDICT, an English-Chinese dictionary with how often each word is used (MIT, https://github.com/skywind3000/ECDICT)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MOST_WORDS = 2
LONGEST_MEANING = 4
# The rank of a word that is not among those counted.
UNRANKED = 100_000

_PHRASE = re.compile(r"[a-z]+(?:[ -][a-z]+)*")
# A line of meanings begins with its part of speech or field; what is collected from the web or names a person is left.
_FIELD = re.compile(r"^\s*(?:\[(?P<field>[^\]]*)\]|[a-z]+\.(?:\s*[&,/]?\s*[a-z]+\.)*)?\s*")
_FIELDS_LEFT_OUT = frozenset(("网络", "人名", "地名", "地"))
_IN_BRACKETS = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\]]*\]|【[^】]*】|<[^>]*>|〈[^〉]*〉")
_BETWEEN = re.compile("[,;，；、/。:：]")
_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
# «sow的过去分词»: of another entry.
_FORM_OF = re.compile(r"(?:^|/)0:(?P<word>[^/]+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """An English word or phrase (lower case): what it `means`, usual meanings first; the word that it is a form of; its
    `rank` in English by use, the commonest first."""

    word: str
    means: tuple[str, ...]
    form_of: str
    rank: int


def meanings(written: str) -> Iterator[str]:
    """The Chinese words in the translation of an entry, in order, without remarks and descriptions (more than
    LONGEST_MEANING characters)."""
    for line in re.split(r"\\n|\n", written):
        beginning = _FIELD.match(line)
        assert beginning is not None
        if beginning["field"] in _FIELDS_LEFT_OUT:
            continue
        for part in _BETWEEN.split(_IN_BRACKETS.sub("", line[beginning.end() :])):
            meaning = part.strip()
            if len(meaning) <= LONGEST_MEANING and _CHINESE.fullmatch(meaning):
                yield meaning


def entries(lines: Iterable[str]) -> Iterator[Entry]:
    """The entries of the file's `lines`: ordinary words and phrases of MOST_WORDS words at most."""
    for row in csv.DictReader(lines):
        word = row["word"].replace("-", " ")
        if not _PHRASE.fullmatch(word) or word.count(" ") >= MOST_WORDS:
            continue
        ranks = [int(row[column]) for column in ("bnc", "frq") if row[column] not in ("", "0")]
        form = _FORM_OF.search(row["exchange"])
        yield Entry(
            word,
            tuple(dict.fromkeys(meanings(row["translation"]))),
            form["word"] if form else "",
            min(ranks, default=UNRANKED),
        )
