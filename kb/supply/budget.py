"""How many tokens a text costs, and how many texts fit into a budget."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Count = Callable[[str], int]
"""Tokens of a text: the answer model's own tokenizer where there is one, else `at_most`."""


def at_most(text: str) -> int:
    """A number of tokens that `text` cannot exceed with any tokenizer that works on bytes or falls back to them.

    Every token of such a tokenizer (byte-level BPE; SentencePiece with byte fallback) stands for at least one byte of
    UTF-8, before or after compatibility folding; two more for the marks that begin and end a text. Chinese text costs
    about a third of this with the usual vocabularies, English about a quarter: nothing is ever over the budget, but
    less is in it than with the real tokenizer.
    """
    written = len(text.encode("utf-8", "replace"))
    return max(written, len(unicodedata.normalize("NFKC", text).encode("utf-8", "replace"))) + 2


@dataclass(frozen=True, slots=True)
class Filled:
    """Which parts went in (their numbers, in order), which did not, and the tokens of the whole."""

    taken: tuple[int, ...]
    left: tuple[int, ...]
    tokens: int


def fill(sizes: Sequence[int], whole: Callable[[Sequence[int]], int], budget: int, must: int = 0) -> Filled:
    """Take parts in order while they fit: greedy, a part that does not fit is left and smaller ones behind it may.

    `sizes` are the parts' tokens alone, `whole` gives the tokens of a block of some parts together: sizes only say
    what is worth trying, the whole decides. The first `must` parts are taken first; where even they do not fit,
    `tokens` is over the budget and the caller has to say so.
    """
    taken = list(range(must))
    left: list[int] = []
    tokens = whole(taken)
    for number in range(must, len(sizes)):
        # Tokens at a seam may merge, so a part can cost a little less than alone; never half.
        grown = whole([*taken, number]) if tokens + sizes[number] // 2 <= budget else budget + 1
        if grown <= budget:
            taken.append(number)
            tokens = grown
        else:
            left.append(number)
    return Filled(tuple(taken), tuple(left), tokens)
