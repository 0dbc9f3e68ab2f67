"""Fit the weights by which the distiller tells a lesson from other findings (kb/supply/distill_weights.py).

    scripts/fit_distill.py [--write]

Logistic regression over the mean vector of an event's findings, on the open events of tests/data/supply/events.jsonl.
Prints precision and recall of rules and meaning together: cross-validated on the open events, and on the held ones,
which neither rules nor weights were made from.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_runtime  # noqa: E402
import logistic  # noqa: E402

from kb.supply.distill_decide import decide  # noqa: E402
from kb.supply.distill_meaning import ENOUGH  # noqa: E402
from kb.supply.distill_reading import findings  # noqa: E402
from kb.supply.events import parse_event  # noqa: E402

PENALTY = 0.01
FOLDS = 8
TARGET = PROJECT / "kb" / "supply" / "distill_weights.py"


def main() -> int:
    """Fit, report, and with --write put the weights down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    embedder = bench_runtime.embedder()
    rows = [json.loads(line) for line in (PROJECT / "tests/data/supply/events.jsonl").read_text("utf-8").splitlines()]
    means, by_rules, wanted, held = [], [], [], []
    for row in rows:
        event = parse_event(json.dumps(row["event"]))
        told = [one.span.text for one in findings(event)]
        means.append(
            np.asarray(embedder.embed_passages(told), float).mean(0) if told else np.zeros(embedder.dimensions)
        )
        by_rules.append(decide(event).save)
        wanted.append(row["save"])
        held.append(row["set"] == "held")
    vectors, labels, rules, unseen = np.array(means), np.array(wanted, float), np.array(by_rules), np.array(held)
    centre = vectors[~unseen].mean(0)
    inputs = np.c_[vectors - centre, np.ones(len(vectors))]
    chances = np.zeros(len(labels))
    open_ones = np.flatnonzero(~unseen)
    for fold in range(FOLDS):
        test = open_ones[fold::FOLDS]
        rest = np.setdiff1d(open_ones, test)
        chances[test] = logistic.chances(inputs[test], logistic.fit(inputs[rest], labels[rest], PENALTY))
    found = logistic.fit(inputs[open_ones], labels[open_ones], PENALTY)
    chances[unseen] = logistic.chances(inputs[unseen], found)
    for name, chosen in (("open, cross-validated", ~unseen), ("held", unseen)):
        for way, said in (("rules", rules), ("rules and meaning", rules | (chances >= ENOUGH))):
            print(f"{name:<24}{way:<20}{_figures(said[chosen], labels[chosen] > 0)}")
    if arguments.write:
        direction, bias = found[:-1], float(found[-1] - found[:-1] @ centre)
        TARGET.write_text(_module(direction, bias, bench_runtime.model("embedder").identity), "utf-8")
    return 0


def _figures(said: np.ndarray, wanted: np.ndarray) -> str:
    right = int((said & wanted).sum())
    return f"precision {right / max(1, said.sum()):.2f}  recall {right / wanted.sum():.2f}  ({wanted.size} events)"


def _module(direction: np.ndarray, bias: float, embedder: str) -> str:
    scale = float(np.abs(direction).max()) / 127
    packed = base64.b64encode(np.round(np.asarray(direction) / scale).astype(np.int8).tobytes()).decode()
    lines = "\n".join(f'    "{packed[start : start + 110]}"' for start in range(0, len(packed), 110))
    return (
        '"""Made by scripts/fit_distill.py: what makes a sentence vector a lesson, one signed byte a number."""\n\n'
        f'EMBEDDER = "{embedder}"\nSCALE = {scale:.6g}\nBIAS = {bias:.6g}\nDIRECTION = (\n{lines}\n)\n'
    )


if __name__ == "__main__":
    sys.exit(main())
