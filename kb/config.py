"""What one run is told: folders, language, models. Built once by agent_main, passed down, never changed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from kb.hashing import sha256
from kb.sizing import Wishes
from kb.texts import Lang


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A GGUF model inside a file: `path`, byte `offset` of its first byte, `size` in bytes, and `sha256`.

    `sha256` is empty for a model that a person names on the command line: there is nothing to compare with.
    """

    name: str
    path: Path
    offset: int
    size: int
    sha256: str

    @property
    def identity(self) -> str:
        """Tells models apart: the digest, or for a file given without one a digest of its name and size."""
        return self.sha256 or sha256(f"{self.name}\0{self.size}".encode()).hexdigest()


class Released(Protocol):
    """A release that answers: its documents and their index."""

    @property
    def root(self) -> Path:
        """The documents."""

    @property
    def index_folder(self) -> Path:
        """Their index."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A knowledge tree that people keep, or what came with the program: then its `history` is a bundle."""

    root: Path
    history: Path | None = None
    is_packed: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """One run. `home` holds what people create and what is derived; `knowledge` is the document tree.

    `history_bundle` is the history of `knowledge` when it came with the program; `program_history` the bundle and
    `program_index` the index that came with it, whatever knowledge is in use. `way` is how answers are worded (quote,
    select or compose; None: by what the model can do), `token_budget` the most tokens that the model reads for one.
    With `keep_answers` what is asked and answered is kept in `home` (for replay, and as a list of gaps); without it
    `keep_gaps` still keeps gaps. `stop` is set when a person interrupts the run; long work looks at it and ends in
    order. `lease` is kept as long as the run lasts: while it is there, nobody removes the release that `knowledge`
    lies in. `released` tells which release answers now (None: none), with its lease, for runs that last; it is None
    where a person named the knowledge. `tree` is what people keep, which `knowledge` may be a release of (None: it is
    that itself). With `read_only` nothing that people keep is changed: another copy is open.
    `wishes` say what to use of the device, whatever it can carry (kb/sizing.py).
    """

    home: Path
    knowledge: Path
    lang: Lang
    home_note: str | None = None
    answer_model: ModelFile | None = None
    embedder: ModelFile | None = None
    dictionary: ModelFile | None = None
    llama_libs: Path | None = None
    git: Path | None = None
    prebuilt_index: Path | None = None
    history_bundle: Path | None = None
    program_history: Path | None = None
    tree: Tree | None = None
    licences: Path | None = None
    program_index: Path | None = None
    wishes: Wishes = field(default_factory=Wishes)
    use_model: bool = True
    keep_answers: bool = True
    read_only: bool = False
    keep_gaps: bool = False
    way: str | None = None
    token_budget: int = 1500
    self_command: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)
    lease: object = field(default=None, repr=False, compare=False)
    released: Callable[[], tuple[Released | None, object]] | None = field(default=None, repr=False, compare=False)

    @property
    def kept(self) -> Tree:
        """The tree that people keep: what is backed up, brought back, and looked at for damage."""
        return self.tree or Tree(self.knowledge, self.history_bundle, self.history_bundle is not None)


ProgressReport = Callable[[str, int, int], None]
"""Called with (phase, done, total) during long work."""


def no_progress(phase: str, done: int, total: int) -> None:
    """The report that goes nowhere."""
