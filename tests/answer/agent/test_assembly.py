"""kb.answer.agent.assembly: data, samples, models."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb import KnowledgeRetriever
from kb.answer.agent.assembly import build_agent
from kb.errors import KnowledgeError
from kb.search.retriever import Retriever
from tests.conftest import Engine


def names(agent_tools: object) -> list[str]:
    return [tool.name for tool in agent_tools]  # type: ignore[attr-defined]


def test_knowledge_without_data_has_the_tools_that_read_it(tree: Path, tmp_path: Path) -> None:
    agent = build_agent(KnowledgeRetriever(tree, home=tmp_path / "home"))
    assert names(agent.tools) == ["lookup_knowledge", "search_knowledge"] and agent.sample == ""


def test_the_sample_says_that_it_is_one(desk_retriever: Retriever, tmp_path: Path) -> None:
    assert "示例" in build_agent(desk_retriever, "zh").sample
    own = build_agent(desk_retriever, "zh", data=tmp_path)
    assert own.sample == "" and "order_status" in own.tools


def test_a_data_folder_that_is_none_is_named(desk_retriever: Retriever, tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as caught:
        build_agent(desk_retriever, data=tmp_path / "nowhere")
    assert caught.value.key == "agent_no_data"


def test_a_base_model_does_not_plan(desk_retriever: Retriever, engine: Engine) -> None:
    assert engine.text_model.template is None
    assert build_agent(desk_retriever, model=engine.text_model).planner is None
