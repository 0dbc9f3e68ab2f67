"""Crops, fertiliser and pesticide."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.patches import Circle, Ellipse, Rectangle

from pictures.style import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    RED,
    SKY,
    SOFT,
    Drawer,
    arrow,
    chart,
    sketch,
)


def rice_water() -> Figure:
    figure, axes = chart("水稻各生育期田面水层深度", "", "水层深度（cm）")
    rows = [
        ("插秧", 1, 2),
        ("返青期", 3, 5),
        ("分蘖前期", 2, 3),
        ("有效分蘖终止期", 0, 0),
        ("拔节期", 2, 3),
        ("孕穗期", 3, 5),
        ("减数分裂期遇低温", 15, 20),
        ("抽穗扬花期", 3, 5),
        ("灌浆前期", 0, 3),
        ("灌浆后期", 0, 2),
        ("收获前", 0, 0),
    ]
    for i, (_, low, high) in enumerate(rows):
        colour = RED if high == 20 else BLUE
        axes.bar(i, low, color=colour, alpha=0.35, width=0.7)
        axes.bar(i, high - low, bottom=low, color=colour, width=0.7)
        text = "晒田" if i == 3 else "断水" if i == 10 else f"{low}-{high}"
        axes.text(i, high + 0.35, text, ha="center", fontsize=12.5, fontweight="bold")
    axes.set_xticks(
        range(len(rows)),
        [name for name, _, _ in rows],
        rotation=45,
        ha="right",
        rotation_mode="anchor",
        fontsize=12,
        color=INK,
    )
    axes.set_ylim(0, 23)
    axes.grid(axis="x", visible=False)
    axes.legend(
        handles=[
            Rectangle((0, 0), 1, 1, facecolor=BLUE, alpha=0.35),
            Rectangle((0, 0), 1, 1, facecolor=BLUE),
        ],
        labels=["下限以内", "下限至上限"],
        loc="upper left",
    )
    return figure


def soybean_v3() -> Figure:
    figure, axes = sketch("大豆 V3 期植株")
    soil = 18.0
    axes.add_patch(Rectangle((0, 0), 90, soil, facecolor="#C9A27A", alpha=0.45))
    axes.plot([0, 90], [soil, soil], color="#7B5B3A", linewidth=2)
    axes.plot([40, 40], [soil - 9, 45], color=GREEN, linewidth=4, solid_capstyle="round")
    for dx, dy in ((-6, -5), (6, -6), (-4, -9), (4, -10), (0, -13)):
        axes.plot([40, 40 + dx], [soil - 1, soil + dy], color="#7B5B3A", linewidth=2)
    for x, y in ((36, 14.6), (44, 13.8), (37.8, 11.5), (42.6, 10.2)):
        axes.add_patch(Circle((x, y), 0.8, facecolor=PURPLE, edgecolor=INK, linewidth=0.6))

    def leaf(x: float, y: float, side: int, size: float = 1.0) -> None:
        tip = x + side * 9 * size
        axes.plot([x, tip], [y, y + 3 * size], color=GREEN, linewidth=2.2)
        for ox, oy, angle in ((3.6, 1.2, 20), (0.6, 3.4, 80), (0.9, -1.6, -50)):
            axes.add_patch(
                Ellipse(
                    (tip + side * ox * size, y + (3 + oy) * size),
                    7 * size,
                    3.6 * size,
                    angle=side * angle,
                    facecolor=GREEN,
                    alpha=0.75,
                    edgecolor="#00664B",
                )
            )

    for side in (-1, 1):  # unifoliate pair
        axes.add_patch(
            Ellipse((40 + side * 4.8, 24.4), 8, 3.4, angle=side * 18, facecolor="#8CC9B3", edgecolor="#00664B")
        )
    leaf(40, 29.5, 1)
    leaf(40, 35, -1)
    leaf(40, 40, 1, 0.8)
    for y, text, at in (
        (24, "对生真叶节", (66, 22.5)),
        (29.5, "第一复叶节", (66, 30.2)),
        (40, "第三复叶节", (66, 44)),
    ):
        axes.annotate(text, (40.4, y), at, va="center", arrowprops={"arrowstyle": "-", "color": SOFT, "linewidth": 1})
    axes.annotate(
        "第二复叶节",
        (39.6, 35),
        (8, 33),
        va="center",
        ha="center",
        arrowprops={"arrowstyle": "-", "color": SOFT, "linewidth": 1},
    )
    axes.annotate(
        "根瘤",
        (36, 14.6),
        (20, 10),
        va="center",
        ha="center",
        arrowprops={"arrowstyle": "-", "color": SOFT, "linewidth": 1},
    )
    axes.annotate("", (72, soil), (72, 3), arrowprops={"arrowstyle": "<->", "color": INK})
    axes.text(73.5, 10.5, "垄沟深松\n25-30 cm", va="center")
    axes.plot([66, 78], [3, 3], color=INK, linewidth=1.2, linestyle="--")
    return figure


def soybean_potassium() -> Figure:
    figure, axes = chart("大豆 R5 期氯化钾追施量", "土壤速效钾（mg/kg）", "氯化钾追施量（kg/hm²）")
    for start, end, low, high in ((40, 80, 60, 60), (80, 120, 50, 60), (120, 150, 45, 50)):
        axes.add_patch(Rectangle((start, 0), end - start, low, facecolor=BLUE, alpha=0.25))
        if high > low:
            axes.add_patch(Rectangle((start, low), end - start, high - low, facecolor=BLUE, alpha=0.7))
        axes.plot([start, end], [high, high], color=BLUE, linewidth=3)
        text = f"{low}-{high}" if high > low else f"{low}"
        axes.text((start + end) / 2, high + 1.5, text, ha="center", fontweight="bold")
    axes.plot([150, 190], [0, 0], color=RED, linewidth=6, clip_on=False)
    axes.axvline(150, color=RED, linestyle="--", linewidth=1.5)
    axes.text(170, 6, "高于 150 mg/kg\n不追", ha="center", color=RED, fontweight="bold")
    axes.set_xlim(40, 190)
    axes.set_ylim(0, 72)
    axes.set_xticks([40, 80, 120, 150, 190], ["", "80", "120", "150", ""])
    return figure


def wheat_frost() -> Figure:
    figure, axes = chart("小麦拔节后霜冻临界叶面最低温度", "拔节后天数（天）", "叶面最低温度（℃）")
    days = [1, 2, 3, 4]
    light, heavy = (
        [(-2.5, -1.5), (-1.5, -0.5), (-0.5, 0.5), (0.5, 1.5)],
        [(-3.5, -2.5), (-2.5, -1.5), (-1.5, -0.5), (-0.5, 0.5)],
    )
    for band, colour, line, name in ((light, ORANGE, "-", "轻霜冻"), (heavy, BLUE, "--", "重霜冻")):
        low, high = [b[0] for b in band], [b[1] for b in band]
        middle = [(a + b) / 2 for a, b in band]
        axes.fill_between(days, low, high, color=colour, alpha=0.22, linewidth=0)
        axes.plot(days, middle, color=colour, linewidth=3, linestyle=line, marker="o", markersize=8)
        axes.text(4.08, middle[-1], name, color=colour, va="center", fontweight="bold")
        for x, m, (a, b) in zip(days, middle, band, strict=True):
            axes.text(
                x,
                m + (0.8 if colour == ORANGE else -0.8),
                f"{b:g} 至 {a:g}",
                ha="center",
                va="center",
                fontsize=11.5,
            )
    axes.set_xticks(days, ["1-5", "6-10", "11-15", "16 以上"], color=INK)
    axes.set_xlim(0.55, 4.6)
    axes.set_ylim(-4.6, 2.8)
    return figure


def fertilizer() -> Figure:
    figure, axes = chart("常用肥料养分含量", "", "养分含量（%，质量分数）")
    rows: list[tuple[str, tuple[float, float, float]]] = [
        ("尿素", (46, 0, 0)),
        ("碳酸氢铵", (17, 0, 0)),
        ("磷酸一铵", (11, 44, 0)),
        ("磷酸二铵", (18, 46, 0)),
        ("氯化钾", (0, 0, 60)),
        ("硫酸钾", (0, 0, 50)),
        ("磷酸二氢钾", (0, 52, 34)),
        ("硝酸钾", (13.5, 0, 46)),
        ("复合肥\n15-15-15", (15, 15, 15)),
    ]
    for series, (name, colour) in enumerate((("N", BLUE), ("P₂O₅", ORANGE), ("K₂O", GREEN))):
        for i, (product, contents) in enumerate(rows):
            shown = [s for s in range(3) if contents[s]]
            if series not in shown:
                continue
            x = i + (shown.index(series) - (len(shown) - 1) / 2) * 0.29
            value = contents[series]
            axes.bar(x, value, width=0.27, color=colour)
            label = "44-52" if product == "磷酸一铵" and series == 1 else f"{value:g}"
            axes.text(x, value + 0.8, label, ha="center", fontsize=11)
        axes.bar(0, 0, color=colour, label=name)
    axes.set_xticks(range(len(rows)), [product for product, _ in rows], fontsize=12, color=INK)
    axes.set_ylim(0, 68)
    axes.grid(axis="x", visible=False)
    axes.legend(loc="upper left", ncols=3)
    return figure


def two_step() -> Figure:
    figure, axes = sketch("二次稀释法")
    steps = [
        ("1 量水", "药桶先加\n总水量的 1/3-1/2", 0.42, SKY),
        ("2 配母液", "0.5-1 L 清水\n充分搅匀", 0.60, ORANGE),
        ("3 倒入药桶", "边倒边搅\n容器洗 3 次", 0.52, GREEN),
        ("4 补足水量", "搅拌 2-3 分钟\n4 小时内喷完", 0.92, GREEN),
    ]
    for i, (name, text, level, colour) in enumerate(steps):
        x = 3 + i * 22.5
        small = i == 1
        width, height = (9.0, 13.0) if small else (15.0, 21.0)
        left, base = x + (15 - width) / 2, 16.0
        axes.add_patch(Rectangle((left, base), width, height * level, facecolor=colour, alpha=0.45))
        axes.plot(
            [left, left, left + width, left + width],
            [base + height, base, base, base + height],
            color=INK,
            linewidth=2.5,
        )
        axes.text(x + 7.5, 43, name, ha="center", fontweight="bold", fontsize=15)
        axes.text(x + 7.5, 9.5, text, ha="center", va="center")
        if i < 3:
            arrow(axes, (x + 16.3, 26), (x + 21.2, 26), INK)
    axes.text(45, 2, "药剂用量以登记标签为准；戴手套和护目镜", ha="center", color=RED)
    return figure


PICTURES: dict[str, Drawer] = {
    "agriculture/crop/rice/images/rice_water_depth_by_stage_2025.png": rice_water,
    "agriculture/crop/soybean/images/soybean_V3_stage_plant_diagram_2024.png": soybean_v3,
    "agriculture/crop/soybean/images/soybean_R5_stage_potassium_chart_2024.png": soybean_potassium,
    "agriculture/crop/wheat/images/wheat_spring_frost_threshold_2025.png": wheat_frost,
    "agriculture/chemical/fertilizer/images/fertilizer_nutrient_content_chart_2025.png": fertilizer,
    "agriculture/chemical/pesticide/images/pesticide_two_step_dilution_diagram_2025.png": two_step,
}
