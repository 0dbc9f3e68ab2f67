"""kb.memory.extract.statement: what goes from sentences to records cannot be changed on the way."""

from __future__ import annotations

import dataclasses

import pytest

from kb.memory.extract.statement import Statement


def test_a_statement_stands() -> None:
    made = Statement("pump", "head", "8 m", "m", "length", 3, 6)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.value = "9 m"  # type: ignore[misc]
    assert dataclasses.replace(made, name="lift").value == "8 m"
