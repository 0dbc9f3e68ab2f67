"""Comparisons with a number, however they are worded: «不得超过 10», "at most 10" and "10 or less" are all ≤ 10."""

from __future__ import annotations

import re
from itertools import pairwise

from kb.search.quantities import Quantity, folded, located, quantities

_NOT_HAN = "(?:不|勿|未)(?:得|应|宜|能|可|要|会|准|许)?"
_MORE_HAN = "(?:超过|超出|高于|大于|多于|长于|晚于|深于|重于)"
_LESS_HAN = "(?:低于|小于|少于|短于|早于|浅于|轻于)"
_HIGHER = "(?:more|higher|greater|larger|longer|later|deeper|heavier) than"
_LOWER = "(?:less|fewer|lower|smaller|shorter|earlier|shallower|lighter) than"
_NOT = r"(?:(?:do|does|must|should|shall|may|can|could|will|to)(?: not|n't) |\bnever |\bcannot |\bnot )"
# What stands before the number, in this order: a denial belongs to its comparison.
_BEFORE = {
    "≤": rf"{_NOT_HAN}{_MORE_HAN}|至多|最多|不超|上限[为是]?|{_NOT}(?:to )?(?:exceed|go (?:above|over|beyond))|"
    rf"\b(?:no|not) (?:{_HIGHER}|above|over|beyond)|\bat (?:the )?most|\bup to|\bmaximum(?: of)?|"
    r"\bmax\b\.?|\bwithin|≤|<=",
    "≥": rf"{_NOT_HAN}{_LESS_HAN}|至少|最少|起码|下限[为是]?|{_NOT}(?:fall|drop|go|be) below|"
    rf"\b(?:no|not) (?:{_LOWER}|below|under)|\bat (?:the )?least|\bminimum(?: of)?|\bmin\b\.?(?!\d)|≥|>=",
    ">": rf"{_MORE_HAN}|\b{_HIGHER}|\bexceed(?:s|ed|ing)?|\babove|\bover|\bbeyond|>",
    "<": rf"{_LESS_HAN}|不[足到]|\b{_LOWER}|\bbelow|\bunder|<",
}
# What stands behind it; one that a number follows belongs to that.
_AFTER = {
    "≥": r"\s*(?:及?以上|\bor (?:more|higher|longer|later|above|over)|\band (?:above|over|more|later)|\bminimum\b|"
    r"\bat least\b)(?!\s*\d)",
    "≤": r"\s*(?:及?以[下内]|之内|\bor (?:less|fewer|lower|shorter|earlier|below|under)|\band (?:below|under)|"
    r"\bmaximum\b|\bat (?:the )?most\b)(?!\s*\d)",
}
_MARKED = re.compile(r"([≤≥<>])[^\d≤≥<>]{0,8}$")
# Away from a number these say where, and a symbol speaks for the number behind it alone.
_PLACES = frozenset(("above", "over", "beyond", "below", "under", "within", "up to", *"≤≥<>"))
# What may stand between a comparison and its number.
_GAP = re.compile(r"\s*(?:每[\u4e00-\u9fff]{1,2}|约|为|到|(?:about|of|an?|the)\b)?\s*")
_CLAUSE = re.compile(r"[。！？；，、;\n]|(?<!\d),|,(?!\d{3})|(?<=[.!?:])\s")


def _named(patterns: dict[str, str]) -> re.Pattern[str]:
    """One pattern with a group for each symbol."""
    groups = (f"(?P<{_GROUPS[symbol]}>{pattern})" for symbol, pattern in patterns.items())
    return re.compile("|".join(groups))


_GROUPS = {"≤": "most", "≥": "least", ">": "more", "<": "less"}
_SYMBOLS = {name: symbol for symbol, name in _GROUPS.items()}
_LEADING, _TRAILING = _named(_BEFORE), _named(_AFTER)


def spelled(text: str) -> str:
    """`text`, folded, with every comparison that stands beside its number as a symbol before it."""
    plain = folded(text)
    numbers = [(start, end) for start, end, _ in located(plain)]
    edits: list[tuple[int, int, str]] = []
    for (_, last), (start, end) in pairwise([(0, 0), *numbers]):
        before = _last(_LEADING, plain, last, start)
        if before and _GAP.fullmatch(plain, before.end(), start):
            edits.append((*before.span(), f" {_symbol(before)} "))
        elif after := _TRAILING.match(plain, end):
            edits += [(start, start, f" {_symbol(after)} "), (*after.span(), " ")]
    for start, end, written in reversed(edits):
        plain = plain[:start] + written + plain[end:]
    return plain


def claims(text: str) -> set[tuple[str, Quantity]]:
    """Each number of a `spelled` text with the comparison that holds for it, '' for none: the symbol before it, or the
    one word of comparison that stands before it in its clause («A exceeds B by 5 cm»)."""
    found: set[tuple[str, Quantity]] = set()
    for clause in _CLAUSE.split(text):
        end = 0
        for start, stop, _ in located(clause):
            marked = _MARKED.search(clause, end, start)
            words = {_symbol(match) for match in _LEADING.finditer(clause[:start]) if match[0] not in _PLACES}
            bound = marked[1] if marked else words.pop() if len(words) == 1 else ""
            found |= {(bound, quantity) for quantity in quantities(clause[start:stop])}
            end = stop
    return found


def _last(pattern: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    """The last match between two places."""
    return next(reversed(list(pattern.finditer(text, start, end))), None)


def _symbol(match: re.Match[str]) -> str:
    return _SYMBOLS[match.lastgroup or ""]
