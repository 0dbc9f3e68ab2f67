"""Pumps: curves and the pressure test."""

from __future__ import annotations

from matplotlib.figure import Figure

from pictures.style import (
    BLUE,
    GREEN,
    RED,
    SKY,
    SOFT,
    Drawer,
    chart,
)


def pump_curve(words: dict[str, str]) -> Figure:
    figure, axes = chart(words["title"], words["x"], words["y"])
    flows = list(range(0, 161, 2))
    head = [38 - 0.0008 * q * q for q in flows]
    required = [1.6 + 0.00019 * q * q for q in flows]
    available = [6.2 - 0.00011 * q * q for q in flows]
    axes.plot(flows, head, color=BLUE, linewidth=3)
    axes.set_ylim(0, 42)
    axes.set_xlim(0, 165)
    axes.text(6, 39, words["head"], color=BLUE)
    axes.plot([100], [30], "o", color=BLUE, markersize=9)
    axes.annotate(words["duty"], (100, 30), (108, 33.5), color=BLUE, arrowprops={"arrowstyle": "-", "color": BLUE})
    right = axes.twinx()
    right.set_ylim(0, 14)
    right.set_ylabel(words["y2"])
    right.grid(False)
    right.spines["right"].set_visible(True)
    right.plot(flows, required, color=RED, linewidth=3)
    right.plot(flows, available, color=GREEN, linewidth=3, linestyle="--")
    limit = next(q for q, a, r in zip(flows, available, required, strict=True) if a - r < 0.6)
    right.axvspan(limit, 165, color=RED, alpha=0.10, linewidth=0)
    right.text(6, 0.55, words["required"], color=RED)
    right.text(6, 6.6, words["available"], color=GREEN)
    right.text((limit + 165) / 2, 0.5, words["zone"], color=RED, ha="center", fontsize=12)
    return figure


def pump_curve_en() -> Figure:
    return pump_curve(
        {
            "title": "Pump curve and NPSH (example pump)",
            "x": "Flow Q (m³/h)",
            "y": "Head H (m)",
            "y2": "NPSH (m)",
            "head": "Head",
            "duty": "duty point 100 m³/h, 30 m",
            "required": "NPSH required",
            "available": "NPSH available",
            "zone": "cavitation\nmargin < 0.6 m",
        }
    )


def pump_curve_zh() -> Figure:
    return pump_curve(
        {
            "title": "水泵性能曲线与汽蚀余量（示例泵）",
            "x": "流量 Q（m³/h）",
            "y": "扬程 H（m）",
            "y2": "汽蚀余量 NPSH（m）",
            "head": "扬程",
            "duty": "工况点 100 m³/h、30 m",
            "required": "必需汽蚀余量",
            "available": "有效汽蚀余量",
            "zone": "汽蚀区\n余量小于 0.6 m",
        }
    )


def pressure_test() -> Figure:
    figure, axes = chart("10 MPa 耐压试验：逐级升压与保压", "时间（分钟）", "压力（MPa）")
    t, points = 0.0, [(0.0, 0.0)]
    labels: list[tuple[float, float, str]] = []
    for level, hold in ((2.5, 5), (5.0, 5), (7.5, 5), (10.0, 10), (6.5, 30), (0.0, 0)):
        t += abs(level - points[-1][1]) / 2 + 0.5
        points.append((t, level))
        if hold:
            labels.append((t + hold / 2, level, f"{level:g} MPa，{hold} 分钟"))
            t += hold
            points.append((t, level))
    times, levels = [x for x, _ in points], [y for _, y in points]
    axes.fill_between(times, levels, color=SKY, alpha=0.25, linewidth=0)
    axes.plot(times, levels, color=BLUE, linewidth=3)
    for x, y, text in labels:
        if y in (2.5, 5.0, 7.5):  # short steps: below the line, where the filled area leaves room
            axes.text(x - 2.3, y - 0.2, text, va="top", fontsize=12)
        else:
            axes.text(x, y + 0.2, text, ha="center", va="bottom", fontsize=12)
    axes.axhline(6.5, color=GREEN, linestyle="--", linewidth=1.5)
    axes.text(0.5, 6.65, "工作压力 6.5 MPa", color=GREEN, fontsize=12)
    axes.set_ylim(0, 12.5)
    axes.set_xlim(0, 80)
    axes.annotate(
        "近前检查渗漏",
        (52, 6.5),
        (50, 3.2),
        fontsize=12,
        color=SOFT,
        arrowprops={"arrowstyle": "-|>", "color": SOFT},
    )
    return figure


PICTURES: dict[str, Drawer] = {
    "machinery/pump/centrifugal/images/pump_curve_npsh_en_2025.png": pump_curve_en,
    "machinery/pump/centrifugal/images/pump_curve_npsh_zh_2025.png": pump_curve_zh,
    "machinery/pump/plunger/images/pressure_test_10mpa_steps_2025.png": pressure_test,
}
