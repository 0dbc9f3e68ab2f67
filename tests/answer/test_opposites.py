"""kb.answer.opposites: sentences whose every word stands in the evidence, and that say the reverse of it."""

from __future__ import annotations

import pytest

from kb.answer.checker import check_sentence
from kb.answer.opposites import says_the_contrary

EVIDENCE = (
    "龙粳31 比 龙粳46 早熟 3 天。收获不得晚于霜降。先关阀门，再停泵。播种后浇水。施药后 7 天内不得放牧。"
    "Pioneer P9188 yields more than Dekalb DKC35. Close the valve before stopping the pump. "
    "Turn the screw clockwise to raise the pressure."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "龙粳46 比 龙粳31 早熟 3 天。", "龙粳31 比 龙粳46 晚熟 3 天。", "先停泵，再关阀门。", "浇水后播种。",
        "施药前 7 天内不得放牧。", "Dekalb DKC35 yields more than Pioneer P9188.",
        "Pioneer P9188 yields less than Dekalb DKC35.", "Stop the pump before closing the valve.",
        "Close the valve after stopping the pump.", "Turn the screw counterclockwise to raise the pressure.",
        "Turn the screw clockwise to lower the pressure.",
    ],
)  # fmt: skip
def test_the_reverse_of_the_evidence_does_not_pass(sentence: str) -> None:
    assert check_sentence(sentence, EVIDENCE, "龙粳 Pioneer Dekalb").reason in ("comparison", "opposite")


@pytest.mark.parametrize(
    "sentence",
    [
        "龙粳31 比 龙粳46 早熟 3 天。", "先关阀门，再停泵。", "大豆播种后浇水。",
        "施药后 7 天内不得放牧。", "Pioneer P9188 yields more than Dekalb DKC35.",
        "Close the valve before stopping the pump.", "Before stopping the pump, close the valve.",
        "Turn the screw clockwise to raise the pressure.",
    ],
)  # fmt: skip
def test_what_the_evidence_says_passes(sentence: str) -> None:
    assert check_sentence(sentence, EVIDENCE, "大豆").passed


@pytest.mark.parametrize(
    ("question", "text", "contrary"),
    [
        ("拆封的商品几天内可以退货", "无理由退货，未拆封：签收后 7 天内", True),
        ("未拆封的种子退吗", "已拆封不退", True),
        ("未拆封的几天内退", "无理由退货，未拆封：签收后 7 天内", False),
        ("断奶仔猪打多少", "未断奶仔猪每头 1 毫升，断奶仔猪 2 毫升", False),
        ("非洲猪瘟怎么防", "非洲猪瘟没有疫苗", False),
        ("猪瘟怎么防", "非洲猪瘟没有疫苗", False),
    ],
)
def test_what_is_named_only_as_denied_is_the_contrary(question: str, text: str, contrary: bool) -> None:
    assert says_the_contrary(question, text) is contrary
