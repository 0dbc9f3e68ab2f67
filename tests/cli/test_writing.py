"""kb.cli.writing: new and normalise as people use them."""

from __future__ import annotations

import datetime
import json
import os
from pathlib import Path

import pytest

from kb import fsio
from kb.versions.history import STAMP_NAME
from tests.conftest import CommandLine
from tests.helpers import git, has_git, write

YEAR = datetime.date.today().year
HEAD = "---\ntitle: 大豆\nversion: 1.0\ndate_updated: 2024-05-01\n---\n# 大豆的播种深度和时间\n"


@pytest.fixture
def root(tree: Path) -> Path:
    """The small tree, with the words that the examples need."""
    with (tree / "taxonomy.yaml").open("a", encoding="utf-8") as file:
        file.write("crop: {zh: [作物]}\ngrowth_stage: {zh: [生长阶段, 生育期]}\n")
    return tree


def test_a_new_document_is_clean_and_dated(cli: CommandLine, root: Path) -> None:
    done = cli(
        "new", "agriculture/crop/soybean/pest_guide", "--title", "大豆虫害", "--knowledge", str(root), "--lang", "zh"
    )
    path = f"agriculture/crop/soybean/pest_guide_{YEAR}_v1.md"
    assert done.code == 0
    assert str(root / path) in done.out
    text = (root / path).read_text("utf-8")
    assert "title: 大豆虫害\n" in text
    assert f"date_created: {datetime.date.today()}" in text
    assert cli("check", path, "--knowledge", str(root)).out.startswith("1 documents: 0 errors, 0 warnings")
    again = cli("new", "agriculture/crop/soybean/pest_guide", "--knowledge", str(root), "--lang", "zh")
    assert "pest_guide_" in again.out
    assert "_v2.md" in again.out
    assert (root / path).read_text("utf-8") == text


def test_chinese_words_and_english_documents(cli: CommandLine, root: Path) -> None:
    cli("new", "大豆/生育期", "--knowledge", str(root), "--lang", "zh")
    assert "title: 大豆生长阶段\n" in (root / f"agriculture/crop/soybean/growth_stage_{YEAR}_v1.md").read_text("utf-8")
    cli("new", "agriculture/crop/soybean/growth_stage", "--doc-lang", "en", "--knowledge", str(root))
    assert (root / f"agriculture/crop/soybean/growth_stage_en_{YEAR}_v1.md").is_file()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["new"], 2),
        (["new", "a/b/c/d/e"], 4),
        (["new", "../x"], 4),
        (["new", "/etc/passwd"], 4),
        (["new", "大豆/香菇"], 4),
        (["new", "agriculture/crop/soybean/growth_stage_2024_v2", "--doc-lang", "zh"], 4),
        (["new", "--output=/x"], 2),
    ],
)
def test_a_name_that_cannot_be(cli: CommandLine, root: Path, words: list[str], code: int) -> None:
    before = sorted(root.rglob("*.md"))
    done = cli(*words, "--knowledge", str(root))
    assert (done.code, done.clean) == (code, True)
    assert sorted(root.rglob("*.md")) == before


def test_obsidians_template_is_no_document(cli: CommandLine, root: Path) -> None:
    count = json.loads(cli("check", "--json", "--knowledge", str(root)).out)["trees"][0]["documents"]
    assert cli("new", "--obsidian", "--knowledge", str(root)).code == 0
    assert "{{date:YYYY-MM-DD}}" in (root / "_templates/knowledge.md").read_text("utf-8")
    assert json.loads(cli("check", "--json", "--knowledge", str(root)).out)["trees"][0]["documents"] == count
    assert cli("new", "--obsidian", "--knowledge", str(root)).code == 4


def test_the_example(cli: CommandLine, root: Path) -> None:
    write(root, "大豆/生长阶段.md", HEAD + "![苗](图/a.png)\n")
    write(root, "大豆/图/a.png", "x")
    dry = cli("normalise", "大豆/生长阶段.md", "--dry-run", "--knowledge", str(root))
    assert "大豆/生长阶段.md -> agriculture/crop/soybean/growth_stage_2024_v1.md" in dry.out
    assert (root / "大豆/生长阶段.md").exists()
    done = cli("normalise", "大豆/生长阶段.md", "--json", "--knowledge", str(root))
    told = json.loads(done.out)
    assert done.code == 0
    assert told["documents"] == {"大豆/生长阶段.md": "agriculture/crop/soybean/growth_stage_2024_v1.md"}
    assert told["staged"] is False
    assert not (root / "大豆").exists()
    assert cli("check", "agriculture/crop/soybean", "--knowledge", str(root)).code == 0


def test_a_folder_moves_what_is_misplaced_and_names_what_it_cannot(cli: CommandLine, root: Path) -> None:
    write(root, "大豆/生长阶段.md", HEAD)
    write(root, "大豆/香菇.md", HEAD)
    done = cli("normalise", "大豆", "--knowledge", str(root), "--lang", "zh")
    assert done.code == 4
    assert "香菇" in done.out
    assert "taxonomy.yaml" in done.out
    assert (root / "agriculture/crop/soybean/growth_stage_2024_v1.md").is_file()
    named = cli("normalise", "大豆/香菇.md", "--as", "mushroom", "--knowledge", str(root))
    assert (named.code, (root / "agriculture/crop/soybean/mushroom_2024_v1.md").is_file()) == (0, True)
    assert cli("normalise", ".", "--knowledge", str(root)).code == 4  # where the tests run is another tree
    assert "Nothing to move" in cli("normalise", str(root / "agriculture"), "--knowledge", str(root)).out


def test_as_names_one(cli: CommandLine, root: Path) -> None:
    for words in (["大豆", "x", "--as", "y"], ["agriculture", "--as", "y"]):
        assert cli("normalise", *words, "--knowledge", str(root)).code in (2, 4)


@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_the_history_goes_on_under_the_new_name(cli: CommandLine, root: Path) -> None:
    write(root, "大豆/生长阶段.md", HEAD + "一行\n" * 20 + "[自己](生长阶段.md)\n")
    git(root, "init", "--quiet", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "first")
    done = cli("normalise", "大豆/生长阶段.md", "--knowledge", str(root))
    assert "staged in git" in done.out
    assert git(root, "-c", "core.quotePath=false", "status", "--porcelain", "-M").startswith("R  大豆/生长阶段.md -> ")
    git(root, "commit", "--quiet", "-m", "second")
    log = git(root, "log", "--follow", "--format=%s", "--", "agriculture/crop/soybean/growth_stage_2024_v1.md")
    assert log.split() == ["second", "first"]


@pytest.fixture
def interrupted(root: Path) -> tuple[str, str]:
    """A move that was interrupted after its journal: old and new path."""
    old, new = "大豆/生长阶段.md", "agriculture/crop/soybean/growth_stage_2024_v1.md"
    write(root, old, HEAD)
    write(root, "大豆/另一份.md", HEAD)
    write(root, ".almanac-move.json", json.dumps({"documents": {old: new}, "images": {}, "copies": {}}))
    return old, new


def test_an_interrupted_move_is_finished_and_nothing_else_moves(
    cli: CommandLine, root: Path, interrupted: tuple[str, str]
) -> None:
    old, new = interrupted
    assert cli("check", "--all", "--knowledge", str(root)).code == 4
    done = cli("normalise", old, "--knowledge", str(root))
    assert (done.code, "interrupted" in done.out) == (0, True)
    assert (root / new).is_file()
    assert not (root / old).exists()
    assert (root / "大豆/另一份.md").exists()


def test_an_interrupted_move_as_json(cli: CommandLine, root: Path, interrupted: tuple[str, str]) -> None:
    old, new = interrupted
    assert json.loads(cli("normalise", old, "--dry-run", "--json", "--knowledge", str(root)).out)["resumed"] == {}
    assert (root / old).exists()
    assert json.loads(cli("normalise", old, "--json", "--knowledge", str(root)).out)["resumed"] == {old: new}


def test_two_at_once_do_not_mix(cli: CommandLine, root: Path, own_home: Path) -> None:
    write(root, "大豆/生长阶段.md", HEAD)
    with fsio.locked(own_home / "almanac" / "normalise.lock"):
        done = cli("normalise", "大豆/生长阶段.md", "--knowledge", str(root))
    assert (done.code, "Another" in done.err) == (5, True)
    assert (root / "大豆/生长阶段.md").exists()


def test_the_programs_own_copy_is_not_written(cli: CommandLine, root: Path) -> None:
    write(root.parent, STAMP_NAME, "{}")
    for words in (["new", "a/b"], ["normalise", "agriculture"], ["check", "--fix"]):
        assert cli(*words, "--knowledge", str(root)).code == 4


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_has_a_reason(cli: CommandLine, root: Path) -> None:
    (root / "agriculture").chmod(0o555)
    done = cli("new", "agriculture/x/y", "--knowledge", str(root))
    (root / "agriculture").chmod(0o755)
    assert (done.code, done.clean) == (5, True)
