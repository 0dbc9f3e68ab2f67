"""The Python interface: a retriever over one folder of Markdown documents."""

from __future__ import annotations

import builtins
import datetime
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kb.config import Config, ProgressReport, no_progress
from kb.errors import AlmanacError
from kb.tree.walk import inside, resolve_root, walk

# Opening a tree of 10,000 documents must cost nothing that is not needed yet: numpy alone takes 0.15 s to import.
if TYPE_CHECKING:
    from kb.answer.models import Models
    from kb.search.lookup import Lookup
    from kb.search.retriever import Found, Retriever
    from kb.tree.frontmatter import Value
    from kb.versions.history import Change, History

_log = logging.getLogger("kb")
_VOICES = ("text", "keywords", "path", "meaning", "number", "score")


@dataclass(frozen=True)
class Document:
    """A document that was found. `content` is read when asked for; `confidence` is 0..1.

    `explanation` says what each voice heard: text, keywords, path, meaning, number (about 0..1 each) and their weighted
    score. `value` is the quantity that the question asks for, as the document writes it ('' where it asks for none).
    """

    path: str
    metadata: Mapping[str, Value]
    confidence: float
    explanation: Mapping[str, float]
    title: str = ""
    heading: tuple[str, ...] = ()
    lines: tuple[int, int] = (0, 0)
    value: str = ""
    _read: Callable[[], str] = field(default=lambda: "", repr=False, compare=False)

    @property
    def content(self) -> str:
        """The whole file's text, front matter left out."""
        return self._read()


class KnowledgeRetriever:
    """Search over the Markdown tree at `root`.

    `root` is made absolute at once, so a later change of the working directory does not matter. Derived data
    (the index) lies in `home`, by default the platform's data folder, never in `root`. Nothing is parsed here:
    documents are read when they are first searched, and again only when they change. Search goes by words, until
    `load_models`.
    """

    def __init__(self, root: str | os.PathLike[str], *, home: str | os.PathLike[str] | None = None) -> None:
        self.root = resolve_root(root)
        self._home = Path(home).absolute() if home is not None else None
        self._retriever: Retriever | None = None
        self._models: Models | None = None
        self._history: History | None = None

    @property
    def retriever(self) -> Retriever:
        """The engine below, made when first needed."""
        if self._retriever is None:
            from kb import paths
            from kb.search.retriever import Retriever

            self._retriever = Retriever(self.root, paths.index_of(self._home_folder(), self.root))
        return self._retriever

    def _home_folder(self) -> Path:
        from kb import paths

        return self._home or paths.default_home()

    def load_models(self, report: ProgressReport = no_progress) -> None:
        """From now on search by meaning too, and in the other language: with the embedder and the dictionary that came
        with the program, as the program does; they take some 300 MB of memory.

        Every section that has no vector yet is given one, as `almanac index` does: with many documents that takes long
        the first time (`report` hears of it). AlmanacError when a part is missing or damaged.
        """
        from kb import paths
        from kb.answer.models import Models
        from kb.sizing import Wishes

        if self._models is None:
            home = self._home_folder()
            assets = paths.find_assets(home, report)
            config = Config(
                home, self.root, "en", embedder=assets.embedder, dictionary=assets.dictionary,
                llama_libs=assets.llama_libs, self_command=paths.self_command(), wishes=Wishes(vectors=True),
            )  # fmt: skip
            self._models = Models(config, lambda: None)
            self._models.attach(self.retriever)
        status = self._models.load_embedder(report)
        for problem in status.problems:
            raise problem
        embedder = self._models.embedder
        if embedder is None:
            raise AlmanacError("embedder_missing")
        self.retriever.update(report)
        self.retriever.embed_missing(embedder.embed_passages, report)

    def close(self) -> None:
        """Free the models and release the index; it is opened again when something is asked."""
        if self._retriever is not None:
            self._retriever.close()
        if self._models is not None:
            self._models.close()
        self._retriever = self._models = None

    def search(self, query: str, top_k: int = 3, on: datetime.date | None = None) -> list[Document]:
        """The `top_k` best documents for `query` that are released and valid on the day `on` (default: today)."""
        from kb.search.snapshot import Filter

        limits = Filter(on=on or datetime.date.today())
        documents = [self._document(item) for item in self.retriever.find_documents(query, top_k, limits)]
        commit = self.history_of_tree.version().commit[:10] or "none"
        _log.info("Retrieved %d documents for %r from commit %s", len(documents), query, commit)
        return documents

    def _document(self, item: Found) -> Document:
        voices = item.voices
        return Document(
            path=item.path,
            metadata=item.document.facts.metadata,
            confidence=round(item.confidence, 4),
            explanation={name: round(getattr(voices, name), 4) for name in _VOICES},
            title=item.document.facts.title,
            heading=item.section.trail,
            lines=(item.section.start, item.section.end),
            value=item.value.text if item.value else "",
            _read=lambda: self.get_content_by_path(item.path),
        )

    def get_content_by_path(self, path: str) -> str:
        """The body of the document at `path`. KnowledgeError names the file when there is none or it is damaged."""
        from kb.tree import document

        inside(self.root, path)
        parsed = document.load(self.root, path)
        return "\n".join(parsed.lines[parsed.body_line - 1 :])

    def get_image_path(self, md_path: str, image: str) -> str:
        """The absolute path of `image` as the document `md_path` names it; KnowledgeError when there is none."""
        from kb.tree import images

        return str(images.image_path(self.root, md_path, image))

    def list(self, prefix: str = "") -> builtins.list[str]:
        """The paths of all documents, sorted; with `prefix`, those below it."""
        return sorted(state.path for state in walk(self.root) if state.path.startswith(prefix))

    @property
    def history_of_tree(self) -> History:
        """Git's view of the tree."""
        if self._history is None:
            from kb.versions.git import Git
            from kb.versions.history import History

            self._history = History(self.root, Git.find(None))
        return self._history

    def history(self, path: str | None = None, limit: int = 20) -> builtins.list[Change]:
        """The commits that touched the tree or one document, newest first. AlmanacError without git or history."""
        return self.history_of_tree.changes(path, limit=limit)


def lookup_knowledge(query_text: str, root: str | os.PathLike[str] | None = None) -> Lookup:
    """Look `query_text` up in the index file `_index.yaml` of `root` (default: the knowledge that ships).

    Returns {"found": bool, "content": str (at most 2,000 characters), "source": str}.
    """
    from kb.search.lookup import lookup

    if root is None:
        from kb import paths

        known = paths.find_assets(paths.default_home()).knowledge
        root = known if known is not None else Path("docs")
    return lookup(Path(root), query_text)
