"""kb.supply.store_edit: one value changes, and nothing else."""

from __future__ import annotations

import datetime
import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.supply.store_edit import NewValue, add_item, edit, edit_bytes
from kb.tree import frontmatter
from tests.supply.card_helpers import CARD

ODD = """\
# opening words
"id":   x     # aligned by hand
status: 'active'   # single
title: >
  folded over
  two lines
applicable: {scene: [ a,b ], repos: []}

# between
conclusion: |
  block
evidence:
    source: "say \\"x\\""   # four
    links:
    - a.md   # not indented
valid_until: 2026-01-01
metrics:
  injected: 3   # counted
  # and then
  liked: 0
owner:
# closing words
"""


def _changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    lines = list(difflib.ndiff(before.splitlines(keepends=True), after.splitlines(keepends=True)))
    return [line[2:] for line in lines if line[0] == "-"], [line[2:] for line in lines if line[0] == "+"]


@pytest.mark.parametrize(
    ("field", "value", "old", "new"),
    [
        ("status", "archived", "status: 'active'   # single\n", "status: archived   # single\n"),
        ("valid_until", datetime.date(2026, 5, 6), "valid_until: 2026-01-01\n", "valid_until: 2026-05-06\n"),
        ("metrics.injected", 12, "  injected: 3   # counted\n", "  injected: 12   # counted\n"),
        ("id", "z", '"id":   x     # aligned by hand\n', '"id":   z     # aligned by hand\n'),
        ("owner", "irrigation-desk", "owner:\n", "owner: irrigation-desk\n"),
        ("conclusion", "一句话", "conclusion: |\n  block\n", "conclusion: 一句话\n"),
        ("evidence.source", "yes", '    source: "say \\"x\\""   # four\n', "    source: 'yes'   # four\n"),
        ("metrics.adopted", 2, "", "  adopted: 2\n"),
        ("layer", "event", "", "layer: event\n"),
        ("applicable.signals", "E-07", "applicable: {scene: [ a,b ], repos: []}\n",
         "applicable: {scene: [ a,b ], repos: [], signals: E-07}\n"),
    ],
)  # fmt: skip
def test_only_the_value_changes(field: str, value: NewValue, old: str, new: str) -> None:
    removed, added = _changed_lines(ODD, edit("x.yaml", ODD, {field: value}))
    assert ("".join(removed), "".join(added)) == (old, new)


def test_several_changes_at_once_and_a_mapping_that_is_missing() -> None:
    text = CARD[: CARD.index("metrics:")]
    done = edit("x.yaml", text, {"status": "archived", "metrics.injected": 1, "metrics.liked": 2})
    assert done == text.replace("status: active", "status: archived") + "metrics: {injected: 1, liked: 2}\n"


def test_mark_line_ends_and_encoding_stay() -> None:
    data = b"\xef\xbb\xbf" + CARD.replace("\n", "\r\n").encode()
    done = edit_bytes("x.yaml", data, {"status": "archived", "reason": "x"})
    assert done == data.replace(b"status: active", b"status: archived") + b"reason: x\r\n"
    chinese = CARD.encode("gb18030")
    expected = chinese.replace(b"status: active", b"status: staging")
    assert edit_bytes("x.yaml", chinese, {"status": "staging"}) == expected


@pytest.mark.parametrize("text", ["a: [", "a: 1\na: 2\n", "- a\n", "status: &x active\nb: *x\n"])
def test_what_cannot_be_read_is_not_changed(text: str) -> None:
    with pytest.raises(KnowledgeError):
        edit("x.yaml", text, {"status": "archived"})


def test_without_a_last_line_end() -> None:
    assert edit("x.yaml", "a: 1", {"b": 2}) == "a: 1\nb: 2\n"
    assert edit("x.yaml", "a: 1", {"a": 2}) == "a: 2"


_FIELD = st.sampled_from(["status", "title", "owner", "metrics.injected", "metrics.adopted", "evidence.source", "more"])
_VALUE = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30) | st.integers(0, 10**9)


@given(st.sampled_from([CARD, ODD]), _FIELD, _VALUE)
def test_any_value_is_read_back_and_the_rest_stays(text: str, field: str, value: NewValue) -> None:
    try:
        after = frontmatter.parse(edit("x.yaml", text, {field: value}))
    except KnowledgeError:
        return  # refused: nothing was written
    before = frontmatter.parse(text)
    outer, _, inner = field.partition(".")
    found = after[outer]
    assert (found[inner] if isinstance(found, dict) else found) == str(value)
    assert {name: after[name] for name in before if name != outer} == {
        name: before[name] for name in before if name != outer
    }


@given(_VALUE)
def test_what_people_write_is_never_refused(value: NewValue) -> None:
    if str(value).isprintable():
        assert frontmatter.parse(edit("x.yaml", CARD, {"title": value}))["title"] == str(value)


@pytest.mark.parametrize(
    ("field", "value", "old", "new"),
    [
        ("evidence.links", "req:R-1", "", "    - 'req:R-1'\n"),
        ("evidence.links", "b.md", "", "    - b.md\n"),
        ("applicable.scene", "c", "applicable: {scene: [ a,b ], repos: []}\n",
         "applicable: {scene: [ a,b, c], repos: []}\n"),
        ("applicable.repos", "c", "applicable: {scene: [ a,b ], repos: []}\n",
         "applicable: {scene: [ a,b ], repos: [c]}\n"),
        ("evidence.links", "a.md", "", ""),
    ],
)  # fmt: skip
def test_an_item_is_added_in_the_style_of_its_list(field: str, value: str, old: str, new: str) -> None:
    removed, added = _changed_lines(ODD, add_item("x.yaml", ODD, field, value))
    assert ("".join(removed), "".join(added)) == (old, new)


@pytest.mark.parametrize("field", ["owner", "title", "evidence.none", "none", "evidence"])
def test_what_is_no_list_takes_no_item(field: str) -> None:
    with pytest.raises(KnowledgeError):
        add_item("x.yaml", ODD, field, "x")


@given(
    st.sampled_from([CARD, ODD]), st.sampled_from(["evidence.links", "applicable.scene"]), st.lists(_VALUE, max_size=3)
)
def test_any_items_are_read_back(text: str, field: str, values: list[NewValue]) -> None:
    outer, _, inner = field.partition(".")
    before = frontmatter.parse(text)[outer]
    assert isinstance(before, dict)
    wanted = list(before[inner])
    for value in map(str, values):
        try:
            text = add_item("x.yaml", text, field, value)
        except KnowledgeError:
            continue  # refused: nothing was written
        if value not in wanted:
            wanted.append(value)
    after = frontmatter.parse(text)[outer]
    assert isinstance(after, dict)
    assert after[inner] == wanted
