"""kb.errors: one class of error, readable everywhere."""

from __future__ import annotations

import pytest

from kb.errors import AlmanacError, ExitCode, KnowledgeError


def test_an_error_reads_as_an_english_sentence() -> None:
    assert str(AlmanacError("root_empty", path="/a")) == "/a holds no Markdown documents (*.md)."


def test_a_knowledge_error_ends_with_its_own_code() -> None:
    error = KnowledgeError("no_such_document", path="a.md")
    assert error.exit_code is ExitCode.BAD_KNOWLEDGE
    assert isinstance(error, AlmanacError)


def test_an_unknown_key_is_a_fault_of_the_program() -> None:
    with pytest.raises(KeyError):
        str(AlmanacError("no_such_text"))


def test_exit_codes_are_those_of_the_readme() -> None:
    assert [int(code) for code in ExitCode] == [0, 1, 2, 3, 4, 5, 10, 130]
