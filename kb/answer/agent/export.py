"""Tools and rules for other agents: definitions as function calling expects them, and what a system prompt must say."""

from __future__ import annotations

from kb.answer.agent.rules import NOTHING, Rule, RuleSet, in_language
from kb.answer.agent.tools import ToolBox
from kb.texts import Lang, text


def exported(tools: ToolBox, rules: RuleSet, lang: Lang) -> dict[str, object]:
    """`tools` (name, description, parameters), `system_prompt`, and `hints` on behaviour by tool name."""
    return {
        "tools": tools.definitions(),
        "system_prompt": system_prompt(tools, rules, lang),
        "hints": {
            tool.name: {
                "readOnlyHint": tool.hints.read_only,
                "idempotentHint": tool.hints.idempotent,
                "openWorldHint": tool.hints.open_world,
            }
            for tool in tools
        },
    }


def system_prompt(tools: ToolBox, rules: RuleSet, lang: Lang) -> str:
    """The rules in words, made from those that the loop follows, so that both say the same."""
    lines = [_in_words(rule, lang) for rule in rules.rules if rule.tool in tools]
    return text(lang, "agent_system_prompt", rules="\n".join(f"- {line}" for line in lines))


def _in_words(rule: Rule, lang: Lang) -> str:
    arguments = []
    for name, template in rule.arguments.items():
        arguments.append(f'{name}="{in_language(template, lang)}"')
    call = f"{rule.tool}({', '.join(arguments)})"
    if rule.kind == NOTHING:
        return text(lang, "agent_rule_nothing", call=call)
    where = text(lang, "agent_list").join(text(lang, f"agent_in_{origin.value}") for origin in sorted(rule.origins))
    key = f"agent_rule_after_{rule.outcome}" if rule.after else "agent_rule_seen"
    return text(lang, key, kind=rule.kind, where=where, after=rule.after, call=call)
