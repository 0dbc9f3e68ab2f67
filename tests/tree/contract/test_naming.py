"""kb.tree.contract.naming: levels, names, editions."""

from __future__ import annotations

import pytest

from kb.tree.contract.naming import check_place, is_image_name


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("agriculture/crop/soybean/growth_stage_2024_v2.md", []),
        ("agriculture/crop/soybean/growth_stage_en_2024.md", []),
        ("faq_v3.md", []),
        ("a/b/c/d/e_2024.md", ["path-levels"]),
        ("大豆/生长阶段.md", ["path-name", "path-name", "path-edition"]),
        ("a/Growth Stage_2024.md", ["path-name"]),
        ("payment-gateway/_errors_2026.md", ["path-hyphen"]),
        ("a/b_2024.markdown", ["path-suffix"]),
        ("a/b.md", ["path-edition"]),
        ("a/b__c_2024.md", ["path-name"]),
    ],
)
def test_paths(path: str, rules: list[str]) -> None:
    assert [finding.rule for finding in check_place(path)] == rules


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("soybean_V3_stage_field_photo_2024.jpg", True),
        ("growth_model_2023_v2.svg", True),
        ("IMG.png", False),
        ("大豆_2024.png", False),
        ("a b_2024.png", False),
        ("soybean_2024.txt", False),
    ],
)
def test_image_names(name: str, good: bool) -> None:
    assert is_image_name(name) is good
