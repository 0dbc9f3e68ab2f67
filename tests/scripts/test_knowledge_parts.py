"""The knowledge as it goes into the executable."""

from __future__ import annotations

from pathlib import Path

import knowledge_parts

from tests.helpers import git


def _commit(project: Path, message: str, files: dict[str, str | None]) -> None:
    for name, content in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink()
        else:
            path.write_text(content, "utf-8")
    git(project, "add", "-A")
    git(project, "commit", "--quiet", "-m", message)


def test_the_history_that_ships_speaks_of_the_knowledge_alone(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    git(project, "init", "--quiet")
    _commit(
        project,
        "Command line, evidence",
        {"docs/knowledge.yaml": "version: 1.2.0\n", "docs/farm/大豆.md": "a", "x.py": ""},
    )
    _commit(project, "Faster start", {"x.py": "1"})
    _commit(project, "policy(大豆): 钾肥 50 公斤", {"docs/farm/大豆.md": "b"})
    _commit(
        project, "Ranking fitted again", {"docs/farm/大豆.md": None, "docs/cards/a.yaml": "a", "docs/cards/b.yaml": "b"}
    )
    target = tmp_path / "work" / "knowledge"
    target.mkdir(parents=True)
    newest = knowledge_parts._bundle(project, target)
    git(tmp_path, "clone", "--quiet", str(target / "history.bundle"), "clone")
    clone = tmp_path / "clone"
    assert git(clone, "log", "--reverse", "--format=%s").splitlines() == [
        "docs(farm, knowledge.yaml): +2",
        "policy(大豆): 钾肥 50 公斤",
        "docs(cards, farm): +2 -1",
    ]
    assert git(clone, "rev-parse", "kb-1.2.0").strip() == newest
    assert git(clone, "log", "-1", "--format=%an").strip() == git(project, "log", "-1", "--format=%an").strip()
    assert {path.name for path in (clone / "cards").iterdir()} == {"a.yaml", "b.yaml"}
