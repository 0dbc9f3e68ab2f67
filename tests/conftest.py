"""Fences around every test: no real home folder, no network; and the fixtures that several folders share."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import agent_main
from kb import native, paths
from kb.answer.answerer import Answerer
from kb.answer.text_model import TextModel
from kb.paths import Assets
from kb.search import engine as engine_module
from kb.search.embedder import Embedder
from kb.search.retriever import Retriever
from kb.versions import publish, routes, snapshot
from kb.versions.git import Git
from kb.versions.registry import Registered, Registry
from kb.versions.releases import BuiltIndex
from kb.versions.routes import Actor, Environment
from kb.versions.snapshot import Author
from kb.versions.source import Source
from tests.helpers import (
    DATA,
    DAY,
    MOMENT,
    PROJECT,
    Done,
    Program,
    WordIndex,
    commit_all,
    copy_program,
    git,
    has_git,
    write,
)

settings.register_profile(
    "ci", derandomize=True, max_examples=80, deadline=None, database=None, print_blob=False,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.register_profile("long", settings.get_profile("ci"), derandomize=False, max_examples=3000)
settings.load_profile("ci")

_NEEDS_MODELS_OR_PROCESS = {"engine", "chat_model", "program", "real_program", "meaning"}


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> None:
    """A job that a shell started in the background ignores Ctrl-C, and so would every program that a test starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that uses the models or starts the program is slow, without having to say so."""
    for item in items:
        if _NEEDS_MODELS_OR_PROCESS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


class Fence:
    """An audit hook: refuses network connections and any change in the real home folder.

    What was refused is remembered, so that a test fails even when the code under test swallows the error.
    """

    _PATHS = frozenset({"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "sqlite3.connect"})
    _NETWORK = frozenset({"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"})
    _WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def __init__(self) -> None:
        home = Path.home().resolve()
        self.home = f"{home}{os.sep}"
        self.free = tuple(
            f"{folder}{os.sep}" for folder in (PROJECT, Path(sys.prefix), Path(tempfile.gettempdir()).resolve())
        )
        self.private = tuple(str(home / part / "almanac") for part in (".local/share", ".config", ".local/state"))
        self.cut_off = _no_network_here()
        self.refused: list[str] = []

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if event in self._PATHS:
            self._check_path(event, args)
        elif event in self._NETWORK:
            self._check_network(event, args)

    def _check_path(self, event: str, args: tuple[Any, ...]) -> None:
        writing = not (event == "open" and not (isinstance(args[2], int) and args[2] & self._WRITING))
        for named in args[: 2 if event == "os.rename" else 1]:
            if not isinstance(named, (str, bytes, os.PathLike)):
                continue
            path = os.path.abspath(os.fsdecode(named))  # noqa: PTH100  # resolving would audit itself
            inside = writing and path.startswith(self.home) and not path.startswith(self.free)
            if inside or path.startswith(self.private):
                self._refuse(f"{event} {path}: the real home folder")

    def _check_network(self, event: str, args: tuple[Any, ...]) -> None:
        if self.cut_off or (isinstance(args[0], socket.socket) and args[0].family == socket.AF_UNIX):
            return
        self._refuse(f"{event} {args[1:]}: the network")

    def _refuse(self, what: str) -> None:
        self.refused.append(what)
        raise AssertionError(f"a test touched {what}")


def _no_network_here() -> bool:
    """Whether this process sees no interface but loopback (`unshare --net`)."""
    try:
        return all(name == "lo" for _, name in socket.if_nameindex())
    except OSError:
        return False


FENCE = Fence()
_HOMES = itertools.count()
sys.addaudithook(FENCE)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home folder of the test's own; fails the test when the real one or the network was touched."""
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_HOMES))
    home.mkdir(parents=True)
    for name, folder in (
        ("HOME", home),
        ("XDG_DATA_HOME", home / ".local/share"),
        ("XDG_CONFIG_HOME", home / ".config"),
        ("XDG_CACHE_HOME", home / ".cache"),
        ("XDG_STATE_HOME", home / ".local/state"),
        ("ALMANAC_HOME", home / "almanac"),
    ):
        monkeypatch.setenv(name, str(folder))
    for name in ("ALMANAC_LANG", "LC_ALL", "LC_MESSAGES", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    before = len(FENCE.refused)
    yield home
    refused = FENCE.refused[before:]
    del FENCE.refused[before:]
    assert not refused, refused


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small knowledge tree: Chinese and English, tables, taxonomy, one expired, one future, one draft document."""
    root = tmp_path / "knowledge"
    shutil.copytree(DATA / "tree", root)
    return root


@pytest.fixture
def empty_tree(tmp_path: Path) -> Path:
    """A folder for the test's own documents."""
    root = tmp_path / "documents"
    root.mkdir()
    return root


@pytest.fixture
def repository(tree: Path) -> Path:
    """`tree` without its draft, as a Git repository with one commit."""
    if not has_git():
        pytest.skip("there is no git program on this machine")
    (tree / "agriculture/crop/rice/seed_soaking_2025_v1.md").unlink()
    git(tree, "init", "--quiet", "-b", "main")
    commit_all(tree, "docs(all): first")
    return tree


@pytest.fixture
def source(repository: Path) -> Source:
    """The repository as versions see it."""
    return Source.find(repository, Git.find(None))


@dataclass(frozen=True)
class Published:
    """A home with releases: makes and switches them, with the stand-in embedder."""

    home: Path
    source: Source
    index: WordIndex

    def make(self, files: dict[str, str] | None = None) -> tuple[Registered, BuiltIndex | None]:
        """Change `files` of the tree, take a snapshot and build its release."""
        for path, text in (files or {}).items():
            write(self.source.root, path, text)
        taken = snapshot.take(self.source, Author("agronomy-desk"), include_changes=True)
        with Registry.open(self.home) as registry:
            return publish.make(self.home, registry, self.source, taken, self.index, now=MOMENT)

    def switch(self, release: Registered, agent: str = "", weight: int = 100) -> None:
        """Make a release live in prod."""
        with Registry.open(self.home) as registry:
            where: tuple[str, Environment] = (agent, "prod")
            routes.activate(registry, where, release, Actor("agronomy-desk"), now=MOMENT, weight=weight)


@pytest.fixture
def published(source: Source, tmp_path: Path) -> Published:
    """Nothing made yet."""
    return Published(tmp_path / "home", source, WordIndex())


@pytest.fixture
def retriever(tree: Path, tmp_path: Path) -> Iterator[Retriever]:
    """Search over `tree`, words only."""
    made = Retriever(tree, tmp_path / "index")
    yield made
    made.close()


@pytest.fixture
def answerer(retriever: Retriever) -> Answerer:
    """Answers from `tree` in quotes, as of DAY."""
    return Answerer(retriever, clock=lambda: DAY)


@dataclass(frozen=True)
class CommandLine:
    """Runs the command line in this process, without models unless a test gives some."""

    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str) -> Done:
        self.capture.readouterr()
        try:
            code = agent_main.main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        shown = self.capture.readouterr()
        return Done(int(code), shown.out, shown.err)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line over no assets at all: name the documents with --knowledge."""

    def nothing(home: Path, report: Callable[[str, int, int], None] | None = None) -> Assets:
        return Assets()

    monkeypatch.setattr(paths, "find_assets", nothing)
    return CommandLine(capsys)


@pytest.fixture(scope="session")
def program_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """agent_main.py of a copy without models and documents."""
    return copy_program(tmp_path_factory.mktemp("program") / "almanac")


@pytest.fixture
def program(program_source: Path, own_home: Path) -> Program:
    """The program as a process, without models: starts fast."""
    return Program(program_source, own_home)


@dataclass(frozen=True)
class Engine:
    """The real models."""

    assets: Assets
    embedder: Embedder
    text_model: TextModel
    variant: Path


def _real_assets() -> Assets:
    if not (PROJECT / "build" / "assets.json").is_file():
        pytest.skip("build/assets.json is absent: run `make run` (scripts/bootstrap.py) once to get the models")
    return paths.find_assets(Path("/nonexistent"))


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The real embedder and answer model, loaded once."""
    assets = _real_assets()
    assert assets.llama_libs is not None
    assert assets.embedder is not None
    assert assets.answer_model is not None
    memory = tmp_path_factory.mktemp("engine") / "native.json"
    variant = native.choose(assets.llama_libs, memory, native.child_probe(paths.self_command(), assets.llama_libs))
    engine_module.load_backend(variant.parent, variant)
    loaded = Engine(assets, Embedder(assets.embedder), TextModel(assets.answer_model, 1), variant)
    yield loaded
    loaded.text_model.close()
    loaded.embedder.close()


@pytest.fixture(scope="session")
def chat_model(engine: Engine) -> Iterator[TextModel]:
    """A real instruction-tuned model: SmolLM2 135M, English."""
    named = json.loads((PROJECT / "build" / "assets.json").read_text("utf-8")).get("chat_model")
    if named is None:
        pytest.skip("no chat model in build/assets.json: scripts/bootstrap.py --dev fetches it")
    loaded = TextModel(paths.model_file(Path(named)), 1)
    yield loaded
    loaded.close()


@pytest.fixture(scope="session")
def warm_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that remembers checked models and the CPU library, so that only the first program pays for it."""
    return tmp_path_factory.mktemp("warm")


@pytest.fixture
def real_program(own_home: Path, warm_home: Path) -> Program:
    """The program as a process, with the real models."""
    _real_assets()
    return Program(PROJECT / "agent_main.py", warm_home)
