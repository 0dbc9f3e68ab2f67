"""kb.answer.agent.values: what two calls have in common, and how they read."""

from __future__ import annotations

from kb.answer.agent.values import Call, Ended, LogLine, Reason, Record, Report


def test_calls_that_ask_the_same_have_one_key() -> None:
    assert Call("a", {"x": "ERR_T", "y": 1}).key == Call("a", {"y": 1, "x": "err_t"}).key
    assert Call("a", {"x": "1"}).key != Call("a", {"x": 1}).key
    assert Call("a", {"x": "1"}).key != Call("b", {"x": "1"}).key


def test_a_call_reads_like_one() -> None:
    assert str(Call("log_search", {"query": "超时\n", "all": True})) == 'log_search(query="超时\\n", all=true)'


def test_places_and_emptiness() -> None:
    assert Record("orders.jsonl", 3, ()).place == "orders.jsonl:3"
    line = LogLine("a/pay.log", 7, "x")
    assert line.place == "a/pay.log:7"
    assert Report("q", False, Ended.DONE).empty
    assert not Report("q", False, Ended.DONE, lines=(line,)).empty
    assert Reason().by_model and not Reason("rule").by_model
