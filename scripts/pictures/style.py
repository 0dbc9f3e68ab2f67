"""What all pictures share: palette, fonts, charts, sketches, arrows and boxes."""

from __future__ import annotations

import io
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
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.text import Text
from PIL import Image

CJK = Path("/usr/share/fonts/opentype/noto")

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


def save(target: Path, figure: Figure) -> int:
    """Write a palette PNG without any metadata that changes; return its size."""
    for text in figure.findobj(Text):
        text.set_linespacing(1.4)  # the lines of Noto Sans CJK touch otherwise
    raw = io.BytesIO()
    figure.savefig(raw, format="png", metadata={"Software": None})
    plt.close(figure)
    small = (
        Image.open(raw).convert("RGB").quantize(colors=96, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    small.save(target, format="PNG", optimize=True)
    return target.stat().st_size
