"""Fit the evidence weights (kb/answer/weights.py) and the refusal score on the open halves of public question sets.

A unit is right when it stands in a gold document and holds one of the gold spans. Per question the right units are
weighed against the others of the sections that retrieval found (the whole base, not the given document), by logistic
regression in numpy. Questions with an even digest fit, the others report.

With `--answers` the second stage is fitted instead: the weights of kb.answer.answerable, by the question's language,
from the facts about the best unit as the shipped weights choose it. Questions without an answer are of four kinds:
those written as such (SQuAD's impossible ones, DRCD), those of other sets, answerable ones whose own documents are
left out (or, asked of a small tree, not in it), and answerable ones that name another code or part than their documents
do. Per set, answerable and other questions weigh alike, and so do the kinds, but for other names: what is said of one
part often holds for another.
Off-domain questions that belong to a set, and the set en-agri (its questions follow a few patterns; fitted on it, the
other English sets fare worse), are not fitted on; they only report.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import pprint
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_sets  # noqa: E402
import logistic  # noqa: E402
from bench_runtime import prepare  # noqa: E402
from fit_questions import LEFT_OUT, OTHER_SET, RENAMED, questions, small_trees  # noqa: E402

from kb.answer import evidence  # noqa: E402
from kb.answer.answerable import NAMES as FACTS  # noqa: E402
from kb.answer.answerable import facts, keyness_fact  # noqa: E402
from kb.answer.asked import Asked  # noqa: E402
from kb.answer.signals import NAMES  # noqa: E402
from kb.answer.weights import chance  # noqa: E402
from kb.search.normalise import normalise  # noqa: E402
from kb.search.retriever import Retriever  # noqa: E402
from kb.search.snapshot import Filter, Flags, Snapshot  # noqa: E402
from kb.search.tokens import question_terms  # noqa: E402

SETS = ("zh-reading", "en-reading", "en-agri")
ANSWER_SETS = (
    *SETS,
    "device-faq zh",
    "device-faq en",
    "device-faq zh>en",
    "device-faq en>zh",
    *bench_sets.READING_ACROSS,
)
_SMALL_NAME = "small "
_RENAMED_WEIGHT = 0.3
_ONLY_REPORTED = "en-agri"
_SECTIONS = 12
_UNITS = 40
_PENALTY = 0.5
# Which way each fact of kb.answer.answerable can speak: for an answer (1), against it (-1), either (0).
_SIGNS = {
    "bias": 0, "score": 1, "similar": 1, "nearest": 1, "confidence": 1, "coverage": 1, "lacks": -1,
    "rarest_lacked": -1, "section_lacks": -1, "section_rarest_lacked": -1, "name_lacked": -1, "number_lacked": -1,
    "undenied": -1, "fresh_name": 1, "elsewhere": -1, "unknown": -1, "vicinity_lacks": -1,
    "unknown_character": -1, "code_lacked": -1, "code_share": -1, "code_apart": -1, "code_held": 1, "surest": 1,
    "path": 1, "quantity_lacked": -1, "unnamed": -1, "outside": -1,
}  # fmt: skip
# Names are told by their capitals, which Chinese has not; `undenied` reads English questions.
_LATIN_ONLY = ("name_lacked", "fresh_name", "undenied")
# What tells nothing where question and document are in two languages: denials have other forms, and a word of which
# nothing is known may only be told in another way than the dictionary says.
_NOT_ACROSS = ("unknown_character", "unknown")

Rows = np.ndarray


@dataclass(frozen=True)
class Example:
    """One question: signals (units, features), which units are right, the facts of the best of them, the question's
    kind ('' for one that the documents answer), whether the first unit stands in the right document, and what the
    keyness of its words counts for (None where it is not known)."""

    question: bench_sets.Question
    rows: Rows
    right: Rows
    known: dict[str, float]
    kind: str
    found: bool
    key: float | None

    @property
    def half(self) -> int:
        """The half of the questions that it belongs to, 0 or 1."""
        return int(hashlib.sha1(self.question.id.encode()).hexdigest()[0], 16) % 2

    @property
    def answerable(self) -> bool:
        """Whether the documents answer it."""
        return not self.kind


class Without(Retriever):
    """A retriever over a tree as if the documents `left_out` (paths) were not in it."""

    left_out: frozenset[str] = frozenset()

    def _passed(self, snapshot: Snapshot, limits: Filter) -> Flags:
        rows = [row for row, path in enumerate(snapshot.paths) if path in self.left_out]
        return super()._passed(snapshot, limits) & ~np.isin(snapshot.document_of, rows)


def example(retriever: Without, question: bench_sets.Question, similar: bool, kind: str = "") -> Example | None:
    """The units of what retrieval finds for `question`, with their signals."""
    retriever.left_out = frozenset(question.gold if kind == LEFT_OUT else ())
    found = retriever.find(question.text, _SECTIONS, Filter(on=None, released_only=False))
    rarity = retriever.term_weights(question_terms(question.text))
    asked = Asked.of(
        question.text, rarity, translated=retriever.translated(question.text), keyness=retriever.keyness(question.text)
    )
    ranked = evidence.rank(asked, found, retriever.similarities(question.text) if similar else None)[:_UNITS]
    if not ranked:
        return None
    spans = [normalise(answer) for answer in question.answers]
    right = [
        item.found.path in question.gold and any(span in normalise(item.unit.text) for span in spans) for item in ranked
    ]
    rows = np.array([[item.signals[name] for name in NAMES] for item in ranked])
    found_right = ranked[0].found.path in question.gold
    key = None if asked.keyness is None else keyness_fact(asked.keyness)
    return Example(question, rows, np.array(right, bool), facts(asked, ranked), kind, found_right, key)


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


def _fitted_on(entry: Example, half: int | None) -> bool:
    return (half is None or entry.half == half) and "offdomain" not in entry.kind


def _curve(sets: dict[str, list[Example]], names: list[str], half: int | None) -> Rows:
    rows, targets, importance = [], [], []
    for set_name, examples in sets.items():
        chosen = [entry for entry in examples if _fitted_on(entry, half) and set_name != _ONLY_REPORTED]
        counts = Counter(entry.kind for entry in chosen)
        share = {kind: _RENAMED_WEIGHT if kind == RENAMED else 1.0 for kind in counts if kind}
        for entry in chosen:
            rows.append([entry.known[name] for name in names])
            targets.append(float(entry.answerable))
            kind = entry.kind
            importance.append(counts[""] * share[kind] / sum(share.values()) / counts[kind] if kind else 1.0)
    return logistic.fit(np.array(rows), np.array(targets), _PENALTY, np.array(importance))


def report_answers(sets: dict[str, list[Example]], dropped: tuple[str, ...]) -> None:
    """What the second stage reaches on the half that did not fit, then the weights from all and their threshold."""
    halves = [fit_answers(sets, dropped, half) for half in (0, 1)]
    for name, examples in sets.items():
        chances: dict[str, list[float]] = {}
        for entry in examples:
            chances.setdefault(entry.kind, []).append(chance(entry.known, halves[1 - entry.half]))
        good = np.array(chances.pop("", []))
        for kind, values in chances.items():
            print(f"{name:16} {kind:34} {_apart(good, np.array(values))} ({len(values)})")
    fit_field(sets)
    weights = fit_answers(sets, dropped, None)
    pprint.pprint(weights, sort_dicts=False)
    together = [entry for examples in sets.values() for entry in examples]
    for name, examples in (*sets.items(), ("all", together)):
        every = [(chance(entry.known, weights), entry.found) for entry in examples if entry.answerable]
        cut = np.quantile([value for value, _ in every], 0.05)
        right = np.quantile([value for value, found in every if found], 0.05)
        print(
            f"{name:16} refuse below {cut:.3f} (5 % of all), {right:.3f} (5 % of those with the right document first)"
        )


def fit_field(sets: dict[str, list[Example]]) -> None:
    """Print slope and offset of the curve from keyness to «of the documents' field»: answerable questions against those
    of other sets, each half of a set's weight."""
    keys, targets, importance = [], [], []
    for name, examples in sets.items():
        for kind in ("", OTHER_SET):
            own = [entry.key for entry in examples if entry.kind == kind and entry.key is not None]
            if name != _ONLY_REPORTED and not name.startswith(_SMALL_NAME):
                keys += own
                targets += [float(not kind)] * len(own)
                importance += [1.0 / len(own) for _ in own]
    if keys:
        weigh = np.array(importance) * len(keys) / sum(importance)
        offset, slope = logistic.fit(np.array([[1.0, key] for key in keys]), np.array(targets), 1e-2, weigh)
        print(f"of the field by keyness: slope {slope:.2f}, offset {offset:.2f}")


def dropped_facts(*, chinese: bool, across: bool, similar: bool) -> tuple[str, ...]:
    """The facts that say nothing of such questions; the sets' paths are neutral."""
    deaf = () if similar else ("similar", "nearest")
    names = _LATIN_ONLY if chinese or across else ()
    return ("path", "quantity_lacked", "outside", *deaf, *names, *(_NOT_ACROSS if across else ()))


def main() -> None:
    """Print weights and what they reach."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", help="default: all that have spans, with --answers the device sets too")
    parser.add_argument("--limit", type=int, default=500, help="questions of each kind and set")
    parser.add_argument("--mode", choices=("lexical", "meaning", "similar"), default="similar")
    parser.add_argument("--cache", type=Path, default=PROJECT / "build" / "bench")
    parser.add_argument("--answers", action="store_true", help="fit the second stage, whether there is an answer")
    options = parser.parse_args()
    similar = options.mode == "similar"
    unknown = {"lexical": ("bias", "meaning", "similar"), "meaning": ("bias", "similar"), "similar": ("bias",)}
    columns = [place for place, name in enumerate(NAMES) if name not in unknown[options.mode]]
    sets = bench_sets.load(tuple(options.sets or (ANSWER_SETS if options.answers else SETS)))
    answerable: dict[str, list[Example]] = {}
    other: dict[str, list[Example]] = {}
    for entry in sets:
        folder = options.cache / entry.docs.relative_to(bench_sets.folder() or Path())
        retriever = Without(entry.docs.resolve(), folder)
        prepare(retriever, meaning=options.mode != "lexical")
        for question, kind in questions(entry, options.limit, options.answers):
            one = example(retriever, question, similar, kind)
            if one:
                (
                    other.setdefault(f"{entry.name} {kind}", []) if kind else answerable.setdefault(entry.name, [])
                ).append(one)
        retriever.close()
        print(entry.name, len(answerable[entry.name]), flush=True)
        if options.answers and ">" in entry.name:
            name = _SMALL_NAME + entry.name
            for root, asked in small_trees(entry, options.cache / "small" / entry.name.replace(">", "-")):
                retriever = Without(root, root.parent / options.mode)
                prepare(retriever, meaning=options.mode != "lexical")
                for question, kind in asked:
                    if one := example(retriever, question, similar, kind):
                        (other.setdefault(f"{name} {kind}", []) if kind else answerable.setdefault(name, [])).append(
                            one
                        )
                retriever.close()
    if options.answers:
        for chinese, across in itertools.product((True, False), (False, True)):
            together = {
                name: [*examples, *(one for key, found in other.items() if key.startswith(f"{name} ") for one in found)]
                for name, examples in answerable.items()
                if bench_sets.asked_in_chinese(name) is chinese and (">" in name) is across
            }
            if together:
                print("questions in", "Chinese" if chinese else "English", "across languages" if across else "")
                report_answers(together, dropped_facts(chinese=chinese, across=across, similar=similar))
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
