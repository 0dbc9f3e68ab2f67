"""scripts/bilingual.py: one list of words out of two dictionaries."""

from __future__ import annotations

import bilingual
from cedict import Entry as ChineseEntry
from ecdict import UNRANKED
from ecdict import Entry as EnglishEntry

_CHINESE = (
    ChineseEntry("奶牛", ("milk cow", "dairy cow")),
    ChineseEntry("播种", ("sow seeds",)),
    ChineseEntry("播", ("sow", "broadcast")),
    ChineseEntry("蜂箱", ("beehive",)),
    ChineseEntry("蜂巢", ("beehive", "honeycomb")),
    ChineseEntry("水", ("water",)),
)


def _english(word: str, *means: str, rank: int = UNRANKED, form_of: str = "") -> EnglishEntry:
    return EnglishEntry(word, means, form_of, rank)


def _means(*english: EnglishEntry) -> dict[str, list[str]]:
    found = bilingual.both_ways(_CHINESE, english)
    return {name: sorted(word.means, key=word.means.__getitem__) for name, word in found.items() if word.means}


def test_words_are_listed_both_ways() -> None:
    assert _means() == {
        "奶牛": ["milk cow", "dairy cow"], "播种": ["sow seeds"], "播": ["sow", "broadcast"], "蜂箱": ["beehive"],
        "蜂巢": ["beehive", "honeycomb"], "水": ["water"], "milk cow": ["奶牛"], "dairy cow": ["奶牛"],
        "sow seeds": ["播种"], "sow": ["播"], "broadcast": ["播"], "beehive": ["蜂箱", "蜂巢"], "honeycomb": ["蜂巢"],
        "water": ["水"],
    }  # fmt: skip
    found = bilingual.both_ways(_CHINESE, ())
    assert list(found["sow"].helps) == ["播种"]
    assert list(found["cow"].helps) == ["奶牛"]


def test_what_both_dictionaries_say_comes_first() -> None:
    found = _means(_english("beehive", "蜂窝", "蜂巢"))
    assert found["beehive"] == ["蜂巢", "蜂窝", "蜂箱"]
    assert found["蜂窝"] == ["beehive"]


def test_the_commoner_english_word_comes_first_after_those_of_the_chinese_dictionary() -> None:
    added = [_english(f"rare{letter}", "蜂箱", rank=900) for letter in "abcdefgh"]
    found = _means(*added, _english("hive", "蜂箱", rank=3), _english("skep", "群", "蜂箱", rank=40))
    assert found["蜂箱"][:3] == ["beehive", "hive", "skep"]
    assert len(found["蜂箱"]) == 9


def test_a_word_written_as_one_is_of_the_kind_of_its_last_part_where_they_share_a_meaning() -> None:
    bee, pet, car = _english("bee", "蜜蜂"), _english("pet", "宠物"), _english("car", "汽车")
    found = _means(bee, pet, car, _english("beehive", "蜂箱"), _english("hive", "蜂箱"), _english("carpet", "地毯"))
    assert found["蜂箱"] == ["beehive", "hive"]
    assert found["地毯"] == ["carpet"]


def test_a_regular_form_leads_to_its_word_and_an_irregular_one_means_what_it_does() -> None:
    found = _means(
        _english("calf", "小牛"), _english("calves", "腓", form_of="calf"), _english("calfs", "小牛", form_of="calf")
    )
    assert found["calf"] == found["calves"] == ["小牛", "腓"]
    assert "calfs" not in found
    assert found["小牛"] == ["calf"]


def test_what_only_makes_an_adjective_of_a_word_is_left_out() -> None:
    known = (ChineseEntry("目的", ("aim",)),)
    english = (_english("aim", "目的"), _english("bombycine", "蚕的"), _english("slow", "慢慢地"))
    found = bilingual.both_ways(known, english)
    assert {name for name in found if not name.isascii()} == {"目的", "慢慢"}
    assert list(found["bombycine"].means) == ["蚕"]


def test_compounds_are_told_by_their_parts_and_phrases_of_rare_words_are_left_out() -> None:
    used = (_english("sow", rank=10), _english("bees", rank=20))
    found = _means(*used, _english("sow bees", "播种奶牛", "养蜂"), _english("sow skeps", "养窝"))
    assert "播种奶牛" not in found
    assert found["养蜂"] == ["sow bees"]
    assert found["sow bees"] == ["播种奶牛", "养蜂"]
    assert "养窝" not in found


def test_lines_are_sorted_by_their_bytes() -> None:
    lines = bilingual.render(bilingual.both_ways(_CHINESE, ())).split(b"\n")[:-1]
    assert lines == sorted(lines)
    assert "sow\t播\t播种".encode() in lines
    assert "cow\t\t奶牛".encode() in lines
