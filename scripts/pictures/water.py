"""Irrigation: crop water, soil water, drip layout."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.patches import Circle

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
    box,
    chart,
    sketch,
)


def maize_kc() -> Figure:
    figure, axes = chart("Maize crop coefficient over the season", "Days after planting", "Kc")
    axes.set_ylim(0, 1.45)
    axes.set_xlim(0, 180)
    for start, end, name, colour in (
        (0, 30, "initial", SKY),
        (30, 70, "development", GREEN),
        (70, 120, "mid-season", ORANGE),
        (120, 150, "late", PURPLE),
    ):
        axes.axvspan(start, end, color=colour, alpha=0.14, linewidth=0)
        axes.text((start + end) / 2, 0.06, f"{name}\n{end - start} days", ha="center", color=SOFT, fontsize=12)
    axes.plot([0, 30, 70, 120, 150], [0.30, 0.30, 1.20, 1.20, 0.60], color=BLUE, linewidth=3)
    axes.plot([120, 150], [1.20, 0.35], color=BLUE, linewidth=2, linestyle="--")
    axes.text(3, 0.34, "Kc ini 0.30")
    axes.text(95, 1.24, "Kc mid 1.20", ha="center")
    axes.text(152, 0.62, "0.60 grain\nharvested wet", va="center", fontsize=12)
    axes.text(152, 0.36, "0.35 dried\nin the field", va="center", fontsize=12)
    axes.set_xticks(range(0, 151, 30))
    return figure


def depletion() -> Figure:
    figure, axes = chart("Root zone depletion: irrigate before it reaches RAW", "Day", "Depletion Dr (mm)")
    total, ready = 155, 85
    use = [6.5, 7.0, 7.4, 6.8, 7.2, 7.6, 6.2, 5.9, 6.6, 7.1, 7.5, 7.3, 6.9, 6.4, 6.0]
    rain = {6: 18.0, 22: 25.0}
    day_points: list[tuple[float, float]] = [(0, 0)]
    value = 0.0
    for day in range(1, 31):
        value += use[day % len(use)]
        day_points.append((day, value))
        if day in rain:
            value = max(0.0, value - rain[day])
            day_points.append((day, value))
            left = day - 4.2 if day > 20 else day + 0.6
            axes.text(left, value - 9, f"rain {rain[day]:.0f} mm", color=BLUE, fontsize=12)
        if value > ready - 8:
            axes.text(day - 2.0, value - 56, "irrigation 50 mm net", color=GREEN, fontsize=12)
            value -= 50
            day_points.append((day, value))
    axes.plot(*zip(*day_points, strict=True), color=BLUE, linewidth=2.5)
    axes.axhspan(ready, total, color=RED, alpha=0.10, linewidth=0)
    axes.axhline(ready, color=RED, linewidth=2, linestyle="--")
    axes.axhline(total, color=INK, linewidth=1.5)
    axes.text(30.6, ready + 9, "RAW = 85 mm (p = 0.55)", color=RED, ha="right")
    axes.text(30.6, total - 3, "TAW = 155 mm: wilting point", ha="right", va="bottom")
    axes.text(1, 118, "water stress", color=RED)
    axes.text(0.6, -4, "field capacity", color=SOFT, fontsize=12, va="bottom")
    axes.set_xlim(0, 31)
    axes.set_ylim(168, -10)
    return figure


def drip_layout() -> Figure:
    figure, axes = sketch("滴灌首部与田间管网")
    box(axes, 1, 30, 11, 10, "水源", SKY)
    box(axes, 16, 30, 11, 10, "水泵", BLUE)
    box(axes, 31, 30, 13, 10, "逆止阀\n施肥罐", ORANGE)
    box(axes, 48, 30, 13, 10, "过滤器\n120 目", GREEN)
    box(axes, 65, 30, 13, 10, "压力表\n水表", PURPLE)
    for x in (12, 27, 44, 61):
        arrow(axes, (x, 35), (x + 4, 35), BLUE)
    axes.plot([78, 84, 84], [35, 35, 24], color=BLUE, linewidth=4)
    axes.plot([20, 84], [24, 24], color=BLUE, linewidth=4)
    axes.text(52, 25.2, "干管、支管", ha="center", color=BLUE)
    for x in range(24, 84, 8):
        axes.plot([x, x], [24, 6], color=INK, linewidth=2)
        for y in range(8, 23, 3):
            axes.add_patch(Circle((x, y), 0.55, facecolor=SKY, edgecolor=BLUE))
        axes.plot([x - 0.9, x + 0.9], [5.6, 5.6], color=RED, linewidth=3)
    axes.text(1, 15, "毛管和滴头\n0.1 MPa\n1-3 L/h", va="center")
    arrow(axes, (15, 15), (23, 15), SOFT, width=1.2)
    axes.text(54, 1.5, "末端堵头：打开冲洗，流速不低于 0.3 m/s", ha="center", color=RED)
    axes.text(39, 44, "首部：过滤器压差超过 0.05 MPa 即反冲洗", ha="center", color=SOFT)
    return figure


PICTURES: dict[str, Drawer] = {
    "agriculture/crop/maize/images/maize_season_kc_curve_2024.png": maize_kc,
    "agriculture/irrigation/scheduling/images/soil_water_depletion_curve_2025.png": depletion,
    "agriculture/irrigation/drip/images/drip_system_layout_2025.png": drip_layout,
}
