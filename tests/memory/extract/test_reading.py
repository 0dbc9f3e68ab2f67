"""kb.memory.extract.reading: a document as entities, relations, events and constraints."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb.memory.schema import Entity, EntityType, Extraction
from tests.memory.helpers import MANUAL, read


def _entity(extraction: Extraction, name: str) -> Entity:
    return next(entity for entity in extraction.entities if entity.name == name)


def test_a_manual() -> None:
    document, found = read(MANUAL)
    device = _entity(found, "XM-2000")
    assert device.type is EntityType.PRODUCT
    assert "热风机" in {alias.name for alias in device.aliases if alias.local}
    values = {item.name: item for item in device.attributes}
    assert values["额定功率"].written == "5.5 kW"
    assert values["预热"].value == "30 分钟"
    assert values["预热"].conditions == ("低于 -10 ℃ 时",)
    limits = {item.id: item for item in found.constraints}
    assert [limits[name].text for name in values["重量"].constraints] == ["不包括包装"]
    assert next((item.subject, item.predicate, item.object) for item in found.relations) == (
        "XM-2000",
        "制造商",
        "山东华丰机械有限公司",
    )
    assert [(str(item.time.first), item.type) for item in found.events] == [("2024-01-15", "publish")]
    assert any(item.text == "严禁带电操作" and device.id in item.applies_to for item in found.constraints)
    for group in (found.relations, found.events, found.constraints, device.attributes):
        for record in group:
            place = record.source
            assert document.text[place.start : place.end] == place.quote


def test_a_contract() -> None:
    _, found = read(
        "# 设备采购合同\n\n合同编号：HT-2024-015\n\n甲方：北京绿源农业科技有限公司\n\n"
        "乙方：山东华丰机械有限公司（以下简称“华丰”）\n\n"
        "## 价格\n\n合同总价为人民币 1,200,000 元，不含运费。\n\n## 交货\n\n乙方应于2024年5月31日前交货。\n"
    )
    contract = _entity(found, "HT-2024-015")
    assert contract.type is EntityType.DOCUMENT
    assert [item.value for item in contract.attributes if item.name == "合同总价"] == ["人民币 1,200,000 元"]
    roles = {(item.predicate, item.object) for item in found.relations if item.subject == "HT-2024-015"}
    assert roles == {("甲方", "北京绿源农业科技有限公司"), ("乙方", "山东华丰机械有限公司")}
    assert [item.type for item in found.events] == ["deliver"]
    assert found.events[0].participants == ("山东华丰机械有限公司",)


def test_people_are_joined_only_with_evidence() -> None:
    start = "# 例会会议纪要\n\n会议时间：2024年3月5日\n\n"
    _, sure = read(start + "参会人员：张伟（总经理）、李娜\n\n张总要求3月10日前完成检修。\n")
    assert "张总" in {alias.name for alias in _entity(sure, "张伟").aliases}
    assert str(sure.events[-1].time.first) == "2024-03-10"
    _, unsure = read(start + "参会人员：张伟、李娜\n\n张总要求检修。\n")
    assert [(guess.left, guess.right) for guess in unsure.guesses] == [("张总", "张伟")]
    _, two = read(start + "参会人员：张伟、张敏\n\n张总要求检修。\n")
    assert two.guesses == ()


def test_a_day_that_does_not_exist_is_a_finding() -> None:
    _, found = read("# 记录\n\n水泵于2024年2月30日更换。\n")
    assert [(item.reason, item.detail) for item in found.findings] == [("memory_date_impossible", "2024年2月30日")]
    assert found.events == ()


def test_the_same_text_gives_the_same_records() -> None:
    assert read(MANUAL)[1] == read(MANUAL)[1]


def test_names_with_quotes_and_escapes() -> None:
    _, found = read('# Parts\n\n| Part | Mass (kg) |\n|---|---|\n| O\'Ring "A" [x] \x1b[31m | 5 |\n')
    assert any(entity.name.startswith("O'Ring") for entity in found.entities)


@given(st.text(alphabet="#|- \n:：，。在时应每0123456789年月日kg甲方（）“”ab除外若张总经理公司", max_size=160))
def test_anything_is_read_and_every_quote_stands(text: str) -> None:
    document, found = read(text)
    for entity in found.entities:
        for item in entity.attributes:
            assert document.text[item.source.start : item.source.end] == item.source.quote != ""
