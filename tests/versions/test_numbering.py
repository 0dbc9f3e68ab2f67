"""kb.versions.numbering: numbers of the whole, in the order of numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import AlmanacError
from kb.versions.numbering import Number, following, newest, parse_number, read_number


@pytest.mark.parametrize("written", ["1.2.0", "kb-1.2.0", "v1.2.0"])
def test_a_number_is_read(written: str) -> None:
    assert read_number(written) == Number(1, 2, 0)


@pytest.mark.parametrize("written", ["1.2", "1.2.0-rc1", "01.2.0", "1.2.0\n", "kb-", "", "１.2.0", "1.2.0.0", "-1.0.0"])
def test_anything_else_is_none(written: str) -> None:
    assert read_number(written) is None
    with pytest.raises(AlmanacError) as caught:
        parse_number(written)
    assert caught.value.exit_code == 2


def test_ten_comes_after_nine() -> None:
    assert newest(["kb-1.9.0", "kb-1.10.0", "kb-0.99.0", "1.99.0", "kb-x"]) == Number(1, 10, 0)
    assert newest(["v2"]) is None


def test_the_next_number() -> None:
    assert following([], "patch") == Number(1, 0, 0)
    tags = ["kb-1.2.3"]
    assert [str(following(tags, level)) for level in ("major", "minor", "patch")] == ["2.0.0", "1.3.0", "1.2.4"]


@given(st.tuples(*[st.integers(0, 999)] * 3))
def test_a_number_is_read_as_it_is_written_and_rises(parts: tuple[int, int, int]) -> None:
    number = Number(*parts)
    assert read_number(number.tag) == number
    assert all(number.bumped(level) > number for level in ("major", "minor", "patch"))
