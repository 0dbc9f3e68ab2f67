"""What each value of a sentence is called and whose it is: candidates one after the other, each beside the one before.

A value is named by the words of its own clause (`leads`, `deeds`) and by what it shares with a value before it
(`carrying`); where both say too little, by what the sentence speaks of (`fronts`), last by the heading above.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kb.memory.extract.candidates import Candidate, is_alternative
from kb.memory.extract.carrying import Before, Place, carried
from kb.memory.extract.deeds import each_of, with_deed
from kb.memory.extract.fronts import front_of, fronted
from kb.memory.extract.leads import completed, is_thin, joined, lead_of
from kb.memory.extract.mentions import HAN, KnownNames
from kb.memory.extract.statement import LONGEST_NAME, Statement

_SAME_AGAIN = re.compile(r"[(（\s]*(?:即|合|约|或|折合|相当于)?")


def stated(
    text: str, first: int, found: Iterable[Candidate], known: KnownNames, heading: str, subject: str
) -> Iterator[Statement]:
    """What the candidates of a sentence (or of a label's value, from `first` on) say; what nothing names is left out.

    `subject` is the thing that the sentence is known to speak of, '' for none.
    """
    before, old = Before("", "", False, subject), False
    for item in found:
        given = _named(text, first, item, known, heading, before, old)
        old = item.old
        if given is None:
            continue
        name, about, after = given
        before = after
        name = _old(name) if item.old else name
        value = item.value
        yield Statement(
            about,
            name[:LONGEST_NAME],
            text[value.start : value.end].strip(),
            value.unit,
            value.kind or "number",
            value.start,
            value.end,
            item.conditions,
        )


def _named(
    text: str, first: int, item: Candidate, known: KnownNames, heading: str, before: Before, renewed: bool
) -> tuple[str, str, Before] | None:
    """The name of a value and the thing it is of, and what the next value finds before it; `renewed`: it takes the
    place of the value before."""
    value, lead, follow = item.value, item.lead, item.follow
    if renewed and before.name:
        return before.name, before.subject, before
    place = Place(text, first, item.begin, value.start)
    each = each_of(lead, follow, known) if value.kind else None
    named, about = each or lead_of(lead, known)
    about = "" if about.lower() in ("it", "they") else about
    named = named if each or item.old else completed(named, follow)
    last = before.name or heading
    if _same_again(place, lead) or (last and is_alternative(lead)):
        named = last  # 50 cm (20 in); 2500 头次或者 6 个月
    if not lead and place.behind_colon:
        named = re.split("[,，;；。]", text[first : item.begin - 1])[-1].strip()  # Twice a week, use acid: 0.5 %
    given = replace(before, name=last, owned=bool(about))
    named, thing, own = carried(named, place, lead, follow, given)
    front = "" if about or item.begin == first else front_of(item.before)
    name = with_deed(text, value, named or before.name or front or heading, text[item.begin : value.start])
    if not about and is_thin(name):
        name = fronted(name, front, lead, follow, heading)
    elif front and not lead and place.goes_on and front.lower() not in name.lower() and not place.bracketed:
        name = joined(front, name)  # Gearbox oil, 1.9 litres of SAE 90
    if not (name := name.strip(" 、(（")):
        return None
    owner = about or ("" if own and not any(map(str.isdigit, before.subject)) else before.subject)
    # 供应 HG-120 四台，总价…: what ends one clause is not what the next one is about.
    subject = (about if _leads(lead, known) else "") if about else before.subject
    return name, owner, Before(named or before.name, thing, False, subject)


def _same_again(place: Place, lead: str) -> bool:
    """Whether a value only says the one before it once more, in another unit."""
    return _SAME_AGAIN.fullmatch(lead) is not None and place.begin > 0 and not place.after_mark


def _old(name: str) -> str:
    """What the value is called that another one takes the place of."""
    return f"原{name}" if re.search(rf"[{HAN}]", name) else f"former {name}"


def _leads(lead: str, known: KnownNames) -> bool:
    """Whether the words before a value begin with the name they are about."""
    names = known.find(lead)
    return not names or names[-1][0] <= 4
