"""kb.cli.grammar.questions: the arguments of ask, search, lookup."""

from __future__ import annotations

from kb.cli.parser import parse


def test_words_of_a_question_need_no_quotes() -> None:
    assert parse(["ask", "how", "deep", "--on", "2026-01-02"], "en").question == ["how", "deep"]
    assert parse(["lookup", "ERR_TIMEOUT"], "en").query == ["ERR_TIMEOUT"]


def test_limits_of_a_search() -> None:
    found = parse(["search", "pump", "--domain", "machinery", "--type", "guide", "--doc-lang", "zh"], "en")
    assert (found.domain, found.type, found.doc_lang, found.all_dates) == ("machinery", "guide", "zh", False)
