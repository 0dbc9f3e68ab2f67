"""The public question sets, as benchmarks and fits read them: see SOURCE.md in each set's folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Question:
    """One question: `gold` are paths below the docs folder; empty when the documents do not answer."""

    id: str
    text: str
    gold: tuple[str, ...]
    answers: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class BenchSet:
    """A set: `name` as in tables, folder `docs` of documents, and its questions."""

    name: str
    docs: Path
    questions: tuple[Question, ...]


# name, set folder, docs folder, language of the questions ('' = all)
_SETS = (
    ("zh-reading", "zh-reading", "docs", ""),
    ("zh-agri", "zh-agri", "docs", ""),
    ("device-faq zh", "device-faq", "docs/zh", "zh"),
    ("device-faq en", "device-faq", "docs/en", "en"),
    ("device-faq zh>en", "device-faq", "docs/en", "zh"),
    ("en-reading", "en-reading", "docs", ""),
    ("en-agri", "en-agri", "docs", ""),
)


def folder() -> Path | None:
    """Where the sets lie: $ALMANAC_BENCH, else ../shared/bench beside the project; None when absent."""
    named = os.environ.get("ALMANAC_BENCH")
    place = Path(named) if named else PROJECT.parent / "shared" / "bench"
    return place.resolve() if place.is_dir() else None


def load(names: tuple[str, ...] = ()) -> Iterator[BenchSet]:
    """The sets that exist, those called `names` or all."""
    place = folder()
    if place is None:
        return
    for name, where, docs, lang in _SETS:
        if names and name not in names:
            continue
        base = place / where
        found = []
        for line in (base / "questions.jsonl").read_text("utf-8").splitlines():
            item = json.loads(line)
            gold = tuple(g.removeprefix(f"{docs}/") for g in item["gold"] if g.startswith(f"{docs}/"))
            if gold and item["lang"].startswith(lang):
                answers = tuple(item.get("answers") or ([item["answer"]] if item.get("answer") else []))
                found.append(Question(item["id"], item["question"], gold, answers, item.get("kind", "")))
        yield BenchSet(name, base / docs, tuple(found))


# Which questions without an answer belong to a set: the beginning of their `kb`, and of their `source`.
WITHOUT_ANSWER = {
    "zh-reading": ("zh-reading", ""), "en-reading": ("en-reading", ""), "zh-agri": ("zh-agri", ""),
    "device-faq zh": ("device-faq/docs/zh", ""), "device-faq en": ("device-faq/docs", "emanual"),
}  # fmt: skip


def unanswerable(name: str) -> list[Question]:
    """Questions that the documents of the set `name` do not answer; none where no such questions are known."""
    place = folder()
    if place is None or name not in WITHOUT_ANSWER:
        return []
    base, source = WITHOUT_ANSWER[name]
    lines = (place / "unanswerable" / "questions.jsonl").read_text("utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    return [
        Question(item["id"], item["question"], (), (), f"{item['kind']}/{item['source']}")
        for item in items
        if item["kb"].startswith(base) and item["source"].startswith(source)
    ]
