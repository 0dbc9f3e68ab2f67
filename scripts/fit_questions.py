"""The questions that `fit_answer.py` fits on, with what kind each is of: answerable, or not in some way."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_sets  # noqa: E402

from kb.answer.anchors import anchors, stands_in  # noqa: E402
from kb.search.quantities import folded  # noqa: E402

LEFT_OUT = "left out"
NEIGHBOUR = "of other documents"
OTHER_SET = "of other sets"
RENAMED = "another name"
# People's trees are small, and what is rare or unknown among a thousand documents is neither among twelve: questions
# across languages are also asked of so many trees of so many documents.
_SMALL_TREES, _SMALL = 10, 12


def questions(entry: bench_sets.BenchSet, limit: int, answers: bool) -> list[tuple[bench_sets.Question, str]]:
    """The questions of a set with their kinds; for the second stage (`answers`) also those of other sets, and some
    whose documents are left out."""
    good = bench_sets.sample([item for item in entry.questions if item.answers or answers], limit)
    found = [(item, "") for item in good]
    found += [(item, item.kind) for item in bench_sets.sample(bench_sets.unanswerable(entry.name), limit)]
    if answers:
        found += [(item, LEFT_OUT) for item in good[: limit // 4]]
        found += [(item, OTHER_SET) for item in bench_sets.of_other_sets(entry.name, limit // 4)]
        found += [(item, RENAMED) for item in renamed(entry, good)[: limit // 4]]
    return found


def small_trees(
    entry: bench_sets.BenchSet, folder: Path
) -> Iterator[tuple[Path, list[tuple[bench_sets.Question, str]]]]:
    """Trees of a few documents of a set each, made below `folder`, with the questions to ask of them."""
    by_document: dict[str, list[bench_sets.Question]] = {}
    for question in bench_sets.sample(entry.questions, len(entry.questions)):
        by_document.setdefault(question.gold[0], []).append(question)
    documents = list(by_document)
    strange = bench_sets.of_other_sets(entry.name, _SMALL_TREES * _SMALL // 2)
    for start in range(0, min(_SMALL_TREES * _SMALL, len(documents) - 2 * _SMALL), _SMALL):
        own, others = documents[start : start + _SMALL], documents[start + _SMALL : start + 3 * _SMALL]
        root = folder.resolve() / str(start) / "docs"
        for path in own:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(entry.docs / path, root / path)
        asked = [(by_document[path][0], "") for path in own] + [(by_document[path][0], NEIGHBOUR) for path in others]
        yield root, asked + [(item, OTHER_SET) for item in strange[start // 2 : (start + _SMALL) // 2]]


def renamed(entry: bench_sets.BenchSet, good: list[bench_sets.Question]) -> list[bench_sets.Question]:
    """The questions of `good` that name one code, with the code of another question in its place, which their own
    documents do not name."""
    named = [(item, found[0]) for item in good if len(found := anchors(item.text)) == 1]
    codes = list(dict.fromkeys(code for _, code in named))
    changed = []
    for place, (item, code) in enumerate(named):
        own = folded(" ".join((entry.docs / path).read_text("utf-8") for path in item.gold))
        strange = [other for other in codes if not stands_in(other, own) and other not in code and code not in other]
        if strange:
            text = re.sub(re.escape(code), strange[place % len(strange)], folded(item.text))
            changed.append(replace(item, id=f"{item.id}-renamed", text=text))
    return changed
