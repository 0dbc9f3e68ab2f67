"""What a pronoun at the front of a sentence stands for: what the sentence before is about, or the section's thing."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace

from kb.memory.extract.leads import is_attribute
from kb.memory.extract.mentions import HAN
from kb.memory.extract.statement import Statement

# 它的, Its: the sentence goes on about what it does not name; 该罐 names the end of it again.
_POINTING = re.compile(rf"(?:其(?![中他余次它])|它们?|(?:it|its|they|their)\b|该(?P<tail>[{HAN}]))", re.IGNORECASE)
# What a sentence begins with, when a verb follows: One wind machine protects, The drum turns.
_FRONT = re.compile(
    r"(?:the|an?|one|each|every|this) (?P<thing>(?:[a-z-]+ ){0,2}?[a-z-]+) "
    r"(?:[a-z]+s|must|shall|should|may|can|will|has|had|was|were|is|are)\b",
    re.IGNORECASE,
)


# A label, and what an order speaks of again: Engine oil: 14.5 litres. Change it every 250 hours.
_LABEL = re.compile(r"(?P<thing>[^:：,，。;；\d]{2,30})[:：]\s?\S")
_OBJECT = re.compile(r"(?<=[a-z] )(?:it|them)\b(?! is| are)")


class Pointing:
    """Follows the sentences of one passage. Where two things were spoken of, a pronoun stands for neither."""

    def __init__(self, parties: Container[str] = ()) -> None:
        """`parties` (companies, people) have no values that a list goes on about."""
        self._parties = parties
        self._spoken = ""
        self._listed = False

    def resolve(self, stated: list[Statement], plain: str, scope: str) -> list[Statement]:
        """The statements of the next sentence, with the thing that its pronoun stands for as their subject.

        Without a thing in the sentence before they are left to `scope`, the section's entity.
        """
        goes_on, self._listed = self._listed, plain.endswith((";", "；"))
        pointing = _POINTING.match(plain)
        if pointing and self._spoken:
            return [item if item.subject else replace(item, subject=self._spoken) for item in stated]
        if pointing and (tail := pointing["tail"] or "") and scope.endswith(tail):
            # 该罐设计压力 below the heading 储气罐
            return [replace(item, name=item.name.removeprefix(tail) or item.name) for item in stated]
        if self._spoken and _OBJECT.search(plain):
            return [replace(item, name=_OBJECT.sub(self._spoken, item.name)) for item in stated]
        about = {item.subject for item in stated}
        if goes_on and self._spoken and self._spoken not in self._parties and about == {""}:
            # 1 号罐温度 36 ℃；液位 5 m
            return [replace(item, subject=self._spoken) if is_attribute(item.name) else item for item in stated]
        if label := _LABEL.match(plain):
            self._spoken = label["thing"]
            return stated
        front = _FRONT.match(plain) if not pointing and about <= {""} else None
        self._spoken = front["thing"] if front else about.pop() if len(about) == 1 else ""
        return stated
