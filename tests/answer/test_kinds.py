"""kb.answer.kinds: which kind of quantity a question wants, and whether a text gives one."""

from __future__ import annotations

import pytest

from kb.answer.kinds import kinds_asked, says_kind
from kb.search.quantities import folded


@pytest.mark.parametrize(
    ("question", "text", "around", "given"),
    [
        ("小麦播种量每亩多少斤", "小麦播种深度 3-5 cm", "", False),
        ("小麦播种量每亩多少斤", "播种量为 8.8 kg/亩", "", True),
        ("小麦播种量每亩多少斤", "济麦 22 | 12.5", "品种 | 播量（kg/亩）", True),
        ("玉米R5期追施多少钾肥", "适宜温度（℃）：18-22；管理要点：停止灌水", "", False),
        ("追施多少尿素", "每公顷追施尿素 75-120 公斤", "", True),
        ("How much water do broilers drink", "Age: day 21", "", False),
        ("How much water do broilers drink", "A bird drinks 0.25 L a day.", "", True),
        ("How deep should soybeans be planted?", "Plant 300,000 seeds per hectare.", "", False),
        ("How deep should soybeans be planted?", "Plant 2.5-4 cm deep.", "", True),
        ("大豆播种深度多少", "土温稳定在 10 ℃ 以上时播", "", False),
        ("soybean sowing depth", "Plant soybean 2.5-4 cm deep.", "", True),
        ("给羊打多少伊维菌素", "伊维菌素对羊休药期 35 天", "", False),
        ("给羊打多少伊维菌素", "伊维菌素皮下注射 0.2 mg/kg 体重", "", True),
        ("大豆播多深？", "行距调到 67 厘米", "", True),
        ("施药后多少天可以收获", "每亩兑水 30 公斤", "", False),
        ("施药后多少天可以收获", "安全间隔期十四天", "", True),
        ("how many days before harvest", "Wait two weeks.", "", False),
        ("how many days before harvest", "PHI | 21", "product | interval (days)", True),
        ("育雏第一周多少度", "每周下降 2 ℃", "", True),
        ("育雏第一周多少度", "密度 40 只/m²", "", False),
        ("Weight of the ZK 40", "Flow 20 L/min", "", False),
        ("Penicillin dose for ewes", "Milk: 5 days; Meat: 4 days", "Withdrawal", False),
        ("Penicillin dose for ewes", "8 mg/kg once, under the skin", "", True),
        ("How cold must the store be?", "Rinse with cold water for 4 minutes", "", False),
        ("转色温度是多少", "历时 12 天", "", False),
        ("机房湿度", "温度 22 ℃", "", False),
        ("拖拉机多久换一次机油", "油底壳容量 12 L", "", False),
        ("拖拉机多久换一次机油", "机油：250 小时", "", True),
        ("How often is the shop cleaned?", "The shop has 30 m2.", "", False),
        ("How often is the shop cleaned?", "After each sale.", "", True),
        ("How long did the plague last?", "from 1347 to 1351", "", True),
        ("How long do I wait?", "Wait until it is dry.", "", True),
        ("How long do I wait?", "Use 30 g.", "", False),
        ("退款多久到账", "信用卡 3-7 个工作日", "", True),
        ("场地租金多少", "租期 7 个月", "", False),
        ("场地租金多少", "每月 300 元", "", True),
    ],
)
def test_a_quantity_of_the_wanted_kind_is_needed(question: str, text: str, around: str, given: bool) -> None:
    kinds = kinds_asked(folded(question))
    assert kinds
    assert any(says_kind(kind, folded(text), folded(around)) for kind in kinds) is given


@pytest.mark.parametrize(
    "question",
    [
        "那几年什么病最多",
        "什么是临界温度？",
        "What does voltage mean?",
        "Why is the price of wheat so high?",
        "这几天能打药吗",
        "喷药间隔是多少",
        "how much does irrigation matter",
        "What is the best way to know how many gallons the pump should give?",
        "Do I know how much to irrigate?",
        "how much of the field is wet",
    ],
)
def test_other_questions_want_none(question: str) -> None:
    assert kinds_asked(folded(question)) == ()


def test_a_bare_number_may_be_of_any_kind_but_no_price() -> None:
    (price,) = kinds_asked("牛奶多少钱一斤")
    assert not says_kind(price, "| 7 | 1600000 |", "| 评分 | 体细胞数 |", bare=True)
    weight, _ = kinds_asked("施氮多少公斤")
    assert says_kind(weight, "| 氮 n | 14 |", "| 养分 | 用量 |", bare=True)
    assert not says_kind(weight, "| 氮 n | 14 |", "| 养分 | 用量 |")
