"""kb.search.parallel: the same in both languages."""

from __future__ import annotations

from kb.search.parallel import PAIRS
from kb.tree.document import language_of


def test_each_pair_is_chinese_and_english() -> None:
    assert {(language_of(first), language_of(second)) for first, second in PAIRS} == {("zh", "en")}
    assert len({text for pair in PAIRS for text in pair}) == 2 * len(PAIRS)
