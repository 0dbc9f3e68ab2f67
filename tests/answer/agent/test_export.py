"""kb.answer.agent.export: what other agents are given says what the loop does."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from kb.answer.agent.export import exported, system_prompt
from kb.answer.agent.loop import Agent


def test_the_shape_is_the_common_one(agent_in: Callable[[str], Agent]) -> None:
    agent = agent_in("zh")
    value = json.loads(json.dumps(exported(agent.tools, agent.rules, "zh"), ensure_ascii=False))
    assert [tool["name"] for tool in value["tools"]] == [
        "order_status",
        "log_search",
        "lookup_knowledge",
        "search_knowledge",
    ]
    assert all(set(tool) == {"name", "description", "parameters"} for tool in value["tools"])
    assert value["hints"]["log_search"] == {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_rule_is_in_the_prompt(agent_in: Callable[[str], Agent], lang: str) -> None:
    agent = agent_in(lang)
    prompt = system_prompt(agent.tools, agent.rules, "zh" if lang == "zh" else "en")
    assert prompt.count("\n- ") == len(agent.rules.rules)
    assert 'lookup_knowledge(query_text="{error_code}")' in prompt
    assert ("怎么处理" in prompt) == (lang == "zh")
