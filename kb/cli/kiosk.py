"""`almanac kiosk`: the PIN of the maintenance screen, the settings; and what that screen can do, each as a process."""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from kb.cli.output import Output
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.kiosk import settings
from kb.kiosk.maintenance import Maintenance, Outcome, Work
from kb.kiosk.pin import LEAST_DIGITS, MOST_DIGITS, Pin, acceptable
from kb.plain import visible
from kb.texts import text

_LONGEST_S = 1800.0
_SHOWN_LINES = 200


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Set or remove the PIN, or say how this copy behaves as a kiosk."""
    output = Output(config)
    if arguments.action == "status":
        return _status(arguments.json, config, output)
    pin = Pin(config.home)
    if arguments.remove:
        output.tell("kiosk_pin_removed" if pin.remove() else "kiosk_pin_none")
        return ExitCode.OK
    pin.set(_asked(config))
    output.tell("kiosk_pin_set")
    return ExitCode.OK


def _status(as_json: bool, config: Config, output: Output) -> int:
    found = settings.load(config.home)
    pin = Pin(config.home)
    if as_json:
        output.json({"schema": 1, "file": config.home / settings.FILE_NAME, "pin": pin.is_set, **asdict(found)})
        return ExitCode.OK
    output.tell("kiosk_file", path=config.home / settings.FILE_NAME)
    output.tell("kiosk_enabled_yes" if found.enabled else "kiosk_enabled_no")
    output.tell("kiosk_idle_is", seconds=found.idle)
    output.tell("kiosk_gaps_kept" if found.keep_gaps else "kiosk_gaps_not_kept")
    output.tell("kiosk_pin_is_set" if pin.is_set else "kiosk_pin_is_not_set")
    return ExitCode.OK


# -- asking for the PIN ------------------------------------------------------------------------------------------


def _asked(config: Config) -> str:
    """The new PIN: typed twice without echo, or one line of standard input where that is no terminal."""
    if not sys.stdin.isatty():
        return acceptable(sys.stdin.readline().strip())
    say = partial(text, config.lang)
    first = acceptable(_hidden(say("kiosk_pin_ask", least=LEAST_DIGITS, most=MOST_DIGITS), config))
    if _hidden(say("kiosk_pin_again"), config) != first:
        raise AlmanacError("kiosk_pin_differs", ExitCode.USAGE)
    return first


def _hidden(prompt: str, config: Config) -> str:
    """A line typed without echo. The terminal is put back also when the run is interrupted."""
    if sys.platform == "win32":
        import getpass

        return getpass.getpass(prompt).strip()
    import termios

    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    silent = termios.tcgetattr(handle)
    silent[3] &= ~termios.ECHO
    sys.stderr.write(prompt)
    sys.stderr.flush()
    try:
        termios.tcsetattr(handle, termios.TCSADRAIN, silent)
        while not select.select([handle], [], [], 0.1)[0]:
            if config.stop.is_set():
                raise KeyboardInterrupt
        return os.read(handle, 4096).decode("utf-8", "replace").strip()
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
        sys.stderr.write("\n")


# -- maintenance -------------------------------------------------------------------------------------------------


def maintenance(found: argparse.Namespace, config: Config) -> Maintenance:
    """What the maintenance screen can do. Each is a verb in a process of its own, so that it cannot harm the kiosk."""
    from kb.cli.parser import VERBS

    work = partial(_verb, config, _options(found, config))
    updates = "update" in VERBS
    return Maintenance(
        look_for_update=partial(work, ("update", "check")) if updates else None,
        update=partial(work, ("update", "--yes")) if updates else None,
        undo_update=partial(work, ("update", "--undo")) if updates else None,
        back_up=partial(work, ("backup",)),
        examine=doctor(found, config),
    )


def doctor(found: argparse.Namespace, config: Config) -> Work:
    """`almanac doctor` in a process of its own: it loads every model, beside those that are in use."""
    return partial(_verb, config, _options(found, config), ("doctor",))


def _options(found: argparse.Namespace, config: Config) -> list[str]:
    """What the command line of this run named, for a verb about the same home, knowledge and models."""
    options = ["--home", str(config.home)]
    for name in ("knowledge", "model", "embedder", "in_env"):
        if value := getattr(found, name):
            options += [f"--{name.replace('_', '-')}", str(value)]
    return options


def _verb(config: Config, options: Sequence[str], words: Sequence[str], lang: str) -> Outcome:
    """Run a verb of this program; what it says, also when it fails, is the outcome. It is told of the terminal, and
    never sees it.

    With exit code 3 it found nothing to do.
    """
    size = shutil.get_terminal_size()
    told = {"COLUMNS": str(size.columns), "LINES": str(size.lines), "PYTHONIOENCODING": "utf-8"}
    try:
        done = subprocess.run(
            [*config.self_command, *words, *options, "--lang", lang], env={**config.environment, **told},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=_LONGEST_S,
            start_new_session=True, check=False,
        )  # fmt: skip
    except OSError as error:
        raise AlmanacError("kiosk_work_failed", reason=error.strerror or str(error)) from error
    except subprocess.TimeoutExpired as error:
        raise AlmanacError("kiosk_work_late", minutes=round(_LONGEST_S / 60)) from error
    said = done.stdout.decode("utf-8", "replace").splitlines()
    lines = tuple(visible(line) for line in said[-_SHOWN_LINES:])
    return Outcome(lines, done.returncode in (ExitCode.OK, ExitCode.NO_ANSWER), done.returncode == ExitCode.OK)


def silence() -> None:
    """Let nothing but the interface write to the terminal, and no question get into a log."""
    import logging

    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
    root.addHandler(logging.NullHandler())
    with contextlib.suppress(AttributeError):
        logging.raiseExceptions = False
