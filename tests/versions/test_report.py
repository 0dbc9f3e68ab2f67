"""kb.versions.report: what changed between two days, and what expires."""

from __future__ import annotations

import datetime
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from kb.tree.document import parse
from kb.versions.git import Git
from kb.versions.history import History
from kb.versions.periods import Period
from kb.versions.report import build, expiries, expiry_report
from kb.versions.sentences import Number
from tests.helpers import git, has_git, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
TODAY = datetime.date(2026, 6, 10)
WEEK = Period(datetime.date(2026, 6, 4), TODAY)


def _numbers(text: str) -> Sequence[Number]:
    return [Number(found[0], found[0], found[2] or "") for found in re.finditer(r"(\d+)(天|kg)?", text)]


def _text(version: str, body: str, **fields: str) -> str:
    lines = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"---\ntitle: 退货规则\nversion: {version}\nreviewer: 审核组\nowner: 客服组\n{lines}---\n# 退货\n\n{body}\n"


def _commit(root: Path, day: int, message: str) -> str:
    git(root, "add", "-A")
    when = f"2026-06-{day:02d}T12:00:00"
    subprocess.run(
        [
            "git",
            "-C",
            str(root),
            "-c",
            "user.name=Test",
            "-c",
            "user.email=t@example.org",
            "commit",
            "-q",
            "-m",
            message,
        ],
        env={"PATH": os.environ["PATH"], "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "HOME": str(root)},
        check=True,
    )
    return git(root, "rev-parse", "HEAD").strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three commits: one before the week, one in it, one after it."""
    root = tmp_path.resolve() / "knowledge"
    root.mkdir()
    git(root, "init", "--quiet", "-b", "main")
    write(root, "退货_2024.md", _text("2.0", "退货期为7天。"))
    write(root, "gone_2024.md", _text("1.0", "x"))
    write(root, "same_2024.md", _text("1.0", "y"))
    _commit(root, 1, "docs(a): first")
    write(root, "退货_2024.md", _text("2.1", "退货期为10天。"))
    write(root, "new_2024.md", _text("1.0", "z", valid_to="2026-06-20"))
    write(root, "taxonomy.yaml", "a: b\n")
    (root / "gone_2024.md").unlink()
    _commit(root, 8, "policy(退货): 退货期改为 10 天")
    write(root, "same_2024.md", _text("1.0", "later"))
    _commit(root, 20, "docs(a): later")
    return root


def test_what_changed_in_the_week(root: Path) -> None:
    report = build(History(root, Git.find(None)), WEEK, TODAY, _numbers)
    assert [(item.change.kind, item.change.path) for item in report.documents] == [
        ("removed", "gone_2024.md"), ("added", "new_2024.md"), ("changed", "退货_2024.md"),
    ]  # fmt: skip
    changed = report.documents[-1]
    assert (changed.change.old_version, changed.change.version) == ("2.0", "2.1")
    assert (changed.reviewer, changed.owner) == ("审核组", "客服组")
    assert [(number.old, number.new, number.unit) for number in changed.change.numbers] == [("7天", "10天", "天")]
    assert [commit.summary for commit in changed.commits] == ["policy(退货): 退货期改为 10 天"]
    assert report.documents[0].reviewer == "审核组"
    assert report.other_files == ("taxonomy.yaml",)
    assert [facts.path for facts in report.expiring] == ["new_2024.md"]
    assert not report.is_quiet


def test_from_the_beginning(root: Path) -> None:
    long = Period(datetime.date(2026, 1, 1), datetime.date(2026, 6, 30))
    report = build(History(root, Git.find(None)), long, TODAY, _numbers)
    assert report.old_commit == ""
    assert {item.change.kind for item in report.documents} == {"added"}


def test_a_document_that_is_new_and_was_changed_again_has_its_numbers(root: Path) -> None:
    write(root, "new_2024.md", _text("1.1", "退货期为3天。"))
    _commit(root, 9, "docs(a): three")
    write(root, "new_2024.md", _text("1.2", "退货期为5天。", valid_to="2026-06-20"))
    _commit(root, 10, "docs(a): five")
    report = build(History(root, Git.find(None)), WEEK, TODAY, _numbers)
    new = next(item for item in report.documents if item.change.path == "new_2024.md")
    assert (new.change.kind, new.change.old_version, new.change.version) == ("added", "", "1.2")
    assert [(number.old, number.new) for number in new.change.numbers] == [("", "5天")]
    assert [(field.name, field.old, field.new) for field in new.change.fields] == [("version", "1.0", "1.2")]
    long = Period(datetime.date(2026, 1, 1), datetime.date(2026, 6, 30))
    since = build(History(root, Git.find(None)), long, TODAY, _numbers)
    numbers = [(item.change.path, one.old, one.new) for item in since.documents for one in item.change.numbers]
    assert numbers == [("new_2024.md", "", "5天"), ("退货_2024.md", "7天", "10天")]


def test_a_quiet_week(root: Path) -> None:
    early = Period(datetime.date(2026, 5, 1), datetime.date(2026, 5, 7))
    report = build(History(root, Git.find(None)), early, datetime.date(2026, 5, 7), _numbers)
    assert (report.old_commit, report.new_commit, report.documents) == ("", "", ())
    assert report.is_quiet


def test_before_the_first_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    assert build(History(tmp_path.resolve(), Git.find(None)), WEEK, TODAY, _numbers).is_quiet


def test_a_document_that_cannot_be_decoded_does_not_stop_it(root: Path) -> None:
    write(root, "broken_2024.md", bytes(range(128, 256)) * 3)
    _commit(root, 9, "docs(a): broken")
    report = build(History(root, Git.find(None)), WEEK, TODAY, _numbers)
    assert "退货_2024.md" in [item.change.path for item in report.documents]


def test_documents_in_a_folder_of_a_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "-b", "main")
    write(tmp_path, "docs/a_2024.md", _text("1.0", "x"))
    write(tmp_path, "b.md", "x")
    _commit(tmp_path, 8, "docs(a): b")
    report = build(History(tmp_path.resolve() / "docs", Git.find(None)), WEEK, TODAY, _numbers)
    assert [item.change.path for item in report.documents] == ["a_2024.md"]
    assert len(report.documents[0].commits) == 1


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"valid_to": "2026-06-09"}, 0),
        ({"valid_to": "2026-06-04"}, 0),
        ({"valid_to": "2026-06-03"}, None),
        ({"valid_to": "2026-06-10"}, 1),
        ({"valid_to": "2026-07-10"}, 1),
        ({"valid_to": "2026-07-11"}, None),
        ({"valid_from": "2026-06-11"}, 2),
        ({"valid_from": "2026-06-10"}, None),
        ({"status": "draft", "valid_to": "2026-06-09"}, 3),
        ({}, None),
    ],
)
def test_when_documents_end_and_begin(fields: dict[str, str], place: int | None) -> None:
    found = expiries([parse("a.md", _text("1", "x", **fields)).facts], WEEK, TODAY)
    assert [number for number, facts in enumerate(found) if facts] == ([] if place is None else [place])


def test_without_history_only_what_expires(tmp_path: Path) -> None:
    write(tmp_path, "a.md", _text("1", "x", valid_to="2026-06-09"))
    write(tmp_path, "bad.md", bytes(range(128, 256)) * 3)
    report = expiry_report(tmp_path, WEEK, TODAY)
    assert ([facts.path for facts in report.expired], report.new_commit) == (["a.md"], "")


def test_from_the_bundle_of_a_tree_without_repository(root: Path, tmp_path: Path) -> None:
    """As the executable carries it."""
    bundle = tmp_path / "history.bundle"
    git(root, "bundle", "create", str(bundle), "HEAD", "main")
    unpacked = tmp_path.resolve() / "unpacked"
    write(unpacked, "new_2024.md", _text("1.0", "z", valid_to="2026-06-20"))
    history = History(unpacked, Git.find(None), bundle, tmp_path / "cache")
    report = build(history, WEEK, TODAY, _numbers)
    assert [item.change.path for item in report.documents] == ["gone_2024.md", "new_2024.md", "退货_2024.md"]
    assert [facts.path for facts in report.expiring] == ["new_2024.md"]
