"""tui.driver: what is typed is heard whatever came before it."""

from __future__ import annotations

import pytest
from textual import events

from tui.driver import Keys

BAD = ["大豆".encode("gbk"), b"\xff", b"\xed\xa0\x80", b"\x1b[99999999u", b"\x1b[<999999999999;5;5M\x1b[99999999u"]


def _typed(keys: Keys, data: bytes) -> str:
    return "".join(event.character or "" for event in keys.heard(data) if isinstance(event, events.Key))


@pytest.mark.parametrize("bad", BAD)
def test_what_cannot_be_read_is_lost_alone(bad: bytes) -> None:
    keys = Keys()
    assert _typed(keys, b"a") == "a"
    assert _typed(keys, bad + "豆b".encode()).endswith("豆b")
    assert _typed(keys, b"c") == "c"


def test_a_character_may_come_in_pieces() -> None:
    keys = Keys()
    assert [_typed(keys, bytes([byte])) for byte in "豆".encode()] == ["", "", "豆"]


def test_a_key_is_told_from_an_escape_that_stays_alone() -> None:
    keys = Keys()
    (up,) = keys.heard(b"\x1b[A")
    assert isinstance(up, events.Key) and up.key == "up"
    assert not list(keys.heard(b"\x1b")), "it may be the beginning of a key"
    (up,) = keys.heard(b"[A")
    assert isinstance(up, events.Key) and up.key == "up"
