"""kb.tree.textfile: the right text or a clear refusal, never mojibake."""

from __future__ import annotations

import codecs
import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.tree import textfile
from kb.tree.textfile import decode, read_text

CHINESE = "大豆播种深度为三到五厘米，墒情差时可以加深。\n追施氯化钾四十五公斤。\n"
TRADITIONAL = "大豆播種深度為三到五釐米，應當結合灌溉。\n水稻紋枯病的防治方法與用藥時間。\n"

_NOISE = b"".join(hashlib.sha256(bytes([number])).digest() for number in range(60))


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        pytest.param(b"", "", "utf-8", id="empty"),
        pytest.param(CHINESE.encode(), CHINESE, "utf-8", id="utf-8"),
        pytest.param(codecs.BOM_UTF8 + CHINESE.encode(), CHINESE, "utf-8", id="utf-8 with mark"),
        pytest.param(CHINESE.replace("\n", "\r\n").encode(), CHINESE, "utf-8", id="crlf"),
        pytest.param(CHINESE.replace("\n", "\r").encode(), CHINESE, "utf-8", id="cr"),
        pytest.param(CHINESE.encode("gbk"), CHINESE, "gb18030", id="gbk"),
        pytest.param(("# 大豆\r\n" + CHINESE).encode("gbk"), "# 大豆\n" + CHINESE, "gb18030", id="gbk crlf"),
        pytest.param("大豆播种深".encode("gbk"), "大豆播种深", "gb18030", id="gbk of five characters"),
        pytest.param("水泵".encode("gbk"), "水泵", "gb18030", id="gbk of two characters"),
        pytest.param("E-07 水".encode("gbk"), "E-07 水", "gb18030", id="gbk of one character beside a code"),
        pytest.param("濾網".encode("big5"), "濾網", "big5", id="big5 of two characters"),
        pytest.param("pH å 7".encode(), "pH å 7", "utf-8", id="one accent beside letters"),
        pytest.param(codecs.BOM_UTF8 * 2 + b"# A", "# A", "utf-8", id="two marks"),
        pytest.param(TRADITIONAL.encode("big5"), TRADITIONAL, "big5", id="big5"),
        pytest.param(codecs.BOM_UTF16_LE + CHINESE.encode("utf-16-le"), CHINESE, "utf-16-le", id="utf-16 le"),
        pytest.param(codecs.BOM_UTF16_BE + CHINESE.encode("utf-16-be"), CHINESE, "utf-16-be", id="utf-16 be"),
        pytest.param(codecs.BOM_UTF32_LE + CHINESE.encode("utf-32-le"), CHINESE, "utf-32-le", id="utf-32"),
        pytest.param("Sow maize.\n大豆".encode("utf-16-le"), "Sow maize.\n大豆", "utf-16-le", id="utf-16 no mark"),
        pytest.param("é è naïve\n".encode(), "é è naïve\n", "utf-8", id="latin in utf-8"),
        pytest.param("Привет, мир\n".encode(), "Привет, мир\n", "utf-8", id="cyrillic in utf-8"),
    ],
)
def test_the_right_text_comes_out(data: bytes, text: str, encoding: str) -> None:
    assert decode(data, "a.md") == textfile.TextFile(text, encoding)


@pytest.mark.parametrize(
    ("data", "key"),
    [
        pytest.param(CHINESE.encode()[:-2], "damaged_text", id="utf-8 cut in a character"),
        pytest.param(
            CHINESE.encode()[:40] + b"\xff" + CHINESE.encode()[40:], "damaged_text", id="utf-8 with a flipped byte"
        ),
        pytest.param(codecs.BOM_UTF16_LE + CHINESE.encode("utf-16-le")[:-1], "damaged_text", id="utf-16 cut"),
        pytest.param(codecs.BOM_UTF8 + CHINESE.encode("gbk"), "damaged_text", id="mark of another encoding"),
        pytest.param(bytes(range(256)) * 8, "unknown_encoding", id="binary"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + _NOISE, "unknown_encoding", id="a picture"),
        pytest.param(b"\x81\xff\x00\xfe" * 40, "unknown_encoding", id="junk with zeros"),
        pytest.param(b"\0" * 200, "not_text", id="zeros"),
        pytest.param("Keep the water at 25 °C.".encode("latin-1"), "unknown_encoding", id="a degree of a Western page"),
        pytest.param("5 µm".encode("cp1252"), "unknown_encoding", id="a short text of a Western page"),
    ],
)
def test_anything_else_is_refused_by_name(data: bytes, key: str) -> None:
    with pytest.raises(KnowledgeError) as caught:
        decode(data, "folder/a.md")
    assert caught.value.key in (key, "unknown_encoding", "not_text")
    assert "folder/a.md" in str(caught.value)


# Characters that people really write; their bytes decode as something in almost every encoding.
_COMMON = st.text(
    "大豆播种深度为三到五厘米结合灌水施入每公顷追氯化钾的一些目模板联通不得超过分钟，。、：", min_size=1, max_size=40
)


@given(_COMMON, st.sampled_from(["utf-8", "gbk", "gb18030", "utf-8-sig", "utf-16"]))
def test_common_chinese_is_never_mojibake(text: str, encoding: str) -> None:
    try:
        found = decode(text.encode(encoding), "a.md").text
    except KnowledgeError:
        return
    assert found == text


@pytest.mark.parametrize("text", ["一些", "一些 2"])
def test_gbk_that_happens_to_be_utf8_is_not_read_as_cyrillic(text: str) -> None:
    """The bytes of 一些 in GBK are also UTF-8 for «һЩ»."""
    try:
        found = decode(text.encode("gbk"), "a.md").text
    except KnowledgeError:
        return
    assert found == text


@given(st.text("大豆播種深度為應當結合灌溉水稻紋枯病的防治方法與用藥時間，。", min_size=8, max_size=60))
def test_common_traditional_chinese_in_big5_is_never_mojibake(text: str) -> None:
    try:
        found = decode(text.encode("big5"), "a.md").text
    except KnowledgeError:
        return
    assert found == text


@given(st.binary(max_size=200))
def test_no_bytes_fall_over(data: bytes) -> None:
    try:
        assert "\r" not in decode(data, "a.md").text
    except KnowledgeError as error:
        assert "a.md" in str(error)


def test_a_file_too_large_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big.md"
    path.write_bytes(b"x" * 100)
    monkeypatch.setattr(textfile, "MAX_BYTES", 99)
    with pytest.raises(KnowledgeError) as caught:
        read_text(path)
    assert caught.value.key == "file_too_large"


def test_a_folder_or_nothing_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.md"):
        with pytest.raises(KnowledgeError) as caught:
            read_text(path)
        assert str(path) in str(caught.value)
