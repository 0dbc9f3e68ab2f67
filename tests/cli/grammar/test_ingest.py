"""kb.cli.grammar.ingest: the arguments of ingest."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_sources_and_options() -> None:
    found = parse(["ingest", "a.pdf", "b", "--into", "machinery", "--dry-run", "--json"], "en")
    assert (found.source, found.into, found.dry_run, found.json) == (["a.pdf", "b"], "machinery", True, True)
    assert parse(["ingest", "a.pdf"], "zh").into == "imported"


def test_something_must_be_named() -> None:
    with pytest.raises(UsageError):
        parse(["ingest"], "en")
