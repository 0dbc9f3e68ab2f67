"""Asking: evidence first, the answer above it, refusal, stopping, sizes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual.pilot import Pilot

from kb.answer.answer import Way
from kb.answer.answerer import Answerer, Policy
from kb.answer.runtime import Runtime
from kb.answer.text_model import Completion
from kb.supply.ledger import Ledger
from tests.tui.conftest import SOYBEAN, ask, make_runtime, opened, screen_text, until
from tui.app import AlmanacApp
from tui.screens.browser import BrowserScreen
from tui.screens.reader import ReaderScreen
from tui.session import Phase
from tui.starters import Starter
from tui.widgets.answer import AnswerView
from tui.widgets.choices import Choices
from tui.widgets.document import DocumentView
from tui.widgets.question import QuestionInput

QUESTION = "鼓粒初期 每公顷 追施 氯化钾 公斤"


@dataclass
class SlowModel:
    """Writes a text word by word, as slowly as the test lets it."""

    words: tuple[str, ...] = ("每公顷", "追施", "氯化钾", "45-60", "公斤。")
    pace_s: float = 0.02
    gate: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)
    template: None = None
    context_tokens: int = 2048
    source: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(name="slow"))

    def count(self, text: str) -> int:
        return len(text) // 2

    def complete(
        self,
        prompt: str,
        max_tokens: int,
        stop: tuple[str, ...],
        on_text: Callable[[str], None],
        cancelled: Callable[[], bool],
        grammar: str = "",
    ) -> Completion:
        self.asked.set()
        while not self.gate.wait(0.005):
            if cancelled():
                break
        text = ""
        for word in self.words:
            if cancelled():
                break
            text += word
            on_text(text)
            time.sleep(self.pace_s)
        return Completion(text, 1, 0, len(self.words), 0.0, 0.0, 0.0, cancelled())


def with_model(runtime: Runtime, model: SlowModel) -> None:
    """Let `model` word the answers of `runtime`."""
    policy = replace(runtime.answerer.policy, way=Way.SELECT)
    runtime._answerer = Answerer(runtime.retriever, runtime.version, lambda: model, policy)  # type: ignore[arg-type,return-value]


async def type_in(app: AlmanacApp, pilot: Pilot[int], question: str) -> None:
    """Ask without waiting for the answer."""
    app.screen.query_one(QuestionInput).value = question
    await pilot.press("enter")


async def test_a_source_opens_at_its_lines_and_escape_returns(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, QUESTION)
        exchange = app.ask_screen().exchange
        assert exchange is not None and exchange.phase is Phase.DONE
        assert "45-60" in screen_text(app) and "quote" in screen_text(app)
        await pilot.press("tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen) and app.screen.page)
        view = app.screen.query_one(DocumentView)
        await until(pilot, lambda: view.cited_widgets() and view.scroll_y >= 0)
        cited = next(widget for widget in view.cited_widgets() if "45-60" in str(widget.render()))
        assert view.region.overlaps(cited.region)
        assert "大豆生育期管理" in screen_text(app)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.ask_screen())
        assert app.focused is app.screen.query_one(Choices)
        assert app.screen.query_one(Choices).highlighted == 0
        assert app.ask_screen().exchange is exchange


async def test_evidence_stands_before_the_first_word_and_does_not_move(runtime: Runtime) -> None:
    model = SlowModel()
    with_model(runtime, model)
    async with opened(runtime) as (app, pilot):
        await type_in(app, pilot, QUESTION)
        await until(pilot, model.asked.is_set)
        await until(pilot, lambda: app.session.exchanges[-1].phase is Phase.EVIDENCE)
        choices = app.screen.query_one(Choices)
        assert choices.choices and "大豆生育期管理" in screen_text(app)
        place = choices.region
        model.gate.set()
        seen: list[str] = []
        while app.session.exchanges[-1].running:
            seen.append(app.session.exchanges[-1].text)
            assert choices.region == place
            assert app.screen.query_one(AnswerView).region.bottom <= place.y
            await pilot.pause(0.005)
        grown = [text for text in seen if text]
        assert grown == sorted(grown, key=len)
        assert app.session.exchanges[-1].phase is Phase.DONE


async def test_escape_stops_a_running_answer_at_once(runtime: Runtime) -> None:
    model = SlowModel()
    with_model(runtime, model)
    async with opened(runtime) as (app, pilot):
        await type_in(app, pilot, QUESTION)
        await until(pilot, lambda: app.session.exchanges[-1].phase is Phase.EVIDENCE)
        await pilot.press("escape")
        assert [exchange.phase for exchange in app.session.exchanges] == [Phase.CANCELLED]  # the model still waits
        await pilot.pause()
        assert "Stopped" in screen_text(app)
        assert app.screen.query_one(Choices).choices
        model.gate.set()
        await ask(app, pilot, QUESTION)
        assert [exchange.phase for exchange in app.session.exchanges] == [Phase.CANCELLED, Phase.DONE]


async def test_a_refusal_is_calm_and_names_the_nearest_documents(tree: Path, tmp_path: Path) -> None:
    runtime = make_runtime(tree, tmp_path, Policy(refuse_below=1.1))
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, "氯化钾 多少")
        text = screen_text(app)
        assert "The documents do not say." in text and "Looked for" in text
        assert "大豆生育期管理" in text
        await pilot.press("tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen))
    runtime.close()


async def test_nothing_near_is_said(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, "zebra pancake trombone")
        assert app.session.exchanges[-1].phase is Phase.REFUSED
        assert not app.screen.query_one(Choices).choices
        assert "No document comes near" in screen_text(app)


async def test_starters_come_from_the_documents_and_can_be_asked(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        choices = app.screen.query_one(Choices)
        await until(pilot, lambda: choices.choices)
        assert choices.choices == (Starter("machinery", "How is a pump primed?"),)
        await pilot.press("tab", "enter")
        await until(pilot, lambda: app.session.exchanges and not app.session.exchanges[-1].running)


async def test_slash_on_the_empty_line_opens_the_documents(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("5", "/")
        assert app.screen.query_one(QuestionInput).value == "5/"
        await pilot.press("escape", "/")
        await until(pilot, lambda: isinstance(app.screen, BrowserScreen))


async def test_an_error_is_a_calm_line(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("[/] boom \x1b]0;x\x07")

    monkeypatch.setattr(runtime.answerer, "ask", broken)
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, "anything")
        text = screen_text(app)
        assert app.session.exchanges[-1].phase is Phase.FAILED
        assert "Nothing is lost" in text and "Traceback" not in text and "\x1b" not in text


async def test_an_answer_that_cannot_be_kept_is_shown_all_the_same(runtime: Runtime) -> None:
    folder = runtime.config.home / "people"
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file where the folder should be")
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, "大豆播种深度")
        assert app.session.exchanges[-1].phase is Phase.DONE
        assert "3-5" in screen_text(app)
        await pilot.pause()
        assert any("people" in notice.message for notice in app._notifications)


async def test_signs_alone_are_explained_and_an_empty_line_does_nothing(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("enter")
        assert not app.session.exchanges
        await ask(app, pilot, "???")
        assert app.session.exchanges[-1].phase is Phase.FAILED


async def test_a_long_paste_becomes_one_harmless_line(runtime: Runtime) -> None:
    from textual import events

    async with opened(runtime) as (app, pilot):
        entry = app.screen.query_one(QuestionInput)
        entry.post_message(events.Paste("两行\n问题 \x1b]0;x\x07 [/] " + "长" * 9000))
        await until(pilot, lambda: entry.value)
        assert "\x1b" not in entry.value and "\n" not in entry.value and len(entry.value) == 4000
        await pilot.press("enter")
        await until(pilot, lambda: app.session.exchanges and not app.session.exchanges[-1].running)


@pytest.mark.parametrize(
    ("size", "theme"), [((40, 12), "dark"), ((80, 24), "light"), ((200, 60), "dark"), ((40, 12), "plain")]
)
async def test_every_size_asks_and_reads(runtime: Runtime, size: tuple[int, int], theme: str) -> None:
    async with opened(runtime, size, theme=theme) as (app, pilot):
        await ask(app, pilot, QUESTION)
        text = screen_text(app)
        assert "45-60" in text and "大豆" in text
        assert app.screen.query_one(AnswerView).size.height >= 3
        await pilot.press("tab")
        await until(pilot, lambda: app.focused is app.screen.query_one(Choices))
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen) and app.screen.page)
        view = app.screen.query_one(DocumentView)
        await until(pilot, lambda: any(view.region.overlaps(widget.region) for widget in view.cited_widgets()))


async def test_resizing_while_answering_works(runtime: Runtime) -> None:
    model = SlowModel(pace_s=0.01)
    with_model(runtime, model)
    async with opened(runtime) as (app, pilot):
        await type_in(app, pilot, QUESTION)
        await until(pilot, lambda: app.session.exchanges[-1].phase is Phase.EVIDENCE)
        model.gate.set()
        for size in ((40, 12), (200, 60), (61, 19), (80, 24)):
            await pilot.resize_terminal(*size)
        await until(pilot, lambda: not app.session.exchanges[-1].running)
        assert "45-60" in screen_text(app)


async def test_the_selected_source_names_its_standards(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, QUESTION)
        await pilot.press("tab")
        await until(pilot, lambda: "GB 4404" in screen_text(app))


async def test_a_click_opens_a_source(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, QUESTION)
        await pilot.click(Choices, offset=(10, 0))
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen))
        assert isinstance(app.screen, ReaderScreen) and app.screen.path == SOYBEAN


async def test_typing_in_the_list_begins_a_new_question(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, QUESTION)
        await pilot.press("tab", "h", "o", "w")
        assert app.screen.query_one(QuestionInput).value == "how"


async def test_what_helped_and_what_is_wrong_reaches_the_ledger(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, QUESTION)
        answer = app.session.exchanges[-1].answer
        assert answer is not None
        await pilot.press("tab")
        await until(pilot, lambda: "helpful" in screen_text(app))
        await pilot.press("+")
        await until(pilot, lambda: "Noted" in " ".join(note.message for note in app._notifications))
        await pilot.press("-")

        def kept() -> list[tuple[str, str, int | None]]:
            with Ledger(runtime.config.home) as ledger:
                return [(row.entry.task, row.entry.card, row.entry.feedback) for row in ledger.rows()]

        await until(pilot, lambda: len(kept()) == 2)
        path = answer.evidence[0].path
        assert kept() == [(answer.id, path, 1), (answer.id, path, -1)]
        assert app.screen.query_one(QuestionInput).value == ""


async def test_in_the_question_a_minus_is_a_minus(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, QUESTION)
        await pilot.press("-", "1", "0")
        assert app.screen.query_one(QuestionInput).value == "-10"
