"""kb.answer.agent: what programs import."""

from __future__ import annotations

import kb.answer.agent as package


def test_every_name_is_there() -> None:
    assert sorted(set(package.__all__)) == sorted(package.__all__)
    assert all(hasattr(package, name) for name in package.__all__)
