"""kb.memory.extract.blocks: blocks with pages as a document."""

from __future__ import annotations

from kb.memory.block import Block, Kind
from kb.memory.extract.blocks import from_blocks
from kb.memory.extract.reading import extract

TABLE = "| 项目 | 数值 | 单位 |\n|---|---|---|\n| 额定功率 | 5.5 | kW |"
BLOCKS = [
    Block(Kind.HEADING, "XM-2000 型热风机使用说明书", page=1, level=1),
    Block(Kind.PARAGRAPH, "低于 -10 ℃ 时，本设备需预热 30 分钟。", page=1),
    Block(Kind.HEADING, "2 技术参数", page=3, level=2),
    Block(Kind.TABLE, TABLE, page=3),
    Block(Kind.PARAGRAPH, "额定功率为 9 kW。", page=3, note="deleted"),
    Block(Kind.ITEM, "(a) 重量为 35 kg。", page=4),
]


def test_records_name_their_page() -> None:
    document = from_blocks(BLOCKS, "K-1", "manual.pdf")
    found = extract(document)
    assert document.title == "XM-2000 型热风机使用说明书"
    device = next(entity for entity in found.entities if entity.name == "XM-2000")
    assert [(item.name, item.value, item.source.page) for item in device.attributes] == [
        ("预热", "30 分钟", 1),
        ("额定功率", "5.5", 3),
        ("重量", "35 kg", 4),
    ]
    for item in device.attributes:
        assert document.text[item.source.start : item.source.end] == item.source.quote
    assert document.passages[1].trail == ("XM-2000 型热风机使用说明书", "2 技术参数")


def test_without_a_heading_a_short_line_is_the_title() -> None:
    assert from_blocks([Block(Kind.PARAGRAPH, "水泵维修记录")], "id", "p").title == "水泵维修记录"
    assert from_blocks([], "id", "p").title == "id"
