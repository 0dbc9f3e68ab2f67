"""`agent.yaml` in the knowledge root: kinds of names, rules, and where the data lies that belongs to this knowledge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kb.answer.agent.names import Kind
from kb.answer.agent.rules import DEFAULTS, NOTHING, OUTSIDE, Outcome, Rule, RuleSet
from kb.answer.agent.values import Origin
from kb.errors import KnowledgeError
from kb.tree import frontmatter
from kb.tree.frontmatter import Value

FILE_NAME = "agent.yaml"
_OUTCOMES: dict[str, Outcome] = {"": "any", "any": "any", "found": "found", "missing": "missing"}
_RULE_WORDS = {"name", "when", "in", "call", "with", "after", "outcome"}
_TOP_WORDS = {"data", "names", "rules"}


def load_rules(root: Path) -> RuleSet:
    """The default rules with what the knowledge's own file adds or replaces (a rule or kind of the same name).

    KnowledgeError names the file and what is wrong with it.
    """
    path = root / FILE_NAME
    if not path.is_file():
        return DEFAULTS
    loaded = frontmatter.read_file(path)
    try:
        return _rules(loaded)
    except (ValueError, TypeError, AttributeError) as error:
        raise KnowledgeError("agent_bad_rules", path=str(path), reason=str(error)) from error


def data_folder(root: Path, rules: RuleSet) -> Path | None:
    """The folder of data that the knowledge names, None when there is none. It lies inside the root."""
    if not rules.data:
        return None
    folder = (root / rules.data).resolve()
    return folder if folder.is_dir() and folder.is_relative_to(root.resolve()) else None


def _rules(loaded: Mapping[str, Value]) -> RuleSet:
    _only("agent.yaml", loaded, _TOP_WORDS)
    kinds = dict(DEFAULTS.kinds)
    for name, given in _mapping(loaded.get("names")).items():
        known = _mapping(given)
        _only(name, known, {"masks", "after", "at_least", "bare"})
        masks, after, bare = (tuple(frontmatter.as_list(known.get(word))) for word in ("masks", "after", "bare"))
        kinds[name] = Kind(name, masks, after, int(frontmatter.as_text(known.get("at_least")) or 1), bare)
    rules = {rule.name: rule for rule in DEFAULTS.rules}
    listed = loaded.get("rules") or []
    if not isinstance(listed, list):
        raise ValueError("rules")
    for given in listed:
        rule = _rule(_mapping(given))
        rules[rule.name] = rule
    data = _mapping(loaded.get("data"))
    _only("data", data, {"folder", "sample"})
    sample = {lang: frontmatter.as_text(said) for lang, said in _mapping(data.get("sample")).items()}
    return RuleSet(kinds, tuple(rules.values()), sample, frontmatter.as_text(data.get("folder")))


def _rule(given: Mapping[str, Value]) -> Rule:
    name = frontmatter.as_text(given.get("name"))
    _only(name, given, _RULE_WORDS)
    when, tool = frontmatter.as_text(given.get("when")), frontmatter.as_text(given.get("call"))
    if not (name and when and tool):
        raise ValueError(f"{name or '?'}: name, when, call")
    outcome = _OUTCOMES.get(frontmatter.as_text(given.get("outcome")))
    if outcome is None:
        raise ValueError(f"{name}: outcome")
    arguments: dict[str, str | Mapping[str, str]] = {}
    for argument, value in _mapping(given.get("with")).items():
        texts = value if isinstance(value, dict) else {"": value}
        filled = {lang: frontmatter.as_text(text) for lang, text in texts.items()}
        arguments[argument] = filled.get("", filled)
    origins = frozenset(Origin(word) for word in frontmatter.as_list(given.get("in"))) or OUTSIDE
    if when == NOTHING and "after" in given:
        raise ValueError(f"{name}: after")
    return Rule(name, when, tool, arguments, origins, frontmatter.as_text(given.get("after")), outcome)


def _mapping(value: Value | None) -> Mapping[str, Value]:
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise ValueError(str(value)[:40])
    return value


def _only(place: str, given: Mapping[str, Value], allowed: set[str]) -> None:
    unknown = sorted(set(given) - allowed)
    if unknown:
        raise ValueError(f"{place}: {', '.join(unknown)}")
