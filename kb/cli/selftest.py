"""`almanac self-test`: does this copy work on this machine? Every part is used once, the screens included."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kb import paths
from kb.answer.models import State
from kb.answer.runtime import Runtime
from kb.cli.output import Output
from kb.cli.terminal import drive_interface
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.search.trust import verify

_MODULES = ("textual.app", "ruamel.yaml", "markdown_it", "numpy", "platformdirs", "Stemmer", "PIL")
_QUESTION = "大豆R5期追施多少钾肥"


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Run all checks and print a line for each; ExitCode.ENVIRONMENT when one fails."""
    output = Output(config)
    runtime = Runtime(config)
    failed = 0
    checks: dict[str, Callable[[], str]] = {
        "imports": _imports,
        "sqlite": _sqlite,
        "knowledge": lambda: _knowledge(runtime),
        "engine": lambda: _engine(runtime),
        "models": lambda: _models(runtime),
        "git": lambda: _git(runtime),
        "question": lambda: _question(runtime),
        "interface": lambda: drive_interface(config, _sample_question(runtime), arguments.patience),
    }
    for name, check in checks.items():
        started = time.perf_counter()
        try:
            detail, good = check(), True
        except Exception as error:  # noqa: BLE001  # a failed check is a result here
            message = output.text(error.key, **error.params) if isinstance(error, AlmanacError) else str(error)
            detail, good = f"{type(error).__name__}: {message}", False
        failed += not good
        output.say(f"{'ok  ' if good else 'FAIL'}  {name:<10} {time.perf_counter() - started:6.2f} s  {detail}")
    with contextlib.suppress(AlmanacError):
        runtime.close()
    output.tell("selftest_failed" if failed else "selftest_passed", failed=failed, count=len(checks))
    return ExitCode.ENVIRONMENT if failed else ExitCode.OK


def _need(condition: bool, what: str) -> None:
    if not condition:
        raise RuntimeError(what)


def _imports() -> str:
    for name in _MODULES:
        importlib.import_module(name)
    return f"{len(_MODULES)} packages"


def _sqlite() -> str:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    connection.close()
    return f"{sqlite3.sqlite_version}, FTS5"


def _knowledge(runtime: Runtime) -> str:
    runtime.retriever.update()
    status = runtime.retriever.status()
    _need(status.documents > 0, "no documents")
    return f"{status.documents} documents, {status.sections} sections, {runtime.version().label or '-'}"


def _engine(runtime: Runtime) -> str:
    status = runtime.load(every_model=True)
    if status.problems:
        raise status.problems[0]
    return f"llama.cpp {status.variant}" if status.variant else "not used on this device"


def _models(runtime: Runtime) -> str:
    config = runtime.config
    for model in (config.embedder, config.answer_model):
        _need(model is not None, "a model is missing")
        assert model is not None
        if model.sha256:
            verify(model)
    if config.dictionary is not None:
        verify(config.dictionary, "dictionary_damaged")
    status, sizing = runtime.status, runtime.models.sizing
    used = (
        (sizing.use_vectors, status.embedder, config.embedder),
        (sizing.use_model, status.answer, config.answer_model),
    )
    _need(all(state is State.READY for wanted, state, _ in used if wanted), "a model is not ready")
    # One that this device cannot carry was checked byte by byte, but is not loaded: `almanac doctor` says why.
    return " + ".join(f"{model.name}{'' if wanted else ' (not used)'}" for wanted, _, model in used if model)


def _git(runtime: Runtime) -> str:
    git = runtime.history.git
    if git is None:
        raise AlmanacError("git_missing")
    if paths.is_frozen():
        _need(git.folder is not None, "not our own git")
    with tempfile.TemporaryDirectory() as folder:
        git.run(Path(folder), "init", "--quiet")
        git.run(Path(folder), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x")
        git.run(Path(folder), "fsck")
    changes = runtime.history.changes(limit=5)
    return f"{git.version()}, {len(changes)} changes"


def _question(runtime: Runtime) -> str:
    """A question is answered, and its first citation holds the quote."""
    answer = runtime.answerer.ask(_sample_question(runtime))
    _need(not answer.refused, "refused")
    evidence = answer.evidence[0]
    lines = (runtime.root / evidence.path).read_text("utf-8-sig").split("\n")
    cited = "\n".join(lines[evidence.lines[0] - 1 : evidence.lines[1]])
    _need(evidence.text.split("\n")[0] in cited, "the citation does not hold the quote")
    if _is_sample(runtime):
        _need("45-60" in answer.text, answer.text)
    return f"{answer.way.value}, {answer.timings.total_ms:.0f} ms, {evidence.path}:{evidence.lines[0]}"


def _is_sample(runtime: Runtime) -> bool:
    return (runtime.root / "agriculture" / "crop" / "soybean").is_dir()


def _sample_question(runtime: Runtime) -> str:
    """A question that the documents answer: of the sample knowledge, else some document's title."""
    return _QUESTION if _is_sample(runtime) else runtime.retriever.documents()[0].title
