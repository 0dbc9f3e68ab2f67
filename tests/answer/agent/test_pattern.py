"""kb.answer.agent.pattern: the plain part of regular expressions as GBNF."""

from __future__ import annotations

import random
import re

import pytest

from kb.answer.agent.pattern import as_gbnf
from tests.answer.agent.gbnf import Grammar

PATTERNS = [
    r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$", r"^ERR_[A-Z_]{1,40}$", r"^E-\d{2}$", r"^(?:S|T)\d+(-[a-f]{2,})?$",
    r"^(a|bc)*$", r"^\d{4}-\d{2}$", r"^\w{3}\.log$", r"^[a\]^-]{2}$", "^中[\u4e00-\u9fff]?$", r"^$", r"^1\+1=2\?$",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_whatever_the_expression_makes_fits_the_pattern(pattern: str) -> None:
    grammar = Grammar.read(f"root ::= {as_gbnf(pattern)}")
    chance = random.Random(1)
    for _ in range(200):
        made = grammar.make(chance)
        assert re.search(pattern, made), made


@pytest.mark.parametrize(
    ("pattern", "fits", "not_"),
    [
        (r"^ERR_[A-Z_]{1,40}$", "ERR_TIME_OUT", "ERR_"),
        (r"^E-\d{2}$", "E-07", "E-7"),
        (r"^(a|bc)*$", "abca", "ab"),
        (r"^x{2,}$", "xxxx", "x"),
    ],
)
def test_what_fits_the_pattern_fits_the_expression(pattern: str, fits: str, not_: str) -> None:
    grammar = Grammar.read(f"root ::= {as_gbnf(pattern)}")
    assert grammar.fits(fits)
    assert not grammar.fits(not_)


@pytest.mark.parametrize(
    "pattern",
    [
        "abc", "^abc",
        "abc$", r"^a\$", "^.$", "^[^a]$", "^(?=a)$", r"^\b$", "^a*?$", "^a++$", '^"$', r"^\\$", "^[!-~]$",
        "^[b-a]$", "^[]$", "^(a$", "^[a$", "^a)$", "^a{3,1}$", "^{$", "^\n$", r"^\s$", '^["]$', "^a|^b$",
    ],
)  # fmt: skip
def test_more_than_that_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="pattern"):
        as_gbnf(pattern)
