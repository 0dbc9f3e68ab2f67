"""Fit the evidence weights (kb/answer/weights.py) and the refusal score on the open halves of public question sets.

A unit is right when it stands in a gold document and holds one of the gold spans. Per question the right units are
weighed against the others of the sections that retrieval found (the whole base, not the given document), by logistic
regression in numpy. Questions with an even digest fit, the others report.
"""

from __future__ import annotations

import argparse
import hashlib
import pprint
import sys
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_sets  # noqa: E402
from bench_runtime import open_retriever  # noqa: E402

from kb.answer import evidence  # noqa: E402
from kb.answer.signals import NAMES, Asked  # noqa: E402
from kb.search.normalise import normalise  # noqa: E402
from kb.search.retriever import Retriever  # noqa: E402
from kb.search.snapshot import Filter  # noqa: E402
from kb.search.tokens import question_terms  # noqa: E402

SETS = ("zh-reading", "en-reading", "en-agri")
_SECTIONS = 12
_UNITS = 40

Rows = np.ndarray


class Example:
    """One question: signals (units, features), which units are right, and the half it belongs to."""

    def __init__(self, rows: Rows, right: Rows, question: bench_sets.Question) -> None:
        self.rows = rows
        self.right = right
        self.half = int(hashlib.sha1(question.id.encode()).hexdigest()[0], 16) % 2
        self.answerable = bool(question.gold)


def example(retriever: Retriever, question: bench_sets.Question, similar: bool) -> Example | None:
    """The units of what retrieval finds for `question`, with their signals."""
    found = retriever.find(question.text, _SECTIONS, Filter(on=None, released_only=False))
    asked = Asked.of(question.text, retriever.term_weights(question_terms(question.text)))
    ranked = evidence.rank(asked, found, retriever.similarities(question.text) if similar else None)[:_UNITS]
    if not ranked:
        return None
    spans = [normalise(answer) for answer in question.answers]
    right = [
        item.found.path in question.gold and any(span in normalise(item.unit.text) for span in spans) for item in ranked
    ]
    rows = np.array([[item.signals[name] for name in NAMES] for item in ranked])
    return Example(rows, np.array(right, bool), question)


def fit(examples: list[Example], columns: list[int], penalty: float = 1.0) -> Rows:
    """Softmax regression over the units of each question: raises the right units above the others."""
    chosen = [
        (entry.rows[:, columns], entry.right) for entry in examples if entry.right.any() and not entry.right.all()
    ]

    def value(weights: Rows) -> float:
        total = -penalty / 2 * float(weights @ weights)
        for rows, right in chosen:
            scores = rows @ weights
            highest = scores.max()
            total += float(np.log(np.exp(scores[right] - highest).sum()) - np.log(np.exp(scores - highest).sum()))
        return total

    weights = np.zeros(len(columns))
    best = value(weights)
    for _ in range(60):
        gradient, hessian = _slopes(chosen, weights, penalty)
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while size > 1e-4 and value(weights + size * step) <= best:
            size /= 2
        if size <= 1e-4:
            break
        weights = weights + size * step
        best = value(weights)
    return weights


def _slopes(chosen: list[tuple[Rows, Rows]], weights: Rows, penalty: float) -> tuple[Rows, Rows]:
    """Gradient, and a positive definite stand-in for the negative Hessian (the covariance under the softmax)."""
    gradient = -penalty * weights
    hessian = penalty * np.eye(len(weights))
    for rows, right in chosen:
        scores = rows @ weights
        share = np.exp(scores - scores.max())
        share /= share.sum()
        good = share * right
        good /= good.sum()
        mean = share @ rows
        gradient += good @ rows - mean
        hessian += (rows * share[:, None]).T @ rows - np.outer(mean, mean)
    return gradient, hessian


def first_right(examples: list[Example], columns: list[int], weights: Rows) -> tuple[float, float]:
    """Share of answerable questions whose first unit (first three units) is right."""
    first = three = count = 0
    for entry in examples:
        if not entry.answerable:
            continue
        count += 1
        order = np.argsort(-(entry.rows[:, columns] @ weights), kind="stable")
        first += bool(entry.right[order[0]])
        three += bool(entry.right[order[:3]].any())
    return first / max(count, 1), three / max(count, 1)


def calibrate(examples: list[Example], columns: list[int], weights: Rows) -> tuple[float, float]:
    """Slope and offset of the logistic curve from score to «the first unit is right»."""
    tops = [(float((entry.rows[:, columns] @ weights).max()), entry) for entry in examples]
    inputs = np.array([[score, 1.0] for score, _ in tops])
    targets = np.array([float(entry.right[int(np.argmax(entry.rows[:, columns] @ weights))]) for _, entry in tops])
    curve = np.zeros(2)
    for _ in range(60):
        chance = 1.0 / (1.0 + np.exp(-inputs @ curve))
        step = inputs.T @ (targets - chance) - 1e-3 * curve
        curve = curve + np.linalg.solve((inputs * (chance * (1 - chance))[:, None]).T @ inputs + 1e-3 * np.eye(2), step)
    return float(curve[0]), float(curve[1])


def refusal(examples: list[Example], columns: list[int], weights: Rows, label: str) -> None:
    """How well the best score tells answerable questions from the others: AUROC, refused at 5 % false refusals."""
    best = [float((entry.rows[:, columns] @ weights).max()) for entry in examples]
    good = np.array([score for score, entry in zip(best, examples, strict=True) if entry.answerable])
    bad = np.array([score for score, entry in zip(best, examples, strict=True) if not entry.answerable])
    if not len(good) or not len(bad):
        return
    area = float((good[:, None] > bad[None, :]).mean())
    cut = float(np.quantile(good, 0.05))
    print(f"{label:40} AUROC {area:.3f}, refused at 5 % false refusals {(bad < cut).mean():.3f} ({len(bad)})")


def main() -> None:
    """Print weights and what they reach."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--mode", choices=("lexical", "meaning", "similar"), default="similar")
    parser.add_argument("--cache", type=Path, default=PROJECT / "build" / "bench")
    options = parser.parse_args()
    similar = options.mode == "similar"
    unknown = {"lexical": ("bias", "meaning", "similar"), "meaning": ("bias", "similar"), "similar": ("bias",)}
    columns = [place for place, name in enumerate(NAMES) if name not in unknown[options.mode]]
    answerable: dict[str, list[Example]] = {}
    other: dict[str, list[Example]] = {}
    for entry in bench_sets.load(tuple(options.sets)):
        folder = options.cache / entry.docs.relative_to(bench_sets.folder() or Path())
        retriever = open_retriever(entry.docs, folder, meaning=options.mode != "lexical")
        questions = [question for question in entry.questions if question.answers][: options.limit]
        made = (example(retriever, question, similar) for question in questions)
        answerable[entry.name] = [one for one in made if one]
        for question in bench_sets.unanswerable(entry.name)[: options.limit]:
            one = example(retriever, question, similar)
            if one:
                other.setdefault(f"{entry.name} {question.kind}", []).append(one)
        retriever.close()
        print(entry.name, len(answerable[entry.name]), flush=True)
    every = [one for examples in answerable.values() for one in examples]
    weights = fit([one for one in every if one.half == 0], columns)
    for name, examples in answerable.items():
        first, three = first_right([one for one in examples if one.half == 1], columns, weights)
        print(f"{name:12} evidence@1 {first:.3f} evidence@3 {three:.3f} (reporting half)")
    unanswered = [one for examples in other.values() for one in examples]
    slope, offset = calibrate([one for one in (*every, *unanswered) if one.half == 0], columns, weights)
    for name, examples in other.items():
        own = [one for key, found in answerable.items() if name.startswith(key) for one in found]
        refusal([one for one in (*own, *examples) if one.half == 1], columns, weights, name)
    scaled = {NAMES[place]: round(float(weight) * slope, 3) for place, weight in zip(columns, weights, strict=True)}
    pprint.pprint({"bias": round(offset, 3), **scaled}, sort_dicts=False)


if __name__ == "__main__":
    main()
