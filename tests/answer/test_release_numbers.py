"""kb.answer.release_numbers: numbers as search reads them, and versions compared by name."""

from __future__ import annotations

import pytest

from kb.answer.release_numbers import difference, read_numbers
from kb.errors import AlmanacError
from kb.versions.source import Source
from tests.conftest import Published
from tests.helpers import commit_all, document, write


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("签收后7天", ["7天"]), ("45-60公斤/亩", ["45-60公斤/亩"]), ("no number", []),
        ("零下5℃，后 3.0 kg", ["零下5℃", "3.0 kg"]),
        ("半小时两次", ["两次"]),
    ],
)  # fmt: skip
def test_numbers_as_written(text: str, numbers: list[str]) -> None:
    assert [number.text for number in read_numbers(text)] == numbers


def test_equal_numbers_have_equal_keys() -> None:
    keys = {read_numbers(text)[0].key for text in ("3.0 kg", "3kg", "３ kg")}
    assert len(keys) == 1
    assert read_numbers("3 kg")[0].key != read_numbers("3 g")[0].key


def test_two_versions_by_tag_commit_or_branch(published: Published) -> None:
    place = "store/boxes/wombat_2024_v1.md"
    first, _ = published.make({place: document("Wombat box", "The wombat box weighs 5 kg.")})
    write(published.source.root, place, document("Wombat box", "The wombat box weighs 6 kg."))
    commit = commit_all(published.source.root)
    source: Source = published.source
    for new in (commit, "main", "HEAD"):
        found = difference(source, first.tag, new)
        assert [(change.path, number.old, number.new) for change, number in found.numbers] == [(place, "5 kg", "6 kg")]
    assert not difference(source, first.tag.removeprefix("kb-"), first.commit).documents
    with pytest.raises(AlmanacError):
        difference(source, "kb-9.9.9", "main")
    with pytest.raises(AlmanacError):
        difference(source, "--output=x", "main")
