"""`almanac metrics`: seven figures with their definitions, their trends, and files of both."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from kb import fsio
from kb.answer.runtime import Runtime
from kb.answer.supply_workbench import Workbench
from kb.cli.output import Output
from kb.config import Config
from kb.errors import ExitCode
from kb.supply.metrics_plot import as_csv, as_svg, as_text, spark

_COLUMNS = 78


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Print the figures; with --svg or --csv also write files."""
    output = Output(config)
    bench = Workbench(Runtime(dataclasses.replace(config, use_model=False, embedder=None)))
    found = bench.look().report
    names = [output.text(f"metrics_{trend.key}") for trend in found.trends]
    if arguments.svg:
        fsio.write_text(Path(arguments.svg).absolute(), as_svg(found.trends, names, output.text("metrics_title")))
    if arguments.csv:
        fsio.write_text(Path(arguments.csv).absolute(), as_csv(found.weeks))
    if arguments.json:
        output.json(
            {
                "schema": 1,
                "figures": [
                    {**dataclasses.asdict(one), "definition": output.text(f"metrics_{one.key}_definition")}
                    for one in found.figures
                ],
                "weeks": [dataclasses.asdict(week) for week in found.weeks],
            }
        )
        return ExitCode.OK
    plain = config.environment.get("TERM") in ("dumb", "linux")
    trends = {trend.key: trend for trend in found.trends}
    for figure in found.figures:
        trend = trends.get(figure.key)
        line = f"{output.text(f'metrics_{figure.key}')}: {figure.shown(config.lang)}"
        output.say(f"{line}   {spark(trend.values, plain=plain)}" if trend else line)
        output.say(f"    {output.text(f'metrics_{figure.key}_definition')}")
    if found.weeks:
        output.say("")
        for line in as_text(found.trends, names, _COLUMNS):
            output.say(line)
        output.tell("metrics_span", first=found.weeks[0].monday, last=found.weeks[-1].monday)
    return ExitCode.OK
