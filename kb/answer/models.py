"""Models and dictionary of one run: opened once, models in the background; several retrievers may use them, as of two
releases."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb import device, native, sizing
from kb.config import Config, ProgressReport, no_progress
from kb.errors import AlmanacError

if TYPE_CHECKING:
    from kb.answer.answer import Way
    from kb.answer.text_model import TextModel
    from kb.search.dictionary import Dictionary
    from kb.search.embedder import Embedder
    from kb.search.engine import Model
    from kb.search.retriever import Retriever


class State(StrEnum):
    """Where a model stands. `spare`: it is there, and answers are quotes, which do not need it."""

    ABSENT = "absent"
    SPARE = "spare"
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """What the status line and the doctor show of the models and the dictionary; load times in seconds.

    `why` says for each part that failed, by its name here, what went wrong.
    """

    answer: State = State.ABSENT
    embedder: State = State.ABSENT
    dictionary: State = State.ABSENT
    variant: str = ""
    why: Mapping[str, AlmanacError] = field(default_factory=dict)
    answer_s: float = 0.0
    embedder_s: float = 0.0

    @property
    def problems(self) -> tuple[AlmanacError, ...]:
        """What went wrong, each once."""
        return tuple(dict.fromkeys(self.why.values()))


class Models:
    """Answer model, embedder, vocabulary and dictionary of one configuration.

    `way` says how answers are to be worded.
    """

    def __init__(self, config: Config, way: Callable[[], Way | None]) -> None:
        self.config = config
        self._way = way
        self._making = threading.RLock()
        self.device = device.look()
        wishes = config.wishes if config.use_model else replace(config.wishes, model=False)
        weights = sizing.weigh(config.answer_model, config.embedder)
        self.sizing = sizing.decide(self.device, weights, wishes, config.token_budget)
        self._status = EngineStatus(
            State.LOADING if self.sizing.use_model else State.ABSENT,
            State.LOADING if self.sizing.use_vectors else State.ABSENT,
            State.LOADING if config.dictionary else State.ABSENT,
        )
        self._text_model: TextModel | None = None
        self._embedder: Embedder | None = None
        self._dictionary: Dictionary | None = None
        self._vocabulary: Model | None = None
        self._waiting: weakref.WeakSet[Retriever] = weakref.WeakSet()
        self._stop = threading.Event()
        self._ready = threading.Event()

    def attach(self, retriever: Retriever) -> None:
        """Let `retriever` use the dictionary, and the embedder from when it is loaded."""
        with self._making:
            if (dictionary := self._open_dictionary()) is not None:
                retriever.use_dictionary(dictionary)
            self._waiting.add(retriever)
            if self._embedder is not None:
                self._lend(self._embedder, retriever)

    def _open_dictionary(self) -> Dictionary | None:
        """What finds documents in the other language; without it they can be found by meaning."""
        source = self.config.dictionary
        if source is not None and self._status.dictionary is State.LOADING:
            from kb.search.dictionary import Dictionary
            from kb.search.trust import trust

            try:
                trust(source, self.config.home, damaged="dictionary_damaged")
                self._dictionary = Dictionary(source)
                self._note(dictionary=State.READY)
            except AlmanacError as error:
                self._fail(error, "dictionary")
        return self._dictionary

    def _lend(self, embedder: Embedder, retriever: Retriever) -> None:
        source = self.config.embedder
        if source is not None:
            retriever.use_embedder(
                source.identity, embedder.dimensions, embedder.embed_query, embedder.embed_passages
            )  # fmt: skip
            if embedder.has_rates:
                retriever.use_vocabulary(embedder.pieces)

    @property
    def status(self) -> EngineStatus:
        """The models' state now."""
        return self._status

    @property
    def text_model(self) -> TextModel | None:
        """The answer model, None while it is not loaded."""
        return self._text_model

    def stopped(self) -> bool:
        """Whether loading should end: these models are closed, or the run was interrupted."""
        return self._stop.is_set() or self.config.stop.is_set()

    def stop(self) -> None:
        """Let loading end."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the models are loaded or given up; True when they are."""
        return self._ready.wait(timeout)

    def load(self, report: ProgressReport = no_progress, *, every_model: bool = False) -> EngineStatus:
        """Load what answers need; a model that cannot be used leaves the rest working.

        The answer model is only loaded where it words answers (`wording.default_way`), or with `every_model`.
        """
        try:
            if not (self.sizing.use_vectors or self.sizing.use_model):
                return self._status
            self._load_backend()
            self._load_embedder(report)
            self._load_answer_model(report, wanted=every_model)
        except AlmanacError as error:
            parts = ("answer", "embedder")
            self._fail(error, *(part for part in parts if getattr(self._status, part) is State.LOADING))
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
        if source is None or not self.sizing.use_vectors or self.stopped():
            return
        from kb.search.embedder import Embedder
        from kb.search.trust import trust

        started = time.perf_counter()
        try:
            trust(source, self.config.home, report)
            made = Embedder(source)
            with self._making:
                self._embedder = made
                for retriever in self._waiting:
                    self._lend(made, retriever)
            self._note(embedder=State.READY, embedder_s=time.perf_counter() - started)
        except AlmanacError as error:
            self._fail(error, "embedder")

    def _load_answer_model(self, report: ProgressReport, *, wanted: bool) -> None:
        source = self.config.answer_model
        if source is None or not self.sizing.use_model or self.stopped():
            return
        from kb.answer.answer import Way
        from kb.answer.text_model import TextModel, has_template
        from kb.search.trust import trust

        way = self._way()
        words = way is Way.SELECT or (way in (None, Way.COMPOSE) and has_template(source))
        if not words and not wanted:
            self._note(answer=State.SPARE)
            return
        started = time.perf_counter()
        try:
            trust(source, self.config.home, report)
            self._text_model = TextModel(source, self.threads, self.sizing.context_tokens)
            self._note(answer=State.READY, answer_s=time.perf_counter() - started)
            self._warm(self._text_model)
        except AlmanacError as error:
            self._fail(error, "answer")

    def _warm(self, model: TextModel) -> None:
        """Give the model the beginning that all prompts share: as an earlier run kept it, else by reading it."""
        from kb.answer import prompt_prefix, prompts, thread_calibration

        beginning = prompts.beginning(self.config.lang, model.apply_template if model.template else None)
        if not self.config.wishes.threads:
            thread_calibration.calibrate(model, self.threads, self.config.home / "threads.json", self._status.variant)
        prompt_prefix.warm(model, beginning, self.config.home / "prefix", f"{prompts.VERSION}-{self._status.variant}")

    @property
    def embedder(self) -> Embedder | None:
        """The embedder, once it is loaded."""
        return self._embedder

    def load_embedder(self, report: ProgressReport = no_progress) -> EngineStatus:
        """Load the embedder alone, now; where it cannot be used, search by words goes on."""
        if self.sizing.use_vectors and self._embedder is None:
            try:
                self._load_backend()
                self._load_embedder(report)
            except AlmanacError as error:
                self._fail(error, "embedder")
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
        from kb.search.trust import trust

        with self._making:
            if self._vocabulary is None:
                trust(source, self.config.home, report)
                self._load_backend()
                self._vocabulary = engine.Model(source, vocabulary_only=True)
            made = self._vocabulary
        return lambda text: len(made.tokens(text))

    @property
    def threads(self) -> int:
        """Threads for the answer model, at most."""
        return self.sizing.threads

    def _note(self, **changes: Any) -> None:
        with self._making:
            self._status = replace(self._status, **changes)

    def _fail(self, error: AlmanacError, *parts: str) -> None:
        with self._making:
            self._note(**dict.fromkeys(parts, State.FAILED), why={**self._status.why, **dict.fromkeys(parts, error)})

    def close(self) -> None:
        """Free the models. Nobody may be using them."""
        self._stop.set()
        for model in (self._text_model, self._embedder, self._vocabulary):
            if model is not None:
                model.close()
        self._text_model = self._embedder = self._vocabulary = None
