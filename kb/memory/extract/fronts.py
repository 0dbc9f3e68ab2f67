"""Names that say too little for themselves (升, should be renewed, SAE), made whole by what is spoken of."""

from __future__ import annotations

import itertools
import re

from kb.memory.extract.leads import HAN_HEAD, HAN_TAIL, bare, is_attribute, is_thin, joined, without_tail
from kb.memory.extract.mentions import HAN

_MARK = re.compile(r"[,，;；。:：!?](?!\d{3})")
_ASIDE = re.compile(r"[(（][^()（）]*[)）]?")
_VERB = re.compile(
    r" (?:is|are|was|were|be|has|have|had|must|shall|should|may|can|will|does|do|did|need|needs|stays?|keeps?)\b",
    re.IGNORECASE,
)
_LONGEST_FRONT, _LONGEST_HAN_FRONT, _SHORTEST_HAN_FRONT = 5, 14, 3


def front_of(words: str) -> str:
    """What a sentence that begins with `words` speaks of: its first words up to a verb, or its first clause; '' where
    that is a number or too long to be a name."""
    clause = _ASIDE.sub("", _MARK.split(words.strip())[0]).strip()
    if re.search(rf"[{HAN}]", clause):
        spoken = re.split(r"[-−]?\d", clause)[0].strip()
        front = HAN_HEAD.sub("", spoken if spoken == clause else HAN_TAIL.sub("", spoken))
        # 行距 30 cm，每穴 4 株: another value's name is not what is spoken of.
        is_other = spoken != clause and (is_attribute(front) or len(front) < _SHORTEST_HAN_FRONT)
        return "" if is_other or len(front) > _LONGEST_HAN_FRONT else front
    if verb := _VERB.search(clause):
        words_before = clause[: verb.start()].split()[-_LONGEST_FRONT:]
        clause = " ".join(itertools.dropwhile(is_thin, words_before))
    front = bare(clause)
    too_long = len(front.split()) > _LONGEST_FRONT
    return "" if too_long or re.search(r"\d", front) or is_thin(front) else front


def fronted(name: str, front: str, lead: str, follow: str, heading: str) -> str:
    """A thin name with the words that make it one: the words of its clause, what its sentence speaks of (`front`), or
    the heading above."""
    if not is_thin(lead):
        return without_tail(bare(lead))
    behind = re.split(r"[(（\d]", follow)[0].strip()
    behind = behind[:8] if re.search(rf"[{HAN}]", behind) else " ".join(behind.split()[:4])
    if not is_thin(behind) and (not lead or not front):
        return behind if name in behind else joined(name, behind)
    if front:
        return joined(front, name)
    return joined(heading, name) if heading and heading not in name else name
