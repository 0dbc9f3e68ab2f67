"""The model's part in distilling, held to a grammar; code decides whether its words count.

A small model words one sentence. A bigger one that follows instructions judges the event and fills in the card.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from kb.supply.card import CONCLUSION_CHARACTERS
from kb.supply.distill_decide import REASON_CHARACTERS
from kb.supply.distill_reading import fields
from kb.supply.events import Event

Word = Callable[[str], str]
"""Words a sentence as a conclusion of at most CONCLUSION_CHARACTERS characters; '' when it cannot."""

Complete = Callable[[str, str, int], str]
"""Continues a prompt under a GBNF grammar by at most so many tokens."""
_MOST_TOKENS = 160
# One JSON object with one text; no line ends, no control characters.
GRAMMAR = (
    'root ::= "{\\"conclusion\\": \\"" text "\\"}" "\\n"\n'
    f'text ::= char{{4,{CONCLUSION_CHARACTERS}}}\n'
    'char ::= [^"\\\\\\x00-\\x1f\\x7f]\n'
)  # fmt: skip
_EXAMPLES = (
    ("现场看了，以后遇到 E-12 报警要先反冲洗过滤器，再看压差是否降到 0.05 MPa 以下",
     "E-12 报警先反冲洗过滤器，再看压差是否降到 0.05 MPa 以下"),
    ("we agreed that from now on operators never open the tank before the pressure is 0 bar",
     "Never open the tank before the pressure is 0 bar"),
)  # fmt: skip


def prompt(said: str) -> str:
    """The prompt that asks a model to word `said` as a conclusion."""
    shown = "".join(
        f"Note: {note}\n{json.dumps({'conclusion': short}, ensure_ascii=False)}\n\n" for note, short in _EXAMPLES
    )
    return f"{shown}Note: {' '.join(said.split())}\n"


def worded_by(complete: Complete) -> Word:
    """Lets a model word conclusions; '' where what it wrote is no such object."""

    def word(said: str) -> str:
        try:
            found = json.loads(complete(prompt(said), GRAMMAR, _MOST_TOKENS))
        except ValueError:
            return ""
        worded = found.get("conclusion") if isinstance(found, dict) else None
        return " ".join(worded.split()) if isinstance(worded, str) else ""

    return word


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model thinks of an event: whether to save it, why, and a card's fields. Nothing of it is checked yet."""

    save: bool
    reason: str
    conclusion: str = ""
    scene: tuple[str, ...] = ()
    do: tuple[str, ...] = ()
    dont: tuple[str, ...] = ()


Judge = Callable[[Event], "Opinion | None"]
"""Gives a model's opinion of an event; None where it wrote none."""
_OPINION_TOKENS = 400
_SHOWN_CHARACTERS = 2500
_TASK = (
    "Most events hold nothing to use again: then should_save is no. It is yes only when the event reveals a trap or a "
    "limit that will come again, a rule for further cases, or corrects what was believed. Use the event's own words; "
    "leave empty what it does not say. conclusion: one instruction with its condition. scene: when to remember it. "
    "do, dont: single actions. Answer with one JSON object in the language of the event."
)
OPINION_GRAMMAR = (
    'root ::= "{\\"should_save\\": \\"" ("yes" | "no") "\\", \\"reason\\": \\"" reason '
    '"\\", \\"conclusion\\": \\"" line "\\", \\"scene\\": " list ", \\"do\\": " list ", \\"dont\\": " list "}" "\\n"\n'
    f'reason ::= char{{1,{REASON_CHARACTERS}}}\n'
    f'line ::= char{{0,{CONCLUSION_CHARACTERS}}}\n'
    'list ::= "[" (item (", " item){0,2})? "]"\n'
    'item ::= "\\"" char{2,60} "\\""\n'
    'char ::= [^"\\\\\\x00-\\x1f\\x7f]\n'
)  # fmt: skip


def judged_by(complete: Complete) -> Judge:
    """Lets a model that follows instructions judge events. `complete` puts the prompt into the model's own template."""

    def judge(event: Event) -> Opinion | None:
        shown = "\n".join(f"{name}: {text}" for name, text in fields(event))[:_SHOWN_CHARACTERS]
        try:
            found = json.loads(complete(f"{_TASK}\n\n{shown}\n", OPINION_GRAMMAR, _OPINION_TOKENS))
            return Opinion(
                found["should_save"] == "yes", str(found["reason"])[:REASON_CHARACTERS], str(found["conclusion"]),
                *(tuple(map(str, found[name])) for name in ("scene", "do", "dont")),
            )  # fmt: skip
        except (ValueError, KeyError, TypeError):
            return None

    return judge
