"""Almanac's entry: command line -> configuration -> one verb.

The only module that reads the environment, and the edge at which every error becomes a message and an exit code.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import importlib
import logging
import os
import signal
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from kb import streams
from kb.errors import AlmanacError, ExitCode
from kb.texts import Lang, language_of_locale, text

if TYPE_CHECKING:
    from kb.cli.choosing import Asker, Chosen
    from kb.config import Config
    from kb.kiosk.maintenance import Outcome
    from kb.kiosk.settings import KioskSettings
    from kb.sizing import Wishes
    from kb.timing import Timing

_PATIENCE_S = 3.0
_ABANDONED_S = 60
# File descriptors below this may have come from whoever started this process.
_INHERITED = 64


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code. Never lets a traceback out."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    streams.prepare()
    try:
        return _guarded(words, _language(words))
    finally:
        streams.let_go()


def _guarded(words: list[str], lang: Lang) -> int:
    """Run one command line; whatever goes wrong becomes a message and an exit code."""
    try:
        if words[:1] == ["_probe"]:
            return _probe(*words[1:3])
        if words[:1] == ["_read"]:
            from kb.memory.reading.child import main as read_document

            return read_document()
        code = _run(words, lang)
        sys.stdout.flush()
        return code
    except AlmanacError as error:
        _complain(text(lang, error.key, **error.params))
        return error.exit_code
    except KeyboardInterrupt:
        _complain(text(lang, "interrupted"))
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return ExitCode.OK
    except Exception as error:  # noqa: BLE001  # the edge: whatever it is, a person gets a sentence
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            _complain(text(lang, "output_full"))
            return ExitCode.ENVIRONMENT
        _complain(_report(error, lang, _option(words, "--home")))
        return ExitCode.INTERNAL


def _run(words: list[str], lang: Lang) -> int:
    from kb.cli.parser import VERBS, parse
    from kb.cli.usage import UsageError, explain

    try:
        found = parse(words, lang)
    except SystemExit as ended:
        # --help and --version end argparse; what they wrote is flushed where a closed pipe is expected.
        return int(ended.code or 0)
    except UsageError as error:
        _complain(explain(error, lang))
        return ExitCode.USAGE
    logging.basicConfig(
        level=logging.INFO if found.verbose else logging.ERROR, stream=sys.stderr, format="%(name)s: %(message)s"
    )
    if found.verb is None:
        return _interface(found, lang, words)
    config = configure(found, lang)
    module, _, function = VERBS[found.verb].runner.partition(":")
    runner = getattr(importlib.import_module(module), function)
    return _interruptible(lambda: int(runner(found, config)), config)


def _interruptible(work: Callable[[], int], config: Config) -> int:
    """Do `work` in a thread, so that Ctrl-C reaches Python and not the middle of a native library.

    On Ctrl-C the work is told to stop and given a moment; then the process ends without it.
    """
    outcome: list[int | BaseException] = []
    # Not `thread.join`: in Python 3.11 an interrupted join takes the thread for ended, and then nothing waits for it.
    ended = threading.Event()

    def target() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001  # raised again in the main thread
            outcome.append(error)
        finally:
            ended.set()

    threading.Thread(target=target, name="verb", daemon=True).start()
    try:
        ended.wait()
    except KeyboardInterrupt:
        config.stop.set()
        if not ended.wait(_PATIENCE_S):
            _complain(text(config.lang, "interrupted"))
            os._exit(ExitCode.INTERRUPTED)
        raise
    result = outcome[0]
    if isinstance(result, BaseException):
        raise result
    return result


def configure(found: Namespace, lang: Lang, place: tuple[Path, str | None] | None = None) -> Config:
    """The configuration of this run, from the command line and the environment; `place`: the home, if it is known."""
    from kb import fsio, paths
    from kb.cli.choosing import choose
    from kb.cli.output import Output
    from kb.config import Config

    paths.keep_importing()
    home, note = place or paths.find_home(found.home, os.environ)
    with contextlib.suppress(OSError):
        # What a killed process left beside its files; one that runs needs its own for milliseconds.
        fsio.sweep_temporaries(home, _ABANDONED_S, time.time())
    environment = dict(os.environ)
    bare = Config(home=home, knowledge=home, lang=lang, home_note=note, environment=environment)
    assets = paths.find_assets(home, Output(bare).progress())
    wishes = _wishes(found, home)

    def over(chosen: Chosen) -> Config:
        return Config(
            home=home,
            home_note=note,
            knowledge=chosen.knowledge,
            tree=chosen.tree,
            lang=lang,
            answer_model=paths.model_file(Path(found.model)) if found.model else assets.answer_model,
            embedder=paths.model_file(Path(found.embedder)) if found.embedder else assets.embedder,
            dictionary=assets.dictionary,
            llama_libs=assets.llama_libs,
            git=assets.git,
            prebuilt_index=chosen.index(assets),
            history_bundle=assets.history_bundle if chosen.is_packed else None,
            program_history=assets.history_bundle,
            licences=assets.licences,
            program_index=assets.prebuilt_index,
            wishes=wishes,
            use_model=wishes.model is not False,
            self_command=paths.self_command(),
            environment=environment,
            lease=chosen.lease,
            released=chosen.route,
        )

    def mend(chosen: Chosen) -> bool:
        from kb.answer.release_runtime import make_again

        progress = Output(bare).progress()
        try:
            return bool(make_again(over(chosen), progress))
        finally:
            progress.clear()

    return over(choose(found, home, assets, _asker(found), mend))


def _wishes(found: Namespace, home: Path) -> Wishes:
    """What the command line wants to be used of this device, and for the rest its profile."""
    from kb.paths import PROFILE
    from kb.sizing import Wishes

    flags = Wishes(
        model=False if found.no_model else None,
        vectors=False if found.no_vectors else None,
        context_tokens=found.context,
        threads=found.threads,
        memory_mb=found.memory_mb,
    )
    if found.profile is None and not (home / PROFILE).is_file():
        return flags
    from kb.answer.device_profile import load  # reads YAML, which takes a while to import

    return flags.over(load(found.profile, home))


def _asker(found: Namespace) -> Asker:
    """Who asks, from the command line, else the environment."""
    from kb.cli.choosing import Asker

    return Asker(
        found.as_agent or os.environ.get("ALMANAC_AGENT", ""),
        found.in_env or os.environ.get("ALMANAC_ENV", "") or "prod",
        found.as_user or os.environ.get("ALMANAC_USER", ""),
    )


def _interface(found: Namespace, lang: Lang, words: list[str]) -> int:
    """Open the interface, or the kiosk; where there is no terminal, in a window, else say how to ask without one."""
    timing = _timing()
    # How long Textual waits whether an Esc begins a key; its own 100 ms are all that stopping an answer may take.
    os.environ.setdefault("ESCDELAY", "30")
    from kb import paths
    from kb.kiosk import settings

    place = paths.find_home(found.home, os.environ)
    kiosk = settings.wanted(place[0], found.kiosk, found.idle, found.keep_gaps, found.theme)
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stdout)):
        from kb.cli import window

        # Somebody who sees standard error sits at a terminal and reads there.
        if window.has_display(os.environ) and not any(map(_is_terminal, (sys.stdin, sys.stdout, sys.stderr))):
            return window.run(words, found.home, os.environ, lang)
        raise AlmanacError("needs_terminal", ExitCode.USAGE)
    if kiosk.enabled:
        return _kiosk(found, lang, words, kiosk)
    config = dataclasses.replace(configure(found, lang, place), way=found.way)
    if timing is not None:
        timing.mark("configuration")
        from tui import opening

        return opening.timed(config, timing)
    from kb import watchdog
    from tui import opening

    watched = watchdog.find(os.environ)

    def examine(lang: str) -> Outcome:
        from kb.cli.kiosk import doctor

        return doctor(found, config)(lang)

    code, idle = opening.person(config, found.theme, watched.heartbeat if watched else None, examine)
    if watched:
        watched.stopping()
    _goodbye(config)
    return _ended(code, idle=idle)


def _ended(code: int, *, idle: bool) -> int:
    """`code`, unless something still computes: then the process ends here and does not wait for it."""
    if not idle:
        os._exit(code)
    return code


def _goodbye(config: Config) -> None:
    print(text(config.lang, "goodbye", home=config.home), flush=True)  # noqa: T201  # the terminal is ours again


def _timing() -> Timing | None:
    """The marks of this start, where `doctor --timing` asked for them."""
    target = os.environ.get("ALMANAC_TIMING")
    if not target:
        return None
    from kb.timing import Timing

    timing = Timing(Path(target))
    timing.mark("program")
    return timing


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether `stream` is a terminal; one that was closed before we started is none."""
    return stream is not None and not stream.closed and stream.isatty()


def _kiosk(found: Namespace, lang: Lang, words: list[str], settings: KioskSettings) -> int:
    """Open the kiosk; it ends by the PIN or by the system. A new start is a new process, which may be a newer file."""
    _deaf()
    from kb.cli.kiosk import maintenance, silence
    from kb.crash import save_report

    silence()
    for name in [name for name in os.environ if name.startswith("TEXTUAL")]:
        del os.environ[name]  # switches of Textual that write what is typed into files, or let signals through
    from kb import installed, watchdog
    from kb.kiosk.pin import Pin
    from tui import opening
    from tui.kiosk.app import Ended, Kiosk

    watched = watchdog.find(os.environ)

    def report(error: BaseException) -> object:
        return save_report(error, found.home, os.environ)

    while True:
        config = dataclasses.replace(configure(found, lang), way=found.way)
        given = Kiosk(
            Pin(config.home), settings.idle, settings.theme, maintenance(found, config),
            watched.heartbeat if watched else None, installed.Watch().is_replaced,
        )  # fmt: skip
        ended, idle = opening.kiosk(config, given, report, keep_gaps=settings.keep_gaps)
        if ended is not Ended.RESTART:
            break
        _deaf()
        for inherited in range(3, _INHERITED):  # such as the lock on this runtime
            with contextlib.suppress(OSError):
                os.set_inheritable(inherited, False)
        os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"  # else the packed program takes itself for its own child
        with contextlib.suppress(OSError):
            os.execv(config.self_command[0], [*config.self_command, *words])
    if watched:
        watched.stopping()
    if ended is Ended.LEFT:
        _goodbye(config)
    return _ended(ExitCode.KIOSK_LEFT if ended is Ended.LEFT else ExitCode.OK, idle=idle)


def _deaf() -> None:
    """Let no key end this process, nor the one that takes its place."""
    for name in ("SIGINT", "SIGQUIT", "SIGTSTP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def _probe(libraries: str, variant: str) -> int:
    """Run as a child: load one CPU library and compute with it; a signal or a non-zero code means «not this one»."""
    import ctypes

    os.environ["LLAMA_CPP_LIB_PATH"] = libraries
    from kb.native import compute_probe

    return compute_probe(ctypes.CDLL, Path(libraries), Path(variant))


def _option(words: list[str], name: str) -> str | None:
    """The value of an option, read before (or without) parsing the whole command line."""
    for place, word in enumerate(words):
        if word == name and place + 1 < len(words):
            return words[place + 1]
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return None


def _language(words: list[str]) -> Lang:
    """--lang, else ALMANAC_LANG, else the locale; needed before the command line is parsed, for its messages."""
    named = _option(words, "--lang")
    if named in ("zh", "en"):
        return "zh" if named == "zh" else "en"
    read = os.environ.get
    return language_of_locale(read("ALMANAC_LANG"), read("LC_ALL"), read("LC_MESSAGES"), read("LANG"))


def _complain(message: str) -> None:
    from kb.plain import visible

    try:
        sys.stderr.write(visible(message) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def _report(error: Exception, lang: Lang, home: str | None) -> str:
    """Save what happened for whoever maintains the machine, and name the file."""
    from kb.crash import save_report

    kind = type(error).__name__
    saved = save_report(error, home, os.environ)
    if saved is None:
        return text(lang, "internal_error_unsaved", kind=kind, message=str(error))
    return text(lang, "internal_error", kind=kind, path=saved)


if __name__ == "__main__":
    sys.exit(main())
