"""kb.tree.taxonomy: what people call the parts of a path."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.tree.taxonomy import Taxonomy, load_taxonomy, path_word
from tests.helpers import write


def test_a_part_is_shown_by_its_first_name(tree: Path) -> None:
    taxonomy = load_taxonomy(tree)
    assert taxonomy.label("soybean", "zh") == "大豆"
    assert taxonomy.label("soybean", "en") == "Soybean"
    assert taxonomy.label("seed_soaking_2025_v1.md", "zh") == "seed soaking"


def test_all_names_of_a_path_are_searchable(tree: Path) -> None:
    words = load_taxonomy(tree).words("agriculture/crop/soybean/growth_stage_2024_v2.md")
    assert {"黄豆", "soya", "soybean", "growth", "stage", "农业"} <= set(words)
    assert "2024" not in words


@pytest.mark.parametrize(
    ("part", "word"),
    [
        ("growth_stage_2024_v2.md", "growth_stage"),
        ("safety_ppe_en_2025_v1.md", "safety_ppe"),
        ("soybean", "soybean"),
        ("2024.md", "2024"),
        ("notes.markdown", "notes"),
        ("v1.2.md", "v1.2"),
    ],
)
def test_edition_marks_are_no_words(part: str, word: str) -> None:
    assert path_word(part) == word


def test_a_tree_without_taxonomy_works(empty_tree: Path) -> None:
    assert load_taxonomy(empty_tree) == Taxonomy()
    assert load_taxonomy(empty_tree).words("a/b_c.md") == ["a", "b", "c"]


def test_the_short_form_is_chinese(empty_tree: Path) -> None:
    write(empty_tree, "taxonomy.yaml", "soybean: 大豆, 黄豆\nno: [挪威]\n")
    taxonomy = load_taxonomy(empty_tree)
    assert taxonomy.label("soybean", "zh") == "大豆"
    assert taxonomy.label("no", "en") == "挪威"


def test_a_broken_taxonomy_names_file_and_line(empty_tree: Path) -> None:
    write(empty_tree, "taxonomy.yaml", "a: {zh: [x]}\na: {zh: [y]}\n")
    with pytest.raises(KnowledgeError) as caught:
        load_taxonomy(empty_tree)
    assert "taxonomy.yaml, line 2" in str(caught.value)
