"""Diagnosis: a question, the steps as they happen, a report whose sources open the reader."""

from __future__ import annotations

import contextlib

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.widgets import Input, OptionList, Static

from kb.answer.agent import words as told
from kb.answer.agent.values import Call, Reason
from kb.answer.agent.words import Line, Style
from kb.answer.answer import Evidence
from tui.diagnosis import Diagnosis
from tui.screens.base import AlmanacScreen
from tui.widgets.bars import HeaderBar, Hint, KeyLine, Rule
from tui.widgets.choices import Choices
from tui.widgets.flow import FlowLines, FlowText
from tui.widgets.question import QuestionInput
from tui.words import Words, line


class AgentScreen(AlmanacScreen):
    """Name an order, a code or a problem; watch what is looked at; read what was found."""

    AUTO_FOCUS = "#question"

    def compose(self) -> ComposeResult:
        """Header, steps and report above the sources, input, keys."""
        yield HeaderBar(id="header")
        yield Rule(classes="upper")
        with VerticalScroll(id="answer", can_focus=False):
            yield FlowText(id="asked")
            yield FlowLines(id="steps")
            yield FlowLines(id="said")
        yield Choices(id="choices")
        yield Rule(classes="lower")
        with Horizontal(id="entry"):
            yield Static("> ", id="prompt", markup=False)
            yield QuestionInput(slash=False, id="question")
        yield KeyLine(id="keys")

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The one in front."""
        return self.almanac.diagnoses.current

    def relabel(self) -> None:
        """Every text in the current language."""
        if not self.is_mounted:
            return
        self.query_one("#header", HeaderBar).show([self.words("agent")], [])
        narrow = self.app.size.width < 60
        key = "agent_ask_short" if narrow else "agent_ask"
        self.query_one("#question", QuestionInput).placeholder = self.words(key, example=self.words("agent_example"))
        self.refresh_diagnosis()
        super().relabel()

    def refresh_diagnosis(self) -> None:
        """Show how far it is."""
        if not self.is_mounted:
            return
        diagnosis = self.diagnosis
        asked = self.query_one("#asked", FlowText)
        steps, said = self.query_one("#steps", FlowLines), self.query_one("#said", FlowLines)
        choices = self.query_one(Choices)
        if diagnosis is None:
            asked.update(Content(""))
            steps.update([("", Content.styled(self.words("agent_welcome"), "$muted"))])
            said.update([])
            choices.show((), self.words)
        else:
            asked.update(Content.styled(line(diagnosis.question), "bold $secondary"))
            steps.update(trace(diagnosis, self.words))
            said.update(outcome(diagnosis, self.words))
            choices.show(diagnosis.report.evidence if diagnosis.report else (), self.words)
            self.call_after_refresh(self._show_newest, diagnosis)
        self.refresh_keys()

    def diagnosis_moved(self) -> None:
        """A step more, or the report."""
        with contextlib.suppress(NoMatches):
            self.refresh_diagnosis()

    def _show_newest(self, diagnosis: Diagnosis) -> None:
        """The newest step while it runs; then the report from its beginning."""
        view = self.query_one("#answer", VerticalScroll)
        if diagnosis.running:
            view.scroll_end(animate=False)
        elif diagnosis is self.diagnosis:
            view.scroll_to_widget(self.query_one("#said"), animate=False, top=True)

    def hints(self) -> list[Hint]:
        """By what has the focus and whether it runs."""
        words = self.words
        diagnosis = self.diagnosis
        if diagnosis is not None and diagnosis.running:
            return [Hint("Esc", words("key_stop"), "screen.back"), *self.common_hints()]
        if self.focused_is(Choices):
            return [
                Hint("Enter", words("key_open"), "screen.open"),
                Hint("Esc", words("key_back"), "screen.back", kept=True),
                *self.common_hints(),
            ]
        there = []
        if diagnosis is not None and diagnosis.report is not None:
            there.append(Hint("PgUp", words("agent_steps"), "screen.steps"))
            if diagnosis.report.evidence:
                there.insert(0, Hint("Tab", words("key_sources"), "app.focus_next"))
        return [
            Hint("Enter", words("key_ask"), "screen.submit"),
            *there,
            Hint("Esc", words("key_back"), "screen.back", kept=True),
            *self.common_hints(),
        ]

    def action_steps(self) -> None:
        """Up to the first step."""
        self.query_one("#answer", VerticalScroll).scroll_home(animate=False)

    # -- asking ----------------------------------------------------------------------------------------------

    @on(Input.Submitted, "#question")
    def submitted(self, event: Input.Submitted) -> None:
        """Look up what was typed; an empty line at the start takes the example."""
        event.stop()
        self.action_submit()

    def action_submit(self) -> None:
        """Look up what stands in the input."""
        entry = self.query_one("#question", QuestionInput)
        question = line(entry.value) or (self.words("agent_example") if self.diagnosis is None else "")
        if question:
            entry.value = ""
            self.almanac.diagnoses.begin(question, self.almanac.lang)
            self.refresh_diagnosis()

    @on(QuestionInput.Step)
    def step(self, event: QuestionInput.Step) -> None:
        """Arrows scroll the report; at its end they move into the sources."""
        view = self.query_one("#answer", VerticalScroll)
        at_end = view.scroll_offset.y >= view.max_scroll_y
        if event.by == 1 and at_end and self.query_one(Choices).choices:
            self.query_one(Choices).focus()
        else:
            view.scroll_relative(y=event.by if abs(event.by) == 1 else event.by // 2, animate=False)

    def on_key(self, event: events.Key) -> None:
        """Letters typed while the sources have the focus are a new question; `o` opens."""
        if not self.focused_is(Choices) or not event.is_printable or event.character in (None, "o", " "):
            return
        event.stop()
        entry = self.query_one("#question", QuestionInput)
        entry.focus()
        entry.insert_text_at_cursor(event.character or "")

    # -- sources ---------------------------------------------------------------------------------------------

    @on(OptionList.OptionSelected, "#choices")
    def chosen(self, event: OptionList.OptionSelected) -> None:
        """Open the reader at the cited lines."""
        event.stop()
        choice = self.query_one(Choices).choices[event.option_index]
        if isinstance(choice, Evidence) and self.diagnosis is not None and self.diagnosis.report is not None:
            self.open_source(choice, self.diagnosis.report.evidence)

    def action_open(self) -> None:
        """As Enter in the list."""
        self.query_one(Choices).action_select()

    def action_back(self) -> None:
        """Stop; leave the list; clear the line; then back to where one came from."""
        entry = self.query_one("#question", QuestionInput)
        if self.almanac.diagnoses.stop():
            return
        if self.focused_is(Choices):
            entry.focus()
        elif entry.value:
            entry.value = ""
        else:
            self.dismiss(None)

    def on_resize(self, event: events.Resize) -> None:
        """Lines are laid out for the size."""
        self.call_after_refresh(self.refresh_texts)


Row = tuple[str, Content]
"""What stands before a line, and the line."""


def trace(diagnosis: Diagnosis, words: Words) -> list[Row]:
    """The steps: call, why, what came back; then the call that is being made."""
    rows: list[Row] = []
    for step in diagnosis.steps:
        rows.append(_call(step.number, step.reason, step.call, words))
        rows.append(("   ", Content.styled(told.saw(step.result, words.lang), "$muted")))
    if diagnosis.calling is not None:
        rows.append(_call(len(diagnosis.steps) + 1, *diagnosis.calling, words))
    if diagnosis.running:
        rows.append(("", Content.styled(words("agent_running"), "$muted")))
    return rows


def _call(number: int, reason: Reason, call: Call, words: Words) -> Row:
    why = told.why(reason, words.lang)
    return f"{number}  ", Content.assemble((line(str(call)), "bold"), (f"  {why}", "$muted"))


def outcome(diagnosis: Diagnosis, words: Words) -> list[Row]:
    """The report, or what went wrong."""
    if diagnosis.error is not None:
        return [("! ", Content(words.problem(diagnosis.error)))]
    rows: list[Row] = []
    for item in told.lines(diagnosis.report, words.lang) if diagnosis.report else ():
        if rows and item.style is Style.HEADING:
            rows.append(("", Content("")))
        rows.append(_shown(item, words))
    return rows


def _shown(item: Line, words: Words) -> Row:
    text, label = line(item.text), line(item.label)
    match item.style:
        case Style.HEADING:
            return "", Content.styled(text, "bold $primary")
        case Style.SUBJECT:
            return "", Content.assemble((label, "bold"), (f"  {text}", "$muted"))
        case Style.EXPLANATION:
            named = (f"{label}  " if label else "", "$muted")
            return "  ", Content.assemble(named, text, (words.number(item.source), "$primary"))
        case Style.FACT:
            return "  ", Content.assemble((f"{label}  ", "$muted"), text)
        case Style.WARNING:
            return "! ", Content.assemble(text, (f"  {label}", "$muted"))
        case _:
            return "", Content.styled(text, "$muted")
