"""kb itself: the SDK's names, loaded when used."""

from __future__ import annotations

import re

import pytest

import kb


def test_every_name_leads_somewhere() -> None:
    assert {getattr(kb, name).__name__ for name in kb.__all__ if name != "__version__"} == set(kb.__all__) - {
        "__version__"
    }


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = kb.no_such_name


def test_the_version_is_the_projects() -> None:
    from tests.helpers import PROJECT

    found = re.search(r'^version = "(.+)"', (PROJECT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    assert kb.__version__ == found[1]
