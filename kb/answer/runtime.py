"""One run of Almanac: the parts that a question needs, made when first needed, models in the background."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kb import __version__, paths
from kb.answer.models import EngineStatus, Models
from kb.config import Config, ProgressReport, no_progress
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError
from kb.tree.walk import resolve_root
from kb.versions.git import Git
from kb.versions.history import History, KnowledgeVersion

# The interface draws its first screen before any of these is loaded: numpy and the rest take half a second.
if TYPE_CHECKING:
    from kb.answer.answer import Limit, MadeWith, Way
    from kb.answer.answerer import Answerer, Policy
    from kb.answer.journal import Journal
    from kb.answer.text_model import TextModel
    from kb.search.embedder import Embedder
    from kb.search.retriever import Retriever
    from kb.search.snapshot import Filter
    from kb.versions.damage import Damage

_log = logging.getLogger(__name__)
_LATELY = 500  # answers
_LIMITS_READ = 60

PATIENCE_S = 30.0


class Runtime:
    """Owns retriever, history, models and answerer of one configuration.

    Its knowledge is one tree or release for good; `over` gives a runtime with the same models over another release.
    """

    def __init__(self, config: Config, policy: Policy | None = None, models: Models | None = None) -> None:
        self.config = config
        self.root = resolve_root(config.knowledge)
        self._policy = policy
        self._making = threading.RLock()
        self._retriever: Retriever | None = None
        self._answerer: Answerer | None = None
        self._journal: Journal | None = None
        self.history = History(
            self.root, Git.find(config.git), config.history_bundle, paths.history_of(config.home, self.root)
        )
        self._owns_models = models is None
        self.models = models or Models(config, self._way)
        self._version: KnowledgeVersion | None = None
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def over(self, knowledge: Path, index: Path, lease: object) -> Runtime:
        """A runtime over the release at `knowledge`, by the same models, which stay this one's: close it first."""
        config = replace(
            self.config, knowledge=knowledge, prebuilt_index=index, history_bundle=None, lease=lease
        )  # fmt: skip
        return Runtime(config, self._policy, self.models)

    def _way(self) -> Way | None:
        return self.answerer.policy.way

    @property
    def retriever(self) -> Retriever:
        """Search over the tree, made when first needed."""
        with self._making:
            if self._retriever is None:
                from kb.search.retriever import Retriever

                self._retriever = Retriever(self.root, index_folder(self.config, self.root))
                self.models.attach(self._retriever)
            return self._retriever

    @property
    def answerer(self) -> Answerer:
        """Questions and answers, made when first needed."""
        with self._making:
            if self._answerer is None:
                from kb.answer.answer import Way
                from kb.answer.answerer import Answerer, Policy

                policy = self._policy or Policy(
                    way=Way(self.config.way) if self.config.way else None,
                    budget=self.models.sizing.token_budget(self.config.token_budget),
                )
                self._answerer = Answerer(
                    self.retriever,
                    self.version,
                    lambda: self.models.text_model,
                    policy,
                    journal=self.kept_journal,
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

                self._journal = Journal(self.config.home, only_gaps=not self.config.keep_answers)
            return self._journal

    @property
    def kept_journal(self) -> Journal | None:
        """The journal where this run keeps answers or gaps, else None."""
        return self.journal if self.config.keep_answers or self.config.keep_gaps else None

    def uses(self) -> Mapping[str, int]:
        """How often each document (by path) was cited lately, as far as answers are kept in the home folder."""
        if not people_path(self.config.home, PeopleData.ANSWERS).is_file():
            return {}
        try:
            return self.journal.uses(_LATELY)
        except AlmanacError as error:
            _log.warning("kept answers could not be read: %s", error)
            return {}

    def _limits_for(self, question: str, limits: Filter) -> tuple[Limit, ...]:
        """What structured memory knows to restrict the things that `question` names; nothing without a memory.

        Memory may hold documents of other trees, and what a document said before: a limit of a document counts while
        this tree has it, it passes `limits`, and says so. A file from outside any tree has an absolute path.
        """
        from kb.answer.answer import Limit

        if not people_path(self.config.home, PeopleData.MEMORY).is_file():
            return ()
        from kb.memory.client import MOST_NOTES, MemoryClient
        from kb.memory.store import MemoryStore

        try:
            with MemoryStore(self.config.home) as store:
                found = MemoryClient(store).constraints_for(question, _LIMITS_READ)
        except AlmanacError as error:
            _log.warning("memory could not be asked: %s", error)
            return ()
        said = self.retriever.saying([(note.place.path, note.place.quote) for note in found], limits)
        return tuple(
            Limit(note.kind, note.text, note.entity, note.place.path, note.place.lines)
            for note, stands in zip(found, said, strict=True)
            if stands or Path(note.place.path).is_absolute()
        )[:MOST_NOTES]

    def _made_with(self) -> MadeWith:
        from kb.answer import prompts
        from kb.answer.answer import MadeWith

        return MadeWith(
            program=__version__,
            model=self.text_model.source.identity if self.text_model else "",
            embedder=self.config.embedder.identity if self.embedder and self.config.embedder else "",
            prompt=prompts.VERSION,
        )

    @property
    def status(self) -> EngineStatus:
        """The models' state now."""
        return self.models.status

    @property
    def text_model(self) -> TextModel | None:
        """The answer model, None while it is not loaded."""
        return self.models.text_model

    @property
    def embedder(self) -> Embedder | None:
        """The embedder, once it is loaded."""
        return self.models.embedder

    @property
    def threads(self) -> int:
        """Threads for the answer model, at most."""
        return self.models.threads

    def version(self) -> KnowledgeVersion:
        """The knowledge version, found once."""
        if self._version is None:
            self._version = self.history.version()
        return self._version

    def damage(self) -> Damage | None:
        """What is damaged in knowledge or people's data, as far as a look from outside tells; a few milliseconds."""
        from kb.versions.damage import look

        return look(self.config.home, self.config.kept.root, self.config.home / paths.BACKUPS)

    def start(self, report: ProgressReport = no_progress, *, embed_missing: bool = True) -> None:
        """Load the models in a thread; with `embed_missing`, then give every section its vector. Once a runtime.

        A second copy on the same home leaves that to the first: both would do the same, on the same cores.
        """
        if self._threads:
            return

        def work() -> None:
            if self._owns_models:
                self.load(report)
            else:
                self.models.wait()
            if embed_missing and not self.config.read_only:
                with contextlib.suppress(AlmanacError):
                    self.embed_missing(report)

        thread = threading.Thread(target=work, name="engine", daemon=True)
        self._threads.append(thread)
        thread.start()

    def embed_missing(self, report: ProgressReport = no_progress) -> int:
        """Give every section that has none its vector; returns how many were made. Ends early on `close`."""
        embedder = self.embedder
        if embedder is None:
            return 0
        return self.retriever.embed_missing(embedder.embed_passages, report, self.stopped)

    def stop(self) -> None:
        """Let background work end, without waiting for it."""
        self._stop.set()

    @property
    def working(self) -> bool:
        """Whether background work is going on."""
        return any(thread.is_alive() for thread in self._threads)

    def stopped(self) -> bool:
        """Whether background work should end: this runtime is closed, or the run was interrupted."""
        return self._stop.is_set() or self.config.stop.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the models are loaded or given up; True when they are."""
        return self.models.wait(timeout)

    def load(self, report: ProgressReport = no_progress, *, every_model: bool = False) -> EngineStatus:
        """Load what answers need (see `Models.load`)."""
        return self.models.load(report, every_model=every_model)

    def load_embedder(self, report: ProgressReport = no_progress) -> EngineStatus:
        """Load the embedder alone, now; where it cannot be used, search by words goes on."""
        return self.models.load_embedder(report)

    def token_counter(self, report: ProgressReport = no_progress) -> Callable[[str], int] | None:
        """The answer model's own count of tokens (see `Models.token_counter`)."""
        return self.models.token_counter(report)

    def close(self) -> bool:
        """Stop background work and free the models that are its own. Waits for the running batch, not for the whole.

        False when a thread still computes after PATIENCE_S: nothing was freed then, and the process must end by
        `os._exit`, because llama.cpp's own clearing up at a normal end would pull the memory away under that thread.
        """
        self._stop.set()
        if self._owns_models:
            self.models.stop()
        for thread in self._threads:
            thread.join(timeout=PATIENCE_S)
        if any(thread.is_alive() for thread in self._threads):
            return False
        if self._owns_models:
            self.models.close()
        if self._retriever is not None:
            self._retriever.close()
        if self._journal is not None:
            self._journal.close()
        return True


def index_folder(config: Config, root: Path) -> Path:
    """Where the index of `root` lies: prebuilt beside unpacked knowledge, else in the home folder."""
    if config.prebuilt_index is not None and root == config.knowledge.resolve():
        return config.prebuilt_index
    return paths.index_of(config.home, root)
