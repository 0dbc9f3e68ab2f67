"""Reading text files of any common encoding: right text or a clear refusal, never mojibake.

Order: byte order mark, strict UTF-8, UTF-16 without mark, then GB18030 or Big5 when the decoded characters are
plausible Chinese. Shares of common characters come from the standards themselves: GB 2312 level 1 holds the
3,755 most used simplified characters, Big5 level 1 the 5,401 most used traditional ones.
"""

from __future__ import annotations

import codecs
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from kb.errors import KnowledgeError

MAX_BYTES = 64 * 1024 * 1024
# Below this share of common characters a decoding is taken for mojibake. Measured: real GBK prose has 0.93-0.99,
# Big5 bytes read as GBK 0.1-0.5.
_PLAUSIBLE = 0.75
# Up to this many bytes a GBK text can be valid UTF-8 by chance.
_SHORT = 64
_PAIR = re.compile(rb"[\x80-\xff]{2}")

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class TextFile:
    """A decoded file: `text` with `\\n` line ends and no mark, and the `encoding` it was stored in."""

    text: str
    encoding: str


def read_text(path: Path) -> TextFile:
    """Read and decode `path`; KnowledgeError names the file and the reason when that is not possible."""
    return decode(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """The bytes of `path`; KnowledgeError when it cannot be read or has more than MAX_BYTES."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise KnowledgeError("unreadable", path=str(path), reason="not a regular file")
        size = found.st_size
        if size > MAX_BYTES:
            raise KnowledgeError("file_too_large", path=str(path), size=size // 1_000_000, limit=MAX_BYTES // 1_000_000)
        return path.read_bytes()
    except OSError as error:
        raise KnowledgeError("unreadable", path=str(path), reason=error.strerror or str(error)) from error


def decode(data: bytes, path: str) -> TextFile:
    """Decode `data`; `path` is only named in errors."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :].removeprefix(mark), encoding, path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _decode_legacy(data, error, path)
    if 0 < len(data) <= _SHORT and _looks_like_gbk(data, text):
        return TextFile(_line_ends(data.decode("gb18030")), "gb18030")
    if "\0" in text:
        guess = _utf16_without_mark(data)
        if guess is not None:
            return guess
        if text.count("\0") > len(text) // 100 + 1:
            raise KnowledgeError("not_text", path=path)
    return TextFile(_line_ends(text), "utf-8")


def _looks_like_gbk(data: bytes, text: str) -> bool:
    """A few GBK characters can be valid UTF-8 by chance (一些 is һЩ): all wide characters then take two bytes."""
    wide = [char for char in text if char > "\x7f"]
    if not wide or any(ord(char) > 0x7FF for char in wide):
        return False
    # Beside Latin letters stand accents, Greek and Cyrillic; phonetic signs and the scripts of the Near East do not.
    if any(char.isascii() and char.isalpha() for char in text) and not all(
        0x180 <= ord(char) < 0x370 or ord(char) >= 0x530 for char in wide
    ):
        return False
    try:
        other = data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    # Real two-byte scripts (Cyrillic, Greek, accents) make words of one script; chance does not.
    scripts = {ord(char) >> 8 for char in wide}
    return _share(other, _common_gb) == 1.0 and (len(scripts) > 1 or len(wide) <= 2)


def _strict(data: bytes, encoding: str, path: str) -> TextFile:
    try:
        return TextFile(_line_ends(data.decode(encoding)), encoding)
    except UnicodeDecodeError as error:
        raise KnowledgeError("damaged_text", path=path, encoding=encoding, offset=error.start) from error


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _utf16_without_mark(data: bytes) -> TextFile | None:
    """UTF-16 without a byte order mark shows as a zero in every other byte of its ASCII characters."""
    if len(data) % 2:
        return None
    odd, even = data[1::2].count(0), data[0::2].count(0)
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    if max(odd, even) < len(data) // 20 or min(odd, even) > max(odd, even) // 10:
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    # Zeros alone make no text: most characters must be ones that people write.
    written = sum(char in "\n\r\t" or " " <= char < "\x7f" or "\u2e80" <= char <= "\uffef" for char in text)
    return TextFile(_line_ends(text), encoding) if written > 0.9 * len(text) else None


def _decode_legacy(data: bytes, error: UnicodeDecodeError, path: str) -> TextFile:
    """GB18030 or Big5 when plausible; damaged UTF-8 is refused, not read as something else."""
    guess = _utf16_without_mark(data) if b"\0" in data else None
    if guess is not None:
        return guess
    if _mostly_utf8(data):
        raise KnowledgeError("damaged_text", path=path, encoding="utf-8", offset=error.start)
    if not _PAIR.search(data):
        # A single byte here and there is a sign of a Western code page (25 °C), not half of a Chinese character.
        raise KnowledgeError("unknown_encoding", path=path)
    candidates: list[tuple[float, str, str]] = []
    for encoding, common in (("gb18030", _common_gb), ("big5", _common_big5)):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        candidates.append((_share(text, common), encoding, text))
    if candidates:
        share, encoding, text = max(candidates)
        if share >= _PLAUSIBLE:
            return TextFile(_line_ends(text), encoding)
    raise KnowledgeError("unknown_encoding", path=path)


def _mostly_utf8(data: bytes) -> bool:
    """Whether multi-byte UTF-8 sequences outnumber the bytes that are not valid UTF-8."""
    decoded = data.decode("utf-8", errors="replace")
    broken = decoded.count("�")
    wide = sum(ord(char) > 0x7F for char in decoded) - broken
    return wide > 2 * broken


def _share(text: str, common: _Test) -> float:
    """Share of common characters among those outside ASCII, 0..1; punctuation counts as common."""
    wide = [char for char in text if ord(char) > 0x7F]
    if not wide:
        return 0.0
    return sum(1 for char in wide if common(char)) / len(wide)


class _Test:
    """Whether a character's code in `encoding` lies in one of the `ranges` of first bytes."""

    def __init__(self, encoding: str, ranges: tuple[tuple[int, int], ...]) -> None:
        self.encoding = encoding
        self.ranges = ranges

    def __call__(self, char: str) -> bool:
        try:
            code = char.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return len(code) == 2 and any(low <= code[0] <= high for low, high in self.ranges)


_common_gb = _Test("gb2312", ((0xA1, 0xA3), (0xB0, 0xD7)))
_common_big5 = _Test("big5", ((0xA1, 0xA3), (0xA4, 0xC6)))
