"""Fit the weights of kb/search/ranking.py and the curve of kb/search/confidence.py on the open question sets.

Weights are fitted on each half of the questions and reported on the other; those that are printed are fitted on all.
A set that is for evaluation alone only reports. The weights maximise the log-likelihood of the right document
among the candidates (softmax, as in ListNet, Cao et al. 2007), each set counting alike; the curves are logistic
regressions of «this section is of a right document» on the first result, with questions that the documents do not
answer among them.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_sets  # noqa: E402
import logistic  # noqa: E402
from bench_runtime import open_retriever  # noqa: E402

from kb.search import closer, confidence, ranking  # noqa: E402
from kb.search.ranking import Weights  # noqa: E402
from kb.search.reading import Reading  # noqa: E402
from kb.search.retriever import Retriever, familiarity, lead  # noqa: E402
from kb.search.snapshot import Filter  # noqa: E402

_PARTS = tuple(field.name for field in dataclasses.fields(Weights))
_ASKED = _PARTS[:11]
_KEPT = 50
_LOOKED_AT = 15
# The sets have neutral titles, keywords and paths and few part numbers: these weights stay as they are.
_BY_HAND = {name: getattr(ranking.SAME_LANGUAGE, name) for name in ("keywords", "path", "named")}
_ANY_DAY = Filter(on=None, released_only=False)
_SHARPNESS = 8.0
# How many results the logistic curve itself counts as, where it is corrected.
_TRUSTED = 10

Rows = np.ndarray


@dataclass(frozen=True, slots=True)
class Case:
    """One question: parts (candidates, len(_PARTS)), whether each is right, and the row of its document."""

    parts: Rows
    right: Rows
    owners: Rows


def case(retriever: Retriever, question: bench_sets.Question) -> Case:
    """Ask every voice; look closely at those that are first under the present weights."""
    snapshot = retriever.snapshot()
    passed = snapshot.allowed(_ANY_DAY)
    meaning = retriever.meaning(snapshot, question.text, passed)
    asked = retriever.question(snapshot, question.text)
    heard = ranking.ask(snapshot, asked, passed, meaning)
    parts = np.zeros((len(heard.sections), len(_PARTS)), np.float32)
    for column, name in enumerate(_ASKED):
        parts[:, column] = getattr(heard, name)
    rough = ranking.weigh(heard, ranking.TRANSLATED if heard.foreign.all() else ranking.SAME_LANGUAGE)[1]
    best = np.argsort(-rough)[:_KEPT]
    wanted = closer.Wanted.of(question.text, asked.known)
    abroad = asked.abroad and wanted.translated(asked.abroad.translation, asked.abroad.known)
    reading = Reading(retriever.reader, snapshot)
    for place in best[:_LOOKED_AT].tolist():
        read = reading.section(int(heard.sections[place]))
        if read is not None:
            close = closer.look(read[0].facts.title, read[1], abroad if abroad and heard.foreign[place] else wanted)
            value = close.value.score if close.value else 0.0
            parts[place, len(_ASKED) :] = (close.sentence, value, close.held, close.joined, close.brief)
    right = np.array([snapshot.paths[owner] in question.gold for owner in heard.owners.tolist()], bool)
    return Case(parts[best], right[best], heard.owners[best])


def _without_meaning(item: Case) -> Case:
    parts = item.parts.copy()
    parts[:, [_PARTS.index(name) for name in ("whole", "detail", "whole_apart", "detail_apart")]] = 0.0
    return dataclasses.replace(item, parts=parts)


def fit(sets: list[list[Case]], steps: int = 300) -> Weights:
    """Adam on the softmax likelihood; weights below zero are held at zero."""
    free = np.array([name not in _BY_HAND for name in _PARTS])
    weights = np.array([getattr(ranking.SAME_LANGUAGE, name) for name in _PARTS])
    batches = [_padded([item for item in cases if item.right.any()]) for cases in sets]
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        gradient = 1e-2 * weights
        for parts, right, there in batches:
            scores = np.where(there, _SHARPNESS * (parts @ weights), -1e9)
            chance = np.exp(scores - scores.max(axis=1, keepdims=True))
            wanted = chance * right
            pull = wanted / wanted.sum(axis=1, keepdims=True) - chance / chance.sum(axis=1, keepdims=True)
            gradient -= _SHARPNESS * np.einsum("qc,qcp->p", pull, parts) / len(parts) / len(batches)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        change = 0.03 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        weights = np.maximum(np.where(free, weights - change, weights), 0.0)
    return Weights(**dict(zip(_PARTS, weights.round(3).tolist(), strict=True)))


def _padded(cases: list[Case]) -> tuple[Rows, Rows, Rows]:
    parts = np.zeros((len(cases), _KEPT, len(_PARTS)), np.float32)
    right, there = np.zeros((len(cases), _KEPT), bool), np.zeros((len(cases), _KEPT), bool)
    for row, item in enumerate(cases):
        parts[row, : len(item.parts)] = item.parts
        right[row, : len(item.right)] = item.right
        there[row, : len(item.right)] = True
    return parts, right, there


def quality(cases: list[Case], weights: Weights) -> tuple[float, float]:
    """hit@1 and hit@5 by document."""
    vector = np.array([getattr(weights, name) for name in _PARTS])
    first = five = 0
    for item in cases:
        if item.right.any():
            scores = item.parts @ vector
            before = len(set(item.owners[scores > scores[item.right].max()].tolist()))
            first += before == 0
            five += before < 5
    return first / max(len(cases), 1), five / max(len(cases), 1)


def rated(retriever: Retriever, questions: list[bench_sets.Question]) -> tuple[Rows, Rows]:
    """For each question's first result what the confidence curve sees, and whether it is right."""
    seen, right = [], []
    for question in questions:
        found = retriever.find(question.text, 10, _ANY_DAY)
        if found:
            seen.append(
                confidence.inputs(
                    found[0].voices,
                    lead(found, found[0]),
                    familiarity(retriever.question(retriever.snapshot(), question.text)),
                )
            )
            right.append(found[0].path in question.gold)
    return np.array(seen), np.array(right, float)


def fit_curve(seen: Rows, right: Rows) -> confidence.Curve:
    """Logistic regression, lightly regularised, corrected by what was right in each tenth of it. More of a voice never
    lowers the chance: what would is left out."""
    names = [field.name for field in dataclasses.fields(confidence.Curve)][:-1]
    kept = list(range(len(names)))
    while True:
        weights = logistic.fit(seen[:, kept], right, 0.1)
        lowest = int(np.argmin(weights[1:])) + 1
        if weights[lowest] >= 0:
            break
        del kept[lowest]
    found = dict.fromkeys(names, 0.0) | dict(
        zip((names[place] for place in kept), weights.round(2).tolist(), strict=True)
    )
    tenth = np.minimum((logistic.chances(seen, np.array(list(found.values()))) * 10).astype(int), 9)
    return confidence.Curve(**found, right=_rising(np.bincount(tenth, right, 10), np.bincount(tenth, minlength=10)))


def _rising(right: Rows, results: Rows) -> tuple[float, ...]:
    """How many of the `results` of each tenth were right, never less than in the tenth before (pool adjacent
    violators); the curve itself counts as `_TRUSTED` of them, so that few do not decide."""
    pools: list[tuple[float, float, int]] = []
    for good, count, middle in zip(right.tolist(), results.tolist(), confidence.MARKS[1:-1], strict=True):
        pools.append((good + _TRUSTED * middle, count + _TRUSTED, 1))
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            last, before = pools.pop(), pools.pop()
            pools.append((before[0] + last[0], before[1] + last[1], before[2] + last[2]))
    return tuple(round(good / count, 3) for good, count, tenths in pools for _ in range(tenths))


def chances(seen: Rows, curve: confidence.Curve) -> Rows:
    """What the curve says of each row."""
    return np.array([curve.chance(row) for row in seen.tolist()])


def reliability(chance: Rows, right: Rows) -> None:
    """Print how often each tenth of confidence was right, and how far off the mean result is (ECE)."""
    off = 0.0
    print("\n| confidence | mean | right | results |\n|---|---|---|---|")
    for low in np.arange(0.0, 1.0, 0.1):
        chosen = (chance >= low) & (chance < low + 0.1)
        if chosen.any():
            off += abs(float((chance[chosen] - right[chosen]).sum()))
            figures = f"{chance[chosen].mean():.2f} | {right[chosen].mean():.2f} | {chosen.sum()}"
            print(f"| {low:.1f}-{low + 0.1:.1f} | {figures} |")
    print(f"\nExpected calibration error {off / len(right):.3f}, Brier score {((chance - right) ** 2).mean():.4f}")


def _joined(parts: list[tuple[Rows, Rows]]) -> tuple[Rows, Rows]:
    return np.concatenate([seen for seen, _ in parts]), np.concatenate([right for _, right in parts])


def main() -> None:
    """Print weights, curves, and what they reach on the reporting halves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=[])
    parser.add_argument("--limit", type=int, default=700, help="questions a set, spread over it")
    parser.add_argument("--curve", action="store_true", help="fit the confidence curves under the present weights")
    options = parser.parse_args()
    same: dict[str, list[Case]] = {}
    other: dict[str, list[Case]] = {}
    curves: dict[tuple[bool, bool], dict[str, tuple[Rows, Rows]]] = {key: {} for key in confidence.CURVES}
    for entry in bench_sets.load(tuple(options.sets)):
        place = PROJECT / "build" / "bench" / entry.docs.relative_to(bench_sets.folder() or PROJECT)
        questions = list(entry.questions[:: -(-len(entry.questions) // options.limit)])
        for meaning in (True, False) if options.curve else (True,):
            folder = place if meaning else place.with_name(place.name + "-words")
            retriever = open_retriever(entry.docs, folder, meaning=meaning)
            if options.curve:
                known = {question.id: question for question in questions}
                foreign = ">" in entry.name
                strange = bench_sets.of_other_sets(entry.name, 200) if foreign else bench_sets.unanswerable(entry.name)
                known |= {q.id: q for q in strange[:200]}
                curves[meaning, foreign][entry.name] = rated(retriever, list(known.values()))
            else:
                kind = other if ">" in entry.name else same
                kind[entry.name] = [case(retriever, question) for question in questions]
            retriever.close()
        print(entry.name, len(questions), file=sys.stderr, flush=True)
    deaf, deaf_abroad = (
        {name: [_without_meaning(item) for item in cases] for name, cases in sets.items()} for sets in (same, other)
    )
    for name, sets in (
        ("SAME_LANGUAGE", same), ("TRANSLATED", other), ("WORDS_ALONE", deaf), ("TRANSLATED_WORDS", deaf_abroad),
    ):  # fmt: skip
        if sets:
            fitting = [cases for set_name, cases in sets.items() if set_name not in bench_sets.EVALUATION_ONLY]
            print(f"{name} = {fit(fitting)}\n\n| set | hit@1 | hit@5 |\n|---|---|---|")
            halves = [fit([cases[half::2] for cases in fitting]) for half in (0, 1)]
            for set_name, cases in sets.items():
                figures = [quality(cases[1 - half :: 2], halves[half]) for half in (0, 1)]
                one, five = (sum(column) / 2 for column in zip(*figures, strict=True))
                print(f"| {set_name} | {one:.3f} | {five:.3f} |")
            print()
    for (meaning, foreign), found in curves.items():
        if found:
            told = [both for set_name, both in found.items() if set_name not in bench_sets.EVALUATION_ONLY]
            print(f"\n{meaning=}, {foreign=}: {fit_curve(*_joined(told))}")
            reported = []
            for half in (0, 1):
                curve = fit_curve(*_joined([(seen[half::2], right[half::2]) for seen, right in told]))
                held = slice(1 - half, None, 2)
                reported += [(chances(seen[held], curve), right[held]) for seen, right in found.values()]
            reliability(*_joined(reported))


if __name__ == "__main__":
    main()
