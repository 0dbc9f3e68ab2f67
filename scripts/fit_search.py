"""Fit the weights of kb/search/ranking.py on the open halves of the public question sets.

For every question the voices of all documents that some voice hears are collected; the weights are those with the
best mean of hit@1 and MRR@10 over the sets, found by coordinate search from the documented starting point; the
confidence curve is a logistic regression of «the first document is right» on the voices of the first document.
Every second question (by id) fits, the others report.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_sets  # noqa: E402
from bench_runtime import open_retriever  # noqa: E402

from kb.search import ranking  # noqa: E402
from kb.search.retriever import Retriever  # noqa: E402
from kb.search.tokens import question_terms  # noqa: E402

_VOICES = ("text", "keywords", "path", "meaning")
_STEPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0, 2.5)
_KEPT = 60

Rows = np.ndarray


def voices_of(retriever: Retriever, question: str) -> tuple[Rows, list[str]]:
    """Voices (documents, 4) of the best documents for `question`, each the best section's, and their paths."""
    snapshot = retriever.snapshot()
    terms = question_terms(question)
    text = ranking.term_voice(snapshot, "", terms, saturating=True)
    keywords = ranking.term_voice(snapshot, "k", terms)
    path = ranking.term_voice(snapshot, "p", terms)
    meaning = ranking.meaning_voice(retriever.cosines(snapshot, question))
    stacked = np.stack([text, keywords, path, meaning], axis=1)
    rough = text + 0.2 * keywords + 0.1 * path + meaning
    best = np.argsort(-rough)[: 2 * _KEPT]
    rows: dict[str, Rows] = {}
    for section in best:
        rows.setdefault(snapshot.paths[int(snapshot.document_of[section])], stacked[section])
    names = list(rows)[:_KEPT]
    return np.array([rows[name] for name in names]), names


class Collected:
    """The voices of one set's questions, split into fitting and reporting halves."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.items: list[tuple[Rows, int]] = []

    def add(self, voices: Rows, place: int) -> None:
        """One question: voices of its documents and the row of the right one (-1: not among them)."""
        self.items.append((voices, place))

    def quality(self, weights: Rows, half: int) -> tuple[float, float, float]:
        """hit@1, hit@5 and MRR@10 of the half (0 fits, 1 reports)."""
        first = five = reciprocal = 0.0
        chosen = self.items[half::2]
        for voices, place in chosen:
            if place < 0:
                continue
            scores = voices @ weights
            rank = int((scores > scores[place]).sum())
            first += rank == 0
            five += rank < 5
            reciprocal += 1.0 / (rank + 1) if rank < 10 else 0.0
        count = max(len(chosen), 1)
        return first / count, five / count, reciprocal / count


def collect(names: tuple[str, ...], limit: int, cache: Path) -> list[Collected]:
    """Collect the voices of up to `limit` questions of each set."""
    found: list[Collected] = []
    for entry in bench_sets.load(names):
        retriever = open_retriever(entry.docs, cache / entry.docs.relative_to(bench_sets.folder() or cache))
        collected = Collected(entry.name)
        for question in entry.questions[:limit]:
            voices, paths = voices_of(retriever, question.text)
            places = [paths.index(gold) for gold in question.gold if gold in paths]
            collected.add(voices, min(places) if places else -1)
        retriever.close()
        found.append(collected)
        print(entry.name, len(collected.items), flush=True)
    return found


def search_weights(sets: list[Collected]) -> Rows:
    """Coordinate search for the best mean of hit@1 and MRR over the sets' fitting halves."""

    def value(weights: Rows) -> float:
        results = [entry.quality(weights, 0) for entry in sets]
        return float(np.mean([first + reciprocal for first, _, reciprocal in results]))

    weights = np.array([1.0, 0.3, 0.4, 1.0])
    best = value(weights)
    improved = True
    while improved:
        improved = False
        for place in range(1, 4):
            for step in _STEPS:
                trial = weights.copy()
                trial[place] = step
                found = value(trial)
                if found > best + 1e-6:
                    weights, best, improved = trial, found, True
    return weights


def fit_curve(sets: list[Collected], weights: Rows) -> Rows:
    """Logistic regression (bias, text, keywords, path, meaning, lead over the second) on «the first is right»."""
    inputs, targets = curve_data(sets, weights, 0)
    parameters = np.zeros(inputs.shape[1])
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-inputs @ parameters))
        gradient = inputs.T @ (targets - chance) - 0.01 * parameters
        hessian = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + 0.01 * np.eye(len(parameters))
        parameters = parameters + np.linalg.solve(hessian, gradient)
    return parameters


def curve_data(sets: list[Collected], weights: Rows, half: int) -> tuple[Rows, Rows]:
    """Inputs and targets of the confidence curve."""
    inputs: list[list[float]] = []
    targets: list[float] = []
    for entry in sets:
        for voices, place in entry.items[half::2]:
            scores = voices @ weights
            order = np.argsort(-scores)
            lead = scores[order[0]] - scores[order[1]] if len(order) > 1 else scores[order[0]]
            inputs.append([1.0, *voices[order[0]].tolist(), float(lead)])
            targets.append(float(order[0] == place))
    return np.array(inputs), np.array(targets)


def main() -> None:
    """Print weights, curve, and what they reach on the reporting halves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=[])
    parser.add_argument("--limit", type=int, default=600)
    parser.add_argument("--cache", type=Path, default=PROJECT / "build" / "bench")
    options = parser.parse_args()
    sets = collect(tuple(options.sets), options.limit, options.cache)
    weights = search_weights(sets)
    print("weights", dict(zip(_VOICES, weights.round(3).tolist(), strict=True)))
    for entry in sets:
        print(f"{entry.name:18} hit@1 {entry.quality(weights, 1)[0]:.3f} hit@5 {entry.quality(weights, 1)[1]:.3f}")
    curve = fit_curve(sets, weights)
    print("curve", dict(zip(("bias", *_VOICES, "lead"), curve.round(3).tolist(), strict=True)))
    inputs, targets = curve_data(sets, weights, 1)
    chance = 1.0 / (1.0 + np.exp(-inputs @ curve))
    for low in np.arange(0.0, 1.0, 0.1):
        chosen = (chance >= low) & (chance < low + 0.1)
        if chosen.any():
            print(f"confidence {low:.1f}-{low + 0.1:.1f}: {targets[chosen].mean():.2f} right of {chosen.sum()}")


if __name__ == "__main__":
    main()
