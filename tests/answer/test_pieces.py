"""kb.answer.pieces: the grammar allows the pieces of the evidence and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.checker import is_piece
from kb.answer.pieces import grammar, whole_clauses
from tests.conftest import Engine

DOSE = "鼓粒初期（R5）每公顷追施氯化钾 45-60 公斤，结合灌水施入。"


def _sentences(text: str, limit: int = 4000) -> set[str]:
    """Everything that the grammar allows, read from its rules (they are a chain without cycles)."""
    rules = dict(line.split(" ::= ", 1) for line in text.split("\n"))
    starts = re.findall(r"p\d+x\d+", rules["root"])
    found: set[str] = set()

    def follow(name: str, so_far: str) -> None:
        body = rules[name]
        quoted = re.match(r'"((?:[^"\\]|\\.)*)"', body)
        assert quoted is not None
        said = so_far + re.sub(r"\\(.)", r"\1", quoted[1])
        rest = body[quoted.end() :]
        if "end" in rest:
            found.add(said)
        for following in re.findall(r"p\d+x\d+", rest):
            if len(found) < limit:
                follow(following, said)

    for start in starts:
        follow(start, "")
    return found


@pytest.mark.parametrize(
    ("piece", "passage", "whole"),
    [
        ("70%", "In 2022, 70% were good, 15% were wet early.", "70% were good"),
        ("45-60 公斤", DOSE, "鼓粒初期（R5）每公顷追施氯化钾 45-60 公斤"),
        ("123", "螺纹：M12；拧紧力矩（N·m）：123；备注：无", "拧紧力矩（N·m）：123"),
        ("1,600 m, then", "Go 1,600 m, then stop.", "Go 1,600 m, then stop."),
        ("wet (cold, late)", "It was wet (cold, late) there, not dry.", "It was wet (cold, late) there"),
        ("late", "It was wet (cold, late) there, not dry.", "It was wet (cold, late) there"),
        ("elsewhere", "Not here.", "elsewhere"),
        ("", "Not here.", ""),
    ],
)
def test_a_piece_grows_to_whole_clauses(piece: str, passage: str, whole: str) -> None:
    assert whole_clauses(piece, passage) == whole


@given(st.text('大豆，。3-5cm,;. （）("A', min_size=1, max_size=40), st.data())
def test_whole_clauses_hold_the_piece_and_stand_in_the_passage(passage: str, data: st.DataObject) -> None:
    flat = " ".join(passage.split())
    start = data.draw(st.integers(0, len(flat)))
    piece = flat[start : data.draw(st.integers(start, len(flat)))].strip(" ，,；;")
    whole = whole_clauses(piece, passage)
    assert piece in whole
    assert whole in flat


def test_every_sentence_is_a_piece_that_the_checker_takes() -> None:
    allowed = _sentences(grammar([DOSE]))
    assert "每公顷追施氯化钾 45-60 公斤" in allowed
    assert "45-60 公斤" in allowed
    assert not {"45", "60 公斤", "45-60", "60"} & allowed
    assert all(is_piece(said, DOSE) for said in allowed)


@given(st.text('大豆播种 3-5cm，0.5%零下18℃abc"\\\n。', min_size=1, max_size=30))
def test_numbers_are_never_cut(passage: str) -> None:
    try:
        allowed = _sentences(grammar([passage]))
    except ValueError:
        assert not re.search(r"\w", passage)
        return
    flat = " ".join(passage.split())
    assert all(said in flat for said in allowed)
    for said in allowed:
        digits = re.findall(r"\d+", said)
        assert all(re.search(rf"(?<!\d){number}(?!\d)", flat) for number in digits)


def test_several_passages_are_not_joined() -> None:
    allowed = _sentences(grammar(["大豆追肥。", "玉米不追。"]))
    assert "大豆追肥" in allowed
    assert "玉米不追" in allowed
    assert not any("玉米" in said and "大豆" in said for said in allowed)


@pytest.mark.parametrize("passages", [[], [""], ["。，！"]])
def test_nothing_to_choose_from(passages: list[str]) -> None:
    with pytest.raises(ValueError, match="nothing"):
        grammar(passages)


@pytest.mark.parametrize(
    ("passage", "lead"),
    [(DOSE, "问题：施多少？\n答案："), ('Use "code" \\n 5 mg/kg, then wait.', "Question: how much?\nAnswer:")],
)
def test_the_real_model_writes_a_piece(engine: Engine, passage: str, lead: str) -> None:
    done = engine.text_model.complete(f"{passage}\n{lead}", 48, ("\n",), grammar=grammar([passage]))
    assert done.text
    assert done.text in " ".join(passage.split())
