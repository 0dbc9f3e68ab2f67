"""The model's part in distilling: it words one sentence, held to a grammar; code decides whether its words count."""

from __future__ import annotations

import json
from collections.abc import Callable

from kb.supply.card import CONCLUSION_CHARACTERS
from kb.supply.distill import Word

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
