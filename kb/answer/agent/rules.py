"""Trigger rules: which call follows from what was seen. They carry an agent whose model cannot plan.

A rule fires for every name of its kind (kb.answer.agent.names) that was seen in a question or an observation. Texts are
only searched for names; nothing in them is followed. A call is made once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from kb.answer.agent.names import Kind, names_in
from kb.answer.agent.values import Call, Origin, Reason, Step
from kb.texts import Lang

Outcome = Literal["any", "found", "missing"]
NOTHING = "nothing"
_PLACE = re.compile(r"\{(\w+)\}")
OUTSIDE = frozenset({Origin.QUESTION, Origin.DATA})
"""Where names start something: everywhere but in documents."""
# As much of a pasted question as the shipped tools take.
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Rule:
    """When a name of `kind` was seen in a text of one of `origins`, call `tool`.

    `arguments` are texts in which `{kind}` and `{question}` are filled in; a mapping gives one for each language of
    the question. With `after`, the rule waits for a call of that tool with the same name, and for its `outcome`.
    The kind `nothing` fires when no other rule has anything to look at: the question names nothing that is known.
    """

    name: str
    kind: str
    tool: str
    arguments: Mapping[str, str | Mapping[str, str]]
    origins: frozenset[Origin] = OUTSIDE
    after: str = ""
    outcome: Outcome = "any"

    def templates(self) -> list[str]:
        """All texts of the arguments, in every language."""
        return [
            text
            for given in self.arguments.values()
            for text in ([given] if isinstance(given, str) else given.values())
        ]


@dataclass(frozen=True, slots=True)
class Seen:
    """A name, its kind, and where it was first seen: `question`, or a record's or line's place, or a tool's name."""

    kind: str
    value: str
    origin: Origin
    place: str


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The kinds of names and the rules over them, in order of urgency.

    `data` is the folder below the knowledge root that holds its own data, `sample` the remark that goes with that, by
    language. ValueError for a kind or a place in a text that is not known.
    """

    kinds: Mapping[str, Kind]
    rules: tuple[Rule, ...]
    sample: Mapping[str, str] = field(default_factory=dict)
    data: str = ""

    def __post_init__(self) -> None:
        for rule in self.rules:
            if rule.kind != NOTHING and rule.kind not in self.kinds:
                raise ValueError(f"{rule.name}: {rule.kind}")
            for template in rule.templates():
                unknown = set(_PLACE.findall(template)) - {rule.kind, "question"}
                if unknown:
                    raise ValueError(f"{rule.name}: {{{min(unknown)}}}")

    def seen(self, question: str, steps: tuple[Step, ...], origin_of: Mapping[str, Origin]) -> list[Seen]:
        """All names so far, each once for each origin, in the order in which they were seen."""
        found: dict[tuple[str, str, Origin], Seen] = {}
        for origin, place, text in _texts(question, steps, origin_of):
            for kind in self.kinds.values():
                for value in names_in(kind, text):
                    found.setdefault((kind.name, value.casefold(), origin), Seen(kind.name, value, origin, place))
        return list(found.values())

    def pending(
        self, question: str, steps: tuple[Step, ...], origin_of: Mapping[str, Origin], lang: Lang
    ) -> Iterator[tuple[Reason, Call]]:
        """The calls that the rules want and that were not made yet, the most urgent first.

        `origin_of` maps the tools that there are to what they observe; rules for other tools do not fire.
        """
        made = {step.call.key for step in steps}
        names = self.seen(question, steps, origin_of)
        for rule in self.rules:
            if rule.tool not in origin_of or rule.kind == NOTHING:
                continue
            for name in names:
                if name.kind != rule.kind or name.origin not in rule.origins or not _ready(rule, name.value, steps):
                    continue
                call = Call(rule.tool, _filled(rule, {name.kind: name.value, "question": question}, lang))
                if call.key not in made:
                    made.add(call.key)
                    yield Reason(rule.name, name.kind, name.value, name.place), call
        if made:
            return
        for rule in self.rules:
            if rule.kind == NOTHING and rule.tool in origin_of:
                yield Reason(rule.name, NOTHING), Call(rule.tool, _filled(rule, {"question": question}, lang))


def _texts(
    question: str, steps: tuple[Step, ...], origin_of: Mapping[str, Origin]
) -> Iterator[tuple[Origin, str, str]]:
    """Everything that can hold names, with where it stands."""
    yield Origin.QUESTION, Origin.QUESTION.value, question
    for step in steps:
        origin = origin_of.get(step.call.tool, Origin.DATA)
        for record in step.result.records:
            yield origin, record.place, "\n".join(f"{name}: {value}" for name, value in record.fields)
        for line in step.result.lines:
            yield origin, line.place, line.text
        if not (step.result.records or step.result.lines):
            yield origin, step.call.tool, step.result.text


def _ready(rule: Rule, value: str, steps: tuple[Step, ...]) -> bool:
    """Whether the call that the rule waits for was made with this name, and ended as it should."""
    if not rule.after:
        return True
    wanted = value.casefold()
    return any(
        step.call.tool == rule.after
        and wanted in (str(given).casefold() for given in step.call.arguments.values())
        and (rule.outcome == "any" or step.result.found == (rule.outcome == "found"))
        for step in steps
    )


def in_language(said: str | Mapping[str, str], lang: Lang) -> str:
    """A text as it is, or of one for each language that of `lang`, else the first; '' where there is none."""
    if isinstance(said, str):
        return said
    return said.get(lang) or next(iter(said.values()), "")


def _filled(rule: Rule, values: Mapping[str, str], lang: Lang) -> dict[str, Any]:
    """The arguments with the names in their places; only `{kind}` of what was seen and `{question}` are places."""
    filled: dict[str, Any] = {}
    for argument, template in rule.arguments.items():
        text = in_language(template, lang)
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value)
        filled[argument] = text[:_LONGEST]
    return filled


ORDER = Kind(
    "order",
    ("*-#", "*#", "#"),
    (
        "order_id",
        "order id",
        "order number",
        "order no.",
        "order no",
        "order",
        "orders",
        "订单号",
        "订单编号",
        "单号",
        "单子",
        "订单",
    ),
)
ERROR_CODE = Kind(
    "error_code",
    ("*-*-#", "*-#", "*_*", "*#"),
    (
        "error_code",
        "error code",
        "errorcode",
        "err_code",
        "fault_code",
        "fault code",
        "alarm_code",
        "alarm code",
        "错误码",
        "错误代码",
        "故障码",
        "故障代码",
        "报警码",
        "报警代码",
        "报错",
    ),
    at_least=2,
    bare=("ERR_*", "E-#"),
)
TRACE = Kind("trace", ("*",), ("trace_id", "trace-id", "traceid", "trace id", "trace", "流水号"), at_least=8)

DEFAULTS = RuleSet(
    {kind.name: kind for kind in (ORDER, ERROR_CODE, TRACE)},
    (
        Rule("order named", "order", "order_status", {"order_id": "{order}"}, frozenset({Origin.QUESTION})),
        Rule("code seen", "error_code", "lookup_knowledge", {"query_text": "{error_code}"}),
        Rule(
            "code not in the index", "error_code", "search_knowledge", {"query": "{error_code}"},
            after="lookup_knowledge", outcome="missing",
        ),
        Rule("order's log", "order", "log_search", {"order_id": "{order}"}, frozenset({Origin.QUESTION})),
        Rule("trace seen", "trace", "log_search", {"query": "{trace}"}),
        Rule(
            "how it is handled", "error_code", "search_knowledge",
            {"query": {"zh": "{error_code} 怎么处理", "en": "how to handle {error_code}"}},
            after="lookup_knowledge", outcome="found",
        ),
        Rule(
            "code's log", "error_code", "log_search", {"query": "{error_code}"}, frozenset({Origin.QUESTION}),
            after="lookup_knowledge",
        ),
        Rule("nothing named", NOTHING, "search_knowledge", {"query": "{question}"}),
    ),
)  # fmt: skip
