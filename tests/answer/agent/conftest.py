"""The knowledge of the service desk as it ships, with its rules and sample data, and agents over it."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kb.answer.agent.assembly import build_agent
from kb.answer.agent.knowledge import Desk
from kb.answer.agent.loop import Agent
from kb.answer.answerer import Answerer
from kb.search.retriever import Retriever
from tests.helpers import PROJECT

# Inside the validity of the service desk's documents.
TODAY = datetime.date(2026, 11, 30)


def copy_desk(root: Path) -> Path:
    """The shipped service desk below `root`: documents, index file, taxonomy, agent.yaml, sample data."""
    docs = PROJECT / "docs"
    for folder in ("service_desk", "demo"):
        shutil.copytree(docs / folder, root / folder)
    for name in ("_index.yaml", "taxonomy.yaml", "agent.yaml"):
        shutil.copy(docs / name, root / name)
    return root


@pytest.fixture
def desk_tree(tmp_path: Path) -> Path:
    """The shipped service desk."""
    root = tmp_path / "desk"
    root.mkdir()
    return copy_desk(root)


@pytest.fixture
def desk_retriever(desk_tree: Path, tmp_path: Path) -> Iterator[Retriever]:
    """Search over it, words only."""
    made = Retriever(desk_tree, tmp_path / "desk-index")
    yield made
    made.close()


@pytest.fixture
def desk(desk_retriever: Retriever) -> Desk:
    """The knowledge as tools read it."""
    return Desk(desk_retriever, Answerer(desk_retriever, clock=lambda: TODAY), lambda: TODAY)


@pytest.fixture
def agent_in(desk_retriever: Retriever) -> Callable[[str], Agent]:
    """Makes the agent that ships, in a language."""

    def make(lang: str = "zh") -> Agent:
        return build_agent(desk_retriever, "zh" if lang == "zh" else "en", clock=lambda: TODAY)

    return make
