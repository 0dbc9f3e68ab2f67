"""kb.memory.extract.mentions: names told by their form, and known names in a text."""

from __future__ import annotations

import pytest

from kb.memory.extract.mentions import KnownNames, mentions, person_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("本合同由绿源农业科技有限公司与和平农场签订", ["绿源农业科技有限公司", "和平农场"]),
        ("XM-2000型热风机符合GB/T 1234-2020", ["XM-2000", "GB/T 1234-2020"]),
        ("made by Acme Pump Co., Ltd. and Green Valley Farms Ltd.", ["Acme Pump Co., Ltd.", "Green Valley Farms Ltd."]),
        ("总经理张伟主持,李娜(工程师)汇报", ["张伟", "李娜"]),
        ("Dr. Anna Lee spoke", ["Anna Lee"]),
        ("电机型号:Y160M-4", ["Y160M-4"]),
        ("我公司与该公司", []),
        ("R5期追肥 E-07 V2.0 10MPa PM2.5 2024Q3 COVID", []),
        ("Table 12 and Figure 3 in May 2024", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert [mention.name for mention in mentions(text)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("张三、李四(组长)、欧阳锋", ["张三", "李四", "欧阳锋"]),
        ("Anna Lee (chair), J. Smith and Maria Garcia", ["Anna Lee", "J. Smith", "Maria Garcia"]),
        ("张伟 李娜 王芳", ["张伟", "李娜", "王芳"]),
        ("技术部、生产部", []),
    ],
)
def test_people(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in person_names(text)] == names


def test_known_names_stand_whole_and_the_longest_counts() -> None:
    known = KnownNames([("pump", "P"), ("water pump", "W"), ("水泵", "S"), ("离心水泵", "C")])
    assert [target for _, _, target in known.find("The Water Pumps, a pump, pumping; 离心水泵与水泵")] == [
        "W",
        "P",
        "C",
        "S",
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("PV-8K 与 PV-6K", ["PV-8K", "PV-6K"]),
        ("damages up to GBP 10,000", []),
        ("2#机组轴承温度升高，3号仓正常", ["2#机组", "3号仓"]),
        ("第3号机关报", []),
    ],
)
def test_models_with_one_digit_and_numbered_machines(text: str, names: list[str]) -> None:
    assert [mention.name for mention in mentions(text)] == names
