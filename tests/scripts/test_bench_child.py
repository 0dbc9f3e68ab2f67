"""scripts/bench_child.py: figures and answers of child processes."""

from __future__ import annotations

import io
from pathlib import Path

import bench_child
import common
import pytest

PROGRESS = common.Progress(stream=io.StringIO())


def _script(folder: Path, body: str) -> Path:
    scripts = Path(bench_child.__file__).parent
    path = folder / "job.py"
    path.write_text(f"import sys\nsys.path.insert(0, {str(scripts)!r})\nimport bench_child\n{body}\n", "utf-8")
    return path


@pytest.mark.slow
def test_a_child_answers_whatever_it_prints(tmp_path: Path) -> None:
    script = _script(tmp_path, "print('noise')\nbench_child.answer(job=sys.argv[1:], memory=bench_child.resident_mb())")
    found = bench_child.run(script, {"a": "b"}, PROGRESS, "test")
    assert found["job"] == ["--job", '{"a": "b"}']
    assert 1 < found["memory"] < 500


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "said"), [("print('nothing')", "no result"), ("raise SystemExit('broken')", "broken")]
)
def test_a_child_without_an_answer_is_an_error(body: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(common.ScriptError, match=said):
        bench_child.run(_script(tmp_path, body), {}, PROGRESS, "test")


@pytest.mark.slow
def test_busy_cores_are_free_again_afterwards() -> None:
    with bench_child.busy_cores() as loops:
        assert loops
        assert all(loop.poll() is None for loop in loops)
    assert all(loop.poll() is not None for loop in loops)


def test_percentiles_and_sizes(tmp_path: Path) -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert (bench_child.percentile(values, 0.95), bench_child.percentile([7.0], 0.95)) == (96.0, 7.0)
    assert bench_child.percentile([], 0.5) != bench_child.percentile([], 0.5)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_bytes(bytes(1_500_000))
    assert bench_child.disk_mb(tmp_path) == 1.5
    assert 0 < bench_child.resident_mb() <= bench_child.peak_mb() + 1
