"""Poultry and pigs."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from pictures.style import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    RED,
    SKY,
    SOFT,
    Drawer,
    chart,
)


def brooder() -> Figure:
    figure, axes = chart("Brooding temperature at chick height", "Age (days)", "Temperature (°C)")
    bands = [
        (0, 7, 32, 35, "90-95"),
        (7, 14, 29, 32, "85-90"),
        (14, 21, 27, 29, "80-85"),
        (21, 28, 24, 27, "75-80"),
        (28, 35, 21, 24, "70-75"),
        (35, 42, 18, 21, "65-70"),
    ]
    for start, end, low, high, fahrenheit in bands:
        axes.add_patch(
            Rectangle(
                (start, low),
                end - start,
                high - low,
                facecolor=ORANGE,
                alpha=0.45,
                edgecolor=RED,
                linewidth=1.5,
            )
        )
        axes.text(
            (start + end) / 2,
            (low + high) / 2,
            f"{low}-{high} °C",
            ha="center",
            va="center",
            fontweight="bold",
            fontsize=12,
        )
        axes.text(
            (start + end) / 2,
            low - 0.25,
            f"{fahrenheit} °F",
            ha="center",
            va="top",
            color=SOFT,
            fontsize=11,
        )
    axes.set_xlim(0, 42)
    axes.set_ylim(15, 37)
    axes.set_xticks(range(0, 43, 7))
    axes.text(41.5, 35.4, "about 3 °C (5 °F) less each week", ha="right", color=SOFT)
    return figure


def chick_brooding() -> Figure:
    figure, axes = chart("雏鸡育雏温度", "日龄（天）", "鸡背高度温度（℃）")
    bands = [
        (1, 3, 33, 35),
        (4, 7, 31, 33),
        (8, 14, 29, 31),
        (15, 21, 26, 28),
        (22, 28, 23, 25),
        (29, 35, 20, 22),
        (36, 42, 18, 20),
    ]
    for start, end, low, high in bands:
        axes.add_patch(
            Rectangle((start - 1, low), end - start + 1, high - low, facecolor=ORANGE, alpha=0.45, edgecolor=RED)
        )
        axes.text((start + end - 1) / 2, high + 0.3, f"{low}-{high}", ha="center", fontweight="bold", fontsize=12)
    axes.set_xlim(0, 42)
    axes.set_ylim(16, 37.5)
    axes.set_xticks([0, 3, 7, 14, 21, 28, 35, 42])
    axes.text(41.5, 36.2, "每周下降 2-3 ℃", ha="right", color=SOFT)
    return figure


def pig_timeline() -> Figure:
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(9, 5.6), dpi=100, layout="constrained", height_ratios=[11, 5])
    piglets = [
        ("伪狂犬（滴鼻）", 1, 3, BLUE),
        ("支原体肺炎 首免", 7, 14, GREEN),
        ("圆环病毒", 14, 21, PURPLE),
        ("蓝耳病（仅阳性场）", 14, 21, RED),
        ("猪瘟 首免", 20, 25, ORANGE),
        ("支原体肺炎 二免", 21, 28, GREEN),
        ("口蹄疫 首免", 28, 35, SKY),
        ("伪狂犬 二免", 35, 42, BLUE),
        ("口蹄疫 二免", 58, 65, SKY),
        ("猪瘟 二免", 60, 65, ORANGE),
        ("猪丹毒、巴氏杆菌病", 60, 70, SOFT),
    ]
    sows = [
        ("大肠杆菌病", 40, 40, GREEN),
        ("大肠杆菌病", 15, 15, GREEN),
        ("腹泻二联 首免", 42, 35, BLUE),
        ("腹泻二联 加强", 21, 14, BLUE),
    ]
    top.set_title("仔猪免疫日龄")
    for row, (name, start, end, colour) in enumerate(piglets):
        top.barh(row, max(end - start, 1), left=start, color=colour, height=0.66)
        side = end + 1 if start < 50 else start - 1
        top.text(side, row, f"{name} {start}-{end}", va="center", ha="left" if start < 50 else "right", fontsize=11)
    top.set_xlim(0, 75)
    top.set_xlabel("日龄（天）", fontsize=12)
    bottom.set_title("怀孕母猪产前天数", fontsize=15)
    for row, (name, start, end, colour) in enumerate(sows):
        bottom.barh(row, max(start - end, 1), left=end, color=colour, height=0.66)
        label = f"{name}：产前 {end // 7}-{start // 7} 周" if start > end else f"{name}：产前 {start} 天"
        bottom.text(end - 1, row, label, va="center", ha="left", fontsize=11)
    bottom.set_xlim(60, -4)
    bottom.set_xticks(range(0, 61, 10))
    bottom.set_xlabel("产前天数（天）", fontsize=12)
    for axes in (top, bottom):
        axes.invert_yaxis()
        axes.set_yticks([])
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)
    return figure


PICTURES: dict[str, Drawer] = {
    "livestock/poultry/management/images/brooder_temperature_curve_2025.png": brooder,
    "livestock/poultry/management/images/chick_brooding_temperature_curve_2025.png": chick_brooding,
    "livestock/pig/management/images/pig_vaccination_timeline_2025.png": pig_timeline,
}
