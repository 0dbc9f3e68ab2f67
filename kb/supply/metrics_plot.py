"""Trends drawn: as characters for a terminal, as SVG, as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, fields
from xml.sax.saxutils import escape

from kb.supply.metrics import Trend
from kb.supply.metrics_rollup import Week

_BLOCKS = "▁▂▃▄▅▆▇█"
_ASCII = "_.-=+*#@"
_NONE = "·"
# Distinguishable without colour too: each line has its own dashes and its name at the end.
_DASHES = ("none", "6 3", "2 3")
_COLOURS = ("#1b6e3c", "#7a4b00", "#1d4e89")
_MARKS = "ox+"
_MARGIN = " " * 7
_ROWS = 7
_WIDEST_STEP = 6
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 760, 300, 48, 36, 150, 40


def spark(values: Sequence[float | None], *, plain: bool = False) -> str:
    """One character a value (0..1), `·` for none; ASCII where the terminal has nothing else."""
    signs = _ASCII if plain else _BLOCKS
    return "".join(
        ("." if plain else _NONE) if value is None else signs[min(int(value * len(signs)), len(signs) - 1)]
        for value in values
    )


def as_text(trends: Sequence[Trend], names: Sequence[str], width: int) -> list[str]:
    """The trends as a plot of at most `width` columns: percent at the left, weeks below, a mark for each trend.

    Marks are letters and signs of ASCII: every terminal has them, and all in one width. Of trends that meet in a place
    the later ones move to the right. [] where nothing was counted.
    """
    days = trends[0].weeks if trends else ()
    if not any(value is not None for trend in trends for value in trend.values):
        return []
    room = max(width - len(_MARGIN), len(days))
    step = min(room // len(days), _WIDEST_STEP)
    columns = step * len(days)
    grid = [[" "] * columns for _ in range(_ROWS)]
    for trend, mark in zip(trends, _MARKS, strict=False):
        for week, value in enumerate(trend.values):
            if value is None:
                continue
            row = grid[round((1 - value) * (_ROWS - 1))]
            free = (place for place in range(week * step, (week + 1) * step) if row[place] == " ")
            if (place := next(free, None)) is not None:
                row[place] = mark
    labels = {0: "100 %", (_ROWS - 1) // 2: "50 %", _ROWS - 1: "0 %"}
    lines = [f"{labels.get(number, ''):>5} |{''.join(row)}".rstrip() for number, row in enumerate(grid)]
    lines.append(f"{'':>5} +{'-' * columns}")
    first, last = f"{days[0]:%m-%d}", f"{days[-1]:%m-%d}"
    # Two dates that would meet: the first one alone says where the plot begins.
    lines.append(_MARGIN + (first + last.rjust(columns - len(first)) if columns > 2 * len(first) else first))
    legend = [f"{mark} {name}" for mark, name in zip(_MARKS, names, strict=False)]
    together = "   ".join(legend)
    # A wide character counts twice.
    broad = sum(1 if char.isascii() else 2 for char in together)
    return [*lines, together] if broad <= width else [*lines, *legend]


def as_csv(weeks: Sequence[Week]) -> str:
    """The weekly sums with a header, lines ended as RFC 4180 wants them."""
    written = io.StringIO()
    writer = csv.DictWriter(written, [field.name for field in fields(Week)])
    writer.writeheader()
    writer.writerows(asdict(week) for week in weeks)
    return written.getvalue()


def as_svg(trends: Sequence[Trend], names: Sequence[str], title: str) -> str:
    """The trends as lines between 0 % and 100 %, their names at the right. SVG 1.1, no script, no link."""
    inner_width, inner_height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><title>{escape(title)}</title><rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="20" font-size="15">{escape(title)}</text>',
    ]
    for percent in (0, 25, 50, 75, 100):
        y = _TOP + inner_height * (1 - percent / 100)
        parts.append(
            f'<path d="M{_LEFT} {y:.1f}H{_LEFT + inner_width}" stroke="#cccccc"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>'
        )
    days = trends[0].weeks if trends else ()
    step = inner_width / max(len(days) - 1, 1)
    for number, day in enumerate(days):
        if number % 3 == 0 or number == len(days) - 1:
            parts.append(
                f'<text x="{_LEFT + number * step:.1f}" y="{_HEIGHT - 18}" text-anchor="middle">{day:%m-%d}</text>'
            )
    labels: list[float] = []
    for number, (trend, name) in enumerate(zip(trends, names, strict=True)):
        colour, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
        places = [
            (_LEFT + place * step, _TOP + inner_height * (1 - value))
            for place, value in enumerate(trend.values)
            if value is not None
        ]
        if not places:
            continue
        path = " ".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y) in enumerate(places))
        y = places[-1][1]
        while any(abs(y - other) < 14 for other in labels):
            y += 14
        labels.append(y)
        parts.append(
            f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
            + "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
            + f'<text x="{_WIDTH - _RIGHT + 10}" y="{y + 4:.1f}" fill="{colour}">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"
