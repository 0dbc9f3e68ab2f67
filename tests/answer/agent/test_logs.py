"""kb.answer.agent.logs: the right lines with their places, in logs of any size and content."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from kb.answer.agent.logs import BLOCK, SHOWN, search_logs
from kb.answer.agent.values import ToolResult
from kb.errors import KnowledgeError
from tests.helpers import write

HEX = "7f3a9c0e51d24b8896e2d417c05ab3f1"


def places(result: ToolResult) -> list[str]:
    return [line.place for line in result.lines]


def test_lines_of_an_order_and_of_a_trace(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a/pay.log",
        "10:00:00.123 order_id=1234 x\n10:00:01.000 order_id=123 ok\n订单：123 失败\n"
        f'amount=123 port=123\ngateway trace_id={HEX} timeout\n{{"order":"123"}}\norder 123.5\n',
    )
    assert places(search_logs(tmp_path, "123", "")) == ["a/pay.log:2", "a/pay.log:3", "a/pay.log:6"]
    assert places(search_logs(tmp_path, "", HEX.upper())) == ["a/pay.log:5"]
    assert places(search_logs(tmp_path, "123", "失败")) == ["a/pay.log:3"]
    nothing = search_logs(tmp_path, "99", "")
    assert not nothing.found and not nothing.lines


def test_an_order_with_letters_is_found_by_itself(tmp_path: Path) -> None:
    write(tmp_path, "x.log", "A2026-0099 shipped\nA2026-00991\nxA2026-0099\n")
    assert places(search_logs(tmp_path, "a2026-0099", "")) == ["x.log:1"]


def test_text_is_verbatim_and_says_where(tmp_path: Path) -> None:
    write(tmp_path, "x.log", b"  order 5 \x1b[31mred\x07 [/] end\r\n")
    [line] = search_logs(tmp_path, "5", "").lines
    assert line.text == "  order 5 \x1b[31mred\x07 [/] end"
    assert search_logs(tmp_path, "5", "").text.startswith("x.log:1: ")


def test_line_numbers_hold_across_blocks(tmp_path: Path) -> None:
    filler = "2026-11-20 nothing to see here\n"
    count = 3 * BLOCK // len(filler)
    write(tmp_path, "big.log", filler * count + "order 77 failed\n" + filler * count + "order 77 again")
    assert places(search_logs(tmp_path, "77", "")) == [f"big.log:{count + 1}", f"big.log:{2 * count + 2}"]


def test_the_last_lines_are_shown_and_the_rest_counted(tmp_path: Path) -> None:
    write(tmp_path, "x.log", "".join(f"order 5 step {number}\n" for number in range(1, 101)))
    found = search_logs(tmp_path, "5", "")
    assert places(found)[-1] == "x.log:100" and len(found.lines) == SHOWN
    assert [(note.key, note.params) for note in found.notes] == [("agent_logs_more", {"shown": SHOWN, "count": 100})]


def test_binary_and_compressed_files_are_named_and_the_rest_searched(tmp_path: Path) -> None:
    write(tmp_path, "a.log", b"order 5\x00\x01\x02")
    write(tmp_path, "b.log", gzip.compress(b"order 5\n"))
    write(tmp_path, "c.log", "order 5\n")
    write(tmp_path, "d.log", b"\xff\xfeo\x00")
    found = search_logs(tmp_path, "5", "")
    assert places(found) == ["c.log:1"]
    assert found.notes[0].params == {"files": "a.log, b.log, d.log", "count": 3}


def test_a_line_of_megabytes_shows_the_part_that_matters(tmp_path: Path) -> None:
    write(tmp_path, "x.log", "first\n" + "x" * (3 * BLOCK) + " order_id=55 failed " + "y" * BLOCK + "\nlast\n")
    [line] = search_logs(tmp_path, "55", "").lines
    assert line.line == 2 and line.cut and "order_id=55 failed" in line.text and len(line.text) <= 400


def test_chinese_in_two_encodings(tmp_path: Path) -> None:
    write(tmp_path, "u.log", "支付超时 A\n")
    write(tmp_path, "g.log", "支付超时 G\n".encode("gb18030"))
    assert [line.text for line in search_logs(tmp_path, "", "超时").lines] == ["支付超时 G", "支付超时 A"]


def test_only_logs_inside_the_folder_are_read(tmp_path: Path) -> None:
    write(tmp_path, "secret.log", "order 5 secret\n")
    data = tmp_path / "data"
    write(data, "pay.log.1", "order 5 old\n")
    write(data, "notes.md", "order 5 no log\n")
    write(data, ".hidden/x.log", "order 5 hidden\n")
    (data / "link.log").symlink_to(tmp_path / "secret.log")
    (data / "up").symlink_to(tmp_path)
    assert places(search_logs(data, "5", "")) == ["pay.log.1:1"]


def test_without_logs_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as caught:
        search_logs(tmp_path, "5", "")
    assert caught.value.key == "agent_no_logs"


def test_it_stops_when_told(tmp_path: Path) -> None:
    write(tmp_path, "x.log", b"nothing\n" * BLOCK)
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 2

    search_logs(tmp_path, "5", "", cancelled)
    assert len(asked) < 6


def test_a_query_is_no_pattern(tmp_path: Path) -> None:
    write(tmp_path, "x.log", "a" * 5_000 + "\n(a+)+$ here\n.*\n")
    assert places(search_logs(tmp_path, "", "(a+)+$")) == ["x.log:2"]
    assert places(search_logs(tmp_path, "", ".*")) == ["x.log:3"]
