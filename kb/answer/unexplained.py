"""What a diagnosis saw and no document explains, told to the distiller as a gap."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable

from kb.answer.agent.values import Report
from kb.config import Config
from kb.errors import AlmanacError
from kb.supply import questions


def note_unexplained(
    report: Report,
    config: Config,
    clock: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
) -> None:
    """Put down each code of `report` that the documents do not know, unless nothing may be kept or the data is the
    sample. A disk that is full keeps nobody from the report."""
    if report.sample or config.read_only or not config.keep_answers:
        return
    for code in report.unexplained:
        with contextlib.suppress(AlmanacError):
            questions.report_code(config.home, code, report.question, clock().isoformat(timespec="seconds"))
