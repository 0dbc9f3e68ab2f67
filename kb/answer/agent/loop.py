"""The loop: what the rules want, else what a model wants, until nothing is left or a limit is reached."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from kb.answer.agent.planner import Planner
from kb.answer.agent.report import compose
from kb.answer.agent.rules import DEFAULTS, RuleSet
from kb.answer.agent.tools import ToolBox
from kb.answer.agent.values import Call, Ended, Note, Reason, Report, Step, ToolResult
from kb.answer.journal import Journal, Missing
from kb.errors import AlmanacError, ExitCode
from kb.plain import whole
from kb.search.query import MAX_CHARACTERS
from kb.texts import Lang
from kb.tree.document import language_of
from kb.versions.history import KnowledgeVersion

_log = logging.getLogger(__name__)

MAX_STEPS = 8
MAX_SECONDS = 30.0
# How often a running tool is looked after: cancelling is felt within a tenth of a second.
_LOOK_EVERY_S = 0.03
# How many documents are named beside a gap.
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """How many calls and seconds a run may take."""

    steps: int = MAX_STEPS
    seconds: float = MAX_SECONDS


@dataclass(frozen=True, slots=True)
class Listener:
    """Where progress goes, in the running thread: a call with its reason before it is made, the step after it."""

    on_call: Callable[[int, Reason, Call], None] = lambda number, reason, call: None
    on_step: Callable[[Step], None] = lambda step: None
    cancelled: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class Agent:
    """Looks a question up with tools. Without a `planner` the rules alone decide what is called; with one, it is asked
    where they found no document, since reading a long trace takes a small model longer than all the tools.

    `version` is asked once for each run. A tool that does not end is left behind when the time is up. `data` and
    `sample` are told in reports: the folder of the data tools, and a remark when what it holds is sample data.
    `journal` keeps the codes that a finished run could not explain.
    """

    tools: ToolBox
    rules: RuleSet = DEFAULTS
    planner: Planner | None = None
    limits: Limits = field(default_factory=Limits)
    version: Callable[[], KnowledgeVersion] = KnowledgeVersion
    data: str = ""
    sample: str = ""
    journal: Journal | None = None

    def run(self, question: str, listener: Listener | None = None) -> Report:
        """Answer `question` by looking. AlmanacError when it is empty; finding nothing is a report too."""
        listener = listener or Listener()
        asked = whole(question).strip()[:MAX_CHARACTERS]
        if not any(char.isalnum() for char in asked):
            raise AlmanacError("empty_question", ExitCode.USAGE)
        started = time.monotonic()
        run = _Run(self, asked, listener, started + self.limits.seconds)
        ended = run.all()
        report = compose(asked, run.steps, self.rules.seen(asked, run.steps, self.tools.origins), ended)
        chosen = any(step.reason.by_model for step in run.steps)
        version = self.version()
        if self.journal is not None and ended is Ended.DONE:
            _keep_gaps(self.journal, report, version)
        return replace(
            report,
            data=self.data,
            sample=self.sample if report.records or report.lines else "",
            knowledge_version=version,
            model=self.planner.name if self.planner and chosen else "",
            total_ms=round((time.monotonic() - started) * 1000, 1),
        )


def _keep_gaps(journal: Journal, report: Report, version: KnowledgeVersion) -> None:
    """Codes that were seen and that no document explains are gaps; those that one explains are no longer."""
    near = tuple(dict.fromkeys(item.path for item in report.evidence))[:_NEAR]
    explained = dict.fromkeys(finding.subject for finding in report.findings if finding.subject)
    try:
        for name in report.unexplained:
            journal.note(name, Missing(near, version.label))
        for name in explained:
            journal.note(name, None)
    except AlmanacError as error:
        # What was found out is told, whatever the disk says.
        _log.warning("gaps could not be kept: %s", error)


class _Run:
    """One run: its steps so far and its end."""

    def __init__(self, agent: Agent, asked: str, listener: Listener, end: float) -> None:
        self._agent = agent
        self._asked = asked
        self._listener = listener
        self._end = end
        self._lang: Lang = "zh" if language_of(asked) == "zh" else "en"
        self._origins = agent.tools.origins
        self.steps: tuple[Step, ...] = ()

    def all(self) -> Ended:
        """Take steps until nothing is left to do or a limit is reached."""
        while True:
            if self._stopped():
                return self._why()
            wanted = self._next()
            if self._stopped():
                return self._why()
            if wanted is None:
                return Ended.DONE
            if len(self.steps) >= self._agent.limits.steps:
                return Ended.STEPS
            reason, call = wanted
            if not self._take(reason, call):
                return self._why()

    def _next(self) -> tuple[Reason, Call] | None:
        """What the rules want most; where they are through and no document was found, what the model wants."""
        rules, planner = self._agent.rules, self._agent.planner
        wanted = next(rules.pending(self._asked, self.steps, self._origins, self._lang), None)
        explained = any(step.result.evidence for step in self.steps)
        if wanted is not None or planner is None or explained or len(self.steps) >= self._agent.limits.steps:
            return wanted
        seen = rules.seen(self._asked, self.steps, self._origins)
        call = planner.choose(self._asked, self.steps, seen, self._agent.tools, self._lang, self._stopped)
        return None if call is None else (Reason(), call)

    def _take(self, reason: Reason, call: Call) -> bool:
        """Make one call; False when it had to be left unfinished."""
        number = len(self.steps) + 1
        self._listener.on_call(number, reason, call)
        started = time.monotonic()
        result = self._attend(call)
        if result is None:
            return False
        step = Step(number, reason, call, result, round((time.monotonic() - started) * 1000, 1))
        self.steps = (*self.steps, step)
        self._listener.on_step(step)
        return True

    def _attend(self, call: Call) -> ToolResult | None:
        """Run a tool in a thread of its own and wait for it no longer than allowed."""
        done = threading.Event()
        results: list[ToolResult] = []
        abandoned = threading.Event()

        def work() -> None:
            try:
                results.append(self._agent.tools.call(call, lambda: abandoned.is_set() or self._stopped()))
            finally:
                done.set()

        threading.Thread(target=work, name=f"tool-{call.tool}", daemon=True).start()
        while not done.wait(_LOOK_EVERY_S):
            if self._stopped():
                abandoned.set()
                return None
        if self._stopped():
            return None
        return (
            results[0]
            if results
            else ToolResult(False, problem=Note("agent_tool_failed", {"tool": call.tool, "kind": ""}))
        )

    def _stopped(self) -> bool:
        return self._listener.cancelled() or time.monotonic() >= self._end

    def _why(self) -> Ended:
        return Ended.CANCELLED if self._listener.cancelled() else Ended.TIME
