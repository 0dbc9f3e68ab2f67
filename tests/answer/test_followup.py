"""kb.answer.followup: what a follow-up stands for, and whole questions left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.followup import Session, resolve
from kb.answer.subjects import KnownSubjects
from kb.tree.taxonomy import Taxonomy

KNOWN = KnownSubjects.of(
    ["agriculture/crop/soybean/a.md", "agriculture/crop/maize/a.md", "agriculture/crop/rice/a.md", "farm/agro/b/c.md"],
    Taxonomy(
        {
            "soybean": {"zh": ("大豆",), "en": ("soybean",)},
            "maize": {"zh": ("玉米",), "en": ("maize",)},
            "rice": {"zh": ("水稻",), "en": ("rice",)},
            "tricyclazole": {"zh": ("三环唑",), "en": ()},
        }
    ),
)

RESOLVED = [
    ("大豆播种深度是多少？", "那玉米呢？", "玉米播种深度是多少？"),
    ("甘蔗怎么施肥", "那玉米呢？", "玉米怎么施肥"),
    ("每公顷怎么施肥", "那玉米呢？", "玉米，每公顷怎么施肥"),
    ("大豆R5期追施多少钾肥", "那R3期呢", "大豆R3期追施多少钾肥"),
    ("E-12 是什么故障", "那E-07呢", "E-07 是什么故障"),
    ("E-12 是什么故障", "怎么处理？", "E-12 怎么处理？"),
    ("大豆播种深度是多少？", "干旱的时候呢", "干旱的时候，大豆播种深度是多少？"),
    ("三环唑安全间隔期几天", "用在水稻上呢", "用在水稻上，三环唑安全间隔期几天"),
    ("15 L 水稀释 800 倍加多少药", "那稀释500倍呢", "15 L 水稀释 500倍加多少药"),
    ("玉米入库安全水分是多少", "它怎么晾晒？", "玉米怎么晾晒？"),
    ("How deep should soybeans be sown?", "and in dry soil?", "How deep should soybeans be sown in dry soil?"),
    ("How deep should soybeans be sown?", "what about maize?", "How deep should maize be sown?"),
    ("What torque for an M12 bolt?", "for M16?", "What torque for an M16 bolt?"),
    ("how deep is maize sown", "when is it harvested?", "when is maize harvested?"),
    ("How often is maize watered in sandy soil?", "and in clay soil?", "How often is maize watered in clay soil?"),
    (
        "In sandy soil how deep is maize sown?",
        "what about heavy clay soil?",
        "In heavy clay soil how deep is maize sown?",
    ),
    ("How often is maize watered in sandy soil?", "and in June?", "How often is maize watered in sandy soil in June?"),
    ("How much nitrogen at flowering?", "and at fruit set?", "How much nitrogen at fruit set?"),
    ("大豆苗期追多少钾肥", "那鼓粒期呢？", "大豆鼓粒期追多少钾肥"),
    ("大豆鼓粒期追多少钾肥？", "那苗期呢", "大豆苗期追多少钾肥？"),
    ("大豆苗期追多少钾肥？", "那氮肥呢", "大豆苗期追多少氮肥？"),
    ("沙土地玉米几天浇一次水？", "黏土地呢", "黏土地玉米几天浇一次水？"),
    ("三环唑安全间隔期几天", "鼓粒期呢", "鼓粒期，三环唑安全间隔期几天"),
    ("恩诺沙星注射液休药几天", "阿苯达唑片呢", "阿苯达唑片休药几天"),
    ("白油枯的用量是多少", "换成鱼藤酮呢", "鱼藤酮的用量是多少"),
]


@pytest.mark.parametrize(("before", "asked", "whole"), RESOLVED)
def test_a_follow_up_becomes_a_whole_question(before: str, asked: str, whole: str) -> None:
    assert resolve(asked, Session((before,)), KNOWN) == whole


@pytest.mark.parametrize(
    "asked",
    [
        "如何防治蚜虫？", "水稻浸种水温", "玉米播种多深？", "In which month is rice sown?", "E-07",
        "How deep should maize be sown?", "支付网关读取超时是多少", "那么水稻什么时候收割",
    ],
)  # fmt: skip
def test_a_whole_question_stays_as_it_is(asked: str) -> None:
    assert resolve(asked, Session(("大豆播种深度是多少？",)), KNOWN) == asked


def test_without_a_question_before_there_is_nothing_to_lean_on() -> None:
    assert resolve("那玉米呢？", None, KNOWN) == "那玉米呢？"
    assert resolve("那玉米呢？", Session(), KNOWN) == "那玉米呢？"


def test_a_session_leans_on_the_last_question_and_stays_short() -> None:
    session = Session()
    for number in range(20):
        session = session.after(f"大豆第{number}个问题是什么？")
    assert len(session.questions) == 8
    assert resolve("那玉米呢", session, KNOWN) == "玉米第19个问题是什么？"


@given(asked=st.text(max_size=40), before=st.text(max_size=40))
def test_any_text_is_resolved_without_a_fault(asked: str, before: str) -> None:
    assert isinstance(resolve(asked, Session((before,)), KNOWN), str)
