"""The first screen: a question, its sources, its answer."""

from __future__ import annotations

import threading

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from kb.answer.answer import Evidence, Nearest
from kb.versions.asked import ChangedDocument
from tui import messages, work
from tui.background import spawn
from tui.screens.base import AlmanacScreen
from tui.session import Exchange, Phase
from tui.sources import listing, under_line
from tui.starters import Starter, starters
from tui.widgets.answer import AnswerView
from tui.widgets.bars import HeaderBar, Hint, KeyLine, ProgressLine, Rule
from tui.widgets.choices import Choices
from tui.widgets.detail import SourceDetail
from tui.widgets.question import QuestionInput
from tui.words import line


class AskScreen(AlmanacScreen):
    """Ask, see the sources at once, then the answer above them."""

    AUTO_FOCUS = "#question"

    def __init__(self) -> None:
        super().__init__()
        self._shown: int | None = None
        self._stops: dict[int, threading.Event] = {}
        self._turn = 0

    def compose(self) -> ComposeResult:
        """Header, answer above sources (detail beside them where there is room), input, keys."""
        yield HeaderBar(id="header")
        yield Rule(classes="upper")
        with Horizontal(id="middle"):
            with Vertical(id="main"):
                yield AnswerView(id="answer", can_focus=False)
                yield Static("", id="over-choices", markup=False)
                yield Choices(id="choices")
                yield Static("", id="under-choices", markup=False)
            yield SourceDetail(id="detail")
        yield ProgressLine(id="progress")
        yield Rule(classes="lower")
        with Horizontal(id="entry"):
            yield Static("> ", id="prompt", markup=False)
            yield QuestionInput(id="question")
        yield KeyLine(id="keys")

    # -- what is shown ---------------------------------------------------------------------------------------

    @property
    def exchange(self) -> Exchange | None:
        """The question in front, None at the start."""
        return None if self._shown is None else self.almanac.session.get(self._shown)

    def relabel(self) -> None:
        """Everything anew: language, theme signs, width."""
        if not self.is_mounted:
            return
        self.query_one("#prompt", Static).update("> ")
        narrow = self.app.size.width < 60
        key = "placeholder_short" if narrow else "placeholder"
        self.query_one("#question", QuestionInput).placeholder = self.words(key)
        self.refresh_header()
        self.refresh_exchange()
        super().relabel()

    def refresh_header(self) -> None:
        """Version, date, number of documents, state of the model; and the progress line."""
        left, right = self.almanac.header_facts()
        for header in self.query(HeaderBar):
            header.show(left, right, self.words.dot)
        for progress in self.query(ProgressLine):
            progress.show(self.almanac.pace, self.words, self.almanac.clock())

    def refresh_exchange(self) -> None:
        """Answer area and list of the question in front."""
        exchange = self.exchange
        view, choices = self.query_one(AnswerView), self.query_one(Choices)
        over = self.query_one("#over-choices", Static)
        self.set_class(exchange is None, "-start")
        if exchange is None:
            view.welcome(self.words, self.almanac.console_note(), self.app.size.height < 18, self.almanac.kiosk)
            found = starters(self.almanac.catalog, self.almanac.lang, self.almanac.starter_count, self._turn)
            choices.show(tuple(found), self.words, spaced=self.almanac.kiosk and self.app.size.height >= 24)
            over.update(Content.styled(self.words("starters"), "$muted") if found else "")
        else:
            almanac = self.almanac
            view.show(exchange, self.words, almanac.first_reading, almanac.keeps_gaps, almanac.catalog.title)
            listed = listing(exchange)
            choices.show(listed, self.words, self._quote_lines(len(listed)))
            nearest = bool(listed) and exchange.phase is Phase.REFUSED
            over.update(Content.styled(self.words("nearest"), "$muted") if nearest else "")
        over.set_class(not str(over.content), "-empty")
        self._show_detail()
        self.refresh_keys()

    def _quote_lines(self, count: int) -> int:
        """How many lines of each source fit under its citation without pressing the answer."""
        spare = self.app.size.height - 22
        return 0 if not count or self.has_class("-narrow") else max(0, min(3, spare // count - 2))

    def _show_detail(self) -> None:
        choice = self.query_one(Choices).current
        source = choice if isinstance(choice, Evidence) else None
        broad = self.app.size.width >= 140
        exchange = self.exchange
        if broad and source is None and exchange is not None and exchange.evidence:
            source = exchange.evidence[0]
        place = exchange.evidence.index(source) + 1 if exchange and source in exchange.evidence else 0
        detail = self.query_one(SourceDetail)
        detail.display = broad and source is not None
        if source is not None:
            detail.show(source, place, self.words)
        under = self.query_one("#under-choices", Static)
        focused = isinstance(choice, Evidence) and self.query_one(Choices).has_focus
        under.display = focused and not broad
        if isinstance(choice, Evidence) and focused:
            under.update(Content.styled(under_line(choice, self.words, self.app.size.width < 60), "$muted"))

    def hints(self) -> list[Hint]:
        """By what has the focus and whether an answer is under way."""
        words = self.words
        exchange = self.exchange
        if exchange is not None and exchange.running:
            return [Hint("Esc", words("key_stop"), "screen.back"), *self.common_hints()]
        if self.focused_is(Choices):
            asks = isinstance(self.query_one(Choices).current, Starter)
            return [
                Hint("Enter", words("key_ask" if asks else "key_open"), "screen.open"),
                Hint("Esc", words("key_back"), "screen.back", kept=True),
                Hint("Tab", words("key_ask"), "app.focus_next"),
                *self._judging_hints(),
                *self.common_hints(),
            ]
        listed = self.query_one(Choices).choices if self.is_mounted else ()
        middle = []
        if listed:
            key = "key_move" if isinstance(listed[0], Starter) else "key_sources"
            middle = [Hint("Tab", words(key), "app.focus_next")]
        return [
            Hint("Enter", words("key_ask"), "screen.submit"),
            *middle,
            Hint("/", words("key_documents"), "app.documents"),
            *self.common_hints(),
            Hint("F9", words("key_language"), "app.language"),
        ]

    def _judging_hints(self) -> list[Hint]:
        """Whether a source helped can be said of a source, not of a starter or a near document."""
        if self.read_only or not self.is_mounted or not isinstance(self.query_one(Choices).current, Evidence):
            return []
        return [
            Hint("+", self.words("key_helpful"), "screen.judge(True)"),
            Hint("-", self.words("key_wrong"), "screen.judge(False)"),
        ]

    # -- asking ----------------------------------------------------------------------------------------------

    def ask(self, question: str) -> None:
        """Begin to answer; a question still running is stopped."""
        self.stop_running()
        earlier = self.almanac.session.resolved()
        exchange = self.almanac.session.begin(question)
        self._shown = exchange.number
        stop = self._stops[exchange.number] = threading.Event()
        following = self.almanac.following
        asked = work.Asked(exchange.number, question, self.almanac.lang, earlier, stop)
        spawn(
            lambda: work.ask(following, asked, self.post_message),
            lambda error: self.post_message(messages.AnswerFailed(exchange.number, error)),
            "ask",
        )
        self.query_one("#question", QuestionInput).value = ""
        self.query_one("#question").focus()
        self.query_one(AnswerView).scroll_home(animate=False)
        self.refresh_exchange()

    def show_exchange(self, number: int) -> None:
        """Show an earlier question again."""
        self._shown = number
        if self.is_mounted:
            self.refresh_exchange()

    def stop_running(self) -> bool:
        """Stop the answer that is under way; whether there was one."""
        exchange = self.exchange
        if exchange is None or not exchange.running:
            return False
        if exchange.number in self._stops:
            self._stops[exchange.number].set()
        self.almanac.session.cancelled(exchange.number)
        return True

    def forget(self) -> None:
        """As at the start: no question, no answer under way, nothing typed."""
        self.stop_all()
        self._stops.clear()
        self._shown = None
        self._turn += 1
        self.query_one("#question", QuestionInput).value = ""
        self.query_one("#question").focus()
        self.query_one(AnswerView).clear()
        self.refresh_exchange()

    def stop_all(self) -> None:
        """No answer shall keep the program from ending."""
        for stop in self._stops.values():
            stop.set()

    @on(Input.Submitted, "#question")
    def submitted(self, event: Input.Submitted) -> None:
        """Ask what was typed; an empty line does nothing."""
        event.stop()
        self.action_submit()

    def action_submit(self) -> None:
        """Ask what stands in the input, or the starter whose number stands there."""
        starter = self._numbered()
        question = starter.question if starter else line(self.query_one("#question", QuestionInput).value)
        if question:
            self.ask(question)

    def _numbered(self) -> Starter | None:
        """The starter whose number is all that was typed."""
        typed, choices = self.query_one("#question", QuestionInput).value.strip(), self.query_one(Choices).choices
        if not (self.exchange is None and len(typed) == 1 and typed in "123456789" and int(typed) <= len(choices)):
            return None
        choice = choices[int(typed) - 1]
        return choice if isinstance(choice, Starter) else None

    @on(Input.Changed, "#question")
    def typed(self, event: Input.Changed) -> None:
        """A starter's number marks it, before Enter asks it."""
        event.stop()
        if self.exchange is None:
            choices, starter = self.query_one(Choices), self._numbered()
            choices.set_class(starter is not None, "-pointed")
            choices.highlighted = None if starter is None else choices.choices.index(starter)

    def on_key(self, event: events.Key) -> None:
        """Letters typed while the list, or nothing, has the focus are a new question; `/` searches, `o` opens.

        The focus may have moved to the input since a letter was typed: they come as fast as an input method commits.
        """
        on_list = self.focused_is(Choices)
        if not event.is_printable or event.character is None or (on_list and event.character in "o "):
            return
        event.stop()
        if on_list and event.character in ("+", "-") and self._judging_hints():
            self.action_judge(event.character == "+")
            return
        entry = self.query_one("#question", QuestionInput)
        self.set_focus(entry)  # at once; `entry.focus()` would come after the next letter
        if event.character == "/" and not entry.value:
            self.search_wanted()
        else:
            entry.insert_text_at_cursor(event.character)

    @on(QuestionInput.Search)
    def search_wanted(self) -> None:
        """`/` opens the document search."""
        self.almanac.action_documents()

    @on(QuestionInput.Step)
    def step(self, event: QuestionInput.Step) -> None:
        """Arrows in the input move into the list, page keys scroll the answer."""
        view = self.query_one(AnswerView)
        if abs(event.by) > 1:
            view.scroll_relative(y=event.by // 2, animate=False)
        elif event.by > 0 and self.query_one(Choices).choices:
            self.query_one(Choices).focus()
        else:
            view.scroll_relative(y=event.by, animate=False)

    @on(messages.EvidenceFound)
    def evidence_found(self, event: messages.EvidenceFound) -> None:
        """Sources stand before the first word."""
        self.almanac.session.evidence(event.number, event.evidence)
        self._changed(event.number)

    @on(messages.TextGrew)
    def text_grew(self, event: messages.TextGrew) -> None:
        """The answer grows above the sources."""
        exchange = self.almanac.session.grew(event.number, event.text)
        if exchange is not None and event.number == self._shown:
            self.query_one(AnswerView).show(exchange, self.words)

    @on(messages.AnswerDone)
    def answer_done(self, event: messages.AnswerDone) -> None:
        """The whole answer, or the refusal."""
        self.almanac.session.finished(event.number, event.answer)
        self._changed(event.number)

    @on(messages.ChangesTold)
    def changes_told(self, event: messages.ChangesTold) -> None:
        """What changed in the knowledge."""
        self.almanac.session.told_changes(event.number, event.changes)
        self._changed(event.number)

    @on(messages.AnswerFailed)
    def answer_failed(self, event: messages.AnswerFailed) -> None:
        """An error in place of the answer."""
        self.almanac.session.failed(event.number, event.error)
        self._changed(event.number)

    def _changed(self, number: int) -> None:
        if number == self._shown:
            self.refresh_exchange()

    # -- choosing --------------------------------------------------------------------------------------------

    @on(OptionList.OptionSelected, "#choices")
    def chosen(self, event: OptionList.OptionSelected) -> None:
        """A starter is asked; a source or near document is opened."""
        event.stop()
        choices = self.query_one(Choices)
        choice = choices.choices[event.option_index]
        if isinstance(choice, Starter):
            self.ask(choice.question)
        elif isinstance(choice, Nearest):
            self.almanac.open_document(choice.path)
        elif isinstance(choice, ChangedDocument):
            self.almanac.action_changes(choice.path)
        else:
            exchange = self.exchange
            self.open_source(choice, exchange.evidence if exchange else (choice,))

    @on(OptionList.OptionHighlighted, "#choices")
    def highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what the source names."""
        event.stop()
        self._show_detail()

    def action_open(self) -> None:
        """As Enter in the list."""
        self.query_one(Choices).action_select()

    def on_screen_resume(self) -> None:
        """Never without a focus: the terminal's window may have lost it while another screen was in front."""
        if self.focused is None:
            self.query_one("#question").focus()

    def on_descendant_blur(self) -> None:
        """The line under the sources belongs to the focus."""
        self._show_detail()

    def on_descendant_focus(self) -> None:
        """Hints and detail follow the focus."""
        super().on_descendant_focus()
        self._show_detail()

    def action_judge(self, helpful: bool) -> None:
        """Note for the owners that the source under the cursor helped, or that it is wrong."""
        exchange, choice = self.exchange, self.query_one(Choices).current
        if self.read_only or exchange is None or exchange.answer is None or not isinstance(choice, Evidence):
            return
        runtime, answer, path = self.almanac.runtime, exchange.answer, choice.path
        self.in_background(lambda: work.judge(runtime, answer, path, helpful, self.post_message), "judge")

    @on(messages.FeedbackKept)
    def feedback_kept(self, event: messages.FeedbackKept) -> None:
        """Say that it was noted."""
        key = "noted_helpful" if event.helpful else "noted_wrong"
        self.app.notify(self.words(key, title=event.path.rsplit("/", 1)[-1]), timeout=4, markup=False)

    def action_back(self) -> None:
        """Stop; leave the list; clear the line; then back to the start. Never out of the program."""
        entry = self.query_one("#question", QuestionInput)
        if self.stop_running():
            self.refresh_exchange()
        elif self.focused_is(Choices):
            entry.focus()
        elif entry.value:
            entry.value = ""
        elif self._shown is not None:
            self._shown = None
            self._turn += 1
            self.refresh_exchange()

    def on_resize(self, event: events.Resize) -> None:
        """Lines are laid out for the size."""
        self.call_after_refresh(self.refresh_texts)
