"""Almanac's engine: knowledge tree, search, answers. What is named here is the SDK; it is loaded when used."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.answer.answer import Answer
    from kb.answer.answerer import Answerer
    from kb.errors import AlmanacError
    from kb.memory.client import MemoryClient
    from kb.memory.pipeline import DocPipeline
    from kb.memory.store import MemoryStore
    from kb.sdk import Document, KnowledgeRetriever, lookup_knowledge

__all__ = [
    "AlmanacError", "Answer", "Answerer", "DocPipeline", "Document", "KnowledgeRetriever", "MemoryClient",
    "MemoryStore", "__version__", "lookup_knowledge",
]  # fmt: skip

__version__ = "0.1.0"

_HOMES = {
    "Answer": "kb.answer.answer",
    "Answerer": "kb.answer.answerer",
    "AlmanacError": "kb.errors",
    "DocPipeline": "kb.memory.pipeline",
    "MemoryClient": "kb.memory.client",
    "MemoryStore": "kb.memory.store",
    "Document": "kb.sdk",
    "KnowledgeRetriever": "kb.sdk",
    "lookup_knowledge": "kb.sdk",
}


def __getattr__(name: str) -> object:
    import importlib

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'kb' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)
