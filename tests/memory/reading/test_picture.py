"""kb.memory.reading.picture: a picture as a document."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from kb.errors import KnowledgeError
from kb.memory.block import Kind
from kb.memory.reading.limits import Limits
from kb.memory.reading.ocr import Word
from kb.memory.reading.pdf import SCAN
from kb.memory.reading.picture import read_picture


def _save(data: bytes, suffix: str) -> str:
    return f"images/p{suffix}"


def test_without_recognition_the_picture_and_a_note(tmp_path: Path) -> None:
    Image.new("RGB", (60, 40), "white").save(tmp_path / "a.png")
    found = read_picture(tmp_path / "a.png", Limits(), _save, None)
    assert [block.kind for block in found] == [Kind.IMAGE, Kind.COMMENT]
    assert found[0].text == "![](images/p.png)"
    assert found[1].note == SCAN


def test_recognised_words_are_blocks_with_their_confidence(tmp_path: Path) -> None:
    Image.new("RGB", (600, 400), "white").save(tmp_path / "a.jpg")
    words = [Word("水泵不能启动时", 10, 10, 200, 30, 0.9), Word("先检查电源。", 10, 40, 160, 60, 0.8)]
    found = read_picture(tmp_path / "a.jpg", Limits(), _save, lambda image: words)
    text = [block for block in found if block.kind == Kind.PARAGRAPH]
    assert "".join(block.text for block in text).replace(" ", "") == "水泵不能启动时先检查电源。"
    assert text[0].note == "ocr 0.85"


def test_a_broken_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"x" * 300)
    with pytest.raises(KnowledgeError) as caught:
        read_picture(tmp_path / "a.png", Limits(), _save, None)
    assert caught.value.key == "reading_damaged"


def test_other_formats_become_png(tmp_path: Path) -> None:
    Image.new("RGB", (60, 40), "white").save(tmp_path / "a.bmp")
    assert read_picture(tmp_path / "a.bmp", Limits(), _save, None)[0].text == "![](images/p.png)"
