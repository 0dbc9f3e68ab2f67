"""Sprayer and tractor."""

from __future__ import annotations

import math

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from pictures.style import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    RED,
    SKY,
    SOFT,
    YELLOW,
    Drawer,
    chart,
    sketch,
)


def nozzle_overlap(words: dict[str, str]) -> Figure:
    figure, axes = sketch(words["title"])
    top, ground = 40.0, 12.0
    height = top - ground
    gap = height  # 50 cm spacing at 50 cm height
    half = height * math.tan(math.radians(55))
    axes.add_patch(Rectangle((3, top + 1.5), 84, 2.2, facecolor=SOFT))
    for x, colour in ((45 - gap, BLUE), (45.0, ORANGE), (45 + gap, GREEN)):
        left, right = max(x - half, 3), min(x + half, 87)
        fan = [(x, top)]
        for edge, side in ((left, -1), (right, 1)):
            reach = abs(edge - x) / math.tan(math.radians(55))
            if reach < height:
                fan += [(edge, top - reach), (edge, ground)][:: 1 if side < 0 else -1]
            else:
                fan.append((edge, ground))
        axes.add_patch(Polygon(fan, facecolor=colour, alpha=0.28, edgecolor=colour, linewidth=1.5))
        axes.add_patch(
            Polygon(
                [(x - 1.4, top + 1.6), (x + 1.4, top + 1.6), (x + 0.6, top - 0.6), (x - 0.6, top - 0.6)],
                facecolor=INK,
            )
        )
    axes.add_patch(Rectangle((3, ground - 1.3), 84, 1.3, facecolor=GREEN))
    axes.text(45, ground - 4.2, words["target"], ha="center")
    axes.annotate("", (45 - gap, 46.5), (45, 46.5), arrowprops={"arrowstyle": "<->", "color": INK})
    axes.text(45 - gap / 2, 47.2, words["spacing"], ha="center")
    axes.annotate("", (46.8, top - 0.5), (46.8, ground), arrowprops={"arrowstyle": "<->", "color": INK})
    axes.text(47.8, 17.5, words["height"], va="center", fontweight="bold")
    axes.text(45, 31.5, "110°", ha="right", fontweight="bold")
    axes.text(45, 2.5, words["note"], ha="center", color=SOFT)
    return figure


def nozzle_overlap_en() -> Figure:
    return nozzle_overlap(
        {
            "title": "Boom height and overlap, 110° flat-fan nozzles",
            "target": "target (top of the crop)",
            "spacing": "spacing 50 cm (20 in)",
            "height": "50 cm (20 in)",
            "note": "100 % overlap: every point gets spray from at least two nozzles",
        }
    )


def nozzle_overlap_zh() -> Figure:
    return nozzle_overlap(
        {
            "title": "喷杆高度与雾形重叠（110° 扇形喷头）",
            "target": "目标（作物顶部）",
            "spacing": "喷头间距 50 cm",
            "height": "高度 50 cm",
            "note": "重叠 100 %：每一点至少由两个喷头喷到",
        }
    )


def service_chart(title: str, x: str, rows: list[tuple[str, int]]) -> Figure:
    figure, axes = chart(title, x)
    colours = {10: SKY, 50: GREEN, 250: YELLOW, 500: ORANGE, 1000: RED, 2000: PURPLE}
    names = [name for name, _ in rows][::-1]
    hours = [hour for _, hour in rows][::-1]
    bars = axes.barh(names, hours, color=[colours[h] for h in hours], edgecolor=SOFT, linewidth=0.6, height=0.7)
    axes.bar_label(bars, [f"{h} h" for h in hours], padding=5)
    axes.set_xscale("log")
    axes.set_xlim(5, 5000)
    axes.set_xticks([10, 50, 250, 500, 1000, 2000], ["10", "50", "250", "500", "1000", "2000"])
    axes.minorticks_off()
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", labelcolor=INK, length=0)
    return figure


def service_chart_en() -> Figure:
    return service_chart(
        "Tractor service intervals",
        "Operating hours (logarithmic)",
        [
            ("Check oil and coolant level", 10),
            ("Grease joints", 50),
            ("Check wheel bolts", 50),
            ("Engine oil and filter", 250),
            ("Fuel filters", 500),
            ("Outer air filter", 500),
            ("Hydraulic filter", 500),
            ("Hydraulic oil", 1000),
            ("Valve clearance", 1000),
            ("Injectors", 2000),
            ("Coolant", 2000),
        ],
    )


def service_chart_zh() -> Figure:
    return service_chart(
        "拖拉机保养周期",
        "工作小时（对数坐标）",
        [
            ("检查机油、冷却液液位", 10),
            ("加注黄油", 50),
            ("复紧车轮螺栓", 50),
            ("机油和机油滤芯", 250),
            ("柴油滤芯", 500),
            ("空气外滤芯", 500),
            ("液压传动滤芯", 500),
            ("液压传动两用油", 1000),
            ("气门间隙", 1000),
            ("喷油器", 2000),
            ("冷却液", 2000),
        ],
    )


def preheat_chart(words: dict[str, str], bands: list[str]) -> Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 5.6), dpi=100, layout="constrained", sharey=True)
    figure.suptitle(words["title"], fontsize=17, fontweight="bold", x=0.02, ha="left")
    glow, heater = [0, 10, 20, 30, 60], [0, 0, 0, 30, 60]
    for axes, values, colour, label, texts in (
        (left, glow, ORANGE, words["glow"], ["0", "10 s", "20 s", "30 s", words["twice"]]),
        (right, heater, BLUE, words["heater"], ["0", "0", "0", words["m30"], words["m60"]]),
    ):
        bars = axes.barh(bands, values, color=colour, height=0.62)
        axes.bar_label(bars, texts, padding=5)
        axes.set_xlim(0, 92)
        axes.set_title(label, fontsize=14, fontweight="normal")
        axes.grid(axis="y", visible=False)
        axes.tick_params(axis="y", labelcolor=INK, length=0)
    left.invert_yaxis()
    left.set_xlabel(words["seconds"])
    right.set_xlabel(words["minutes"])
    return figure


def preheat_en() -> Figure:
    return preheat_chart(
        {
            "title": "Preheating before a cold start",
            "glow": "Glow plugs",
            "heater": "Coolant heater",
            "twice": "30 s, twice",
            "m30": "≥ 30 min",
            "m60": "≥ 60 min",
            "seconds": "seconds",
            "minutes": "minutes",
        },
        ["above 5 °C", "5 to 0 °C", "0 to -10 °C", "-10 to -20 °C", "-20 to -30 °C"],
    )


def preheat_zh() -> Figure:
    return preheat_chart(
        {
            "title": "低温启动前的预热时间",
            "glow": "预热塞通电",
            "heater": "冷却液加热器",
            "twice": "30 s，两次",
            "m30": "至少 30 分钟",
            "m60": "至少 60 分钟",
            "seconds": "秒",
            "minutes": "分钟",
        },
        ["高于 5 °C", "5 至 0 °C", "0 至 -10 °C", "-10 至 -20 °C", "-20 至 -30 °C"],
    )


PICTURES: dict[str, Drawer] = {
    "machinery/sprayer/boom/images/nozzle_overlap_110deg_en_2025.png": nozzle_overlap_en,
    "machinery/sprayer/boom/images/nozzle_overlap_110deg_zh_2025.png": nozzle_overlap_zh,
    "machinery/tractor/maintenance/images/tractor_service_interval_chart_en_2025.png": service_chart_en,
    "machinery/tractor/maintenance/images/tractor_service_interval_chart_2025.png": service_chart_zh,
    "machinery/tractor/engine/images/diesel_preheat_time_chart_2025.png": preheat_en,
    "machinery/tractor/engine/images/diesel_preheat_time_chart_zh_2025.png": preheat_zh,
}
