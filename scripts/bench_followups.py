"""Follow-ups: how many dialogues are understood, and how often a question about something else is taken for one.

The dialogues are those of tests/eval/dialogues.py; the questions of the public sets, each asked after another one of
its set, all stand alone.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_sets  # noqa: E402

from kb.answer.followup import Session, resolve  # noqa: E402
from kb.answer.subjects import KnownSubjects  # noqa: E402
from kb.tree.taxonomy import load_taxonomy  # noqa: E402
from tests.eval.dialogues import ANOTHER_SUBJECT, FOLLOW_UPS  # noqa: E402


def main() -> None:
    """Print the tables for BENCHMARKS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=600, help="questions of each public set")
    options = parser.parse_args()
    docs = PROJECT / "docs"
    known = KnownSubjects.of([path.relative_to(docs).as_posix() for path in docs.rglob("*.md")], load_taxonomy(docs))
    meant = sum(resolve(asked, Session((before,)), known) in wholes for before, asked, wholes in FOLLOW_UPS)
    kept = sum(resolve(asked, Session((before,)), known) == asked for before, asked in ANOTHER_SUBJECT)
    print(f"follow-ups as meant: {meant} of {len(FOLLOW_UPS)}")
    print(f"another subject left alone: {kept} of {len(ANOTHER_SUBJECT)}")
    place = bench_sets.folder()
    if place is None:
        print("questions that stand alone: skipped, the question sets are not here")
        return
    print("| set | questions asked after another | taken for a follow-up |\n|---|---|---|")
    for file in sorted(place.glob("*/questions.jsonl")):
        questions = [json.loads(line)["question"] for line in file.read_text("utf-8").splitlines()]
        random.Random(1).shuffle(questions)
        pairs = list(itertools.pairwise(questions[: options.questions]))
        taken = sum(resolve(asked, Session((before,)), known) != asked for before, asked in pairs)
        print(f"| {file.parent.name} | {len(pairs)} | {taken} |")


if __name__ == "__main__":
    main()
