"""kb.tree.contract.template: what a new document begins with keeps the contract."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.tree import frontmatter
from kb.tree.contract.checking import check_front_matter
from kb.tree.contract.template import OBSIDIAN_FILE, NewDocument, obsidian_template, text_of
from tests.helpers import DAY

PLACE = "agriculture/crop/soybean/pest_guide_2026_v1.md"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_new_document_has_no_findings(lang: str) -> None:
    text = text_of(NewDocument("大豆虫害: 防治", "2026_v1", lang, ["大豆", "a: b", "x, y"], author="yes"), DAY)
    assert check_front_matter(PLACE, text.encode(), DAY) == []
    found = frontmatter.parse(frontmatter.split(text).yaml or "")
    assert found["title"] == "大豆虫害: 防治"
    assert found["tags"] == ["大豆", "a: b", "x, y"]
    assert found["date_created"] == found["date_updated"] == DAY.isoformat()
    assert found["status"] == "draft"
    assert text.endswith("\n")
    assert " \n" not in text


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=20).map(str.strip).filter(bool))
def test_any_title_reads_back(title: str) -> None:
    text = text_of(NewDocument(title, "1", "en", [title]), DAY)
    found = frontmatter.parse(frontmatter.split(text).yaml or "")
    assert found["title"] == title
    assert found["tags"] == [title]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_obsidian_fills_in_a_document_that_keeps_the_contract(lang: str) -> None:
    """The core plug-in replaces {{title}} and {{date:FORMAT}}, nothing else."""
    template = obsidian_template(lang)
    assert set(re.findall(r"{{(.*?)}}", template)) == {"title", "date:YYYY", "date:YYYY-MM-DD"}
    filled = template.replace("{{title}}", "pest_guide").replace("{{date:YYYY}}", "2026")
    filled = filled.replace("{{date:YYYY-MM-DD}}", DAY.isoformat())
    assert check_front_matter(PLACE, filled.encode(), DAY) == []
    assert OBSIDIAN_FILE.startswith("_templates/")
