"""A grammar that lets the model write one unbroken piece of the evidence and nothing else.

The evidence is cut into atoms (a word, a Chinese character, a number with its sign and unit, a mark); a piece begins
at any word and ends after any, so a number never loses its unit, its sign or its other end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.answer.gbnf import literal
from kb.search.quantities import located

_ATOM = re.compile(r"[^\W\d_]*[a-zA-Z][\w.'/-]*|\d[\w.,/-]*|[\u3400-\u9fff]|\s+|.", re.DOTALL)
_SAYS = re.compile(r"\w")
# A colon ends none: what stands before it says what the rest is.
_CLAUSE_END = re.compile(r"[。！？；，]|[,;](?=\s)|[.!?](?=\s+[A-Z\"“])")


def grammar(passages: Sequence[str]) -> str:
    """GBNF whose sentences are the pieces of `passages`, each ended by a line feed; a space may stand before.

    ValueError when no passage says anything.
    """
    rules: list[str] = []
    starts: list[str] = []
    for number, passage in enumerate(passages):
        atoms = _atoms(" ".join(passage.split()))
        for place, atom in enumerate(atoms):
            name = f"p{number}x{place}"
            following = f"p{number}x{place + 1}" if place + 1 < len(atoms) else ""
            says = _SAYS.search(atom) is not None
            if says:
                starts.append(name)
            # A piece ends after something that is said, not after a blank or an opening mark.
            after = f"({following} | end)" if following and says else (following or "end")
            rules.append(f"{name} ::= {literal(atom)} {after}")
    if not starts:
        raise ValueError("nothing to choose from")
    return "\n".join([f'root ::= " "? ({" | ".join(starts)})', 'end ::= "\\n"', *rules])


def whole_clauses(piece: str, passage: str) -> str:
    """`piece` of `passage` with the rest of the clauses that it lies in; itself where it is none.

    «70 %» alone does not say of what; a mark inside brackets ends no clause.
    """
    flat = " ".join(passage.split())
    start = flat.find(piece) if piece else -1
    if start < 0:
        return piece
    ends = [match.end() for match in _CLAUSE_END.finditer(flat) if not _inside(flat[: match.start()])]
    cuts = [0, *ends, len(flat)]
    first = max(cut for cut in cuts if cut <= start)
    last = min(cut for cut in cuts if cut >= start + len(piece))
    return flat[first:last].strip(" ，,；;")


def _inside(before: str) -> bool:
    return sum(before.count(mark) for mark in "(（[［") > sum(before.count(mark) for mark in ")）]］")


def _atoms(text: str) -> list[str]:
    """`text` in pieces that a choice must not cut."""
    atoms: list[str] = []
    place = 0
    for start, end, _ in located(text):
        if start >= place:
            atoms.extend(_ATOM.findall(text[place:start]))
            atoms.append(text[start:end])
            place = end
    atoms.extend(_ATOM.findall(text[place:]))
    return [atom for atom in atoms if atom]
