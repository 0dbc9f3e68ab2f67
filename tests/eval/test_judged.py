"""Trees of a few documents, as a technician begins with: near misses above all must be refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kb.answer.runtime import Runtime
from kb.config import Config
from kb.paths import self_command
from tests.conftest import Engine
from tests.eval.judged import FOLDER, SETS, Verdict, judge, load


def test_each_set_asks_for_what_is_there_and_for_what_is_not() -> None:
    for name in SETS:
        refusals = sum(case.wanted == ("-",) for case in load(name))
        assert 20 <= refusals <= 0.6 * len(load(name)), name


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_what_the_documents_do_not_say_is_hardly_answered(name: str, engine: Engine, tmp_path: Path) -> None:
    runtime = Runtime(
        Config(
            home=tmp_path,
            knowledge=FOLDER / name,
            lang="en",
            self_command=self_command(),
            embedder=engine.assets.embedder,
            llama_libs=engine.assets.llama_libs,
        )
    )
    runtime.load()
    runtime.embed_missing()
    found = judge(name, runtime.answerer.without_journal())
    runtime.close()
    counts = Counter(verdict for _, verdict in found)
    worst = [(case.question, verdict) for case, verdict in found if verdict is not Verdict.RIGHT]
    assert counts[Verdict.ANSWERED] <= 0.07 * len(found), worst
    assert counts[Verdict.RIGHT] >= 0.86 * len(found), worst
