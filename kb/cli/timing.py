"""`almanac doctor --timing`: what a start of the interface spends its time on."""

from __future__ import annotations

import dataclasses
import json
import statistics

from kb import fsio
from kb.cli.output import Output
from kb.cli.terminal import start_once
from kb.config import Config
from kb.errors import ExitCode
from kb.timing import PHASES

_STARTS = 5


@dataclasses.dataclass(frozen=True, slots=True)
class Phase:
    """A phase of a start: when it was reached, and how long it took, in seconds (medians of several starts)."""

    name: str
    reached: float
    took: float


def measure(config: Config, starts: int = _STARTS) -> list[Phase]:
    """Start the interface `starts` times on a pseudo-terminal; RuntimeError when it does not come up."""
    runs: list[dict[str, float]] = []
    with fsio.scratch(config.home) as folder:
        for number in range(starts):
            target = folder / f"{number}.json"
            start_once(config, {"ALMANAC_TIMING": str(target)})
            runs.append(json.loads(target.read_text("utf-8")))
    found: list[Phase] = []
    for before, phase in zip((None, *PHASES), PHASES, strict=False):
        took = statistics.median(run[phase] - (run[before] if before else 0.0) for run in runs)
        found.append(Phase(phase, round(statistics.median(run[phase] for run in runs), 3), round(took, 3)))
    return found


def report(config: Config, *, as_json: bool) -> int:
    """Print the phases; ExitCode.ENVIRONMENT when the interface does not start."""
    output = Output(config)
    try:
        phases = measure(config)
    except RuntimeError as error:
        output.tell("timing_failed", reason=str(error))
        return ExitCode.ENVIRONMENT
    if as_json:
        output.json({"schema": 1, "starts": _STARTS, "phases": [dataclasses.asdict(phase) for phase in phases]})
        return ExitCode.OK
    output.tell("timing_head", starts=_STARTS)
    for phase in phases:
        output.say(f"{phase.reached:7.2f} s  {phase.took:+6.2f}  {output.text(f'timing_{phase.name}')}")
    return ExitCode.OK
