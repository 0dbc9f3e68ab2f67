"""Reports of faults in the program: saved, redacted, ten at most; writing one never raises.

A report says where in the code something went wrong, never about what: no message of the error (it may quote a question
or a document), no command line, no environment, no folder or name of the person.
"""

from __future__ import annotations

import contextlib
import datetime
import platform
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path

from kb import __version__, fsio, paths
from kb.errors import AlmanacError

KEPT = 10
_PATTERN = "report-*.txt"
# Of a recursion without end, the first and the last frames say where it went round.
_FRAMES = 40


def save_report(error: BaseException, home: str | None, environment: Mapping[str, str]) -> Path | None:
    """Write a report of `error` into <home>/reports and return its path; None when that is not possible."""
    try:
        folder = paths.find_home(home, environment)[0] / "reports"
        lines = [f"almanac {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"]
        for number, part in enumerate(_chain(error)):
            lines += ["", *(["while that was handled:"] if number else []), _named(part), *_places(part)]
        target = folder / f"report-{datetime.datetime.now():%Y%m%d-%H%M%S-%f}.txt"
        fsio.write_text(target, "\n".join(lines) + "\n")
        _keep_ten(folder, target)
        return target
    except (AlmanacError, OSError, RuntimeError):
        return None


def _keep_ten(folder: Path, newest: Path) -> None:
    """Remove the oldest; what a clock that was ahead has named counts as older than what it names since it is right."""
    others = [path for path in folder.glob(_PATTERN) if path != newest]
    others.sort(key=lambda path: (path.name <= newest.name, path.name))
    for old in others[: max(0, len(others) - KEPT + 1)]:
        with contextlib.suppress(OSError):
            old.unlink()


def _chain(error: BaseException) -> Iterator[BaseException]:
    """`error` first, then what it was raised from or during; each once."""
    seen: set[int] = set()
    part: BaseException | None = error
    while part is not None and id(part) not in seen:
        seen.add(id(part))
        yield part
        part = part.__cause__ or (None if part.__suppress_context__ else part.__context__)


def _named(error: BaseException) -> str:
    """The kind of the error, and what the system calls it; its own message is left out."""
    kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    if isinstance(error, OSError) and error.errno is not None:
        return f"{kind}: errno {error.errno}"
    if isinstance(error, AlmanacError):
        return f"{kind}: {error.key}"
    return f"{kind} (message of {len(str(error))} characters left out)"


def _places(error: BaseException) -> list[str]:
    """The frames of `error`, innermost last: file below the program or its libraries, line, function."""
    frames = [
        f"  {_shortened(frame.f_code.co_filename)}:{line} in {frame.f_code.co_name}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    if len(frames) <= _FRAMES:
        return frames
    half = _FRAMES // 2
    return [*frames[:half], f"  … {len(frames) - 2 * half} more", *frames[-half:]]


def _shortened(file: str) -> str:
    """`kb/search/index.py` or `textual/app.py`: no folder that a person or a machine was named for."""
    path = Path(file)
    with contextlib.suppress(ValueError):
        return path.relative_to(paths.project_root()).as_posix()
    parts = path.parts
    for mark in ("site-packages", "dist-packages"):
        if mark in parts:
            return "/".join(parts[parts.index(mark) + 1 :])
    return "/".join(parts[-2:]) if len(parts) > 2 and not file.startswith("<") else path.name
