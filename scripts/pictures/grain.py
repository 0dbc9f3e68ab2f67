"""Stored grain."""

from __future__ import annotations

import math

from matplotlib.figure import Figure

from pictures.style import (
    BLUE,
    GREEN,
    ORANGE,
    RED,
    SOFT,
    Drawer,
    chart,
)


def grain_emc() -> Figure:
    figure, axes = chart(
        "Equilibrium moisture at 20 °C (68 °F)", "Relative humidity (%)", "Grain moisture (% wet basis)"
    )
    humidity = list(range(25, 91))
    for name, k, n, c, colour, line in (
        ("hard wheat", 2.3008e-5, 2.2857, 55.815, ORANGE, "--"),
        ("corn", 8.6541e-5, 1.8634, 49.810, BLUE, "-"),
        ("soybean", 30.5327e-5, 1.2164, 134.136, GREEN, "-."),
    ):
        dry = [(-math.log(1 - h / 100) / (k * (20 + c))) ** (1 / n) for h in humidity]
        wet = [100 * m / (100 + m) for m in dry]
        axes.plot(humidity, wet, color=colour, linewidth=3, linestyle=line, label=name)
    axes.axvline(65, color=SOFT, linestyle=":", linewidth=1.5)
    axes.text(64.3, 4.2, "above 65 % moulds grow", color=SOFT, ha="right")
    axes.legend(loc="upper left")
    axes.set_xlim(25, 92)
    axes.set_ylim(3, 23)
    return figure


def rice_moisture() -> Figure:
    figure, axes = chart("稻谷温度与安全水分上限", "粮温（℃）", "安全水分上限（%）")
    grain = [5, 10, 20, 30]
    for name, values, colour, line, mark in (
        ("晚粳稻", (18.0, 17.0, 16.0, 15.0), BLUE, "-", "o"),
        ("早中粳稻", (17.0, 16.0, 15.0, 14.0), ORANGE, "--", "s"),
        ("中晚籼稻", (16.5, 15.5, 14.5, 13.5), GREEN, "-.", "^"),
        ("早籼稻", (16.0, 15.0, 14.0, 13.0), RED, ":", "D"),
    ):
        axes.plot(grain, values, color=colour, linewidth=3, linestyle=line, marker=mark, markersize=8)
        axes.text(30.6, values[-1], f"{name} {values[-1]:.1f}", color=colour, va="center", fontweight="bold")
    axes.set_xlim(3, 37)
    axes.set_ylim(12, 19)
    axes.set_xticks(grain)
    axes.text(36.5, 18.4, "温度越高，安全水分越低", ha="right", color=SOFT)
    return figure


PICTURES: dict[str, Drawer] = {
    "agriculture/storage/grain/images/grain_emc_curve_20c_2025.png": grain_emc,
    "agriculture/storage/grain/images/grain_rice_temperature_moisture_chart_2025.png": rice_moisture,
}
