"""kb.memory.reading.ocr: what a recogniser writes, and what is there when none is."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from kb.memory.reading.ocr import find, parse_tsv

_HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"


def _word(line: int, left: int, text: str, confidence: float = 96.0) -> str:
    return f"5\t1\t1\t1\t{line}\t1\t{left}\t100\t40\t20\t{confidence}\t{text}"


def test_words_of_a_line_are_joined_chinese_without_spaces() -> None:
    found = parse_tsv([_HEAD, _word(1, 10, "水泵"), _word(1, 52, "启动"), _word(2, 10, "Rated"), _word(2, 55, "flow")])
    assert [word.text for word in found] == ["水泵启动", "Rated flow"]
    assert found[0].x0 == 10
    assert found[0].x1 == 92


def test_pieces_far_apart_stay_apart() -> None:
    assert len(parse_tsv([_word(1, 10, "Name"), _word(1, 200, "Value")])) == 2


def test_noise_and_broken_rows_are_left_out() -> None:
    assert parse_tsv([_word(1, 10, "x", 12.0), "5\tbroken", "", _word(1, 10, " "), _HEAD]) == []


def test_nothing_installed_is_no_recogniser(tmp_path: Path) -> None:
    assert find(str(tmp_path)) is None
    assert find(None) is None


def test_a_program_on_the_path_is_used(tmp_path: Path) -> None:
    program = tmp_path / "tesseract"
    program.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = --list-langs ]; then echo chi_sim; echo eng; exit 0; fi\n'
        f"cat > /dev/null\nprintf '{_word(1, 10, 'E-07')}\\n'\n"
    )
    program.chmod(0o755)
    recogniser = find(str(tmp_path))
    assert recogniser is not None
    assert [word.text for word in recogniser(Image.new("RGB", (50, 50)))] == ["E-07"]
