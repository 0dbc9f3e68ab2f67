"""kb.tree.contract.translate: from people's names to the contract's, never by guessing."""

from __future__ import annotations

import pytest

from kb.errors import KnowledgeError
from kb.tree.contract.translate import Edition, Words, split_edition
from kb.tree.taxonomy import Taxonomy

TAXONOMY = Taxonomy(
    {
        "agriculture": {"zh": ("农业",), "en": ("Agriculture",)},
        "crop": {"zh": ("作物",)},
        "soybean": {"zh": ("大豆", "黄豆"), "en": ("Soybean",)},
        "growth_stage": {"zh": ("生育期", "生长阶段"), "en": ("Growth stage",)},
        "scheduling": {"zh": ("灌溉制度",)},
        "irrigation_schedule": {"zh": ("何时灌水", "灌溉制度")},
        "disease": {"zh": ("病害",)},
    }
)
DOCUMENTS = (
    "agriculture/crop/soybean/growth_stage_2024_v2.md",
    "agriculture/protection/disease/rust_2024_v1.md",
    "livestock/pig/disease/fever_2024_v1.md",
    "agriculture/crop/maize/irrigation_schedule_en_2024_v1.md",
    "大豆/生长阶段.md",
)
WORDS = Words.of([TAXONOMY], DOCUMENTS)


@pytest.mark.parametrize(
    ("stem", "name", "edition"),
    [
        ("生长阶段", "生长阶段", Edition()),
        ("生长阶段2024", "生长阶段", Edition(2024)),
        ("growth_stage_2024_v2", "growth_stage", Edition(2024, 2)),
        ("大豆 2024年修订版 v3", "大豆", Edition(2024, 3)),
        ("指南第2版", "指南", Edition(None, 2)),
        ("ＶＥＲ v1.2-final", "ver", Edition(None, 1)),
        ("report 12024", "report 12024", Edition()),
    ],
)
def test_year_and_revision(stem: str, name: str, edition: Edition) -> None:
    assert split_edition(stem) == (name, edition)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("生长阶段", "growth_stage"),
        ("黄豆", "soybean"),
        ("Growth Stage", "growth_stage"),
        ("field-notes", "field_notes"),
        ("大豆生长阶段", "soybean_growth_stage"),
        ("大豆的生育期", "soybean_growth_stage"),
        ("大 豆 生长 阶段", "soybean_growth_stage"),
        ("大豆V3生育期", "soybean_v3_growth_stage"),
        ("灌溉制度", "scheduling"),
    ],
)
def test_words(name: str, word: str) -> None:
    assert WORDS.word(name) == word


def test_of_several_words_the_likely_one_is_taken() -> None:
    assert WORDS.word("灌溉制度", WORDS.items) == "irrigation_schedule"


@pytest.mark.parametrize(
    ("name", "missing"), [("香菇", "香菇"), ("大豆香菇栽培", "香菇栽培"), ("某大豆某", "某、某"), ("Ж", "ж")]
)
def test_unknown_words_are_named(name: str, missing: str) -> None:
    with pytest.raises(KnowledgeError) as caught:
        WORDS.word(name)
    assert (caught.value.key, caught.value.params["words"]) == ("words_unknown", missing)


@pytest.mark.parametrize(
    ("folders", "into", "place"),
    [
        (["大豆"], None, "agriculture/crop/soybean"),
        (["农业", "作物", "大豆"], None, "agriculture/crop/soybean"),
        (["agriculture", "grain"], None, "agriculture/grain"),
        (["大豆", "病害"], None, "agriculture/crop/soybean/disease"),
        (["大豆"], "livestock/feed", "livestock/feed/soybean"),
        ([], "livestock/feed/", "livestock/feed"),
    ],
)
def test_places(folders: list[str], into: str | None, place: str) -> None:
    assert WORDS.place(folders, into) == place


@pytest.mark.parametrize(
    ("folders", "key"), [(["病害"], "place_ambiguous"), (["fish"], "place_unknown"), ([], "place_unknown")]
)
def test_an_unclear_place_is_asked_for(folders: list[str], key: str) -> None:
    with pytest.raises(KnowledgeError) as caught:
        WORDS.place(folders)
    assert caught.value.key == key


def test_the_first_taxonomy_that_knows_a_name_counts() -> None:
    other = Taxonomy({"glycine": {"zh": ("大豆", "毛豆")}})
    words = Words.of([TAXONOMY, other], ())
    assert (words.word("大豆"), words.word("毛豆")) == ("soybean", "glycine")


def test_another_tree_proposes_places_where_this_one_has_none() -> None:
    words = Words.of([TAXONOMY], ["a/crop/rice/x_2024_v1.md"], DOCUMENTS)
    assert words.place(["大豆"]) == "agriculture/crop/soybean"
    assert words.place(["作物"]) == "a/crop"
