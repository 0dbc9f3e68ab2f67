"""Names that say too little for themselves (升, should be renewed, SAE), made whole by what is spoken of."""

from __future__ import annotations

import itertools
import re

from kb.memory.extract.leads import HAN_HEAD, bare, is_attribute, without_tail
from kb.memory.extract.mentions import HAN
from kb.search.tokens import stem, stop_terms

_MARK = re.compile(r"[,，;；。:：!?](?!\d{3})")
_ASIDE = re.compile(r"[(（][^()（）]*[)）]?")
_VERB = re.compile(
    r" (?:is|are|was|were|be|has|have|had|must|shall|should|may|can|will|does|do|did|need|needs|stays?|keeps?)\b",
    re.IGNORECASE,
)
# Verbs and other words that may be said of anything, beside the stop words.
_SAID_OF_ALL = """
up within under above below between after before until till around than further another each every all both other more
less most least first last only then also use recommend keep need give given take taken make made get set allow expect
reach equal renew replace change come go stand enough beyond check ensure whether
"""
_HAN_EMPTY = re.compile(r"之后|以后|每次|首次|此时|其余|其中|再次|[升降约即到至在为是再后前每从由按共达则需用取可等于]")
_LONGEST_FRONT, _LONGEST_HAN_FRONT = 5, 14


def is_thin(name: str) -> bool:
    """Whether a name has no word that tells what is meant."""
    if re.search(rf"[{HAN}]", name):
        return not re.search(rf"[{HAN}]{{2}}", _HAN_EMPTY.sub("", name)) and not is_attribute(name)
    empty = stop_terms() | {stem(word) for word in _SAID_OF_ALL.split()}
    return "$" not in name and all(stem(word.lower()) in empty for word in re.findall(r"[A-Za-z]{2,}", name))


def front_of(words: str) -> str:
    """What a sentence that begins with `words` speaks of: its first words up to a verb, or its first clause; '' where
    that is a number or too long to be a name."""
    clause = _ASIDE.sub("", _MARK.split(words.strip())[0]).strip()
    if re.search(rf"[{HAN}]", clause):
        front = HAN_HEAD.sub("", clause).strip()
        return "" if re.search(r"\d", front) or len(front) > _LONGEST_HAN_FRONT else front
    if verb := _VERB.search(clause):
        words_before = clause[: verb.start()].split()[-_LONGEST_FRONT:]
        clause = " ".join(itertools.dropwhile(is_thin, words_before))
    front = bare(clause)
    too_long = len(front.split()) > _LONGEST_FRONT
    return "" if too_long or re.search(r"\d", front) or is_thin(front) else front


def fronted(name: str, before: str, lead: str, follow: str, heading: str) -> str:
    """A thin name with the words that make it one: the front of its sentence (`before` its own clause), the words of
    its clause, or the heading above."""
    if not is_thin(lead):
        return without_tail(bare(lead))
    han = re.search(rf"[{HAN}]", before or name or follow or heading)
    front = front_of(before)
    if front and front.lower() not in name.lower():
        return f"{front}{'' if han else ' '}{name}".strip()
    behind = re.split(r"[(（\d]", follow)[0].strip()
    behind = behind[:8] if han else " ".join(behind.split()[:4])
    if behind and not is_thin(behind):
        return behind if name in behind else f"{name}{'' if han else ' '}{behind}".strip()
    return f"{heading}{'' if han else ' '}{name}".strip() if heading and heading not in name else name
