"""What a sentence states of a thing, as the rest of extraction takes it up."""

from __future__ import annotations

from dataclasses import dataclass

from kb.memory.extract.constraints import Limit

LONGEST_NAME = 60
LONGEST_VALUE = 300


@dataclass(frozen=True, slots=True)
class Statement:
    """`start` to `end` is the value's place in the sentence; `subject` is a name, '' when the sentence gives none.

    `kind` is the kind of quantity, 'text' for words, 'definition' for a definition. `conditions` are limits beside it.
    A `threshold` is the value that a condition itself names; a `loose` one stands beside other values, and only what is
    compared tells what it is of.
    """

    subject: str
    name: str
    value: str
    unit: str
    kind: str
    start: int
    end: int
    conditions: tuple[Limit, ...] = ()
    threshold: bool = False
    loose: bool = False
