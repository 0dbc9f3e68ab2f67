"""Answers on trees of a few documents whose questions were judged beforehand (tests/eval/judged.py)."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_runtime  # noqa: E402

from kb.answer.answerer import Answerer  # noqa: E402
from tests.eval.judged import ACROSS, FOLDER, SETS, Verdict, judge  # noqa: E402


def main() -> None:
    """Ask every question, by words and meaning and by words alone; with --wrong list what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true", help="list the questions that went wrong")
    parser.add_argument("sets", nargs="*", help="only these trees")
    options = parser.parse_args()
    if unknown := set(options.sets) - {*SETS, *ACROSS}:
        parser.error(f"no such tree: {', '.join(sorted(unknown))}")
    print("| tree | | questions | " + " | ".join(Verdict) + " |\n|---|---|---|" + "---|" * len(Verdict))
    for meaning in (True, False):
        for name in options.sets or (*SETS, *ACROSS):
            folder = PROJECT / "build" / "bench" / f"judged-{name}"
            retriever = bench_runtime.open_retriever(FOLDER / name, folder, meaning=meaning)
            found = judge(name, Answerer(retriever))
            retriever.close()
            counts = Counter(verdict for _, verdict in found)
            told = " | ".join(str(counts[verdict]) for verdict in Verdict)
            print(f"| {name} | {'words and meaning' if meaning else 'words'} | {len(found)} | {told} |", flush=True)
            for case, verdict in found if options.wrong else ():
                if verdict is not Verdict.RIGHT:
                    print(f"  {verdict}: {case.question} => {' | '.join(case.wanted)}")


if __name__ == "__main__":
    main()
