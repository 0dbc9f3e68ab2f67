"""`almanac doctor`: what this machine and this copy are, and for each thing that is wrong its remedy."""

from __future__ import annotations

import argparse
import dataclasses
import errno
import os
import platform
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from kb import __version__, fsio, paths
from kb.answer.models import State
from kb.answer.runtime import Runtime
from kb.cli import timing
from kb.cli.index import problem_text
from kb.cli.output import Output
from kb.config import Config, ModelFile
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError, ExitCode
from kb.versions.damage import newest


@dataclass(frozen=True, slots=True)
class Line:
    """One finding: a label key, its value, and a remedy when something is wrong."""

    label: str
    value: str
    remedy: str = ""


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Print the findings, or with --timing the phases of a start; ExitCode.ENVIRONMENT when something is wrong."""
    if arguments.timing:
        return timing.report(config, as_json=arguments.json)
    output = Output(config)
    lines = list(findings(config, output))
    if arguments.json:
        output.json({"schema": 1, "findings": [dataclasses.asdict(line) for line in lines]})
    else:
        width = max(_columns(output.text(line.label)) for line in lines)
        for line in lines:
            label = output.text(line.label)
            output.say(f"{'!' if line.remedy else ' '} {label}{' ' * (width - _columns(label))}  {line.value}")
            if line.remedy:
                output.say(f"  {' ' * width}  -> {line.remedy}")
    return ExitCode.ENVIRONMENT if any(line.remedy for line in lines) else ExitCode.OK


def _columns(label: str) -> int:
    """Width on screen: a Chinese character takes two columns."""
    return sum(2 if char > "\u2e7f" else 1 for char in label)


def findings(config: Config, output: Output) -> Iterator[Line]:
    """All findings, in the order in which they are printed."""
    packed = output.text("doctor_packed" if paths.is_frozen() else "doctor_source")
    yield Line("doctor_program", f"almanac {__version__} ({packed}), Python {platform.python_version()}")
    yield Line("doctor_machine", f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPU, {_memory()}")
    free = fsio.free_mb(config.home)
    yield Line(
        "doctor_home",
        f"{config.home} ({free} MB)",
        output.text("home_temporary", path=config.home) if config.home_note else "",
    )
    yield from _locked(config, output)
    started = time.perf_counter()
    runtime = Runtime(config)
    try:
        yield from _sizing(runtime, output)
        yield from _knowledge(runtime, output)
        yield from _models(runtime, output)
        yield from _git(runtime, output)
        yield from _recovery(runtime, output)
    finally:
        runtime.close()
    yield Line("doctor_sqlite", sqlite3.sqlite_version)
    yield from _terminal(config, output)
    yield Line("doctor_memory", f"{_peak()} MB, {time.perf_counter() - started:.1f} s")


def _locked(config: Config, output: Output) -> Iterator[Line]:
    """What people create and cannot be written, as after a start as another user: its folder, or files in it."""
    folder = people_path(config.home, PeopleData.ANSWERS).parent
    for path in (folder, *sorted(folder.glob("*"))):
        if path.exists() and not os.access(path, os.W_OK):
            yield Line(
                "doctor_people", str(path), output.text("not_writable", path=path, reason=os.strerror(errno.EACCES))
            )


def _sizing(runtime: Runtime, output: Output) -> Iterator[Line]:
    """What the device has for us, and what is used of it, with the reasons."""
    device, sizing = runtime.models.device, runtime.models.sizing
    said = output.text(
        "device_unknown" if device.memory_mb is None else "device_memory",
        memory=device.memory_mb, by=output.text(f"device_by_{device.memory_by}"),
        cores=device.cores, cores_by=output.text(f"device_by_{device.cores_by}"),
    )  # fmt: skip
    if device.address_mb is not None:
        said += ", " + output.text("device_addresses", addresses=device.address_mb)
    if sizing.memory_mb != device.memory_mb:
        said += "; " + output.text("device_capped", memory=sizing.memory_mb)
    yield Line("doctor_device", said)
    for label, used, choice in (
        ("doctor_use_model", sizing.use_model, sizing.model_choice),
        ("doctor_use_vectors", sizing.use_vectors, sizing.vectors_choice),
    ):
        reason = output.text(choice.reason, needed=choice.needed_mb, memory=sizing.memory_mb)
        yield Line(label, f"{output.text('sizing_on' if used else 'sizing_off')} ({reason})")
    if not sizing.use_model:
        return
    tokens = output.text("sizing_tokens", tokens=sizing.context_tokens)
    yield Line("doctor_use_context", f"{tokens} ({output.text(sizing.context_choice)})")
    cores = output.text(sizing.threads_choice, cores=device.cores)
    yield Line("doctor_use_threads", f"{sizing.threads} ({cores})")


def _memory() -> str:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1_000_000
        return f"{total} MB"
    except (ValueError, OSError, AttributeError):
        return "?"


def _peak() -> str:
    """The most memory that this process has held, in MB."""
    if sys.platform == "win32":
        return "?"
    import resource

    return str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def _knowledge(runtime: Runtime, output: Output) -> Iterator[Line]:
    runtime.retriever.update(output.progress())
    status = runtime.retriever.status()
    version = runtime.version()
    yield Line(
        "doctor_knowledge",
        f"{runtime.root} ({status.documents})",
        "" if status.documents else output.text("root_empty", path=runtime.root),
    )
    label = " ".join(part for part in (version.tag, version.commit[:10], version.manifest[:10], version.date) if part)
    yield Line("doctor_version", label or output.text("version_unknown"))
    for problem in status.problems[:20]:
        yield Line("doctor_document", f"{problem.path}:{problem.line}",
                   problem_text(problem.reason, problem.detail, output))  # fmt: skip


def _models(runtime: Runtime, output: Output) -> Iterator[Line]:
    config = runtime.config
    started = time.perf_counter()
    status = runtime.load(every_model=True)
    spent = time.perf_counter() - started

    def remedy(part: str) -> str:
        problem = status.why.get(part)
        return output.text(problem.key, **problem.params) if problem else ""

    variant, threads = status.variant or "-", output.text("doctor_threads", count=runtime.threads)
    yield Line("doctor_engine", f"llama.cpp {variant}, {threads}, {spent:.2f} s",
               "" if status.variant or not config.embedder else remedy("embedder"))  # fmt: skip
    for label, part, model, state, load_s in (
        ("doctor_answer_model", "answer", config.answer_model, status.answer, status.answer_s),
        ("doctor_embedder", "embedder", config.embedder, status.embedder, status.embedder_s),
        ("doctor_dictionary", "dictionary", config.dictionary, status.dictionary, 0.0),
    ):
        if model is None:
            yield Line(label, "-", output.text("dictionary_missing" if part == "dictionary" else "model_missing"))
        else:
            yield Line(label, _described(model, output.text(f"tui_info_state_{state}"), load_s), remedy(part))
    counts = runtime.retriever.status()
    ready = f"{counts.embedded}/{counts.sections}"
    left = status.embedder is State.READY and counts.embedded < counts.sections
    yield Line("doctor_vectors", output.text("vectors_left", ready=ready) if left else ready)


def _described(model: ModelFile, state: str, load_s: float) -> str:
    place = f" @ {model.offset}" if model.offset else ""
    digest = f"sha256 {model.sha256 or '-'}{place}"
    return f"{model.name}, {model.size // 1_000_000} MB, {state}, {load_s:.2f} s, {digest}"


def _git(runtime: Runtime, output: Output) -> Iterator[Line]:
    git = runtime.history.git
    if git is None:
        yield Line("doctor_git", "-", output.text("git_missing"))
        return
    try:
        own = output.text("doctor_own") if git.folder else git.program
        yield Line("doctor_git", f"{git.version()} ({own})")
    except AlmanacError as error:
        yield Line("doctor_git", git.program, output.text(error.key, **error.params))


def _recovery(runtime: Runtime, output: Output) -> Iterator[Line]:
    folder = runtime.config.home / paths.BACKUPS
    latest = newest(folder)
    yield Line("doctor_backup", str(latest) if latest else output.text("backup_none", path=folder))
    found = runtime.damage()
    if found is not None:
        source = latest or runtime.config.program_history
        remedy = output.text("damage_remedy", path=source) if source else output.text("damage_no_backup")
        yield Line("doctor_damage", output.text(f"damage_{found.what.value}", path=found.path), remedy)


def _terminal(config: Config, output: Output) -> Iterator[Line]:
    size = shutil.get_terminal_size()
    kind = config.environment.get("TERM", "-")
    encoding = sys.stdout.encoding or "-"
    remedies: list[str] = []
    if "utf" not in encoding.lower():
        remedies.append(output.text("doctor_encoding", encoding=encoding))
    if kind == "linux":
        remedies.append(output.text("doctor_console_font"))
    yield Line("doctor_terminal", f"TERM={kind}, {size.columns}x{size.lines}, {encoding}", "; ".join(remedies))
