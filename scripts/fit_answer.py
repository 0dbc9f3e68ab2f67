"""Fit the evidence weights (kb/answer/weights.py) and the refusal score on the open halves of public question sets.

A unit is right when it stands in a gold document and holds one of the gold spans. Per question the right units are
weighed against the others of the sections that retrieval found (the whole base, not the given document), by logistic
regression in numpy. Questions with an even digest fit, the others report.

With `--answers` the second stage is fitted instead: the weights of kb.answer.answerable, by the question's language,
from the facts about the best unit as the shipped weights choose it; answerable and other questions of a set weigh
alike.
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
import logistic  # noqa: E402
from bench_runtime import open_retriever  # noqa: E402

from kb.answer import evidence  # noqa: E402
from kb.answer.answerable import NAMES as FACTS  # noqa: E402
from kb.answer.answerable import chance, facts  # noqa: E402
from kb.answer.signals import NAMES, Asked  # noqa: E402
from kb.search.normalise import normalise  # noqa: E402
from kb.search.retriever import Retriever  # noqa: E402
from kb.search.snapshot import Filter  # noqa: E402
from kb.search.tokens import question_terms  # noqa: E402

SETS = ("zh-reading", "en-reading", "en-agri")
_SECTIONS = 12
_UNITS = 40
_PENALTY = 0.5
# Which way each fact of kb.answer.answerable can speak: for an answer (1), against it (-1), either (0).
_SIGNS = {
    "bias": 0, "score": 1, "similar": 1, "nearest": 1, "confidence": 1, "coverage": 1, "lacks": -1,
    "rarest_lacked": -1, "section_lacks": -1, "section_rarest_lacked": -1, "name_lacked": -1, "number_lacked": -1,
    "denial_differs": -1, "denied": -1, "fresh_name": 1, "elsewhere": -1,
}  # fmt: skip
# Names are told by their capitals, which Chinese has not.
_LATIN_ONLY = ("name_lacked", "fresh_name")

Rows = np.ndarray


class Example:
    """One question: signals (units, features), which units are right, and the half it belongs to."""

    def __init__(self, rows: Rows, right: Rows, question: bench_sets.Question, known: dict[str, float]) -> None:
        self.rows = rows
        self.right = right
        self.half = int(hashlib.sha1(question.id.encode()).hexdigest()[0], 16) % 2
        self.answerable = bool(question.gold)
        self.known = known


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
    return Example(rows, np.array(right, bool), question, facts(asked, ranked))


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
    curve = logistic.fit(inputs, targets, 1e-3)
    return float(curve[0]), float(curve[1])


def refusal(examples: list[Example], columns: list[int], weights: Rows, label: str) -> None:
    """How well the best score tells answerable questions from the others: AUROC, refused at 5 % false refusals."""
    best = [float((entry.rows[:, columns] @ weights).max()) for entry in examples]
    good = np.array([score for score, entry in zip(best, examples, strict=True) if entry.answerable])
    bad = np.array([score for score, entry in zip(best, examples, strict=True) if not entry.answerable])
    if not len(good) or not len(bad):
        return
    print(f"{label:40} {_apart(good, bad)} ({len(bad)})")


def _apart(good: Rows, bad: Rows) -> str:
    """How far the scores of answerable questions and of others lie apart, in words."""
    refused = (bad < np.quantile(good, 0.05)).mean()
    return f"AUROC {logistic.area(good, bad):.3f}, refused at 5 % false refusals {refused:.3f}"


def fit_answers(sets: dict[str, list[Example]], dropped: tuple[str, ...], half: int | None) -> dict[str, float]:
    """Logistic regression from facts to «the documents answer»; on one half of the questions, or on all (None).

    A fact whose weight comes out with the wrong sign is left out and the rest fitted again: it would only say how one
    set's questions are worded.
    """
    names = [name for name in FACTS if name not in dropped]
    while True:
        curve = _curve(sets, names, half)
        wrong = {name: abs(weight) for name, weight in zip(names, curve, strict=True) if _SIGNS[name] * weight < 0}
        if not wrong:
            return {name: round(float(weight), 3) for name, weight in zip(names, curve, strict=True)}
        names.remove(max(wrong, key=lambda name: wrong[name]))


def _curve(sets: dict[str, list[Example]], names: list[str], half: int | None) -> Rows:
    rows, targets, importance = [], [], []
    for examples in sets.values():
        chosen = [entry for entry in examples if half is None or entry.half == half]
        good = sum(entry.answerable for entry in chosen)
        for entry in chosen:
            rows.append([entry.known[name] for name in names])
            targets.append(float(entry.answerable))
            alike = good if entry.answerable else len(chosen) - good
            importance.append(len(chosen) / 2 / alike if good < len(chosen) else 0.5)
    return logistic.fit(np.array(rows), np.array(targets), _PENALTY, np.array(importance))


def report_answers(sets: dict[str, list[Example]], dropped: tuple[str, ...]) -> None:
    """What the second stage reaches on the half that did not fit, then the weights from all and their threshold."""
    for half in (0, 1):
        weights = fit_answers(sets, dropped, half)
        for name, examples in sets.items():
            rest = [entry for entry in examples if entry.half != half]
            good = np.array([chance(entry.known, weights) for entry in rest if entry.answerable])
            bad = np.array([chance(entry.known, weights) for entry in rest if not entry.answerable])
            if len(bad) and len(good):
                print(f"{name:16} {_apart(good, bad)}")
    weights = fit_answers(sets, dropped, None)
    every = [chance(entry.known, weights) for examples in sets.values() for entry in examples if entry.answerable]
    pprint.pprint(weights, sort_dicts=False)
    print(f"refuse below {np.quantile(every, 0.05):.3f} (5 % false refusals)")


def main() -> None:
    """Print weights and what they reach."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--mode", choices=("lexical", "meaning", "similar"), default="similar")
    parser.add_argument("--cache", type=Path, default=PROJECT / "build" / "bench")
    parser.add_argument("--answers", action="store_true", help="fit the second stage, whether there is an answer")
    options = parser.parse_args()
    similar = options.mode == "similar"
    unknown = {"lexical": ("bias", "meaning", "similar"), "meaning": ("bias", "similar"), "similar": ("bias",)}
    columns = [place for place, name in enumerate(NAMES) if name not in unknown[options.mode]]
    answerable: dict[str, list[Example]] = {}
    other: dict[str, list[Example]] = {}
    for entry in bench_sets.load(tuple(options.sets)):
        folder = options.cache / entry.docs.relative_to(bench_sets.folder() or Path())
        retriever = open_retriever(entry.docs, folder, meaning=options.mode != "lexical")
        with_spans = [question for question in entry.questions if question.answers or options.answers]
        questions = with_spans[: options.limit]
        made = (example(retriever, question, similar) for question in questions)
        answerable[entry.name] = [one for one in made if one]
        for question in bench_sets.unanswerable(entry.name)[: options.limit]:
            one = example(retriever, question, similar)
            if one:
                other.setdefault(f"{entry.name} {question.kind}", []).append(one)
        retriever.close()
        print(entry.name, len(answerable[entry.name]), flush=True)
    if options.answers:
        dropped = () if similar else ("similar", "nearest")
        for chinese in (True, False):
            together = {
                name: [*examples, *(one for key, found in other.items() if key.startswith(name) for one in found)]
                for name, examples in answerable.items()
                if (name.startswith("zh") or name.endswith(" zh")) is chinese
            }
            if together:
                report_answers(together, (*dropped, *(_LATIN_ONLY if chinese else ())))
        return
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
