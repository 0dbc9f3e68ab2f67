"""kb.mcp.transport: lines in, lines out, whatever a client sends."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.mcp.transport import INVALID_REQUEST, MAX_LINE, PARSE_ERROR, lines, refusal, take_output


def _read_in(blocks: list[bytes]) -> list[bytes | None]:
    waiting = [*blocks, b""]
    return list(lines(lambda: waiting.pop(0)))


@given(st.lists(st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")), max_size=10), st.data())
def test_lines_do_not_depend_on_how_they_arrive(written: list[bytes], data: st.DataObject) -> None:
    whole = b"\n".join(written)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    blocks = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True) if start < end]
    assert _read_in(blocks) == [line.strip() for line in written if line.strip()]


def test_a_line_that_is_too_long_is_skipped_and_the_next_one_heard() -> None:
    block = b"x" * 100_000
    assert _read_in([*[block] * 11, b"y\n{}\n"]) == [None, b"{}"]
    assert _read_in([b"x" * (MAX_LINE + 1) + b"\n1\n"]) == [None, b"1"]
    assert _read_in([b"x" * MAX_LINE + b"\n1\n"]) == [b"x" * MAX_LINE, b"1"]
    assert _read_in([*[block] * 25]) == [None]
    assert _read_in([b" " * 10 + b"1" * (MAX_LINE - 20) + b"\n"]) == [b"1" * (MAX_LINE - 20)]


@pytest.mark.parametrize(
    ("line", "code", "number"),
    [
        (b"garbage", PARSE_ERROR, None),
        (b"\xff\xfe", PARSE_ERROR, None),
        (b"[" * 100_000, PARSE_ERROR, None),
        (b"[]", INVALID_REQUEST, None),
        (b'{"id": 5, "method": 3}', INVALID_REQUEST, 5),
        (b'{"id": "a"}', INVALID_REQUEST, "a"),
        (b'{"id": {}}', INVALID_REQUEST, None),
        (None, INVALID_REQUEST, None),
    ],
)
def test_what_is_no_message_is_refused_in_json_rpc(line: bytes | None, code: int, number: object) -> None:
    written = refusal(line)
    assert written.endswith(b"\n")
    assert written.count(b"\n") == 1
    answer = json.loads(written)
    assert answer["jsonrpc"] == "2.0"
    assert answer["id"] == number
    assert answer["error"]["code"] == code


def test_standard_output_is_taken_away() -> None:
    child = os.fork()
    if not child:
        hear, speak = os.pipe()
        err_hear, err_speak = os.pipe()
        os.dup2(speak, 1)
        os.dup2(err_speak, 2)
        _, writing = take_output()
        os.write(1, b"printed by a library")
        os.write(writing, b"answer")
        ok = os.read(0, 10) == b"" and os.read(hear, 100) == b"answer"
        os._exit(0 if ok and os.read(err_hear, 100) == b"printed by a library" else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
