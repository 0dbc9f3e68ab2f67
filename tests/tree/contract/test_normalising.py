"""kb.tree.contract.normalising: which documents go where."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.tree.contract.files import DiskFiles
from kb.tree.contract.normalising import Plan, Wish, misplaced, plan
from kb.tree.contract.translate import Words
from kb.tree.taxonomy import load_taxonomy
from tests.helpers import DAY, write

TAXONOMY = "soybean: {zh: [大豆]}\ngrowth_stage: {zh: [生长阶段]}\nseedling: {zh: [苗期]}\n"
HEAD = "---\ntitle: 大豆\nversion: 1.0\ndate_updated: 2024-05-01\n---\n# 大豆的播种深度和时间\n"


@pytest.fixture
def root(empty_tree: Path) -> Path:
    """A tree with one well-placed document."""
    write(empty_tree, "taxonomy.yaml", TAXONOMY)
    write(empty_tree, "agriculture/crop/soybean/sowing_2024_v1.md", HEAD)
    return empty_tree


def _plan(root: Path, *paths: str, wish: Wish | None = None) -> Plan:
    files = DiskFiles(root)
    return plan(files, paths, Words.of([load_taxonomy(root)], files.documents()), DAY, wish)


def test_the_example(root: Path) -> None:
    write(root, "大豆/生长阶段.md", HEAD)
    moves = _plan(root, "大豆/生长阶段.md").moves
    assert moves.documents == {"大豆/生长阶段.md": "agriculture/crop/soybean/growth_stage_2024_v1.md"}


@pytest.mark.parametrize(
    ("name", "text", "made"),
    [
        ("生长阶段2025v3.md", HEAD, "growth_stage_2025_v3"),
        ("生长阶段.md", HEAD.replace("1.0", "2023_v2"), "growth_stage_2023_v2"),
        ("生长阶段.md", HEAD.replace("2024-05-01", "2022/5/1").replace("title:", "title："), "growth_stage_2022_v1"),
        ("生长阶段.md", "# 大豆的播种深度和时间\n", "growth_stage_2026_v1"),
        ("Growth Stage.md", "# When to sow\n\nSow soybean when the soil is warm enough.\n", "growth_stage_en_2026_v1"),
    ],
)
def test_the_edition_comes_from_name_version_dates_or_today(root: Path, name: str, text: str, made: str) -> None:
    write(root, f"大豆/{name}", text)
    assert list(_plan(root, f"大豆/{name}").moves.documents.values()) == [f"agriculture/crop/soybean/{made}.md"]


def test_a_name_that_is_taken_gets_the_next_revision(root: Path) -> None:
    write(root, "agriculture/crop/soybean/growth_stage_2024_v1.md", HEAD)
    write(root, "大豆/生长阶段.md", HEAD)
    write(root, "大豆/生长阶段 .md", HEAD)
    made = _plan(root, "大豆/生长阶段.md", "大豆/生长阶段 .md").moves.documents
    assert sorted(path[-6:] for path in made.values()) == ["_v2.md", "_v3.md"]


def test_a_person_may_name_it(root: Path) -> None:
    write(root, "大豆/笔记.md", HEAD)
    assert _plan(root, "大豆/笔记.md", wish=Wish("notes")).moves.documents == {
        "大豆/笔记.md": "agriculture/crop/soybean/notes_2024_v1.md"
    }
    assert _plan(root, "大豆/笔记.md", wish=Wish("a/b/notes_2020_v2.md")).moves.documents == {
        "大豆/笔记.md": "a/b/notes_2020_v2.md"
    }


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a//b", "大豆", "A", "a/b/c/d/e", "a b", "--x"])
def test_a_name_that_breaks_the_contract_is_refused(root: Path, name: str) -> None:
    write(root, "大豆/笔记.md", HEAD)
    (refused,) = _plan(root, "大豆/笔记.md", wish=Wish(name)).refused
    assert refused[1].key in ("name_form", "too_deep")


def test_an_unknown_word_stops_only_its_own_document(root: Path) -> None:
    write(root, "大豆/生长阶段.md", HEAD)
    write(root, "大豆/香菇.md", HEAD)
    made = _plan(root, "大豆/生长阶段.md", "大豆/香菇.md")
    assert len(made.moves.documents) == 1
    (refused,) = made.refused
    assert (refused[0], refused[1].key) == ("大豆/香菇.md", "words_unknown")
    assert isinstance(refused[1], KnowledgeError)


def test_a_file_at_the_top_is_placed_by_its_first_word(root: Path) -> None:
    write(root, "大豆生长阶段.md", HEAD)
    assert list(_plan(root, "大豆生长阶段.md").moves.documents.values()) == [
        "agriculture/crop/soybean/growth_stage_2024_v1.md"
    ]


def test_images_go_along_with_names_that_say_something(root: Path) -> None:
    images = (
        "![a](pics/苗期2023.JPG) ![b](pics/IMG_1.png) ![c](<pics/x y.png>) ![d](pics/good_name_2022.png) ![e](none.png)"
    )
    for name in ("苗期2023.JPG", "IMG_1.png", "x y.png", "good_name_2022.png"):
        write(root, f"大豆/pics/{name}", name)
    write(root, "大豆/生长阶段.md", HEAD + images)
    write(root, "other_2024.md", "![shared](大豆/pics/good_name_2022.png)")
    moves = _plan(root, "大豆/生长阶段.md").moves
    folder = "agriculture/crop/soybean/images"
    assert moves.images == {
        "大豆/pics/苗期2023.JPG": f"{folder}/seedling_2023.jpg",
        "大豆/pics/IMG_1.png": f"{folder}/img_1_2024.png",
        "大豆/pics/x y.png": f"{folder}/x_y_2024.png",
    }
    assert moves.copies == {"大豆/pics/good_name_2022.png": f"{folder}/good_name_2022.png"}


def test_what_is_well_placed_stays(root: Path) -> None:
    path = "agriculture/crop/soybean/sowing_2024_v1.md"
    assert not misplaced(path)
    assert misplaced("大豆/x.md")
    assert misplaced("payment-gateway/errors_2024.md")
    assert _plan(root, path).moves.documents == {}
