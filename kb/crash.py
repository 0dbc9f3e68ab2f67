"""Reports of faults in the program: saved, redacted, ten at most; writing one never raises."""

from __future__ import annotations

import contextlib
import platform
import re
import time
import traceback
from collections.abc import Mapping
from pathlib import Path

from kb import __version__, fsio, paths
from kb.errors import AlmanacError

KEPT = 10


def save_report(error: BaseException, home: str | None, environment: Mapping[str, str]) -> Path | None:
    """Write a report of `error` into <home>/reports and return its path; None when that is not possible.

    It holds code locations and the error, no questions and no documents; the user's folder is written as ~.
    """
    try:
        folder = paths.find_home(home, environment)[0] / "reports"
        lines = [f"almanac {__version__}, Python {platform.python_version()}, {platform.platform()}", ""]
        lines += traceback.format_exception(type(error), error, error.__traceback__)
        target = folder / f"report-{time.strftime('%Y%m%d-%H%M%S')}.txt"
        fsio.write_text(target, _redact("\n".join(lines)))
        for old in sorted(folder.glob("report-*.txt"))[:-KEPT]:
            with contextlib.suppress(OSError):
                old.unlink()
        return target
    except (AlmanacError, OSError, RuntimeError):
        return None


def _redact(report: str) -> str:
    with contextlib.suppress(RuntimeError):
        report = report.replace(str(Path.home()), "~")
    return re.sub(r"(?i)(token|password|secret|key)=\S+", r"\1=…", report)
