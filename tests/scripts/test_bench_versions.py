"""scripts/bench_versions.py: every step really runs, on the sample tree."""

from __future__ import annotations

from pathlib import Path

import bench_versions
import common
import pytest

from tests.helpers import has_git


@pytest.mark.slow
@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_every_step_is_measured(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_versions, "_QUIET_S", 0.2)
    rows, seen = bench_versions.measure(tree, tmp_path / "work", vectors=False, progress=common.Progress(quiet=True))
    assert [row.step.split(",")[0].split(" with")[0] for row in rows] == [
        "snapshot", "publish", "snapshot", "diff", "publish", "the same", "rollback", "verify a release",
    ]  # fmt: skip
    assert all(row.peak_mb > 0 for row in rows)
    assert seen["error_count"] == 0
    assert set(seen["tags"]) == {"kb-1.0.0", "kb-1.1.0"}
    assert bench_versions.table(rows).count("\n") == len(rows) + 1
    assert "0 errors" in bench_versions.told(seen)


def test_one_document_in_a_hundred_is_changed(tree: Path) -> None:
    before = {path: path.read_bytes() for path in tree.rglob("*.md")}
    assert bench_versions.change(tree, share=5) == 2
    assert sum(path.read_bytes() != data for path, data in before.items()) == 2
