"""kb.cli.grammar.repository: the arguments of check, new, normalise, kb, report."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_check() -> None:
    found = parse(["check", "a", "b.md", "--fix"], "en")
    assert (found.paths, found.fix, found.all, found.json) == (["a", "b.md"], True, False, False)


def test_new_and_normalise() -> None:
    found = parse(["new", "a/b", "--doc-lang", "zh", "--title", "T"], "en")
    assert (found.path, found.doc_lang, found.title, found.type, found.obsidian) == ("a/b", "zh", "T", "guide", False)
    found = parse(["normalise", "a.md", "--as", "b/c", "--dry-run"], "en")
    assert (found.paths, found.name, found.into, found.dry_run) == (["a.md"], "b/c", None, True)


def test_repository() -> None:
    assert parse(["kb", "diff"], "en").old == "HEAD"
    assert parse(["kb", "changes", "--since", "上周", "大豆"], "zh").about == ["大豆"]
    assert parse(["kb", "commit", "-m", "docs(a): b"], "en").paths == []
    for wrong in (["kb", "changes"], ["kb", "commit"], ["kb", "hooks", "dance"]):
        with pytest.raises(UsageError):
            parse(wrong, "en")


def test_report() -> None:
    found = parse(["report", "--week"], "en")
    assert (found.week, found.since, found.out) == (True, None, None)
