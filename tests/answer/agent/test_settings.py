"""kb.answer.agent.settings: agent.yaml adds to the default rules; a mistake in it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.agent.rules import DEFAULTS
from kb.answer.agent.settings import data_folder, load_rules
from kb.answer.agent.values import Origin
from kb.errors import KnowledgeError
from tests.helpers import PROJECT, write


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load_rules(tmp_path) is DEFAULTS
    assert data_folder(tmp_path, DEFAULTS) is None


def test_the_shipped_file_adds_states_and_names_its_data() -> None:
    rules = load_rules(PROJECT / "docs")
    assert rules.rules[: len(DEFAULTS.rules)] == DEFAULTS.rules
    assert "state" in rules.kinds and rules.rules[-1].origins == {Origin.DATA}
    assert data_folder(PROJECT / "docs", rules) == (PROJECT / "docs" / "demo").resolve()
    assert set(rules.sample) == {"zh", "en"}


def test_a_rule_or_kind_of_the_same_name_takes_the_place(tmp_path: Path) -> None:
    write(
        tmp_path,
        "agent.yaml",
        "names:\n  error_code: {masks: ['F#', 'ALARM-*-#'], at_least: 3}\n"
        "rules:\n  - name: code seen\n    when: error_code\n    call: search_knowledge\n"
        "    with: {query: {zh: '{error_code} 是什么', en: 'what is {error_code}'}}\n"
        "  - name: late\n    when: order\n    in: [question, knowledge]\n    call: log_search\n"
        "    after: order_status\n    outcome: missing\n    with: {order_id: '{order}'}\n",
    )
    rules = load_rules(tmp_path)
    assert len(rules.rules) == len(DEFAULTS.rules) + 1
    seen = next(rule for rule in rules.rules if rule.name == "code seen")
    assert seen.tool == "search_knowledge" and seen.arguments["query"] == {
        "zh": "{error_code} 是什么",
        "en": "what is {error_code}",
    }
    assert rules.kinds["error_code"].masks == ("F#", "ALARM-*-#") and rules.kinds["error_code"].at_least == 3
    late = rules.rules[-1]
    assert (late.after, late.outcome) == ("order_status", "missing")
    assert late.origins == {Origin.QUESTION, Origin.KNOWLEDGE}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules: [", ""), ("rules: 5", "rules"), ("rules: [x]", "x"), ("rulez: []", "rulez"),
        ("rules:\n  - {name: a, when: order}\n", "a: name, when, call"),
        ("rules:\n  - {name: a, when: oder, call: t}\n", "a: oder"),
        ("rules:\n  - {name: a, when: order, call: t, outcome: perhaps}\n", "a: outcome"),
        ("rules:\n  - {name: a, when: order, call: t, in: [moon]}\n", "moon"),
        ("rules:\n  - {name: a, when: order, call: t, with: {q: '{trace}'}}\n", "a: {trace}"),
        ("rules:\n  - {name: a, when: order, call: t, regex: '(a+)+'}\n", "a: regex"),
        ("rules:\n  - {name: a, when: nothing, call: t, after: x}\n", "a: after"),
        ("names:\n  x: {masks: []}\n", "x: a mask"), ("names:\n  x: {masks: ['*']}\n", "x: a mask"),
        ("names:\n  x: {masks: ['A#'], at_least: many}\n", "many"), ("data: demo\n", "demo"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path, "agent.yaml", text)
    with pytest.raises(KnowledgeError) as caught:
        load_rules(tmp_path)
    assert "agent.yaml" in str(caught.value) and said in str(caught.value)


def test_data_outside_the_knowledge_is_not_used(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    write(root, "agent.yaml", "data: {folder: ../outside}\n")
    write(tmp_path, "outside/orders.jsonl", "{}\n")
    assert data_folder(root, load_rules(root)) is None
