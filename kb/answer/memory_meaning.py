"""Memory by meaning: document search and its embedder lend memory their vectors."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from kb.answer.runtime import Runtime
from kb.config import Config
from kb.errors import AlmanacError
from kb.memory.meaning import Meaning, Near, SearchMeaning

_log = logging.getLogger(__name__)


def meaning_of(runtime: Runtime) -> Meaning | None:
    """What the knowledge and the embedder of `runtime` give; None while the embedder is not loaded."""
    return SearchMeaning(runtime.retriever) if runtime.embedder is not None else None


class LazyMeaning:
    """Meaning of a configuration, opened at the first search; silent where knowledge or embedder cannot be used."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._runtime: Runtime | None = None
        self._opened: Meaning | None = None

    def _meaning(self) -> Meaning | None:
        if self._runtime is None:
            try:
                self._runtime = Runtime(self._config)
                self._runtime.load_embedder()
                self._opened = meaning_of(self._runtime)
            except AlmanacError as error:
                _log.warning("memory is searched by words only: %s", error)
        return self._opened

    def near(self, question: str) -> Sequence[Near]:
        """The sections nearest to a question."""
        meaning = self._meaning()
        try:
            return meaning.near(question) if meaning else ()
        except AlmanacError as error:
            _log.warning("memory is searched by words only: %s", error)
            self._opened = None
            return ()

    def similarities(self, question: str) -> Callable[[list[str]], list[float]] | None:
        """A function that gives the cosines of texts with a question."""
        meaning = self._meaning()
        return meaning.similarities(question) if meaning else None

    def close(self) -> None:
        """Let go of what was opened."""
        if self._runtime is not None:
            self._runtime.close()
            self._runtime = self._opened = None
