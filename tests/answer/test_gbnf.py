"""kb.answer.gbnf: a literal stands for its very text."""

from __future__ import annotations

from kb.answer.gbnf import literal
from tests.answer.agent.gbnf import Grammar


def test_literals_are_escaped() -> None:
    assert literal('a"b\\c\n\t\r\x07中') == '"a\\"b\\\\c\\n\\t\\r\\x07中"'
    assert Grammar.read(f"root ::= {literal(chr(34) + chr(92))}").fits('"\\')
