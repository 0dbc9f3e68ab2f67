"""kb.supply.check_words: conclusions that say something, situations that do not repeat the title."""

from __future__ import annotations

import pytest

from kb.supply.check_words import copies_title, says_nothing
from kb.supply.store import read_cards
from tests.helpers import PROJECT


@pytest.mark.parametrize(
    "conclusion",
    [
        "注意幂等",
        "必须注意安全",
        "加强水泵日常管理，确保安全",
        "注意安全操作规范",
        "做好相关工作",
        "按规定处理问题",
        "应当合理使用",
        "Be careful with pumps",
        "Always ensure proper handling",
        "Follow the rules",
        "务必重视",
        "",
        "。",
    ],
)
def test_words_that_leave_open_what_to_do(conclusion: str) -> None:
    assert says_nothing(conclusion)


@pytest.mark.parametrize(
    "conclusion",
    [
        "E-07 停机先清理滤网",
        "启动前先灌满引水再开泵",
        "不得私自解锁",
        "重复支付直接返回成功",
        "退款原路返回到付款账户",
        "发现疑似非洲猪瘟立即上报并封锁",
        "清理滤网并检查吸水管是否漏气",
        "Never open the radiator cap while hot",
        "Prime the pump before starting",
        "ＥＲＲ７ 转人工",
        "先查单，后重试",
    ],
)
def test_judgements_that_can_be_carried_out(conclusion: str) -> None:
    assert not says_nothing(conclusion)


def test_the_sample_cards_say_something() -> None:
    for card in read_cards(PROJECT / "docs").cards:
        assert not says_nothing(card.conclusion), card.id
        assert not any(copies_title(scene, card.title) for scene in card.applicable.scene), card.id


@pytest.mark.parametrize(
    ("scene", "title", "same"),
    [
        ("支付回调必须幂等", "支付回调必须幂等", True),
        ("支付回调必须幂等！", "支付回调，必须幂等", True),
        ("支付回调必须幂等：重复通知", "支付回调必须幂等", True),
        ("水泵", "水泵启动前必须灌满引水否则烧坏密封", False),
        ("停用后第一次启动水泵", "水泵启动前必须灌满引水", False),
        ("Pump start without priming", "pump start without priming", True),
        ("starting a pump after the winter", "Pump start without priming", False),
        ("", "x", False),
    ],
)
def test_a_situation_that_is_the_title_again(scene: str, title: str, same: bool) -> None:
    assert copies_title(scene, title) is same
