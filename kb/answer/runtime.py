"""One run of Almanac: the parts that a question needs, made when first needed, models in the background."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb import __version__, fsio, native, paths
from kb.config import Config, ModelFile, ProgressReport, no_progress
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError
from kb.tree.walk import resolve_root
from kb.versions.git import Git
from kb.versions.history import History, KnowledgeVersion

# The interface draws its first screen before any of these is loaded: numpy and the rest take half a second.
if TYPE_CHECKING:
    from kb.answer.answer import Limit, MadeWith
    from kb.answer.answerer import Answerer, Policy
    from kb.answer.journal import Journal
    from kb.answer.model import TextModel
    from kb.search.embedder import Embedder
    from kb.search.engine import Model
    from kb.search.retriever import Retriever
    from kb.versions.damage import Damage

_log = logging.getLogger(__name__)


class State(StrEnum):
    """Where a model stands. `spare`: it is there, and answers are quotes, which do not need it."""

    ABSENT = "absent"
    SPARE = "spare"
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """What the status line and the doctor show of the models; load times in seconds."""

    answer: State = State.ABSENT
    embedder: State = State.ABSENT
    variant: str = ""
    problem: AlmanacError | None = None
    answer_s: float = 0.0
    embedder_s: float = 0.0


class Runtime:
    """Owns retriever, history, models and answerer of one configuration."""

    def __init__(self, config: Config, policy: Policy | None = None) -> None:
        self.config = config
        self.root = resolve_root(config.knowledge)
        self._policy = policy
        self._making = threading.RLock()
        self._retriever: Retriever | None = None
        self._answerer: Answerer | None = None
        self._journal: Journal | None = None
        self.history = History(
            self.root, Git.find(config.git), config.history_bundle, config.home / "history" / _key(self.root)
        )
        self._status = EngineStatus(
            State.LOADING if config.answer_model and config.use_model else State.ABSENT,
            State.LOADING if config.embedder else State.ABSENT,
        )
        self._version: KnowledgeVersion | None = None
        self._text_model: TextModel | None = None
        self._embedder: Embedder | None = None
        self._vocabulary: Model | None = None
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def retriever(self) -> Retriever:
        """Search over the tree, made when first needed."""
        with self._making:
            if self._retriever is None:
                from kb.search.retriever import Retriever

                self._retriever = Retriever(self.root, index_folder(self.config, self.root))
            return self._retriever

    @property
    def answerer(self) -> Answerer:
        """Questions and answers, made when first needed."""
        with self._making:
            if self._answerer is None:
                from kb.answer.answer import Way
                from kb.answer.answerer import Answerer, Policy

                policy = self._policy or Policy(
                    way=Way(self.config.way) if self.config.way else None, budget=self.config.token_budget
                )
                self._answerer = Answerer(
                    self.retriever,
                    self.version,
                    lambda: self._text_model,
                    policy,
                    journal=self.journal if self.config.keep_answers else None,
                    made_with=self._made_with,
                    limits_for=self._limits_for,
                )
            return self._answerer

    @property
    def journal(self) -> Journal:
        """What was asked and answered, kept in the home folder."""
        with self._making:
            if self._journal is None:
                from kb.answer.journal import Journal

                self._journal = Journal(self.config.home)
            return self._journal

    def _limits_for(self, question: str) -> tuple[Limit, ...]:
        """What structured memory knows to restrict the things that `question` names; nothing without a memory."""
        from kb.answer.answer import Limit

        if not people_path(self.config.home, PeopleData.MEMORY).is_file():
            return ()
        from kb.memory.client import MemoryClient
        from kb.memory.store import MemoryStore

        try:
            with MemoryStore(self.config.home) as store:
                found = MemoryClient(store).constraints_for(question)
        except AlmanacError as error:
            _log.warning("memory could not be asked: %s", error)
            return ()
        return tuple(Limit(note.kind, note.text, note.entity, note.place.path, note.place.lines) for note in found)

    def _made_with(self) -> MadeWith:
        from kb.answer import prompts
        from kb.answer.answer import MadeWith

        return MadeWith(
            program=__version__,
            model=self._text_model.source.identity if self._text_model else "",
            embedder=self.config.embedder.identity if self._embedder and self.config.embedder else "",
            prompt=prompts.VERSION,
        )

    @property
    def status(self) -> EngineStatus:
        """The models' state now."""
        return self._status

    @property
    def text_model(self) -> TextModel | None:
        """The answer model, None while it is not loaded."""
        return self._text_model

    def version(self) -> KnowledgeVersion:
        """The knowledge version, found once."""
        if self._version is None:
            self._version = self.history.version()
        return self._version

    def damage(self) -> Damage | None:
        """What is damaged in knowledge or people's data, as far as a look from outside tells; a few milliseconds."""
        from kb.versions.damage import look

        return look(self.config.home, self.root, self.config.home / paths.BACKUPS)

    def start(self, report: ProgressReport = no_progress, *, embed_missing: bool = True) -> None:
        """Load the models in a thread; with `embed_missing`, then give every section its vector."""

        def work() -> None:
            self.load(report)
            if embed_missing:
                with contextlib.suppress(AlmanacError):
                    self.embed_missing(report)

        thread = threading.Thread(target=work, name="engine", daemon=True)
        self._threads.append(thread)
        thread.start()

    def embed_missing(self, report: ProgressReport = no_progress) -> int:
        """Give every section that has none its vector; returns how many were made. Ends early on `close`."""
        if self._embedder is None:
            return 0
        return self.retriever.embed_missing(self._embedder.embed_passages, report, self.stopped)

    def stopped(self) -> bool:
        """Whether background work should end: this runtime is closed, or the run was interrupted."""
        return self._stop.is_set() or self.config.stop.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the models are loaded or given up; True when they are."""
        return self._ready.wait(timeout)

    def load(self, report: ProgressReport = no_progress, *, every_model: bool = False) -> EngineStatus:
        """Load what answers need; a model that cannot be used leaves the rest working.

        The answer model is only loaded where it words answers (`wording.default_way`), or with `every_model`.
        """
        config = self.config
        try:
            if not (config.embedder or (config.answer_model and config.use_model)):
                return self._status
            self._load_backend()
            self._load_embedder(report)
            self._load_answer_model(report, wanted=every_model)
        except AlmanacError as error:
            failed = State.FAILED
            self._note(
                answer=failed if self._status.answer is State.LOADING else self._status.answer,
                embedder=failed if self._status.embedder is State.LOADING else self._status.embedder,
                problem=error,
            )
        finally:
            self._ready.set()
        return self._status

    def _load_backend(self) -> None:
        from kb.search import engine

        config = self.config
        probe = native.child_probe(config.self_command, config.llama_libs or Path())
        variant = native.choose(config.llama_libs, config.home / "native.json", probe)
        engine.load_backend(variant.parent, variant)
        self._note(variant=native.variant_name(variant))

    def _load_embedder(self, report: ProgressReport) -> None:
        source = self.config.embedder
        if source is None or self.stopped():
            return
        from kb.search.embedder import Embedder

        started = time.perf_counter()
        try:
            self._trust(source, report)
            self._embedder = Embedder(source)
            made = self._embedder
            self.retriever.use_embedder(source.identity, made.dimensions, made.embed_query, made.embed_passages)
            self._note(embedder=State.READY, embedder_s=time.perf_counter() - started)
        except AlmanacError as error:
            self._note(embedder=State.FAILED, problem=error)

    def _load_answer_model(self, report: ProgressReport, *, wanted: bool) -> None:
        source = self.config.answer_model
        if source is None or not self.config.use_model or self.stopped():
            return
        from kb.answer.answer import Way
        from kb.answer.model import TextModel, has_template

        way = self.answerer.policy.way
        words = way in (Way.SELECT, Way.COMPOSE) or (way is None and has_template(source))
        if not words and not wanted:
            self._note(answer=State.SPARE)
            return
        started = time.perf_counter()
        try:
            self._trust(source, report)
            self._text_model = TextModel(source, self.threads)
            self._note(answer=State.READY, answer_s=time.perf_counter() - started)
            self._warm(self._text_model)
        except AlmanacError as error:
            self._note(answer=State.FAILED, problem=error)

    def _warm(self, model: TextModel) -> None:
        """Give the model the beginning that all prompts share: as an earlier run kept it, else by reading it."""
        from kb.answer import calibration, prefix, prompts

        beginning = prompts.examples(self.config.lang) if not model.template else ""
        if not self.config.threads:
            calibration.calibrate(model, self.threads, self.config.home / "threads.json", self._status.variant)
        if beginning:
            prefix.warm(model, beginning, self.config.home / "prefix", f"{prompts.VERSION}-{self._status.variant}")

    @property
    def embedder(self) -> Embedder | None:
        """The embedder, once it is loaded."""
        return self._embedder

    def load_embedder(self, report: ProgressReport = no_progress) -> EngineStatus:
        """Load the embedder alone, now; where it cannot be used, search by words goes on."""
        if self.config.embedder is not None and self._embedder is None:
            try:
                self._load_backend()
                self._load_embedder(report)
            except AlmanacError as error:
                self._note(embedder=State.FAILED, problem=error)
        return self._status

    def token_counter(self, report: ProgressReport = no_progress) -> Callable[[str], int] | None:
        """The answer model's own count of tokens, from its vocabulary alone where it is not loaded; None without it.

        AlmanacError when the model or the libraries cannot be used.
        """
        if self._text_model is not None:
            return self._text_model.count
        source = self.config.answer_model
        if source is None or self.config.llama_libs is None:
            return None
        from kb.search import engine

        with self._making:
            if self._vocabulary is None:
                self._trust(source, report)
                self._load_backend()
                self._vocabulary = engine.Model(source, vocabulary_only=True)
            made = self._vocabulary
        return lambda text: len(made.tokens(text))

    @property
    def threads(self) -> int:
        """Threads for the answer model, at most."""
        from kb.search import engine

        return self.config.threads or engine.default_threads()

    def _note(self, **changes: Any) -> None:
        self._status = replace(self._status, **changes)

    def _trust(self, source: ModelFile, report: ProgressReport) -> None:
        """Check a model's digest, once for each state of its file; a changed byte is seen before loading."""
        try:
            state = source.path.stat()
        except OSError as error:
            raise AlmanacError("unreadable", path=source.path, reason=error.strerror) from error
        key = hashlib.sha256(
            f"{source.path}\0{state.st_ino}\0{state.st_size}\0{state.st_mtime_ns}\0{source.offset}\0{source.sha256}"
            .encode()
        ).hexdigest()  # fmt: skip
        memory = self.config.home / "verified.json"
        try:
            known = json.loads(memory.read_text("utf-8"))
        except (OSError, ValueError):
            known = []
        if key in known:
            return
        from kb.search import engine

        report("verify", 0, 1)
        engine.verify(source)
        report("verify", 1, 1)
        with contextlib.suppress(AlmanacError):
            fsio.write_text(memory, json.dumps([*known[-15:], key]))

    def close(self) -> None:
        """Stop background work and free the models. Waits for the running batch, not for the whole."""
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=30)
        if any(thread.is_alive() for thread in self._threads):
            return
        for model in (self._text_model, self._embedder, self._vocabulary):
            if model is not None:
                model.close()
        self._text_model = self._embedder = self._vocabulary = None
        if self._retriever is not None:
            self._retriever.close()
        if self._journal is not None:
            self._journal.close()


def _key(root: Path) -> str:
    return hashlib.sha256(str(root).encode()).hexdigest()[:16]


def index_folder(config: Config, root: Path) -> Path:
    """Where the index of `root` lies: prebuilt beside unpacked knowledge, else in the home folder."""
    if config.prebuilt_index is not None and root == config.knowledge.resolve():
        return config.prebuilt_index
    return config.home / "index" / _key(root)
