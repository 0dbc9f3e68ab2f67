"""Draw the pictures of the knowledge tree (docs/**/images/*.png).

Not part of the product: the PNGs are committed, this script only makes them again. It needs matplotlib,
Pillow and fonttools in a scratch environment and Noto Sans CJK (Debian package fonts-noto-cjk):

    python3 -m venv /tmp/imgvenv && /tmp/imgvenv/bin/pip install matplotlib pillow fonttools
    /tmp/imgvenv/bin/python scripts/make_images.py [part of a file name ...]

The output is deterministic: no dates, no random numbers, a fixed palette.
"""

from __future__ import annotations

import io
import math
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from fontTools.ttLib import TTCollection
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Ellipse, FancyArrowPatch, FancyBboxPatch, Polygon, Rectangle
from matplotlib.text import Text
from PIL import Image

DOCS = Path(__file__).resolve().parent.parent / "docs"
CJK = Path("/usr/share/fonts/opentype/noto")
MAX_BYTES = 60_000

# Okabe-Ito: told apart with every common form of colour blindness.
BLUE, ORANGE, GREEN, RED, SKY, PURPLE, YELLOW = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#56B4E9",
    "#CC79A7",
    "#F0E442",
)
INK, SOFT, GRID, PAPER = "#1F2933", "#52606D", "#D9E2EC", "#FFFFFF"

Drawer = Callable[[], Figure]
PICTURES: dict[str, Drawer] = {}


def picture(path: str) -> Callable[[Drawer], Drawer]:
    """Register a drawing function under its path below docs/."""

    def keep(function: Drawer) -> Drawer:
        PICTURES[path] = function
        return function

    return keep


def use_chinese_font() -> None:
    """Take the simplified Chinese face out: matplotlib reads only the first (Japanese) of a collection."""
    folder = Path(tempfile.mkdtemp(prefix="almanac-font-"))
    for weight in ("Regular", "Bold"):
        for face in TTCollection(str(CJK / f"NotoSansCJK-{weight}.ttc")).fonts:
            if face["name"].getDebugName(1).startswith("Noto Sans CJK SC"):
                target = folder / f"sc-{weight}.otf"
                face.save(str(target))
                font_manager.fontManager.addfont(str(target))
                break
    plt.rcParams.update(
        {
            "font.family": ["Noto Sans CJK SC", "DejaVu Sans"],
            "font.size": 13,
            "axes.titlesize": 17,
            "axes.titleweight": "bold",
            "axes.titlepad": 14,
            "axes.titlelocation": "left",
            "axes.edgecolor": SOFT,
            "axes.labelcolor": INK,
            "text.color": INK,
            "xtick.color": SOFT,
            "ytick.color": SOFT,
            "axes.grid": True,
            "grid.color": GRID,
            "grid.linewidth": 0.8,
            "axes.axisbelow": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.unicode_minus": False,
            "legend.frameon": False,
            "figure.facecolor": PAPER,
            "mathtext.fontset": "dejavusans",
            "figure.constrained_layout.w_pad": 0.14,
            "figure.constrained_layout.h_pad": 0.12,
        }
    )


def chart(title: str, x: str = "", y: str = "") -> tuple[Figure, Axes]:
    figure, axes = plt.subplots(figsize=(9, 5.6), dpi=100, layout="constrained")
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return figure, axes


def sketch(title: str) -> tuple[Figure, Axes]:
    """A drawing area of 90 x 50 units without axes."""
    figure, axes = chart(title)
    axes.set_axis_off()
    axes.set_xlim(0, 90)
    axes.set_ylim(0, 50)
    axes.set_aspect("equal")
    return figure, axes


def arrow(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str = INK,
    style: str = "-|>",
    line: str = "-",
    width: float = 1.8,
) -> None:
    axes.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle=style,
            mutation_scale=16,
            color=colour,
            linestyle=line,
            linewidth=width,
            shrinkA=0,
            shrinkB=0,
        )
    )


def box(axes: Axes, x: float, y: float, w: float, h: float, text: str, colour: str, size: float = 13) -> None:
    axes.add_patch(
        FancyBboxPatch(
            (x, y),
            w,
            h,
            boxstyle="round,pad=0,rounding_size=1.2",
            facecolor=colour + "22",
            edgecolor=colour,
            linewidth=1.8,
        )
    )
    axes.text(x + w / 2, y + h / 2, text, ha="center", va="center", fontsize=size)


# --- pumps ---


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


@picture("machinery/pump/centrifugal/images/pump_curve_npsh_en_2025.png")
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


@picture("machinery/pump/centrifugal/images/pump_curve_npsh_zh_2025.png")
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


@picture("machinery/pump/plunger/images/pressure_test_10mpa_steps_2025.png")
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


# --- sprayer ---


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


@picture("machinery/sprayer/boom/images/nozzle_overlap_110deg_en_2025.png")
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


@picture("machinery/sprayer/boom/images/nozzle_overlap_110deg_zh_2025.png")
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


# --- tractor ---


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


@picture("machinery/tractor/maintenance/images/tractor_service_interval_chart_en_2025.png")
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


@picture("machinery/tractor/maintenance/images/tractor_service_interval_chart_2025.png")
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


@picture("machinery/tractor/engine/images/diesel_preheat_time_chart_2025.png")
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


@picture("machinery/tractor/engine/images/diesel_preheat_time_chart_zh_2025.png")
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


# --- water ---


@picture("agriculture/crop/maize/images/maize_season_kc_curve_2024.png")
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


@picture("agriculture/irrigation/scheduling/images/soil_water_depletion_curve_2025.png")
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


@picture("agriculture/irrigation/drip/images/drip_system_layout_2025.png")
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


# --- grain, poultry ---


@picture("agriculture/storage/grain/images/grain_emc_curve_20c_2025.png")
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


@picture("livestock/poultry/management/images/brooder_temperature_curve_2025.png")
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


@picture("agriculture/storage/grain/images/grain_rice_temperature_moisture_chart_2025.png")
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


@picture("livestock/poultry/management/images/chick_brooding_temperature_curve_2025.png")
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


@picture("livestock/pig/management/images/pig_vaccination_timeline_2025.png")
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


# --- crops ---


@picture("agriculture/crop/rice/images/rice_water_depth_by_stage_2025.png")
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


@picture("agriculture/crop/soybean/images/soybean_V3_stage_plant_diagram_2024.png")
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


@picture("agriculture/crop/soybean/images/soybean_R5_stage_potassium_chart_2024.png")
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


@picture("agriculture/crop/wheat/images/wheat_spring_frost_threshold_2025.png")
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


# --- chemicals ---


@picture("agriculture/chemical/fertilizer/images/fertilizer_nutrient_content_chart_2025.png")
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


@picture("agriculture/chemical/pesticide/images/pesticide_two_step_dilution_diagram_2025.png")
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


# --- service desk ---


@picture("service_desk/payment/gateway/images/payment_timeout_sequence_2026.png")
def payment_sequence() -> Figure:
    figure, axes = sketch("支付超时：先查单，后重试")
    columns = {"终端机": 10.0, "支付网关": 45.0, "银行": 80.0}
    for name, x in columns.items():
        box(axes, x - 8, 45, 16, 4.6, name, BLUE, 14)
        axes.plot([x, x], [45, 1], color=SOFT, linewidth=1.2, linestyle=(0, (4, 4)))
    a, b, c = columns.values()

    def message(y: float, start: float, end: float, text: str, colour: str = INK, line: str = "-") -> None:
        arrow(axes, (start, y), (end, y), colour, line=line)
        axes.text((start + end) / 2, y + 0.7, text, ha="center", va="bottom", color=colour, fontsize=12)

    message(40, a, b, "支付请求（连接超时 3 s）")
    message(37, b, c, "扣款请求")
    axes.text(62.5, 33.2, "10 s 内无应答", ha="center", color=RED, fontsize=12)
    message(29.5, b, a, "ERR_TIMEOUT（读取超时 10 s）", RED, "--")
    message(24.5, a, b, "查单：每 5 s 一次，最多 6 次", GREEN)
    message(19.5, b, a, "未支付", GREEN, "--")
    message(14.5, a, b, "重试：1 s、3 s 后，最多 2 次", BLUE)
    message(11, b, c, "扣款请求（同一订单号）", BLUE)
    message(6.5, c, b, "成功", BLUE, "--")
    message(3, b, a, "已支付", BLUE, "--")
    axes.add_patch(Rectangle((b - 0.7, 29.5), 1.4, 10.5, facecolor=RED, alpha=0.35))
    return figure


def save(path: str, figure: Figure) -> int:
    """Write a palette PNG without any metadata that changes; return its size."""
    for text in figure.findobj(Text):
        text.set_linespacing(1.4)  # the lines of Noto Sans CJK touch otherwise
    raw = io.BytesIO()
    figure.savefig(raw, format="png", metadata={"Software": None})
    plt.close(figure)
    small = (
        Image.open(raw).convert("RGB").quantize(colors=96, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    )
    target = DOCS / path
    target.parent.mkdir(parents=True, exist_ok=True)
    small.save(target, format="PNG", optimize=True)
    return target.stat().st_size


def main(wanted: list[str]) -> int:
    use_chinese_font()
    too_big = 0
    for path, draw in sorted(PICTURES.items()):
        if wanted and not any(word in path for word in wanted):
            continue
        size = save(path, draw())
        too_big += size > MAX_BYTES
        print(f"{size:7d} {path}")
    return 1 if too_big else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
