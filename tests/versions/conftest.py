"""A knowledge base of one's own with people's data, and a place for backups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kb import db
from kb.versions.backup import Keeping, Made, make
from kb.versions.backup_collect import BackupSource
from kb.versions.git import Git
from tests.helpers import document, git, has_git, write

BEAN = "农业/作物/大豆 播种😀.md"


@dataclass(frozen=True)
class Base:
    """A knowledge base: its tree, the home folder, and where its backups go."""

    git: Git
    root: Path
    home: Path
    backups: Path

    def commit(self, path: str, text: str, message: str) -> str:
        """Write a document and commit it."""
        write(self.root, path, text)
        git(self.root, "add", "-A")
        git(self.root, "commit", "--quiet", "-m", message)
        return git(self.root, "rev-parse", "HEAD").strip()

    def note(self, which: db.PeopleData, *rows: str) -> None:
        """Add rows to a database of people's data."""
        connection = db.open_people(self.home, which)
        connection.execute("CREATE TABLE IF NOT EXISTS notes (said TEXT)")
        connection.executemany("INSERT INTO notes VALUES (?)", [(row,) for row in rows])
        connection.close()

    def notes(self, which: db.PeopleData) -> list[str]:
        """The rows of a database, in order."""
        connection = db.open_people(self.home, which)
        found = [str(row[0]) for row in connection.execute("SELECT said FROM notes ORDER BY rowid")]
        connection.close()
        return found

    @property
    def source(self) -> BackupSource:
        """What is backed up."""
        return BackupSource(self.home, self.root)

    def backup(self, keeping: Keeping | None = None) -> Made:
        """Make a backup."""
        return make(self.git, self.source, self.backups, keeping or Keeping())


def files(root: Path) -> dict[str, bytes]:
    """Every file below `root` outside `.git`, with its bytes."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Base]:
    """Two commits, a tag, a second branch, two databases."""
    program = Git.find(None)
    if program is None or not has_git():
        pytest.skip("there is no git program on this machine")
    made = Base(program, tmp_path / "知识", tmp_path / "home", tmp_path / "备份 U盘")
    made.root.mkdir()
    git(made.root, "init", "--quiet", "-b", "main")
    made.commit(BEAN, document("大豆", "播种深度3厘米。\n" * 20), "docs(大豆): first")
    git(made.root, "tag", "kb-1.0.0")
    git(made.root, "branch", "draft")
    made.commit("a.md", document("A", "Seven days."), "docs(a): second")
    made.note(db.PeopleData.LEDGER, "one", "two")
    made.note(db.PeopleData.MEMORY, "三")
    yield made
