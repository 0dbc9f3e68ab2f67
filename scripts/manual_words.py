"""What the made documents say: devices, sentences with conditions, tables, contracts; all samples."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Truth:
    """What a document holds."""

    order: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)

    def fact(self, subject: str, attribute: str, value: str, page: int = 0) -> None:
        """A fact that a reader finds in the document."""
        self.facts.append({"subject": subject, "attribute": attribute, "value": value, "page": page})


DEVICES: dict[str, list[tuple[str, str]]] = {
    "zh": [
        ("离心泵", "CP-50"),
        ("柱塞泵", "ZB-12"),
        ("喷雾机", "SW-300"),
        ("孵化机", "FH-880"),
        ("滴灌控制器", "DK-6"),
        ("烘干塔", "HG-15"),
    ],
    "en": [
        ("Centrifugal pump", "CP-50"),
        ("Plunger pump", "ZB-12"),
        ("Boom sprayer", "SW-300"),
        ("Incubator", "FH-880"),
        ("Irrigation controller", "DK-6"),
        ("Grain dryer", "HG-15"),
    ],
}
WORDS: dict[str, dict[str, str]] = {
    "zh": {
        "title": "{0} {1} 使用说明书（样例）",
        "use": "适用范围",
        "start": "启动条件",
        "data": "技术参数",
        "care": "维护保养",
        "table": "表 {0} 技术参数",
        "fault_table": "表 {0} 故障代码",
        "header": "{0} 使用说明书 版本 2.1",
        "footer": "第 {} 页",
    },
    "en": {
        "title": "{0} {1} operating manual (sample)",
        "use": "Scope",
        "start": "Starting conditions",
        "data": "Technical data",
        "care": "Maintenance",
        "table": "Table {0} Technical data",
        "fault_table": "Table {0} Fault codes",
        "header": "{0} operating manual, edition 2.1",
        "footer": "Page {}",
    },
}
LISTS: dict[str, dict[str, list[str]]] = {
    "zh": {
        "head": ["参数", "数值", "单位", "备注"],
        "names": ["额定流量", "额定扬程", "额定转速", "额定功率", "工作压力", "进口直径", "出口直径", "整机质量"],
        "units": ["m³/h", "m", "r/min", "kW", "MPa", "mm", "mm", "kg"],
        "remark": ["清水", "清水", "—", "50 Hz", "不得超过", "法兰", "法兰", "不含底座"],
        "fault": ["故障代码", "故障现象", "处理方法"],
    },
    "en": {
        "head": ["Parameter", "Value", "Unit", "Remark"],
        "names": [
            "Rated flow",
            "Rated head",
            "Rated speed",
            "Rated power",
            "Working pressure",
            "Inlet diameter",
            "Outlet diameter",
            "Mass",
        ],
        "units": ["m³/h", "m", "r/min", "kW", "MPa", "mm", "mm", "kg"],
        "remark": ["clean water", "clean water", "—", "50 Hz", "not above", "flange", "flange", "without base"],
        "fault": ["Code", "What is seen", "What to do"],
    },
}


def sentences(lang: str, name: str, dice: random.Random) -> list[tuple[str, str, str]]:
    """Sentences with conditions: (text, attribute, value)."""
    cold, wait = dice.choice([-5, -10, -15]), dice.choice([10, 15, 20, 30])
    hours, limit, oil = dice.choice([200, 250, 500]), dice.choice([1.6, 2.5, 4.0]), dice.choice([1.2, 1.8, 2.4])
    if lang == "zh":
        return [
            (f"环境温度低于 {cold} °C 时，{name}须预热 {wait} 分钟后方可启动。", "预热时间", f"{wait} 分钟"),
            (f"{name}的工作压力不得超过 {limit} MPa，否则必须立即停机。", "工作压力上限", f"{limit} MPa"),
            (f"{name}累计运行 {hours} 小时应更换润滑油，每次加注 {oil} L。", "换油间隔", f"{hours} 小时"),
            (
                f"本说明书仅适用于输送清水的场合，不包括含沙量高于 {dice.choice([1, 2, 3])} % 的浑水。",
                "适用介质",
                "清水",
            ),
            (f"首次启动前应检查旋转方向，从{name}的驱动端看为顺时针方向。", "旋转方向", "顺时针"),
            (f"长期停用时应排空泵体内的积水，并在 {dice.choice([7, 10, 14])} 天内涂抹防锈油。", "停用保养", "排空积水"),
            ("操作人员必须经过培训，未经许可不得拆除防护罩。", "", ""),
            (f"电源电压允许偏差为额定值的 ±{dice.choice([5, 7, 10])} %，超出时应加装稳压装置。", "", ""),
            ("运行中如有异常噪声或振动，应先停机断电，再按故障代码表逐项检查，不得带电检修。", "", ""),
        ]
    return [
        (
            f"Below {cold} °C the {name} must be preheated for {wait} minutes before it is started.",
            "preheating time",
            f"{wait} minutes",
        ),
        (
            f"The working pressure of the {name} must not exceed {limit} MPa; stop it at once if it does.",
            "pressure limit",
            f"{limit} MPa",
        ),
        (
            f"Change the oil of the {name} every {hours} hours of operation and fill in {oil} L each time.",
            "oil interval",
            f"{hours} hours",
        ),
        (
            f"This manual applies only to clean water, except water with over {dice.choice([1, 2, 3])} % of sand.",
            "medium",
            "clean water",
        ),
        (
            f"Before the first start check the direction of rotation: clockwise, seen from the drive of the {name}.",
            "rotation",
            "clockwise",
        ),
        (
            f"If it is not used for long, drain the housing and oil bare parts within {dice.choice([7, 10, 14])} days.",
            "storage",
            "drain",
        ),
        ("Only trained persons may operate it. The guards must not be removed without permission.", "", ""),
        (
            f"The supply voltage may deviate by ±{dice.choice([5, 7, 10])} %; otherwise install a stabiliser.",
            "",
            "",
        ),
        (
            "If there is unusual noise, stop and disconnect it first, then go through the table of fault codes.",
            "",
            "",
        ),
    ]


def parameters(lang: str, dice: random.Random, count: int = 8) -> list[list[str]]:
    """A table of technical data with its header."""
    words = LISTS[lang]
    values = [str(dice.randint(12, 980)) if place % 3 else f"{dice.uniform(0.4, 98):.1f}" for place in range(count)]
    rows = [
        [words["names"][place], values[place], words["units"][place], words["remark"][place]] for place in range(count)
    ]
    return [list(words["head"]), *rows]


def faults(lang: str, dice: random.Random, count: int) -> list[list[str]]:
    """A long table of fault codes with its header."""
    seen = {
        "zh": ["流量不足", "电机过热", "振动过大", "密封泄漏", "无法启动", "压力波动"],
        "en": [
            "too little flow",
            "motor too hot",
            "strong vibration",
            "seal leaks",
            "does not start",
            "pressure varies",
        ],
    }[lang]
    todo = {
        "zh": [
            "清洗滤网并检查进水阀门",
            "检查电压与散热风道",
            "校正联轴器同轴度",
            "更换机械密封",
            "检查热继电器与保险丝",
            "排除管路中的空气",
        ],
        "en": [
            "clean the strainer and check the inlet valve",
            "check voltage and cooling ducts",
            "align the coupling",
            "replace the mechanical seal",
            "check relay and fuses",
            "vent the pipes",
        ],
    }[lang]
    rows = [
        [
            f"E-{number:02d}",
            seen[number % 6],
            f"{todo[(number + dice.randint(0, 5)) % 6]}（{number}）"
            if lang == "zh"
            else f"{todo[(number + dice.randint(0, 5)) % 6]} ({number})",
        ]
        for number in range(1, count + 1)
    ]
    return [list(LISTS[lang]["fault"]), *rows]


CLAUSES: dict[str, list[tuple[str, str]]] = {
    "zh": [
        ("合同标的", "甲方向乙方采购{0} {1} 台，单价人民币 {2} 元。"),
        ("交货期限", "乙方应于 {3} 前交付全部货物。"),
        ("付款方式", "甲方在验收合格后 {4} 日内支付合同价款的 {5} %，其余作为质量保证金。"),
        ("违约责任", "逾期交货的，每逾期一日按合同价款的 {6} ‰ 支付违约金，不可抗力除外。"),
        ("质量保证", "质量保证期为 {7} 个月，自验收合格之日起计算。"),
    ],
    "en": [
        ("Subject", "Party A buys {1} units of the {0} from Party B at a price of {2} yuan each."),
        ("Delivery", "Party B delivers all goods before {3}."),
        ("Payment", "Party A pays {5} % of the price within {4} days of acceptance; the rest is held as warranty."),
        ("Default", "For each day of delay {6} per mille of the price is due, except in the case of force majeure."),
        ("Warranty", "The warranty period is {7} months from the day of acceptance."),
    ],
}


def contract_title(lang: str, kind: str, version: int) -> str:
    """What a contract about such a device is called."""
    if lang == "zh":
        return f"{kind}采购合同（样例，第 {version} 版）"
    return f"Purchase contract for a {kind} (sample, version {version})"


def contract_values(index: int, version: int) -> list[str]:
    """The numbers of a contract; its second version changes price, date and warranty."""
    dice = random.Random(500 + index)
    count, price, days, share = (
        dice.randint(2, 40),
        dice.randint(30, 900) * 100,
        dice.choice([15, 30, 45]),
        dice.choice([90, 95]),
    )
    late, months = dice.choice(["0.3", "0.5", "1"]), dice.choice([12, 18])
    if version == 2:
        return [str(count), str(price + 1500), "2026-09-30", str(days), str(share), late, str(months + 6)]
    return [str(count), str(price), "2026-06-30", str(days), str(share), late, str(months)]
