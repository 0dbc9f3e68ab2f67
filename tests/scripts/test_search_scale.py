"""scripts/search_scale.py: made documents are whole or absent, needles are found, a changed file is put back."""

from __future__ import annotations

import io
import json
from pathlib import Path

import bench_sets
import common
import pytest
import search_scale

from tests.helpers import write

PROGRESS = common.Progress(stream=io.StringIO())
MAKER = """
import json, pathlib, sys
out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True)
for number in range(int(sys.argv[2])):
    (out / f"{number}.md").write_text(f"# {number}\\n")
(out / "needles.jsonl").write_text(json.dumps({"question": "What?", "gold": ["0.md"]}) + "\\n")
"""


@pytest.mark.slow
def test_documents_are_made_once_and_whole(tmp_path: Path) -> None:
    write(tmp_path, "sets/make_scale.py", MAKER)
    tree = tmp_path / "build" / "scale-3"
    write(tmp_path, "build/.scale-3.tmp/left-over.md", "from a run that was killed")
    search_scale.make_tree(tmp_path / "sets", tree, 3, PROGRESS)
    assert sorted(path.name for path in tree.iterdir()) == ["0.md", "1.md", "2.md", "needles.jsonl"]
    assert search_scale.needles(tree) == [("What?", "0.md")]
    (tmp_path / "sets" / "make_scale.py").unlink()
    search_scale.make_tree(tmp_path / "sets", tree, 3, PROGRESS)


@pytest.mark.slow
def test_documents_that_could_not_be_made_are_absent(tmp_path: Path) -> None:
    write(tmp_path, "sets/make_scale.py", f"{MAKER}\nraise SystemExit('disk full')")
    tree = tmp_path / "scale-3"
    with pytest.raises(common.ScriptError, match="disk full"):
        search_scale.make_tree(tmp_path / "sets", tree, 3, PROGRESS)
    assert not tree.exists()


@pytest.mark.skipif(bench_sets.folder() is None, reason="the public question sets are not beside the project")
def test_three_hundred_questions_are_drawn_the_same_every_time() -> None:
    warming, timed = search_scale.draw()
    assert len(timed) == 300
    assert len(warming) == 50
    assert (warming, timed) == search_scale.draw()


def test_every_phase_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = tmp_path / "tree"
    for number in range(6):
        write(
            tree,
            f"item-{number}.md",
            f"---\ntitle: Item {number}\n---\n# Item {number}\n\nBatch A{number} gets {number} ml.\n",
        )
    write(tree, "needles.jsonl", json.dumps({"question": "How much for batch A4?", "gold": ["item-4.md"]}) + "\n")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tree.iterdir()}
    folder = tmp_path / "index"
    folder.mkdir()

    def answer(phase: str) -> dict[str, float]:
        search_scale.do(search_scale.Job(phase, "almanac", str(tree), str(folder)))
        return dict(json.loads(capsys.readouterr().out.rsplit("RESULT ", 1)[1]))

    assert answer("build")["seconds"] > 0
    needles = answer("needles")
    assert (needles["count"], needles["first"], needles["five"]) == (1, 1, 1)
    changed = answer("change")
    assert changed["found"] == changed["count"] == 5
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tree.iterdir()} == before


@pytest.mark.slow
def test_opening_is_measured_in_a_bare_interpreter(tmp_path: Path) -> None:
    tree, folder = tmp_path / "tree", tmp_path / "index"
    write(tree, "a.md", "# A\n\nText.\n")
    import_ms, open_ms, memory, peak = search_scale.opening("almanac", tree, folder)
    assert 0 < import_ms < open_ms
    assert 0 < memory <= peak


def test_figures_that_a_method_lacks_are_dashes() -> None:
    text = search_scale.table({"Almanac": {"a": "1", "b": "2"}, "tantivy": {"a": "3"}})
    assert text.splitlines()[2:] == ["| a | 1 | 3 |", "| b | 2 | - |"]
