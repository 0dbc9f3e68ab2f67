"""The fences of conftest.py hold: a test that goes for the real home folder or the network is stopped."""

from __future__ import annotations

import os
import socket
import sqlite3
from pathlib import Path

import platformdirs
import pytest

from tests.conftest import FENCE


def _provoked() -> list[str]:
    found = list(FENCE.refused)
    FENCE.refused.clear()
    return found


def test_nothing_is_written_into_the_real_home() -> None:
    target = Path(FENCE.home) / "almanac-test-must-not-exist"
    for attempt in (
        lambda: target.write_text("x"),
        lambda: target.mkdir(),
        lambda: os.open(target, os.O_CREAT | os.O_WRONLY),
        lambda: sqlite3.connect(target),
    ):
        with pytest.raises(AssertionError, match="real home"):
            attempt()
    assert len(_provoked()) == 4
    assert not target.exists()


def test_almanacs_own_real_folder_is_not_even_read() -> None:
    with pytest.raises(AssertionError, match="real home"):
        (Path(FENCE.private[0]) / "index.db").read_bytes()
    assert len(_provoked()) == 1


def test_the_platforms_data_folder_is_the_tests_own(own_home: Path) -> None:
    assert Path(platformdirs.user_data_dir("almanac", appauthor=False)).is_relative_to(own_home)


@pytest.mark.skipif(FENCE.cut_off, reason="there is no network here at all (unshare --net)")
def test_no_connection_leaves_the_machine() -> None:
    with socket.socket() as one, pytest.raises(AssertionError, match="network"):
        one.connect(("192.0.2.1", 80))
    with pytest.raises(AssertionError, match="network"):
        socket.getaddrinfo("example.org", 80)
    assert len(_provoked()) == 2


def test_sockets_of_this_machine_stay_usable() -> None:
    first, second = socket.socketpair(socket.AF_UNIX)
    first.sendall(b"x")
    assert second.recv(1) == b"x"
    first.close()
    second.close()
