"""scripts/ecdict.py: the words of ECDICT."""

from __future__ import annotations

import ecdict
import pytest

_HEAD = "word,phonetic,definition,translation,pos,collins,oxford,tag,bnc,frq,exchange,detail,audio\n"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (r"n. 离合器, 一窝小鸡\nvt. 抓住\n[计] 联轴器; 离合器", ["离合器", "一窝小鸡", "抓住", "联轴器", "离合器"]),
        ("a. 不新鲜的, 陈旧；目的", ["不新鲜的", "陈旧", "目的"]),
        (r"n. 水滴\nv. (使)滴下【植】", ["水滴", "滴下"]),
        (r"[网络] 胡德\n[人名] 多伊\n[医] 癣", ["癣"]),
        ("sow的过去分词", []),
        ("n. 被风吹集于一处之落叶, pH 值", []),
        ("vt. & vi. 播种", ["播种"]),
    ],
)
def test_meanings_are_chinese_words(written: str, kept: list[str]) -> None:
    assert list(ecdict.meanings(written)) == kept


def test_entries_tell_how_usual_a_word_is_and_what_it_is_a_form_of() -> None:
    rows = (
        "sow,,,n. 母猪,,,,,6893,10366,d:sown/s:sows,,\n",
        "sown,,,sow的过去分词,,,,,0,0,0:sow/1:d,,\n",
        "foot-bath,,,[医] 足浴,,,,,,0,,,\n",
        "Paris,,,巴黎,,,,,100,100,,,\n",
        "a b c d,,,甲,,,,,0,0,,,\n",
    )
    assert list(ecdict.entries((_HEAD, *rows))) == [
        ecdict.Entry("sow", ("母猪",), "", 6893),
        ecdict.Entry("sown", (), "sow", ecdict.UNRANKED),
        ecdict.Entry("foot bath", ("足浴",), "", ecdict.UNRANKED),
    ]
