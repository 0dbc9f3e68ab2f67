"""Starters: by domain, what answers most first, nobody's own words."""

from __future__ import annotations

from kb.search.listing import Listed
from kb.tree.taxonomy import Taxonomy
from tui.catalog import Catalog
from tui.starters import Starter, questions, starters


def _listed(path: str, title: str, *headings: str, lang: str = "en") -> Listed:
    return Listed(path, title, "1", lang, "released", None, None, headings)


DOCUMENTS = [
    _listed("crop/a.md", "Soybean (2024)", "Soybean (2024)", "Sowing", "Depth"),
    _listed("crop/b.md", "Maize", "When is maize sown?", "How deep?"),
    _listed("pump/c.md", "Pumps", "Pumps", "How is a pump primed?"),
    _listed("pump/d.md", "水泵", "怎样灌泵？", lang="zh"),
]


def test_questions_come_before_what_is_made_of_headings() -> None:
    found = questions(DOCUMENTS, {})
    assert [question for _, _, question in found] == [
        "When is maize sown?", "How deep?", "How is a pump primed?", "怎样灌泵？", "Soybean: Depth",
    ]  # fmt: skip


def test_documents_that_answer_most_come_first() -> None:
    assert questions(DOCUMENTS, {"crop/a.md": 5})[0] == ("en", "crop", "Soybean: Depth")


def test_every_domain_has_its_share_and_stays_together() -> None:
    catalog = Catalog((), Taxonomy({"crop": {"en": ("Crops",)}}), tuple(questions(DOCUMENTS, {})))
    assert starters(catalog, "en", 2) == [
        Starter("Crops", "When is maize sown?"), Starter("pump", "How is a pump primed?"),
    ]  # fmt: skip
    three = starters(catalog, "en", 3)
    assert [starter.domain for starter in three] == ["Crops", "Crops", "pump"]
    assert [starter.question for starter in starters(catalog, "zh", 5)] == ["怎样灌泵？"]
    assert starters(Catalog(), "en", 5) == []
