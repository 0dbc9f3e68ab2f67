"""Blocks survive being written as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.memory.block import Block, Kind, from_record, to_record

_points = st.floats(0, 5000, allow_nan=False)
blocks = st.builds(
    Block,
    st.sampled_from(Kind),
    st.text(max_size=40),
    st.integers(0, 3000),
    st.none() | st.tuples(_points, _points, _points, _points),
    st.integers(0, 6),
    st.text("0123456789abcdef", max_size=64),
    st.text(max_size=20),
)


@given(blocks)
def test_a_block_comes_back_from_json(block: Block) -> None:
    assert from_record(json.loads(json.dumps(to_record(block)))) == block


@pytest.mark.parametrize("record", [{}, {"kind": "poem", "text": ""}, {"kind": "table", "text": "", "box": [1, 2]}])
def test_what_is_no_block_is_refused(record: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        from_record(record)


def test_a_kind_is_its_word() -> None:
    assert Block(Kind.TABLE, "").kind == "table"
