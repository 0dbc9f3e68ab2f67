"""How far the diagnosis in front is, and the thread that works on it. Every state is a value."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tui.background import spawn

if TYPE_CHECKING:
    from kb.answer.agent.values import Call, Reason, Report, Step
    from kb.answer.live_runtime import LiveRuntime
    from kb.texts import Lang


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One question: its steps so far, the call being made, at the end the report or an error."""

    number: int
    question: str
    steps: tuple[Step, ...] = ()
    calling: tuple[Reason, Call] | None = None
    report: Report | None = None
    error: BaseException | None = None

    @property
    def running(self) -> bool:
        """Whether there is more to come."""
        return self.report is None and self.error is None


class Diagnoses:
    """The diagnosis of this session; a new one stops the one before it. `tell` is called from the working thread."""

    def __init__(self, following: LiveRuntime, tell: Callable[[Diagnosis], object]) -> None:
        self._following = following
        self._tell = tell
        self._number = 0
        self._stop = threading.Event()
        self.current: Diagnosis | None = None

    def begin(self, question: str, lang: Lang) -> Diagnosis:
        """Start to look `question` up."""
        self.stop()
        self._stop = stop = threading.Event()
        self.current = begun = Diagnosis(self._number, question)
        self._number += 1
        spawn(
            lambda: self._work(begun, lang, stop),
            lambda error: self._tell(replace(begun, error=error)),
            "diagnosis",
        )
        return begun

    def stop(self) -> bool:
        """Stop the running one, whose report of what was seen so far follows; whether there was one."""
        running = self.current is not None and self.current.running
        self._stop.set()
        return running

    def forget(self) -> None:
        """Stop the running one and know of none."""
        self.stop()
        self.current = None

    def moved(self, state: Diagnosis) -> bool:
        """Take over news; False for news of a diagnosis that is no longer in front."""
        if self.current is None or state.number != self.current.number:
            return False
        self.current = state
        return True

    def _work(self, begun: Diagnosis, lang: Lang, stop: threading.Event) -> None:
        from kb.answer.agent.assembly import build_agent
        from kb.answer.agent.loop import Listener

        state = begun

        def tell(changed: Diagnosis) -> None:
            nonlocal state
            state = changed
            self._tell(changed)

        with self._following.asking() as runtime:
            agent = build_agent(
                runtime.retriever,
                lang,
                model=runtime.text_model,
                version=runtime.version,
                journal=runtime.kept_journal,
            )
            listener = Listener(
                on_call=lambda number, reason, call: tell(replace(state, calling=(reason, call))),
                on_step=lambda step: tell(replace(state, steps=(*state.steps, step), calling=None)),
                cancelled=lambda: stop.is_set() or runtime.models.stopped(),
            )
            report = agent.run(begun.question, listener)
        tell(replace(state, report=report, calling=None))
