"""kb.memory.extract.subject: what a document is about, from its title."""

from __future__ import annotations

import pytest

from kb.memory.extract.subject import bare_heading, document_number, is_component, subject_of
from kb.memory.schema import EntityType

CASES = [
    ("XM-2000 型热风机使用说明书", "XM-2000", EntityType.PRODUCT),
    ("水泵操作手册", "水泵", EntityType.THING),
    ("Boom sprayer user manual", "Boom sprayer", EntityType.THING),
    ("DF-90 grain dryer data sheet", "DF-90", EntityType.PRODUCT),
    ("大豆生育期管理", "大豆生育期管理", EntityType.THING),
    ("绿源公司项目启动会会议纪要", "绿源公司项目启动会会议纪要", EntityType.DOCUMENT),
]


@pytest.mark.parametrize(("title", "name", "kind"), CASES)
def test_titles(title: str, name: str, kind: EntityType) -> None:
    found = subject_of(title, "", "a.md")
    assert (found.name, found.type) == (name, kind)


def test_a_title_that_many_bear_is_told_apart() -> None:
    assert subject_of("采购合同", "合同编号:HT-2024-015", "a.md").name == "HT-2024-015"
    assert subject_of("采购合同", "", "a.md", ("甲公司", "乙公司")).name == "采购合同 (甲公司 / 乙公司)"
    assert subject_of("Minutes", "", "a.md").name == "Minutes (a.md)"


def test_headings() -> None:
    assert bare_heading("3.2 液压系统") == "液压系统"
    assert bare_heading("第三条 付款方式") == "付款方式"
    assert is_component("液压泵")
    assert is_component("Hydraulic pump")
    assert not is_component("安全注意事项")
    assert not is_component("Checking the pump")
    assert document_number("Contract No.: AB-2024/7\n") == "AB-2024/7"


@pytest.mark.parametrize(
    ("heading", "bare"),
    [
        ("3WPZ-700 使用说明", "3WPZ-700 使用说明"), ("三号泵站值班记录", "三号泵站值班记录"), ("2号机组", "2号机组"),
        ("第三章 维护", "维护"), ("3 维护", "维护"), ("1.2 Starting", "Starting"), ("一、总则", "总则"),
        ("2概述", "概述"),
    ],
)  # fmt: skip
def test_a_number_that_belongs_to_a_name_is_none_of_a_chapter(heading: str, bare: str) -> None:
    assert bare_heading(heading) == bare


def test_the_number_of_a_lease() -> None:
    assert document_number("Cold Store Lease\n\nLease No. CS-2024-09") == "CS-2024-09"


def test_one_of_several_is_a_thing_and_a_part_of_the_document_is_none() -> None:
    assert is_component("Bin 1")
    assert is_component("Chamber A3")
    assert not is_component("Section 3")
    assert not is_component("Day 14")
