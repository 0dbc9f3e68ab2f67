"""Almanac's engine: knowledge tree, search, answers. What is named here is the SDK; it is loaded when used."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.answer.answer import Answer
    from kb.answer.answerer import Answerer
    from kb.errors import AlmanacError
    from kb.sdk import Document, KnowledgeRetriever, lookup_knowledge

__all__ = ["AlmanacError", "Answer", "Answerer", "Document", "KnowledgeRetriever", "__version__", "lookup_knowledge"]

__version__ = "0.1.0"

_HOMES = {
    "Answer": "kb.answer.answer",
    "Answerer": "kb.answer.answerer",
    "AlmanacError": "kb.errors",
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
