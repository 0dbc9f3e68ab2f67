"""Text recognition by what is installed: the program tesseract, or the library rapidocr. Neither is part of Almanac."""

from __future__ import annotations

import importlib
import importlib.util
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.memory import worker

if TYPE_CHECKING:
    from PIL.Image import Image

# Below this, what was recognised is more noise than text (tesseract's own scale is 0..100).
_MIN_CONFIDENCE = 0.3
_TIMEOUT_S = 120.0
_LANGUAGES = ("chi_sim", "eng")


@dataclass(frozen=True, slots=True)
class Word:
    """A recognised line of text: its box in pixels and how sure the recogniser is, 0..1."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    confidence: float


Recogniser = Callable[["Image"], list[Word]]


def find(path: str | None) -> Recogniser | None:
    """A recogniser, or None where nothing is installed. `path` is the search path for programs."""
    if importlib.util.find_spec("rapidocr") is not None or importlib.util.find_spec("rapidocr_onnxruntime") is not None:
        return _rapid()
    program = worker.find_program("tesseract", path)
    if program is None:
        return None
    listed = worker.output([program, "--list-langs"], b"", _TIMEOUT_S)
    known = (listed or b"").decode("utf-8", "replace").split()
    languages = "+".join(name for name in _LANGUAGES if name in known)
    return _tesseract(program, languages) if languages else None


def _rapid() -> Recogniser:
    import numpy as np

    engine: Any = None

    def recognise(image: Image) -> list[Word]:
        nonlocal engine
        if engine is None:
            module = "rapidocr" if importlib.util.find_spec("rapidocr") is not None else "rapidocr_onnxruntime"
            engine = importlib.import_module(module).RapidOCR()
        found = engine(np.asarray(image)[:, :, ::-1])
        if isinstance(found, tuple):  # rapidocr_onnxruntime: (list of (box, text, score), times)
            entries = found[0] or []
        else:
            boxes = found.boxes if found.boxes is not None else []
            entries = list(zip(boxes, found.txts or (), found.scores or (), strict=False))
        return [word for word in map(_of_polygon, entries) if word is not None]

    return recognise


def _of_polygon(entry: Any) -> Word | None:
    corners, text, score = entry
    xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    if float(score) < _MIN_CONFIDENCE or not str(text).strip():
        return None
    return Word(str(text).strip(), min(xs), min(ys), max(xs), max(ys), float(score))


def _tesseract(program: str, languages: str) -> Recogniser:
    def recognise(image: Image) -> list[Word]:
        data = io.BytesIO()
        image.save(data, "PNG")
        command = [program, "stdin", "stdout", "-l", languages, "--psm", "3", "tsv"]
        written = worker.output(command, data.getvalue(), _TIMEOUT_S)
        return parse_tsv((written or b"").decode("utf-8", "replace").splitlines())

    return recognise


def parse_tsv(rows: Iterable[str]) -> list[Word]:
    """Lines of text from tesseract's table of words (columns: level, page, block, paragraph, line, word, left, top,
    width, height, conf, text). Words far apart on a line stay apart."""
    lines: list[list[Word]] = []
    key: tuple[str, ...] = ()
    for row in rows:
        cells = row.split("\t")
        if len(cells) < 12 or cells[0] != "5" or not cells[11].strip():
            continue
        try:
            left, top, width, height = (float(value) for value in cells[6:10])
            confidence = float(cells[10]) / 100
        except ValueError:
            continue
        if confidence < _MIN_CONFIDENCE:
            continue
        word = Word(cells[11].strip(), left, top, left + width, top + height, confidence)
        own = tuple(cells[1:5])
        if own == key and lines and word.x0 - lines[-1][-1].x1 < 1.2 * height:
            lines[-1].append(word)
        else:
            lines.append([word])
        key = own
    return [_joined(line) for line in lines]


def _joined(words: list[Word]) -> Word:
    from kb.memory.reading.pdf_lines import is_cjk

    text = words[0].text
    for word in words[1:]:
        text += word.text if is_cjk(text[-1]) and is_cjk(word.text[0]) else f" {word.text}"
    return Word(
        text,
        min(word.x0 for word in words),
        min(word.top for word in words),
        max(word.x1 for word in words),
        max(word.bottom for word in words),
        sum(word.confidence for word in words) / len(words),
    )
